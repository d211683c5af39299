"""The picture on a card: a cut around the target at 1 : 1 where it fits, with the target boxed and points drawn."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QImageReader, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.core.evidence import Box, Evidence, Picture, Point
from app.views.decoding import DECODING, format_of
from app.views.style import colour
from app.views.theme import TARGET_BOX, TARGET_BOX_GAP, TARGET_BOX_WIDTH
from app.views.widgets.text_flow import faces

log = logging.getLogger(__name__)

MIN_HEIGHT, MAX_HEIGHT = 112, 232
"""Pixels of the crop on the card."""
_AROUND = 44
"""Picture pixels kept visible around the target."""
_DRAWN_POINTS = 2000


@dataclass(frozen=True, slots=True)
class Cut:
    """Which part of a picture is shown, and how small. `left` to `height` in picture pixels."""

    left: int
    top: int
    width: int
    height: int
    scale: float
    """Painted pixels for one picture pixel; never above 1."""

    @property
    def words(self) -> str:
        """``1 : 1``."""
        return "1 : 1" if self.scale == 1 else f"1 : {1 / self.scale:.1f}"


def cut_for(evidence: Evidence, view_width: int) -> Cut | None:
    """The cut that shows what the ask is about in `view_width` pixels; the whole picture when it is about no place."""
    picture = evidence.picture
    if picture is None or picture.width < 1 or picture.height < 1:
        return None
    about = _about(evidence, picture)
    if about is None:
        scale = min(1.0, view_width / picture.width, MAX_HEIGHT / picture.height)
        return Cut(0, 0, picture.width, picture.height, scale)
    needed_width, needed_height = about.width() + 2 * _AROUND, about.height() + 2 * _AROUND
    scale = min(1.0, view_width / needed_width, MAX_HEIGHT / needed_height)
    if min(view_width / about.width(), MAX_HEIGHT / about.height()) >= 1.1:
        scale = 1.0
    width = min(picture.width, int(view_width / scale))
    height = min(picture.height, int(min(max(needed_height * scale, MIN_HEIGHT), MAX_HEIGHT) / scale))
    left = min(max(0, round(about.center().x() - width / 2)), picture.width - width)
    top = min(max(0, round(about.center().y() - height / 2)), picture.height - height)
    return Cut(left, top, width, height, scale)


def _about(evidence: Evidence, picture: Picture) -> QRectF | None:
    """What the ask is about, in picture pixels, at least 8 by 8 and within the picture."""
    across, down = _scales(picture)
    rect = QRectF()
    if evidence.target is not None and evidence.target.box is not None:
        rect = _box_rect(evidence.target.box, across, down)
    for point in evidence.points:
        rect = rect.united(QRectF(point.x * across - 4, point.y * down - 4, 8, 8))
    rect = rect.intersected(QRectF(0, 0, picture.width, picture.height))
    return None if rect.isEmpty() else rect


def _scales(picture: Picture) -> tuple[float, float]:
    return picture.width / max(picture.css_width, 1.0), picture.height / max(picture.css_height, 1.0)


def _box_rect(box: Box, across: float, down: float) -> QRectF:
    return QRectF(box.x * across, box.y * down, box.width * across, box.height * down)


class CropView(QWidget):
    """Paints one cut of one picture inside a frame that its pixels cannot leave. It takes no clicks.

    Signals:
        painted: the picture has been painted; once.
    """

    painted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image: QImage | None = None
        self._failed = False
        self._was_painted = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("Picture of the screen when the question was asked")

    def frame(self, evidence: Evidence, cut: Cut) -> None:
        """Be the view of this cut; once, and before it is painted."""
        self.cut = cut
        self._evidence = evidence
        self.setFixedHeight(round(cut.height * cut.scale) + 2)

    @property
    def digest(self) -> str:
        """Which picture it shows."""
        return self._evidence.picture.digest if self._evidence.picture is not None else ""

    @property
    def failed(self) -> bool:
        """Whether there is a picture that cannot be shown."""
        return self._failed

    @property
    def was_painted(self) -> bool:
        """Whether the picture has been on screen."""
        return self._was_painted

    def set_image(self, image: QImage) -> None:
        """Show `image`, the decoded cut; a null image means that it cannot be had."""
        self._failed = image.isNull()
        self._image = None if self._failed else image
        self.update()

    def place_of(self, point: Point) -> QPointF:
        """Where a point of the page (CSS pixels) is painted, in this widget's pixels."""
        picture = self._evidence.picture
        assert picture is not None
        across, down = _scales(picture)
        origin = self._frame().topLeft()
        x = (point.x * across - self.cut.left) * self.cut.scale
        y = (point.y * down - self.cut.top) * self.cut.scale
        return QPointF(origin.x() + 1 + x, origin.y() + 1 + y)

    def _frame(self) -> QRect:
        width = round(self.cut.width * self.cut.scale) + 2
        return QRect((self.width() - width) // 2, 0, width, self.height())

    def sizeHint(self) -> QSize:
        return QSize(round(self.cut.width * self.cut.scale) + 2, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        frame = self._frame()
        painter.setPen(QPen(colour("dim"), 1))
        painter.drawRect(frame.adjusted(0, 0, -1, -1))
        if self._image is None:
            words = "The picture cannot be shown" if self._failed else "The picture is being read…"
            painter.setFont(faces().fonts["words"])
            painter.setPen(colour("danger" if self._failed else "dim"))
            painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, words)
            return
        inside = frame.adjusted(1, 1, -1, -1)
        painter.setClipRect(inside)
        painter.drawImage(inside, self._image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_target(painter)
        self._paint_points(painter, self._evidence.points)
        painter.end()
        if not self._was_painted and not self.visibleRegion().isEmpty():
            self._was_painted = True
            self.painted.emit()

    def _paint_target(self, painter: QPainter) -> None:
        target = self._evidence.target
        if target is None or target.box is None:
            return
        box = target.box
        corners = QRectF(
            self.place_of(Point(x=box.x, y=box.y)), self.place_of(Point(x=box.x + box.width, y=box.y + box.height))
        )
        out = TARGET_BOX_GAP - TARGET_BOX_WIDTH / 2
        painter.setPen(QPen(QColor(TARGET_BOX), TARGET_BOX_WIDTH))
        painter.drawRoundedRect(corners.adjusted(-out, -out, out, out), 5, 5)

    def _paint_points(self, painter: QPainter, points: Sequence[Point]) -> None:
        if not points:
            return
        step = max(1, len(points) // _DRAWN_POINTS)
        places = [self.place_of(point) for point in (*points[::step], points[-1])]
        painter.setPen(QPen(QColor(TARGET_BOX), 2))
        if len(points) > 1:
            painter.drawPolyline(QPolygonF(places))
        for place in {(places[0].x(), places[0].y()), (places[-1].x(), places[-1].y())}:
            centre = QPointF(*place)
            painter.setPen(QPen(QColor(TARGET_BOX), TARGET_BOX_WIDTH))
            painter.drawEllipse(centre, 9, 9)
            for across, down in ((16, 0), (0, 16)):
                for sign in (-1, 1):
                    end = centre + QPointF(across, down) * sign
                    painter.drawLine(centre + QPointF(across, down) * sign * 0.3, end)


class CutReader(QObject):
    """Reads and decodes one cut in a thread of its own, so that a card appears without waiting for its picture.

    Signals:
        ready: the decoded cut as a `QImage`, null when it cannot be had; in the thread that made this object.
    """

    ready = Signal(QImage)

    def __init__(self, read: Callable[[str], bytes], digest: str, cut: Cut) -> None:
        # IMPORTANT: no parent. The thread keeps it alive, so that closing the card cannot delete it while it emits.
        super().__init__()
        self._read = read
        self._digest = digest
        self._cut = cut

    def start(self) -> None:
        """Begin; returns at once."""
        threading.Thread(target=self._run, name=f"picture {self._digest[:8]}", daemon=True).start()

    def _run(self) -> None:
        try:
            image = decode(self._read(self._digest), self._cut)
        except Exception:
            log.exception("a question's picture cannot be read")
            image = QImage()
        try:
            self.ready.emit(image)
        except RuntimeError:
            log.debug("the card was closed before its picture was read")


def decode(data: bytes, cut: Cut) -> QImage:
    """The cut out of an encoded picture, at the size it is painted in; a null image when it is not one."""
    with DECODING:
        image = _decode_cut(data, QRect(cut.left, cut.top, cut.width, cut.height))
    if cut.scale == 1 or image.isNull():
        return image
    size = QSize(max(1, round(cut.width * cut.scale)), max(1, round(cut.height * cut.scale)))
    return image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)


def _decode_cut(data: bytes, rect: QRect) -> QImage:
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    format_of(reader)
    whole = reader.size()
    if not QRect(0, 0, whole.width(), whole.height()).contains(rect):
        return QImage()
    reader.setClipRect(rect)
    return reader.read()
