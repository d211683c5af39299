"""What the list of saved runs opens: windows to look at runs, and the forms from which one is resumed or forked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.cli.window import settings_file
from app.core.errors import LedgerProblem, SignalboxError

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

    from app.views.bare_window import BareWindow
    from app.views.runs.runs_window import RunsWindow


class SavedWindows:
    """The windows of one list. Those that only look are closed with it; a run that goes on is waited for."""

    def __init__(self, runs: RunsWindow, home: Path | None) -> None:
        from app.tasks import TaskOwner

        self._runs = runs
        self._home = home
        self._owner = TaskOwner("opened runs")
        self._looking: dict[Path, list[BareWindow]] = {}
        self._going_on: list[Any] = []
        self.exit_code = 0
        """The highest of those with which runs that went on have ended."""

    def look(self, path: Path) -> None:
        """Show a run in a window of its own; nothing is executed."""
        from app.tasks import spawn

        spawn(f"replay of {path.stem}", self._look(path), owner=self._owner)

    def compare(self, pair: tuple[Path, Path]) -> None:
        """Show two runs side by side."""
        from app.tasks import spawn

        spawn("compared runs", self._compare(pair), owner=self._owner)

    def resume(self, path: Path) -> None:
        """Show the form for resuming, and go on. What looked at the run is closed: it is about to be written."""
        from app.cli.resume import take_up
        from app.tasks import spawn
        from app.views.resume.resume_window import ResumeWindow

        for window in list(self._looking.get(path, [])):
            if not window.is_closed:
                window.close()
        form = ResumeWindow(settings_path=settings_file(self._home))
        work = self._from_form(form, take_up(path, form, home=self._home))
        self._going_on.append(spawn(f"resuming {path.stem}", work, owner=self._owner))

    def fork(self, path: Path, at_seq: int | None = None) -> None:
        """Show the form for a fork, the boundary before event `at_seq` chosen, and begin the new run."""
        from app.cli.fork import fork_from_form
        from app.tasks import spawn
        from app.views.resume.fork_window import ForkWindow

        form = ForkWindow(settings_path=settings_file(self._home))
        work = self._from_form(form, fork_from_form(path, form, home=self._home, at_seq=at_seq))
        self._going_on.append(spawn(f"fork of {path.stem}", work, owner=self._owner))

    async def aclose(self) -> None:
        """Wait for the runs that go on: closing the list cuts none off. Then end what is left."""
        import asyncio

        try:
            await asyncio.gather(*self._going_on, return_exceptions=True)
        finally:
            await self._owner.aclose()

    async def _look(self, path: Path) -> None:
        from app.cli.saved import show_saved
        from app.views.going_on import GoingOn
        from app.views.window import ConsoleWindow

        window = ConsoleWindow(settings_path=settings_file(self._home))
        self._looking.setdefault(path, []).append(window)

        def offer() -> None:
            actions = GoingOn(window)
            actions.resume_wanted.connect(lambda: self.resume(path))
            actions.fork_wanted.connect(lambda seq: self.fork(path, seq))

        try:
            await show_saved(path, window, self._home, shown=offer)
        except LedgerProblem as problem:
            self._runs.statusBar().showMessage(str(problem))
        finally:
            if window in (open_ones := self._looking.get(path, [])):
                open_ones.remove(window)
            if not window.is_closed:
                window.close()

    async def _compare(self, pair: tuple[Path, Path]) -> None:
        from app.cli.compare import show_compared
        from app.views.compare.compare_window import CompareWindow

        window = CompareWindow(settings_path=settings_file(self._home))
        for path in pair:
            self._looking.setdefault(path, []).append(window)
        try:
            await show_compared(pair, window)
        except LedgerProblem as problem:
            self._runs.statusBar().showMessage(str(problem))
        finally:
            for path in pair:
                if window in (open_ones := self._looking.get(path, [])):
                    open_ones.remove(window)
            if not window.is_closed:
                window.close()

    async def _from_form(self, form: BareWindow, work: Coroutine[None, None, int]) -> None:
        """Do what the form is for; what is wrong is said in the list, which is read again afterwards."""
        form.show()
        try:
            self.exit_code = max(self.exit_code, await work)
        except SignalboxError as problem:
            self.exit_code = max(self.exit_code, problem.exit_code)
            if not self._runs.is_closed:
                self._runs.statusBar().showMessage(str(problem))
        finally:
            if not form.is_closed:
                form.close()
            if not self._runs.is_closed and self._runs.panel is not None:
                self._runs.panel.refresh()
