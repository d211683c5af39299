"""One line of text that is cut with … where there is no room and never forces its neighbours aside."""

import html

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.core.untrusted import beginning
from app.views.style import mono_font

MOST_CHARS = 400
"""No line of the window shows more; the whole stands elsewhere."""


class ElidedLabel(QLabel):
    """Always plain text on one line, whoever wrote it. What is cut stands in the tool tip."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, elide: Qt.TextElideMode | None = None) -> None:
        super().__init__(parent)
        self._elide = elide or Qt.TextElideMode.ElideRight
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.say(text)

    def say(self, text: str) -> None:
        """Show the console's own words."""
        if text != self.text():
            self.setText(text)
            self.setToolTip("")

    def quote(self, text: str) -> None:
        """Show words from outside: in the monospace font, hidden characters named, one line whatever they contain."""
        self.setFont(mono_font())
        self.say(beginning(text, MOST_CHARS) if text else "")

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(min(hint.width(), 4000), hint.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 4, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        room = self.contentsRect()
        text = QFontMetricsF(self.font()).elidedText(self.text(), self._elide, room.width())
        painter.drawText(room, int(self.alignment() | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), text)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            cut = self.fontMetrics().horizontalAdvance(self.text()) > self.contentsRect().width()
            self.setToolTip(f"<p>{html.escape(self.text())}</p>" if cut else "")
        return super().event(event)
