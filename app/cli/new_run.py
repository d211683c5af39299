"""A new run from the window: the form's files and checks, and the runs that are started from it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from app.cli.window import settings_file
from app.core.errors import SignalboxError, UsageProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from app.core.check_line import CheckLine
    from app.core.plan import RunPlan
    from app.views.setup.setup_window import SetupWindow
    from app.views.window import ConsoleWindow

FRESH: dict[str, Any] = {"browser": {}}
"""What a new form is filled with."""


NOT_IN_NAMES = frozenset('/\\:*?"<>|')


class SetupFiles:
    """The form's `SetupPorts`: presets in the data folder, run files anywhere."""

    def __init__(self, home: Path | None) -> None:
        self._home = home

    def presets(self) -> Sequence[Path]:
        """The run files kept as presets, by name."""
        from app.paths import presets_folder

        return sorted(presets_folder(self._home).glob("*.toml"), key=lambda path: path.stem.casefold())

    def preset(self, name: str) -> Path:
        """Where the preset of that name is kept. Raises `UsageProblem`."""
        from app.paths import presets_folder

        kept = name.strip()
        if (
            not kept
            or kept.startswith(".")
            or any(letter in '/\\:*?"<>|' or not letter.isprintable() for letter in kept)
        ):
            raise UsageProblem(f"a preset cannot be called {name!r}")
        return presets_folder(self._home) / f"{kept}.toml"

    def read(self, path: Path) -> dict[str, Any]:
        """The values of a run file. Raises `UsageProblem`."""
        from app.cli.runfile import load_run_file
        from app.core.plan_toml import values_of

        return values_of(load_run_file(path))

    def write(self, path: Path, values: Mapping[str, Any]) -> None:
        """Write a run file, all of it or nothing. Raises `UsageProblem`."""
        from app.core.plan_toml import run_file_text
        from app.whole_file import written_whole

        try:
            text = run_file_text(values)
            path.parent.mkdir(parents=True, exist_ok=True)
            with written_whole(path, prefix=".run-file-") as opened:
                opened.write(text.encode())
        except OSError as error:
            raise UsageProblem(f"the run file cannot be written ({error.strerror}): {path}") from error
        except ValueError as error:
            raise UsageProblem(str(error)) from error

    def try_rules(self, plan: RunPlan, say: Callable[[CheckLine], None]) -> None:
        """Try the plan's rules on saved runs."""
        from app.cli.rules_tried import try_on_saved_runs

        try_on_saved_runs(plan, say, home=self._home)

    def check(self, plan: RunPlan, beside: Path | None, say: Callable[[CheckLine], None]) -> None:
        """Look at all that the run needs."""
        from app.cli.preflight import check_run

        check_run(plan, say, home=self._home, beside=beside, environment=dict(os.environ))


class NewRuns:
    """The forms and live windows of one program. Forms are closed with the list; runs go on until theirs is."""

    def __init__(self, home: Path | None, *, ran: Callable[[], None]) -> None:
        """`ran` is called when a run has ended and its window is closed."""
        from app.tasks import TaskOwner

        self._home = home
        self._ran = ran
        self._owner = TaskOwner("new runs")
        self._forms: list[SetupWindow] = []
        self._runs: list[Any] = []
        self.exit_code = 0
        """The highest of those with which runs have ended."""

    def open_form(self) -> None:
        """Show a form, once what it consists of has been loaded in another thread."""
        from app.tasks import spawn

        spawn("the form of a new run", self._form(), owner=self._owner)

    async def _form(self) -> None:
        import asyncio
        import importlib

        await asyncio.to_thread(importlib.import_module, "app.views.setup.setup_panel")
        from app.views.setup.setup_window import SetupWindow

        window = SetupWindow(SetupFiles(self._home), settings_path=settings_file(self._home))
        window.panel.put(FRESH)
        window.start_wanted.connect(lambda plan, beside: self._start(window, plan, beside))
        self._forms.append(window)
        # At once: a closed window is deleted before a task gets its turn.
        window.closed.connect(lambda: self._forms.remove(window))
        window.show()

    def _start(self, form: SetupWindow, plan: RunPlan, beside: Path | None) -> None:
        from app.tasks import spawn

        self._runs.append(spawn("a run from the form", self._run(form, plan, beside), owner=self._owner))

    async def _run(self, form: SetupWindow, plan: RunPlan, beside: Path | None) -> None:
        import asyncio

        from app.cli.live import live_run, make_own
        from app.cli.run import look_in, service_of
        from app.views.window import ConsoleWindow

        window: ConsoleWindow | None = None
        try:
            service = service_of(plan)
            if beside is not None:
                look_in(beside)
            make = make_own(plan, service, home=self._home)
            window = ConsoleWindow(settings_path=settings_file(self._home))
            window.show()
            self.exit_code = max(self.exit_code, await live_run(make, window, home=self._home))
        except SignalboxError as problem:
            # The run has not begun, and nothing of it is on record.
            self.exit_code = max(self.exit_code, problem.exit_code)
            if not form.is_closed:
                form.panel.say(str(problem), wrong=True)
        except asyncio.CancelledError:
            self.exit_code = max(self.exit_code, SignalboxError.exit_code)
            raise
        finally:
            if window is not None and not window.is_closed:
                window.close()
            self._ran()

    def close_forms(self) -> None:
        """Close every form that is open; the window that they belong to is closed already."""
        for form in list(self._forms):
            form.drop()

    async def aclose(self) -> None:
        """Close the forms, wait for the runs, end what is left."""
        import asyncio

        self.close_forms()
        try:
            await asyncio.gather(*self._runs, return_exceptions=True)
        finally:
            await self._owner.aclose()
