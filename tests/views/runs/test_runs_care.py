"""Looking after saved runs: nothing goes without a press, what goes is gone, and runs in use stay."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.cli.keeping import keeping
from app.core.retention import Retention
from app.ledger.shelf import list_runs
from app.ledger.store import RunLedger
from app.settings import Settings, load_settings, save_settings
from app.views.application import open_runs_window
from app.views.export.export_dialog import ExportDialog
from app.views.runs.removal_dialog import RemovalDialog
from app.views.runs.retention_dialog import RetentionDialog
from app.views.runs.runs_care import RunsCare
from app.views.runs.runs_window import RunsWindow
from tests.unit.app.export.saved_booking import save_booking
from tests.unit.app.ledger.made_up import StandingClock, run_started

WAIT_MS = 60_000


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "runs").mkdir()
    save_booking(tmp_path / "runs" / "one.signalbox")
    return tmp_path


@pytest.fixture
def opened(qtbot: QtBot, home: Path) -> Iterator[list[RunsWindow]]:
    windows: list[RunsWindow] = []
    yield windows
    for window in windows:
        window.close()


def care_of(qtbot: QtBot, home: Path, opened: list[RunsWindow]) -> RunsCare:
    window = open_runs_window(lambda: list_runs(home / "runs"), settings_path=None, keeping=keeping(home))
    opened.append(window)
    care, panel = window.care, window.panel
    assert care is not None
    assert panel is not None
    qtbot.waitUntil(lambda: panel.chosen is not None and care._thread is None, timeout=WAIT_MS)
    return care


def dialog_of(qtbot: QtBot, care: RunsCare) -> ExportDialog | RemovalDialog | RetentionDialog:
    qtbot.waitUntil(lambda: care.dialog is not None and care.dialog.isVisible(), timeout=WAIT_MS)
    assert care.dialog is not None
    return care.dialog


def test_a_run_goes_only_when_the_one_button_is_pressed(qtbot: QtBot, home: Path, opened: list[RunsWindow]) -> None:
    care = care_of(qtbot, home, opened)
    path = home / "runs" / "one.signalbox"
    for way_out in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Space):
        care.remove_button.click()
        dialog = dialog_of(qtbot, care)
        assert isinstance(dialog, RemovalDialog)
        QTest.keyClick(dialog, way_out)
        if dialog.isVisible():
            dialog.close()
        assert path.exists()
        qtbot.waitUntil(lambda: care.dialog is None, timeout=WAIT_MS)
    care.remove_button.click()
    dialog = dialog_of(qtbot, care)
    assert isinstance(dialog, RemovalDialog)
    assert "Book a table for two on 3 May" in dialog.list.item(0).text()
    dialog.remove_button.click()
    qtbot.waitUntil(lambda: not path.exists() and care._panel.runs.rowCount() == 0, timeout=WAIT_MS)


def test_a_run_in_use_stays_and_that_is_said(qtbot: QtBot, home: Path, opened: list[RunsWindow]) -> None:
    care = care_of(qtbot, home, opened)
    path = home / "runs" / "one.signalbox"
    care.remove_button.click()
    dialog = dialog_of(qtbot, care)
    assert isinstance(dialog, RemovalDialog)
    # Somebody begins to own it between the list and the press.
    with RunLedger.open_owned(path, StandingClock()):
        dialog.remove_button.click()
        qtbot.waitUntil(lambda: "in use by process" in dialog.said.text(), timeout=WAIT_MS)
    assert path.exists()
    dialog.close()


def test_what_may_go_is_said_and_shown_before_anything_goes(qtbot: QtBot, home: Path, opened: list[RunsWindow]) -> None:
    old = home / "runs" / "old.signalbox"
    clock = StandingClock()
    with RunLedger.create(old, clock) as ledger:
        clock.ticks = -1_700_000_000_000
        ledger.append(run_started())
    care = care_of(qtbot, home, opened)
    assert not care.overdue_button.isVisible()
    care.keeping_button.click()
    dialog = dialog_of(qtbot, care)
    assert isinstance(dialog, RetentionDialog)
    assert not dialog.by_age.isChecked()
    dialog.by_age.setChecked(True)
    dialog.days.setValue(365)
    dialog.save_button.click()
    qtbot.waitUntil(lambda: isinstance(care.dialog, RemovalDialog) and care.dialog.isVisible(), timeout=WAIT_MS)
    assert load_settings(home).retention == Retention(older_than_days=365)
    shown = care.dialog
    assert isinstance(shown, RemovalDialog)
    assert [shown.list.item(row).text().split(" · ")[2] for row in range(shown.list.count())] == ["older than 365 days"]
    shown.close()
    assert old.exists()
    qtbot.waitUntil(lambda: care.dialog is None, timeout=WAIT_MS)
    care.look()
    qtbot.waitUntil(lambda: care.overdue_button.text() == "1 run may go…", timeout=WAIT_MS)
    care.overdue_button.click()
    asked = dialog_of(qtbot, care)
    assert isinstance(asked, RemovalDialog)
    asked.remove_button.click()
    qtbot.waitUntil(lambda: not old.exists(), timeout=WAIT_MS)
    assert (home / "runs" / "one.signalbox").exists()
    qtbot.waitUntil(lambda: not care.overdue_button.isVisible(), timeout=WAIT_MS)


def test_broken_settings_keep_everything_and_say_so(qtbot: QtBot, home: Path, opened: list[RunsWindow]) -> None:
    save_settings(Settings(retention=Retention(older_than_days=1)), home)
    (home / "settings.toml").write_text("[retention]\nolder_than_days = 0\n")
    care = care_of(qtbot, home, opened)
    assert not care.overdue_button.isVisible()
    assert "retention.older_than_days" in opened[0].statusBar().currentMessage()
    opened[0].new_wanted.emit()
    assert opened[0].statusBar().currentMessage() == "", "it belongs to what was done before"


def test_a_run_is_handed_on_from_the_list(qtbot: QtBot, home: Path, opened: list[RunsWindow]) -> None:
    care = care_of(qtbot, home, opened)
    care.export_button.click()
    dialog = dialog_of(qtbot, care)
    assert isinstance(dialog, ExportDialog)
    dialog.place.setText(str(home / "out.html"))
    dialog.export_button.click()
    qtbot.waitUntil(lambda: (home / "out.html").exists() and dialog.export_button.isEnabled(), timeout=WAIT_MS)
    dialog.close()
