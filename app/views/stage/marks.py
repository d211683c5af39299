"""What is drawn over the picture: the target's box, the place a pointer goes to, the element chosen in a page read."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from app.core.evidence import Box, Point
from app.views.stage.placement import Placement
from app.views.theme import TARGET_BOX, TARGET_BOX_GAP, TARGET_BOX_WIDTH, Theme

CORNER = 6.0
RING = 9.0


@dataclass(frozen=True)
class Marks:
    """Places on the page, in CSS pixels of the viewport, with the words that stand for them to those who cannot see."""

    target: Box | None = None
    points: tuple[Point, ...] = ()
    chosen: Box | None = None
    words: str = ""

    def __bool__(self) -> bool:
        return bool(self.target or self.points or self.chosen)


def paint_marks(painter: QPainter, marks: Marks, placement: Placement, theme: Theme) -> None:
    """Draw `marks`, cut at the picture's edge. A light line around each keeps it apart from any page's colours."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(QRectF(placement.x, placement.y, placement.width, placement.height))
    if marks.chosen is not None:
        _outline(painter, _around(marks.chosen, placement, 3), QColor(theme.accent), 2, dashed=True)
    if marks.target is not None:
        _outline(painter, _around(marks.target, placement, TARGET_BOX_GAP), QColor(TARGET_BOX), TARGET_BOX_WIDTH)
    _pointers(painter, [QPointF(*placement.point(point)) for point in marks.points])
    painter.restore()


def _around(box: Box, placement: Placement, gap: float) -> QRectF:
    return QRectF(*placement.box(box)).adjusted(-gap, -gap, gap, gap)


def _outline(painter: QPainter, rect: QRectF, colour: QColor, width: float, *, dashed: bool = False) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(255, 255, 255, 230), width + 2))
    painter.drawRoundedRect(rect, CORNER, CORNER)
    painter.setPen(QPen(colour, width, Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine))
    painter.drawRoundedRect(rect, CORNER, CORNER)


def _pointers(painter: QPainter, places: list[QPointF]) -> None:
    if len(places) > 1:
        path = QPainterPath(places[0])
        for place in places[1:]:
            path.lineTo(place)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.strokePath(path, QPen(QColor(255, 255, 255, 230), 4))
        painter.strokePath(path, QPen(QColor(TARGET_BOX), 2, Qt.PenStyle.DashLine))
    for place in places[-1:]:
        for colour, width in ((QColor(255, 255, 255, 230), 5.0), (QColor(TARGET_BOX), 2.5)):
            painter.setPen(QPen(colour, width))
            painter.drawEllipse(place, RING, RING)
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                painter.drawLine(
                    place + QPointF(dx * (RING - 4), dy * (RING - 4)), place + QPointF(dx * (RING + 6), dy * (RING + 6))
                )
