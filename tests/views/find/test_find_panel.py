"""Words are found in everything on record; Ctrl+F, typing and Enter are enough to go from find to find."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.replay.cursor import Seek
from app.views.find.find_panel import FindPanel
from app.views.window import ConsoleWindow
from tests.helpers.journals import booking
from tests.views.conftest import OpenReplay

WAIT_MS = 60_000


def panel_of(window: ConsoleWindow) -> FindPanel:
    panel = window.docks["find"].panel
    assert isinstance(panel, FindPanel)
    return panel


def test_a_search_by_keyboard_goes_from_find_to_find(open_replay: OpenReplay, qtbot: QtBot) -> None:
    writer = booking()
    window = open_replay(writer)
    with qtbot.waitActive(window):
        pass
    qtbot.wait(1)
    panel = panel_of(window)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(panel.field.hasFocus, timeout=WAIT_MS)
    QTest.keyClicks(panel.field, "kitchen clos")
    reads = [one.seq for one in writer.records if one.event.type == "page_read"]
    qtbot.waitUntil(lambda: panel.rows.rowCount() == len(reads), timeout=WAIT_MS)
    assert window.model is not None
    for expected in (*reads, reads[0]):
        QTest.keyClick(panel.field, Qt.Key.Key_Return)
        assert window.model.seq == expected
    assert panel.rows.row(0).words.startswith(f"{reads[0]}  kitchen")


def test_walking_into_what_was_found_leaves_the_place(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    with qtbot.waitActive(window, timeout=WAIT_MS):
        window.activateWindow()
    panel = panel_of(window)
    window.docks["find"].raise_()
    panel.field.setText("allowed by you")
    panel.search()
    qtbot.waitUntil(lambda: panel.rows.rowCount() == 6, timeout=WAIT_MS)
    assert window.model is not None
    window.model.do(Seek(2))
    panel.view.setFocus(Qt.FocusReason.TabFocusReason)
    assert panel.view.currentIndex().row() == 0
    assert window.model.seq == 2
    QTest.keyClick(panel.view, Qt.Key.Key_Return)
    assert window.model.seq == panel.rows.row(0).subject


def test_what_nothing_says_is_not_found_and_the_field_empties_the_list(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    panel = panel_of(window)
    panel.field.setText("denied")
    panel.search()
    qtbot.waitUntil(lambda: panel.summary == "nothing found", timeout=WAIT_MS)
    panel.field.setText("allowed by you")
    panel.search()
    qtbot.waitUntil(lambda: panel.summary == "6", timeout=WAIT_MS)
    panel.field.setText("")
    panel.search()
    assert panel.rows.rowCount() == 0
    assert panel.summary == ""


def test_events_that_come_later_are_found_too(open_replay: OpenReplay, qtbot: QtBot) -> None:
    writer = booking()
    window = open_replay(writer, writer.records[:20])
    panel = panel_of(window)
    window.docks["find"].raise_()
    panel.field.setText("request sent")
    panel.search()
    qtbot.waitUntil(lambda: panel.rows.rowCount() == 2, timeout=WAIT_MS)
    assert window.model is not None
    window.model.extend(writer.records[20:])
    qtbot.waitUntil(lambda: panel.rows.rowCount() == 9, timeout=WAIT_MS)
