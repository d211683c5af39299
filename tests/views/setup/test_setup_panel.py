"""The form of a new run: what it says ahead, its checks in another thread, its files, and what Start hands on."""

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.cli.new_run import SetupFiles
from app.cli.runfile import load_run_file
from app.core.check_line import CheckLine
from app.core.plan import RunPlan
from app.views.setup.sections import MAIN
from app.views.setup.setup_panel import SetupPanel
from app.views.setup.setup_window import SetupWindow
from app.views.setup.table_form import ListEditor

RECORDING = Path(__file__).parents[2] / "recordings" / "format-1.signalbox"

PLAN: dict[str, Any] = {
    "task": "t",
    "browser": {"members": ["navigate", "click", "read_page"]},
    "rules": [{"verdict": "allow", "kinds": ["navigation"], "origins": ["https://a.test"]}],
}


class SlowChecks(SetupFiles):
    """Real files; checks that go on when they are told to."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.go_on = threading.Event()
        self.asked: list[tuple[RunPlan, Path | None, str]] = []

    def check(self, plan: RunPlan, beside: Path | None, say: Callable[[CheckLine], None]) -> None:
        self.asked.append((plan, beside, threading.current_thread().name))
        say(CheckLine("Key", "ok", "there"))
        assert self.go_on.wait(60)
        say(CheckLine("Model", "not ok", "unknown", "Name another one.", "gpt\u202e"))


@pytest.fixture
def ports(tmp_path: Path) -> SlowChecks:
    return SlowChecks(tmp_path)


@pytest.fixture
def panel(qtbot: QtBot, ports: SlowChecks) -> SetupPanel:
    made = SetupPanel(ports)
    qtbot.addWidget(made, before_close_func=lambda widget: widget.close_down())
    with qtbot.waitSignal(made.settled):
        pass
    return made


def test_what_will_be_asked_stands_beside_the_form_and_follows_it(panel: SetupPanel) -> None:
    panel.put(PLAN)
    shown = panel.asked.canvas.shown_text()
    assert "asked  Open an address: which one" in shown
    assert "not asked  Open an address: which one · rule 1 allows it, only where it fits: “https://a.test”" in shown
    assert "not asked  Read the page" in shown
    panel.put({**PLAN, "browser": {"confirm_reads": ["read_page"]}})
    assert (
        "asked  Open an address: which one, Open an address, Read the page, Click on" in panel.asked.canvas.shown_text()
    )
    panel.put({**PLAN, "streaming": {"eager": True}})
    assert "note  Eager: an allowed call runs while its answer is still coming" in panel.asked.canvas.shown_text()
    panel.put({**PLAN, "max_steps": 0})
    assert "once the fields are right" in panel.asked.canvas.shown_text()


def test_checks_are_made_in_another_thread_and_appear_as_they_come(
    qtbot: QtBot, panel: SetupPanel, ports: SlowChecks
) -> None:
    panel.put(PLAN)
    panel.check_button.click()
    assert not panel.check_button.isEnabled()
    qtbot.waitUntil(lambda: "ok  Key  there" in panel.checks.canvas.shown_text())
    with qtbot.waitSignal(panel.checked):
        ports.go_on.set()
    shown = panel.checks.canvas.shown_text()
    assert "not ok  Model  unknown “gpt⟦U+202E⟧”\nName another one." in shown
    assert panel.checks.summary.text() == "1 not ok"
    ((_, beside, thread),) = ports.asked
    assert (beside, thread) == (None, "checks before a run")


def test_rules_are_tried_on_saved_runs_and_nothing_is_switched_on(
    qtbot: QtBot, panel: SetupPanel, tmp_path: Path
) -> None:
    panel.put({"task": "t"})
    assert not panel.rules_button.isEnabled(), "there is nothing to try"
    rules = [{"verdict": "allow"}, {"verdict": "deny", "kinds": ["candidate"]}]
    panel.put({**PLAN, "rules": rules})
    with qtbot.waitSignal(panel.checked):
        panel.rules_button.click()
    assert "there is no saved run to try them on" in panel.checks.canvas.shown_text()
    (tmp_path / "runs").mkdir()
    shutil.copy(RECORDING, tmp_path / "runs" / "saved.signalbox")
    with qtbot.waitSignal(panel.checked):
        panel.rules_button.click()
    said = panel.checks.canvas.shown_text()
    assert "questions of 1 saved run  " in said
    assert "Rule 1, allow" in said
    assert "Rule 2, deny  0 hits" in said
    assert "Loosened" in said
    assert "somebody had said no" in said
    assert panel.checks.summary.text().endswith("not ok")
    assert panel.plan is not None
    assert len(panel.plan.rules) == 2


def test_checks_of_another_plan_are_forgotten(qtbot: QtBot, panel: SetupPanel, ports: SlowChecks) -> None:
    panel.put(PLAN)
    panel.check()
    panel.put({**PLAN, "task": "another"})
    with qtbot.waitSignal(panel.checked):
        ports.go_on.set()
    assert "It runs nothing of the run" in panel.checks.canvas.shown_text()
    assert panel.check_button.isEnabled()


def test_what_is_written_can_be_saved_kept_as_a_preset_and_read_again(
    qtbot: QtBot, panel: SetupPanel, tmp_path: Path
) -> None:
    panel.put(PLAN)
    path = tmp_path / "run.toml"
    with qtbot.waitSignal(panel.settled):
        panel.save_file(path)
    assert load_run_file(path) == panel.plan
    assert path.stat().st_mode & 0o077 == 0
    with qtbot.waitSignal(panel.settled):
        panel.save_preset("daily")
    assert [panel.preset_box.itemText(at) for at in range(panel.preset_box.count())] == ["Presets", "daily"]
    plan = panel.plan
    panel.put({"task": "t"})
    with qtbot.waitSignal(panel.settled):
        panel.preset_box.activated.emit(1)
    assert panel.plan == plan
    assert panel.source == tmp_path / "presets" / "daily.toml"


def test_no_preset_is_written_over_by_another_and_its_own_is(qtbot: QtBot, panel: SetupPanel, tmp_path: Path) -> None:
    panel.put(PLAN)
    for name in ("daily", "weekly"):
        with qtbot.waitSignal(panel.settled):
            panel.save_preset(name)
    daily = tmp_path / "presets" / "daily.toml"
    before = daily.read_text(encoding="utf-8")
    panel.put({**PLAN, "task": "another"})
    panel.source = tmp_path / "presets" / "weekly.toml"
    with qtbot.waitSignal(panel.settled):
        panel.save_preset("daily")
    assert panel.status.text().startswith("There is a preset daily already")
    assert daily.read_text(encoding="utf-8") == before
    panel.source = daily
    with qtbot.waitSignal(panel.settled):
        panel.save_preset("daily")
    assert "another" in daily.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["", "..", "a/b", "a\\b", "a\u202eb"])
def test_a_preset_that_no_file_can_be_called_is_refused(qtbot: QtBot, panel: SetupPanel, name: str) -> None:
    panel.put(PLAN)
    with qtbot.waitSignal(panel.settled):
        panel.save_preset(name)
    assert panel.status.text().startswith("a preset cannot be called")


def test_a_run_file_that_is_wrong_changes_nothing_and_is_told(qtbot: QtBot, panel: SetupPanel, tmp_path: Path) -> None:
    panel.put(PLAN)
    path = tmp_path / "run.toml"
    path.write_text('task = "t"\nmax_stesp = 3\n', encoding="utf-8")
    before = panel.sections.values()
    with qtbot.waitSignal(panel.settled):
        panel.open_file(path)
    assert panel.status.text().endswith("run.toml:2: max_stesp: there is no such key")
    assert (panel.sections.values(), panel.source) == (before, None)


def test_a_person_fills_in_a_run_and_starts_it_by_its_keys(qtbot: QtBot, ports: SlowChecks, tmp_path: Path) -> None:
    window = SetupWindow(ports)
    qtbot.addWidget(window)
    panel = window.panel
    with qtbot.waitSignal(panel.settled):
        window.show()
    with qtbot.waitActive(window):
        pass
    panel.source = tmp_path / "run.toml"
    row = panel.sections.page(MAIN).rows["max_steps"]
    line = row.editor.findChild(QLineEdit)
    assert line is not None
    panel.sections.page(MAIN).rows["task"].editor.put("Look around")
    QTest.keyClicks(line, "many")
    panel.start()
    assert "number" in row.wrong.text() or "integer" in row.wrong.text()
    line.clear()
    QTest.keyClicks(line, "7")
    rules = panel.sections.page("rules").rows["rules"].editor
    assert isinstance(rules, ListEditor)
    rules.add_button.click()
    rules.add_button.click()
    rules.entries[0].put({"verdict": "deny"})
    rules.entries[1].put({"verdict": "allow", "members": ["click"]})
    rules.entries[1].up_button.click()
    with qtbot.waitSignal(window.start_wanted) as started:
        QTest.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    plan, beside = started.args
    assert beside == tmp_path
    assert (plan.task, plan.max_steps) == ("Look around", 7)
    assert [rule.verdict for rule in plan.rules] == ["allow", "deny"]
    rules.remove(rules.entries[0])
    panel.refresh()
    assert panel.plan is not None
    assert [rule.verdict for rule in panel.plan.rules] == ["deny"]
    window.close()


def test_a_tool_of_the_service_is_begun_from_a_menu(qtbot: QtBot, panel: SetupPanel) -> None:
    panel.put({"task": "t"})
    tools = panel.sections.page("server_tools").rows["server_tools"].editor
    assert isinstance(tools, ListEditor)
    menu = tools.beginnings()
    assert menu is not None
    menu.actions()[0].trigger()
    menu.actions()[1].trigger()
    panel.refresh()
    assert panel.sections.values()["server_tools"] == [
        {"type": "web_search"},
        {"type": "file_search", "vector_store_ids": []},
    ]
    assert panel.status.text() == "1 field is wrong", "it has no store to search yet"


def answered(window: SetupWindow, words: str) -> None:
    asked = window.dialog
    assert asked is not None
    assert asked.isVisible()
    (button,) = [button for button in asked.buttons() if button.text() == words]
    button.click()


def test_what_is_filled_in_is_not_dropped_without_a_word(qtbot: QtBot, ports: SlowChecks) -> None:
    window = SetupWindow(ports)
    with qtbot.waitSignal(window.panel.settled):
        window.show()
    window.panel.put(PLAN)
    window.panel.sections.put({**PLAN, "task": "typed"})
    assert window.close() is False
    asked = window.dialog
    assert window.close() is False, "asked once, not twice"
    assert window.dialog is asked
    answered(window, "Go on filling in")
    assert not window.is_closed
    window.close()
    with qtbot.waitSignal(window.closed):
        answered(window, "Drop it")


def test_a_form_with_nothing_of_its_own_closes_at_once(qtbot: QtBot, ports: SlowChecks) -> None:
    window = SetupWindow(ports)
    with qtbot.waitSignal(window.panel.settled):
        window.show()
    window.panel.put(PLAN)
    with qtbot.waitSignal(window.closed):
        assert window.close()


def test_what_is_wrong_cannot_be_checked(qtbot: QtBot, ports: SlowChecks) -> None:
    empty = SetupPanel(ports)
    qtbot.addWidget(empty)
    assert not empty.check_button.isEnabled()
    empty.put({"task": "t", "functions": [{"name": "f", "import": "my_tools:f"}]})
    assert empty.check_button.isEnabled()
    empty.put({"task": "t", "functions": [{"name": "f", "import": "my_tools"}]})
    assert not empty.check_button.isEnabled()
