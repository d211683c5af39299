"""What a list says while it is empty: what will appear there."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QAbstractItemView

from app.views.style import SECONDARY_POINTS, text_font, theme


class EmptyWords(QObject):
    """Paints words over a view that has no rows; once it has some, it does nothing."""

    def __init__(self, view: QAbstractItemView, words: str) -> None:
        super().__init__(view)
        self._view = view
        self._words = words
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and not self._view.model().rowCount():
            painter = QPainter(self._view.viewport())
            painter.setFont(text_font(SECONDARY_POINTS))
            painter.setPen(QColor(theme().dim))
            area = self._view.viewport().rect().adjusted(8, 4, -8, -4)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap), self._words)
        return False
