"""The strip of tabs: a press means something only while a person has control."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.views.stage.tabs import TabShown, TabStrip
from app.views.widgets.elided_label import ElidedLabel

LEFT = Qt.MouseButton.LeftButton


def test_a_tab_can_be_pressed_only_in_control(qtbot: QtBot) -> None:
    strip = TabStrip()
    qtbot.addWidget(strip)
    strip.show_tabs([TabShown(f"t{number}", f"http://site.example/{number}", "", number == 1) for number in (1, 2)])
    chosen: list[str] = []
    strip.chosen.connect(chosen.append)
    second = strip.findChildren(ElidedLabel)[1]
    QTest.mouseClick(second, LEFT)
    assert chosen == []
    strip.pressable = True
    QTest.mouseClick(second, LEFT)
    assert chosen == ["t2"]
