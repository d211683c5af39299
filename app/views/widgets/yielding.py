"""What stands above the picture: as tall as it wants to be where there is room, and scrolled where there is not."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget


class Yielding(QScrollArea):
    """Never asks its window for more height than `least` pixels, however much it holds."""

    def __init__(self, inside: QWidget, least: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._least = least
        self._inside = inside
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setWidgetResizable(True)
        self.setWidget(inside)
        inside.setAutoFillBackground(False)

    def _wanted(self) -> int:
        inside = self._inside
        if inside.hasHeightForWidth() and self.viewport().width() > 0:
            return inside.heightForWidth(self.viewport().width())
        return inside.sizeHint().height()

    def sizeHint(self) -> QSize:
        return QSize(self._inside.sizeHint().width(), self._wanted())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(self._least, self._wanted()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._inside and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)
