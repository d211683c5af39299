"""The looks follow the system unless a person chose, reach every widget, and use the shipped fonts."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo, QPalette
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel
from pytestqt.qtbot import QtBot

from app.views.style import Choice, appearance, colour, mark, mono_font, style_sheet, text_font, theme
from app.views.theme import DARK, LIGHT


def test_the_system_is_followed_until_a_person_chooses(qapp: QApplication) -> None:
    looks = appearance()
    looks.choose("system")
    changes: list[str] = []
    looks.changed.connect(lambda: changes.append(looks.theme.name))
    # The offscreen platform has no scheme of its own; a real one tells of a change by this signal.
    told = qapp.styleHints().colorSchemeChanged
    told.emit(Qt.ColorScheme.Dark)
    assert theme().name == "dark"
    told.emit(Qt.ColorScheme.Light)
    assert theme().name == "light"
    looks.choose("light")
    told.emit(Qt.ColorScheme.Dark)
    assert theme().name == "light"
    told.emit(Qt.ColorScheme.Light)
    assert changes == ["dark", "light"]


def test_the_palette_is_the_themes(qapp: QApplication) -> None:
    appearance().choose("dark")
    assert qapp.palette().color(QPalette.ColorRole.Window).name().upper() == DARK.background
    assert colour("hold").name().upper() == DARK.hold


def test_every_token_of_the_style_sheet_is_known() -> None:
    for one in (LIGHT, DARK):
        assert "@" not in style_sheet(one)


def test_a_tone_changes_what_is_painted(qtbot: QtBot) -> None:
    label = QLabel("waiting")
    qtbot.addWidget(label)
    mark(label, tone="danger")
    label.show()
    assert label.palette().color(QPalette.ColorRole.WindowText).name().upper() == LIGHT.danger
    mark(label, tone="clear")
    assert label.palette().color(QPalette.ColorRole.WindowText).name().upper() == LIGHT.clear


def test_the_shipped_fonts_are_used(qapp: QApplication) -> None:
    assert QFontInfo(text_font()).family() == "Inter"
    assert QFontInfo(mono_font()).family() == "JetBrains Mono"
    assert QFontInfo(mono_font()).fixedPitch()


def test_figures_have_equal_width(qtbot: QtBot) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    label.setFont(text_font())
    metrics = label.fontMetrics()
    assert metrics.horizontalAdvance("1111") == metrics.horizontalAdvance("8888")


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_a_checked_box_has_a_tick(qtbot: QtBot, choice: Choice) -> None:
    looks = appearance()
    before = looks.choice
    looks.choose(choice)
    try:
        box = QCheckBox("on")
        qtbot.addWidget(box)
        box.setChecked(True)
        box.show()
        drawn = box.grab().toImage()
    finally:
        looks.choose(before)
    inside = {drawn.pixelColor(x, drawn.height() // 2 + y).name() for x in range(2, 12) for y in (-2, 0, 2)}
    assert len(inside) > 2, "the accent alone says nothing"
