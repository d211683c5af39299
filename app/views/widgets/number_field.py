"""A whole number to be typed, or changed with the arrow keys; drawn like every other field."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QSpinBox, QWidget

SIDE_PX = 8


class NumberField(QSpinBox):
    """The wheel never changes it. Has no buttons: what a style sheet leaves of Qt's own is a few lines.

    IMPORTANT: not by `setButtonSymbols`, which under a style sheet leaves the number a width of one pixel.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lineEdit().setTextMargins(SIDE_PX, 0, SIDE_PX, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
