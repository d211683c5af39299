"""The pictures before and after an action stand beside each other, follow the cursor, and can be told apart."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.replay.cursor import Seek
from app.views.compare.action_pictures import NO_ACTION, NOTHING_DONE, ActionPictures
from app.views.compare.difference import alike, difference
from app.views.window import ConsoleWindow
from tests.helpers.journals import booking
from tests.views.conftest import OpenReplay

WAIT_MS = 60_000
CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier

OpenPictures = Callable[[bool], tuple[ConsoleWindow, ActionPictures]]


@pytest.fixture
def open_pictures(open_replay: OpenReplay, qtbot: QtBot) -> OpenPictures:
    """Opens a saved run and, by its keys, the pictures of its last action."""

    def open_it(deny: bool = False) -> tuple[ConsoleWindow, ActionPictures]:
        window = open_replay(booking(deny_last=deny))
        with qtbot.waitActive(window):
            pass
        # One turn of the loop: the panels take their places with it.
        qtbot.wait(1)
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_A, CTRL_SHIFT)
        qtbot.waitUntil(lambda: window.findChild(ActionPictures) is not None, timeout=WAIT_MS)
        opened = window.findChild(ActionPictures)
        assert opened is not None
        return window, opened

    return open_it


def both_there(opened: ActionPictures) -> bool:
    return all(image is not None for image in opened.panel.pair.images) and not opened.panel.pair.busy


def test_both_pictures_come_and_their_aim_is_marked(open_pictures: OpenPictures, qtbot: QtBot) -> None:
    window, opened = open_pictures(False)
    qtbot.waitUntil(lambda: both_there(opened), timeout=WAIT_MS)
    assert window.model is not None
    asked = window.model.timeline.asks[-1]
    assert opened.head.text() == f"event {asked.seq} · Click on a page element · done"
    assert opened.panel.captions[0].text() == "before · shown with the ask"
    left, right = opened.panel.pair.images
    assert left is not None
    assert right is not None
    assert not alike(left, right)
    assert "target is boxed" in opened.panel.pair.accessibleDescription()


def test_it_follows_the_cursor_and_moves_it(open_pictures: OpenPictures, qtbot: QtBot) -> None:
    window, opened = open_pictures(False)
    model = window.model
    assert model is not None
    opened.to_previous()
    opened.to_previous()
    assert model.seq == model.timeline.actions.seq_of(len(model.timeline.actions) - 2)
    qtbot.waitUntil(lambda: "Read the page's text" in opened.head.text(), timeout=WAIT_MS)
    model.do(Seek(1))
    qtbot.waitUntil(lambda: opened.head.text() == "event 1", timeout=WAIT_MS)
    assert opened.panel.pair.accessibleDescription().startswith(NO_ACTION)
    assert not opened.back.isEnabled()


def test_what_was_denied_has_nothing_after_it(open_pictures: OpenPictures, qtbot: QtBot) -> None:
    _, opened = open_pictures(True)
    assert "asked about, never begun" in opened.head.text()
    assert NOTHING_DONE in opened.panel.pair.accessibleDescription()


def test_a_pinned_picture_stays_while_the_cursor_moves(open_pictures: OpenPictures, qtbot: QtBot) -> None:
    window, opened = open_pictures(False)
    model = window.model
    assert model is not None
    model.do(Seek(model.timeline.frames[0].seq))
    opened.toggle_pin()
    model.do(Seek(model.timeline.last_seq))
    qtbot.waitUntil(lambda: opened.head.text().endswith(f"beside event {model.timeline.last_seq}"), timeout=WAIT_MS)
    assert opened.head.text().startswith(f"event {model.timeline.frames[0].seq} ")
    opened.toggle_pin()
    assert "Click on a page element" in opened.head.text()


def test_the_slider_is_moved_by_keys_and_the_mode_by_buttons(open_pictures: OpenPictures, qtbot: QtBot) -> None:
    _, opened = open_pictures(False)
    QTest.mouseClick(opened.panel.buttons["slider"], Qt.MouseButton.LeftButton)
    before = opened.panel.pair.slider
    QTest.keyClick(opened.panel.pair, Qt.Key.Key_Right)
    assert opened.panel.pair.slider > before
    QTest.mouseClick(opened.panel.buttons["blink"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.panel.pair.second_in_front, timeout=WAIT_MS)


def test_a_difference_is_bright_only_where_there_is_one() -> None:
    left, right = (QImage(40, 20, QImage.Format.Format_RGB32) for _ in range(2))
    for image in (left, right):
        image.fill(QColor("#808080"))
    right.setPixelColor(7, 5, QColor("#8A8080"))
    shown = difference(left, right)
    assert shown.pixelColor(7, 5).red() > 150
    assert shown.pixelColor(20, 10).red() < 60


def test_closing_the_window_closes_them(open_pictures: OpenPictures) -> None:
    window, opened = open_pictures(False)
    window.close()
    assert not opened.isVisible()
