"""A picture of the page on which regions are drawn that no export shows."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.evidence import Box
from app.views.stage.placement import Placement, Subject, place
from app.views.style import theme

SMALLEST_PIXELS = 3
"""A drawn region with a smaller side is a slip of the hand."""
_COVER = QColor(20, 20, 20)


class MaskView(QWidget):
    """Shows the picture with the regions covered, as an export will. A drag draws one more.

    Signals:
        drawn: a region in CSS pixels of the page.
    """

    drawn = Signal(object)

    def __init__(self, image: QImage, css_width: float, css_height: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("mask_view")
        self.setAccessibleName("Picture of the page; drag to cover a region, or write its numbers beside it")
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        # On a low screen the dialog's buttons matter more: a region can be written in numbers, too.
        self.setMinimumSize(320, 160)
        self._image = image
        self._subject = Subject(image.width(), image.height(), css_width, css_height)
        self._masks: tuple[Box, ...] = ()
        self._from: QPointF | None = None
        self._to = QPointF()

    def show_masks(self, masks: Sequence[Box]) -> None:
        """Cover these."""
        self._masks = tuple(masks)
        self.update()

    @property
    def placement(self) -> Placement:
        """Where the picture lies."""
        return place(
            self._subject,
            area_width=self.width(),
            area_height=self.height(),
            device_pixel_ratio=self.devicePixelRatioF(),
        )

    def _dragged(self) -> Box | None:
        """What has been dragged over, cut to the page."""
        if self._from is None:
            return None
        placement, page = self.placement, self._subject
        area = QRectF(self._from, self._to).normalized()
        left, right = (min(max(x - placement.x, 0) / placement.scale_x, page.css_width) for x in _ends(area, 0))
        top, bottom = (min(max(y - placement.y, 0) / placement.scale_y, page.css_height) for y in _ends(area, 1))
        if min(area.width(), area.height()) < SMALLEST_PIXELS or right - left < 1 or bottom - top < 1:
            return None
        x, y = math.floor(left), math.floor(top)
        return Box(x=x, y=y, width=math.ceil(right) - x, height=math.ceil(bottom) - y)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        placement = self.placement
        area = QRectF(placement.x, placement.y, placement.width, placement.height)
        painter.drawImage(area, self._image)
        painter.setPen(QPen(QColor(theme().line), 1))
        painter.drawRect(area)
        painter.setClipRect(area)
        for mask in self._masks:
            painter.fillRect(QRectF(*placement.box(mask)), _COVER)
        if (box := self._dragged()) is not None:
            painter.setPen(QPen(QColor(theme().accent), 2))
            painter.drawRect(QRectF(*placement.box(box)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = self._to = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._to = event.position()
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._to = event.position()
        box, self._from = self._dragged(), None
        if box is not None and event.button() == Qt.MouseButton.LeftButton:
            self.drawn.emit(box)
        self.update()


def _ends(area: QRectF, axis: int) -> tuple[float, float]:
    return (area.left(), area.right()) if axis == 0 else (area.top(), area.bottom())
