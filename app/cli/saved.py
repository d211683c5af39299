"""The windows on what was saved: ``signalbox replay`` for one run, ``signalbox`` for the list. Nothing is executed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.window import in_window, painted_first, settings_file

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

    from app.views.bare_window import BareWindow
    from app.views.runs.runs_window import RunsWindow
    from app.views.window import ConsoleWindow

NOTHING_RAN = 0


def replay_in_window(path: Path, *, home: Path | None) -> int:
    """Show one saved run, read-only."""

    async def main(window: ConsoleWindow) -> int:
        await _replay(path, window, home)
        return NOTHING_RAN

    return in_window(main, home)


def show_runs(*, home: Path | None) -> int:
    """Show the list of saved runs; each that is chosen opens in a window of its own, as does a new one.

    Returns 0 when no run was started from here, else the highest exit code of those that were.
    """

    async def main(window: RunsWindow) -> int:
        import asyncio

        from app.cli.keeping import keeping
        from app.cli.new_run import NewRuns
        from app.ledger.shelf import list_runs
        from app.paths import runs_folder
        from app.tasks import TaskOwner, spawn
        from app.views.application import open_runs_window

        opened = TaskOwner("opened runs")

        def open_run(path: Path) -> None:
            spawn(f"replay of {path.stem}", _opened(path, window, home), owner=opened)

        resumed: list[asyncio.Task[None]] = []

        def resume_run(path: Path) -> None:
            resumed.append(spawn(f"resuming {path.stem}", _resumed(path, window, home), owner=opened))

        def fork_run(path: Path) -> None:
            resumed.append(spawn(f"fork of {path.stem}", _forked(path, window, home), owner=opened))

        def compare_runs(pair: tuple[Path, Path]) -> None:
            spawn("compared runs", _compared(pair, window, home), owner=opened)

        def read_again() -> None:
            if not window.is_closed and window.panel is not None:
                window.panel.refresh()

        new = NewRuns(home, ran=read_again)
        window.open_wanted.connect(open_run)
        window.resume_wanted.connect(resume_run)
        window.fork_wanted.connect(fork_run)
        window.new_wanted.connect(new.open_form)
        window.compare_wanted.connect(compare_runs)
        open_runs_window(
            lambda: list_runs(runs_folder(home)),
            settings_path=settings_file(home),
            window=window,
            keeping=keeping(home),
        )
        try:
            await window.wait_closed()
            new.close_forms()
            # A run that goes on is not cut off because the list was closed.
            await asyncio.gather(*resumed, return_exceptions=True)
        finally:
            await opened.aclose()
            await new.aclose()
        return new.exit_code

    return painted_first(lambda: _runs_window(home), main, home)


def _runs_window(home: Path | None) -> RunsWindow:
    from app.views.runs.runs_window import RunsWindow

    return RunsWindow(settings_path=settings_file(home))


async def _opened(path: Path, runs: RunsWindow, home: Path | None) -> None:
    from app.core.errors import LedgerProblem
    from app.views.window import ConsoleWindow

    window = ConsoleWindow(settings_path=settings_file(home))
    try:
        await _replay(path, window, home)
    except LedgerProblem as problem:
        runs.statusBar().showMessage(str(problem))
    finally:
        if not window.is_closed:
            window.close()


async def _compared(pair: tuple[Path, Path], runs: RunsWindow, home: Path | None) -> None:
    from app.cli.compare import show_compared
    from app.core.errors import LedgerProblem
    from app.views.compare.compare_window import CompareWindow

    window = CompareWindow(settings_path=settings_file(home))
    try:
        await show_compared(pair, window)
    except LedgerProblem as problem:
        runs.statusBar().showMessage(str(problem))
    finally:
        if not window.is_closed:
            window.close()


async def _resumed(path: Path, runs: RunsWindow, home: Path | None) -> None:
    from app.cli.resume import take_up
    from app.views.resume.resume_window import ResumeWindow

    form = ResumeWindow(settings_path=settings_file(home))
    await _from_form(form, take_up(path, form, home=home), runs)


async def _forked(path: Path, runs: RunsWindow, home: Path | None) -> None:
    from app.cli.fork import fork_from_form
    from app.views.resume.fork_window import ForkWindow

    form = ForkWindow(settings_path=settings_file(home))
    await _from_form(form, fork_from_form(path, form, home=home), runs)


async def _from_form(form: BareWindow, work: Coroutine[None, None, int], runs: RunsWindow) -> None:
    """Show the form and do what it is for; what is wrong is said in the list, which is read again afterwards."""
    from app.core.errors import SignalboxError

    form.show()
    try:
        await work
    except SignalboxError as problem:
        if not runs.is_closed:
            runs.statusBar().showMessage(str(problem))
    finally:
        if not form.is_closed:
            form.close()
        if not runs.is_closed and runs.panel is not None:
            runs.panel.refresh()


async def _replay(path: Path, window: ConsoleWindow, home: Path | None) -> None:
    """Fill `window` with the saved run and wait until it is closed."""
    import asyncio

    from app.cli.keeping import exporter
    from app.paths import marks_folder
    from app.replay.marks import MarkBook
    from app.replay.reading import begin_reading
    from app.views.application import open_saved_run

    reading = await asyncio.to_thread(begin_reading, path)
    try:
        marks = await asyncio.to_thread(MarkBook, marks_folder(home) / f"{reading.key}.json")
        open_saved_run(reading, settings_path=settings_file(home), marks=marks, window=window, exporter=exporter())
        await window.wait_closed()
    finally:
        reading.close()
