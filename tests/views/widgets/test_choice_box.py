"""What was chosen changes only when a person chooses, never because a page was scrolled past it."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.views.widgets.choice_box import ChoiceBox
from app.views.widgets.number_field import NumberField


def test_the_wheel_changes_no_choice_and_no_number(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    choice, number = ChoiceBox(page), NumberField(page)
    choice.addItems(["yes", "no"])
    column = QVBoxLayout(page)
    column.addWidget(choice)
    column.addWidget(number)
    page.show()
    with qtbot.waitExposed(page):
        pass
    for field in (choice, number):
        field.setFocus()
        for turned in (-120, 120):
            middle = field.rect().center()
            wheel = QWheelEvent(
                QPointF(middle),
                QPointF(field.mapToGlobal(middle)),
                QPoint(0, 0),
                QPoint(0, turned),
                Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            )
            QApplication.sendEvent(field, wheel)
            assert not wheel.isAccepted(), "the page gets it"
            assert (choice.currentText(), number.value()) == ("yes", 0)
