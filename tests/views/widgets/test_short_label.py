"""A short label takes exactly the room that a plain one would."""

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.views.style import Role, appearance
from app.views.widgets.short_label import ShortLabel


@pytest.mark.parametrize("role", ["secondary", "title"])
def test_its_size_is_that_of_a_plain_label(role: Role, qtbot: QtBot) -> None:
    appearance()
    window = QWidget()
    qtbot.addWidget(window)
    label = ShortLabel(window, role=role)
    label.ensurePolished()
    label.setText("something else")
    for words in ("", "1 : 1", "ask 7 · call 2 of 3 in turn 4", "Deny: nothing is done & the run goes on", "  fjg  "):
        for _ in range(2):
            label.setText(words)
            assert label.sizeHint() == QLabel.sizeHint(label)
            assert label.minimumSizeHint() == QLabel.minimumSizeHint(label)
            label.setText("something else")
