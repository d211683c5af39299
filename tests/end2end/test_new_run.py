"""From the list of runs to a finished run: a person opens the form, fills it in, starts, answers; and closes all."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.cli import demo
from app.cli.saved import show_runs
from app.core.plan_toml import run_file_text, values_of
from app.ledger.shelf import list_runs
from app.paths import runs_folder
from app.rehearsal.server import MODEL
from app.views.runs.runs_window import RunsWindow
from app.views.setup.setup_window import SetupWindow
from app.views.window import ConsoleWindow
from tests.helpers.pilot import LOOK_EVERY_SECS, PATIENCE_SECS, Pilot

OWN_TOOLS = """from app.rehearsal.functions import DEMO_FUNCTIONS

opening_hours = DEMO_FUNCTIONS["opening_hours"]
"""

AnyWindow = TypeVar("AnyWindow")


async def shown(kind: type[AnyWindow]) -> AnyWindow:
    """The open window of that kind, as soon as there is one."""
    end = asyncio.get_running_loop().time() + PATIENCE_SECS
    while True:
        for window in QApplication.topLevelWidgets():
            if isinstance(window, kind) and window.isVisible():
                return window
        assert asyncio.get_running_loop().time() < end, f"never seen: {kind.__name__}"
        await asyncio.sleep(LOOK_EVERY_SECS)


def with_a_person(person: Callable[[], Awaitable[None]], home: Path) -> int:
    """The program's own list of runs, with `person` acting in it; whatever goes wrong, all windows are closed."""
    acting: list[asyncio.Task[None]] = []

    async def act() -> None:
        try:
            await person()
        finally:
            for window in QApplication.topLevelWidgets():
                if isinstance(window, RunsWindow | SetupWindow | ConsoleWindow):
                    window.close()

    def begin() -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        timer.stop()
        acting.append(loop.create_task(act()))

    timer = QTimer()
    timer.setInterval(5)
    timer.timeout.connect(begin)
    timer.start()
    code = show_runs(home=home)
    acting[0].result()
    return code


def test_a_run_is_set_up_started_answered_and_listed(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with demo.rehearsal("booking") as served:
        monkeypatch.setenv("OPENAI_API_KEY", "no-key")
        monkeypatch.setenv("OPENAI_BASE_URL", served.base_url)
        monkeypatch.setattr(sys, "path", list(sys.path))
        seen: list[Any] = []
        run_file = tmp_path / "run.toml"
        functions = [{"name": "opening_hours", "import": "own_tools_of_the_run:opening_hours"}]
        values = {**values_of(served.plan), "model": MODEL, "functions": functions}
        run_file.write_text(run_file_text(values), encoding="utf-8")
        (tmp_path / "own_tools_of_the_run.py").write_text(OWN_TOOLS, encoding="utf-8")

        async def person() -> None:
            runs = await shown(RunsWindow)
            await Pilot(runs).until(lambda: runs.panel is not None, "the list")  # type: ignore[arg-type]
            assert runs.panel is not None
            QTest.mouseClick(runs.panel.new_button, Qt.MouseButton.LeftButton)
            form = await shown(SetupWindow)
            pilot = Pilot(form)  # type: ignore[arg-type]
            assert form.panel.sections.values() == {"browser": {}}
            assert not form.panel.start_button.isEnabled()
            form.panel.open_file(run_file)
            await pilot.until(form.panel.start_button.isEnabled, "the run file read")
            QTest.mouseClick(form.panel.check_button, Qt.MouseButton.LeftButton)
            await pilot.until(form.panel.check_button.isEnabled, "the checks made")
            seen.append(form.panel.checks.canvas.shown_text())
            QTest.mouseClick(form.panel.start_button, Qt.MouseButton.LeftButton)
            live = await shown(ConsoleWindow)
            # The list and the form may go: the run has a window of its own.
            runs.close()
            await pilot.until(lambda: form.is_closed, "the form closed with the list")
            await Pilot(live).answer_all(lambda ask: "allow")
            live.close()

        assert with_a_person(person, tmp_path) == 0
        assert [booking.name for booking in served.site.bookings] == ["Ada Park"]
        assert served.model.problems == []
    (checks,) = seen
    assert "ok  Start page  the site answers 200" in checks
    assert "ok  Browser" in checks
    assert "ok  Function opening_hours" in checks
    (row,) = list_runs(runs_folder(tmp_path))
    assert (row.status, row.provenance, row.task) == ("finished", "live", served.plan.task)


def test_a_run_that_cannot_begin_is_told_in_its_form(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    async def person() -> None:
        runs = await shown(RunsWindow)
        await Pilot(runs).until(lambda: runs.panel is not None, "the list")  # type: ignore[arg-type]
        QTest.keyClick(runs, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
        form = await shown(SetupWindow)
        form.panel.put({"task": "t", "model": "m"})
        form.panel.start()
        pilot = Pilot(form)  # type: ignore[arg-type]
        await pilot.until(lambda: "OPENAI_API_KEY is not set" in form.panel.status.text(), "what is missing")

    assert with_a_person(person, tmp_path) == 3
    assert list_runs(runs_folder(tmp_path)) == []
