"""Small buttons with drawn signs; each has a name and a tool tip in words, and follows the theme by painting itself."""

from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QToolButton, QWidget

from app.views.style import theme

Sign = Literal["play", "pause", "step_forward", "step_back", "next_ask", "previous_ask", "close", "float", "more"]
SIDE = 26
INNER = 10.0


class IconButton(QToolButton):
    """One sign on a flat button of equal sides."""

    def __init__(self, sign: Sign, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sign: Sign = sign
        self.setProperty("flat", True)
        self.setFixedSize(SIDE, SIDE)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.say(sign, words)

    def say(self, sign: Sign, words: str) -> None:
        """Change the sign and the words that stand for it."""
        self.sign = sign
        self.setAccessibleName(words)
        self.setToolTip(words)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(SIDE, SIDE)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        colours = theme()
        strong = self.isEnabled() and (self.underMouse() or self.hasFocus())
        colour = QColor(colours.text if strong else colours.dim)
        if not self.isEnabled():
            colour = QColor(colours.line)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(QPointF(self.width() / 2, self.height() / 2))
        _draw(painter, self.sign, colour)


def _draw(painter: QPainter, sign: Sign, colour: QColor) -> None:
    half = INNER / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    if sign == "play":
        painter.drawPath(_triangle(-half + 1, half + 1, half))
    elif sign == "pause":
        painter.drawRect(QRectF(-half, -half, 3.4, INNER))
        painter.drawRect(QRectF(half - 3.4, -half, 3.4, INNER))
    elif sign in ("step_forward", "step_back"):
        painter.scale(1 if sign == "step_forward" else -1, 1)
        painter.drawPath(_triangle(-half, half - 2.5, half - 0.5))
        painter.drawRect(QRectF(half - 2, -half + 0.5, 2, INNER - 1))
    elif sign in ("next_ask", "previous_ask"):
        painter.scale(1 if sign == "next_ask" else -1, 1)
        painter.drawPath(_triangle(-half - 1, half - 4.5, half - 0.5))
        painter.drawEllipse(QPointF(half - 0.5, 0), 2.8, 2.8)
    elif sign == "more":
        for x in (-5.0, 0.0, 5.0):
            painter.drawEllipse(QPointF(x, 0), 1.6, 1.6)
    else:
        _draw_lines(painter, sign, colour)


def _draw_lines(painter: QPainter, sign: Sign, colour: QColor) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    if sign == "close":
        painter.drawLine(QPointF(-3.5, -3.5), QPointF(3.5, 3.5))
        painter.drawLine(QPointF(-3.5, 3.5), QPointF(3.5, -3.5))
    else:
        painter.drawRect(QRectF(-4, -1.5, 5.5, 5.5))
        path = QPainterPath(QPointF(-1.5, -4))
        path.lineTo(4, -4)
        path.lineTo(4, 1.5)
        painter.drawPath(path)


def _triangle(left: float, right: float, half_height: float) -> QPainterPath:
    path = QPainterPath(QPointF(left, -half_height))
    path.lineTo(right, 0)
    path.lineTo(left, half_height)
    path.closeSubpath()
    return path
