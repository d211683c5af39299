"""The header has room for what matters at any width: no button is cut off, no word ends in the middle."""

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.views.header import HeaderBar


@pytest.mark.parametrize("width", [760, 860, 1010, 1200, 1440])
def test_nothing_in_the_header_is_cut_off(qtbot: QtBot, width: int) -> None:
    place = QWidget()
    qtbot.addWidget(place)
    place.resize(width, 60)
    header = HeaderBar(place)
    header.set_task("Book a table at Harbour Table for two people on Monday 3 May 2027 at 19:00")
    header.setGeometry(0, 0, width, 60)
    place.show()
    with qtbot.waitExposed(place):
        pass
    for button in (header.hold_button, header.pause_button, header.stop_button):
        button.setVisible(True)
    header.say_state("waiting for you", "hold")
    for label, words in (
        (header.turn, "turn 5 of 20"),
        (header.counts, "12 asked · 10 allowed · 2 denied"),
        (header.tokens, "109,669 tokens"),
        (header.elapsed, "1:00:43"),
    ):
        label.setText(words)

    def cut() -> list[str]:
        parts: list[QLabel | QAbstractButton] = [*header.findChildren(QLabel)]
        parts += header.findChildren(QAbstractButton)
        return [
            part.text()
            for part in parts
            if part.isVisible()
            if part.width() < part.minimumSizeHint().width() or part.geometry().right() >= width
        ]

    qtbot.waitUntil(lambda: header.stop_button.width() > 0 and cut() == [])
    assert header.tokens.isVisible() == (width == 1440)
    assert header.counts.isVisible() == (width >= 1010)
