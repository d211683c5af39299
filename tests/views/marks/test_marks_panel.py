"""A reviewer marks places of a saved run by keyboard, goes from mark to mark, and finds them again; never live."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.replay.cursor import Seek
from app.replay.marks import MarkBook
from app.views.application import open_replay_window
from app.views.marks.marks_panel import MarksPanel
from app.views.window import ConsoleWindow
from tests.helpers.journals import booking, folded
from tests.views.conftest import OpenReplay

WAIT_MS = 60_000

OpenMarked = Callable[[Path], tuple[ConsoleWindow, MarksPanel]]


@pytest.fixture
def open_marked(windows: list[ConsoleWindow], qtbot: QtBot) -> OpenMarked:
    """Opens a saved run whose marks are kept in a file."""

    def open_it(path: Path) -> tuple[ConsoleWindow, MarksPanel]:
        writer = booking()
        window = open_replay_window(
            folded(writer.records), writer.blobs, settings_path=None, marks=MarkBook(path), window=None
        )
        windows.append(window)
        with qtbot.waitActive(window):
            pass
        # One turn of the loop: the panels take their places with it.
        qtbot.wait(1)
        panel = window.docks["marks"].panel
        assert isinstance(panel, MarksPanel)
        return window, panel

    return open_it


def press(window: ConsoleWindow, key: Qt.Key, *held: Qt.KeyboardModifier) -> None:
    modifiers = Qt.KeyboardModifier.NoModifier
    for one in held:
        modifiers |= one
    QTest.keyClick(window.focusWidget(), key, modifiers)


CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


def test_walking_into_the_list_leaves_the_place_and_enter_goes(open_marked: OpenMarked, tmp_path: Path) -> None:
    window, panel = open_marked(tmp_path / "marks.json")
    assert window.model is not None
    for seq in (3, 9):
        window.model.do(Seek(seq))
        panel.toggle()
    window.model.do(Seek(20))
    window.docks["marks"].raise_()
    panel.view.setFocus(Qt.FocusReason.TabFocusReason)
    assert panel.view.hasFocus()
    assert panel.view.currentIndex().row() == 0
    assert window.model.seq == 20
    QTest.keyClick(panel.view, Qt.Key.Key_Return)
    assert window.model.seq == 3
    QTest.keyClick(panel.view, Qt.Key.Key_Down)
    assert window.model.seq == 9


def test_marking_by_keyboard_and_finding_it_again(open_marked: OpenMarked, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "marks.json"
    window, panel = open_marked(path)
    assert window.model is not None
    window.model.do(Seek(20))
    press(window, Qt.Key.Key_B, CTRL)
    window.model.do(Seek(33))
    press(window, Qt.Key.Key_B, CTRL, SHIFT)
    qtbot.waitUntil(panel.field.hasFocus, timeout=WAIT_MS)
    QTest.keyClicks(panel.field, "why?")
    press(window, Qt.Key.Key_Up, ALT)
    assert window.model.seq == 20
    press(window, Qt.Key.Key_Down, ALT)
    assert window.model.seq == 33
    qtbot.waitUntil(lambda: panel.field.text() == "why?", timeout=WAIT_MS)
    window.close()
    assert MarkBook(path).note(33) == "why?"
    again, panel = open_marked(path)
    assert panel.rows.rowCount() == 2
    assert panel.summary == "2"
    panel.view.setCurrentIndex(panel.rows.index(0))
    assert again.model is not None
    assert again.model.seq == 20
    press(again, Qt.Key.Key_B, CTRL)
    assert panel.rows.rowCount() == 1


def test_a_note_belongs_to_the_event_it_was_written_at(open_marked: OpenMarked, qtbot: QtBot, tmp_path: Path) -> None:
    window, panel = open_marked(tmp_path / "marks.json")
    assert window.model is not None
    window.docks["marks"].raise_()
    window.model.do(Seek(9))
    QTest.keyClicks(panel.field, "here")
    window.model.do(Seek(10))
    qtbot.waitUntil(lambda: panel.field.text() == "", timeout=WAIT_MS)
    window.model.do(Seek(9))
    qtbot.waitUntil(lambda: panel.field.text() == "here", timeout=WAIT_MS)


def test_marks_that_could_not_be_kept_are_told_when_that_is_known(
    open_marked: OpenMarked, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    window, panel = open_marked(tmp_path / "file" / "marks.json")
    assert window.model is not None
    window.model.do(Seek(9))
    press(window, Qt.Key.Key_B, CTRL)
    qtbot.waitUntil(lambda: "could not be kept" in panel.problem.text(), timeout=WAIT_MS)


def test_without_a_place_for_them_no_marks_can_be_set(open_replay: OpenReplay) -> None:
    panel = open_replay(booking()).docks["marks"].panel
    assert isinstance(panel, MarksPanel)
    assert not panel.field.isEnabled()
    assert not panel.button.isEnabled()
