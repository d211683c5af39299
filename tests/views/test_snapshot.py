"""Pictures of the window hold what a person would see, and a file that cannot be written is named."""

from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.views.snapshot import PictureNotSaved, ask_and_save, grab_to, pictures_busy
from tests.helpers.journals import booking
from tests.views.conftest import OpenReplay

WAIT_MS = 60_000


def test_the_picture_shows_the_stage_and_the_strip(open_replay: OpenReplay, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_replay(booking(stop_at_last_ask=True))
    assert window.stage is not None
    stage = window.stage
    qtbot.waitUntil(lambda: stage.picture.image is not None, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not pictures_busy(window), timeout=WAIT_MS)
    saved = QImage(str(grab_to(window, tmp_path / "pictures" / "window.png")))
    assert (saved.width(), saved.height()) == (window.width(), window.height())
    placement = stage.picture.placement
    assert placement is not None
    corner = stage.picture.mapTo(window, stage.picture.rect().topLeft())
    header = saved.pixelColor(corner.x() + int(placement.x) + 3, corner.y() + int(placement.y) + 3)
    assert header == QColor("#24403A")


def test_a_file_that_cannot_be_written_is_named(open_replay: OpenReplay, tmp_path: Path) -> None:
    window = open_replay(booking())
    (tmp_path / "window.png").mkdir()
    with pytest.raises(PictureNotSaved, match=r"window\.png"):
        grab_to(window, tmp_path / "window.png")


def test_saving_by_menu_asks_where_and_returns_at_once(open_replay: OpenReplay, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_replay(booking())
    dialog = ask_and_save(window)
    assert dialog.isVisible()
    dialog.fileSelected.emit(str(tmp_path / "asked.png"))
    dialog.close()
    assert QImage(str(tmp_path / "asked.png")).width() == window.width()
    assert "asked.png" in window.statusBar().currentMessage()


@pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing the keyboard)", extend=True)
def test_the_view_menu_opens_without_a_loop_of_its_own(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    with qtbot.waitActive(window):
        pass
    window.header.view_button.click()
    assert window.header.view_menu.isVisible()
    words = [action.text() for action in window.header.view_menu.actions() if action.text()]
    assert "Page read" in words
    assert "Keyboard…" in words
    [themes] = [action.menu() for action in window.header.view_menu.actions() if action.text() == "Theme"]
    assert isinstance(themes, QMenu)
    assert [action.text() for action in themes.actions()] == ["As the system", "Light", "Dark"]
    window.header.view_menu.close()


def test_the_list_of_keys_opens_and_goes(open_replay: OpenReplay, qtbot: QtBot) -> None:
    from app.views.keys_dialog import KeysDialog

    window = open_replay(booking())
    window.views.show_keys()
    dialog = window.findChild(KeysDialog)
    assert dialog is not None
    assert dialog.isVisible()
    with qtbot.waitSignal(dialog.destroyed, timeout=WAIT_MS):
        dialog.close()
