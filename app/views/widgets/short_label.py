"""A label of one line of the console's own words, whose size is measured once for each text."""

from typing import NamedTuple

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QLabel, QWidget

from app.views.style import Role

_KEPT = 400
"""Sizes that are remembered; most texts are constant."""
_ROOM = QRect(0, 0, 2000, 2000)


class _Measured(NamedTuple):
    role: Role
    dots_per_inch: int
    text: str


_sizes: dict[_Measured, QSize] = {}


class ShortLabel(QLabel):
    """As large as its words. A plain label lays them out three times to find that out, with each change."""

    def __init__(self, parent: QWidget, *, role: Role = "secondary") -> None:
        super().__init__(parent)
        self._role: Role = role
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)

    def sizeHint(self) -> QSize:
        key = _Measured(self._role, self.logicalDpiX(), self.text())
        size = _sizes.get(key)
        if size is None:
            size = self.fontMetrics().boundingRect(_ROOM, Qt.AlignmentFlag.AlignLeft.value, key.text).size()
            if len(_sizes) >= _KEPT:
                _sizes.clear()
            _sizes[key] = size
        return size

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()
