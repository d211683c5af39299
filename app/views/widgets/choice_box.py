"""A box in which one of a few words is chosen."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

from app.views.style import theme


class ChoiceBox(QComboBox):
    """Turning the wheel over it scrolls the page and never changes what is chosen. Its arrow follows the theme."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # By itself Qt would give it the keyboard when the wheel passes over it.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme().dim), 1.5))
        right, middle = self.width() - 12.0, self.height() / 2
        painter.drawPolyline(
            [QPointF(right - 4, middle - 2), QPointF(right, middle + 2), QPointF(right + 4, middle - 2)]
        )
