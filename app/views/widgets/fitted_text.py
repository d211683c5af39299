"""An outside value in whatever height there is: as many rows as fit, the others by scrolling and by pages."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.core.untrusted import page_count
from app.views.widgets.outside_text import OutsideText
from app.views.widgets.text_flow import faces

_LEAST_ROWS = 2
PAGER_ROWS = 1.6
"""What the page buttons take."""
_SIDE = 12
"""Pixels left and right, as in a list."""


class FittedText(QScrollArea):
    """Holds `text`; asks for little height itself, so that it never makes its window taller."""

    def __init__(self, name: str, *, numbered: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = OutsideText(name, numbered=numbered)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setWidget(self.text)
        self.text.setAutoFillBackground(False)
        self.setViewportMargins(_SIDE, 0, 0, 0)
        self.setMinimumHeight(round(faces().row_height * (_LEAST_ROWS)))

    def fit(self) -> None:
        """Take the size that there is; also after another value was set."""
        around = 1 + PAGER_ROWS * (page_count(self.text.value) > 1)
        rows = int(self.viewport().height() / faces().row_height - around)
        self.text.set_max_rows(max(1, rows))
        self.text.fix_width(max(self.viewport().width() - 2, 120))
        self.text.adjustSize()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()
