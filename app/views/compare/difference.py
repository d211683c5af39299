"""What differs between two pictures, made to be seen: grey where they are alike, bright where they are not."""

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor, QImage, QPainter

DOUBLINGS = 4
"""A difference is made sixteen times as strong: a person should see a changed letter's edge."""

FADED = 0.25


def difference(left: QImage, right: QImage) -> QImage:
    """A picture of the size of `left`: `right` fainter behind, and on it in full strength where the two differ."""
    size = left.size()
    strong = QImage(size, QImage.Format.Format_RGB32)
    strong.fill(QColor("black"))
    area = QRect(QPoint(0, 0), size)
    painter = QPainter(strong)
    painter.drawImage(area, left)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Difference)
    painter.drawImage(area, right)
    painter.end()
    for _ in range(DOUBLINGS):
        same = strong.copy()
        painter = QPainter(strong)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Plus)
        painter.drawImage(0, 0, same)
        painter.end()
    behind = QImage(size, QImage.Format.Format_RGB32)
    behind.fill(QColor("black"))
    painter = QPainter(behind)
    painter.setOpacity(FADED)
    painter.drawImage(area, right.convertToFormat(QImage.Format.Format_Grayscale8))
    painter.setOpacity(1.0)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Plus)
    painter.drawImage(0, 0, strong)
    painter.end()
    return behind


def alike(left: QImage, right: QImage) -> bool:
    """Whether not one pixel differs."""
    return left.size() == right.size() and left.convertToFormat(QImage.Format.Format_RGB32) == right.convertToFormat(
        QImage.Format.Format_RGB32
    )
