"""The number of a number field can be read."""

from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.views.style import appearance
from app.views.widgets.number_field import SIDE_PX, NumberField


def test_the_style_leaves_the_number_its_room(qtbot: QtBot) -> None:
    appearance().choose("light")
    field = NumberField()
    qtbot.addWidget(field)
    field.setRange(1, 36_500)
    field.setSuffix(" days")
    field.setValue(36_500)
    field.show()
    with qtbot.waitExposed(field):
        pass
    line = field.findChild(QLineEdit)
    assert isinstance(line, QLineEdit)
    words = line.fontMetrics()
    assert line.width() >= words.horizontalAdvance("36500 days") + 2 * SIDE_PX
    assert line.height() >= words.height()
