"""The windows on what was saved: ``signalbox replay`` for one run, ``signalbox`` for the list. Nothing is executed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.window import in_window, painted_first, settings_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.core.sealed import SealFound
    from app.replay.marks import MarkBook
    from app.replay.reading import Reading
    from app.views.runs.runs_window import RunsWindow
    from app.views.window import ConsoleWindow

NOTHING_RAN = 0
LARGE_BYTES = 4_000_000
"""A checkpoint above that is read with the window on the screen."""


def replay_in_window(path: Path, *, home: Path | None) -> int:
    """Show one saved run, read-only."""

    async def main(window: ConsoleWindow) -> int:
        await show_saved(path, window, home)
        return NOTHING_RAN

    refuse_what_is_no_run(path)
    return in_window(main, home)


def refuse_what_is_no_run(path: Path) -> None:
    """Say it before a window opens for nothing; costs the reading of a hundred bytes for a ledger.

    Raises:
        LedgerProblem: it is neither a ledger nor a checkpoint; says what it is.
    """
    from app.ledger.schema import has_our_mark

    if has_our_mark(path) or (path.suffix.lower() == ".json" and path.stat().st_size > LARGE_BYTES):
        return
    from app.replay.reading import begin_reading

    begin_reading(path).close()


def show_runs(*, home: Path | None) -> int:
    """Show the list of saved runs; each that is chosen opens in a window of its own, as does a new one.

    Returns 0 when no run was started from here, else the highest exit code of those that were.
    """

    async def main(window: RunsWindow) -> int:
        from app.cli.going_on import SavedWindows
        from app.cli.keeping import keeping
        from app.cli.new_run import NewRuns
        from app.ledger.shelf import list_runs
        from app.paths import runs_folder
        from app.views.application import open_runs_window

        saved = SavedWindows(window, home)

        def read_again() -> None:
            if not window.is_closed and window.panel is not None:
                window.panel.refresh()

        new = NewRuns(home, ran=read_again)
        window.open_wanted.connect(saved.look)
        window.resume_wanted.connect(saved.resume)
        window.fork_wanted.connect(lambda path: saved.fork(path))
        window.new_wanted.connect(new.open_form)
        window.compare_wanted.connect(saved.compare)
        open_runs_window(
            lambda: list_runs(runs_folder(home)),
            settings_path=settings_file(home),
            window=window,
            keeping=keeping(home),
        )
        try:
            await window.wait_closed()
            new.close_forms()
        finally:
            await saved.aclose()
            await new.aclose()
        return max(new.exit_code, saved.exit_code)

    return painted_first(lambda: _runs_window(home), main, home)


def _runs_window(home: Path | None) -> RunsWindow:
    from app.views.runs.runs_window import RunsWindow

    return RunsWindow(settings_path=settings_file(home))


async def show_saved(
    path: Path, window: ConsoleWindow, home: Path | None, *, shown: Callable[[], None] = lambda: None
) -> None:
    """Fill `window` with the saved run, call `shown`, and wait until it is closed."""
    import asyncio

    from app.cli.handing_on import exporter
    from app.views.application import get_ready, open_saved_run

    begun = asyncio.get_running_loop().run_in_executor(None, _begin, path, home)
    get_ready(window)
    reading, marks = await begun
    try:
        open_saved_run(
            reading,
            settings_path=settings_file(home),
            marks=marks,
            window=window,
            exporter=exporter(),
            seal=_seal_of,
        )
        if not window.is_closed:
            shown()
        await window.wait_closed()
    finally:
        reading.close()


def _begin(path: Path, home: Path | None) -> tuple[Reading, MarkBook]:
    from app.paths import marks_folder
    from app.replay.marks import MarkBook
    from app.replay.reading import begin_reading

    reading = begin_reading(path)
    try:
        return reading, MarkBook(marks_folder(home) / f"{reading.key}.json", path)
    except BaseException:
        reading.close()
        raise


def _seal_of(reading: Reading) -> SealFound:
    from app.cli.seal import seal_of_reading

    return seal_of_reading(reading)
