"""Paints two pictures against each other: side by side, behind a slider, in turn, or only what differs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.views.compare.difference import difference
from app.views.stage.decoder import Decoded, PictureDecoder
from app.views.stage.marks import Marks, paint_marks
from app.views.stage.picture_view import Shot
from app.views.stage.placement import Placement, Subject, place
from app.views.style import SECONDARY_POINTS, text_font, theme

Mode = Literal["side", "slider", "blink", "difference"]

GAP = 8
BLINK_MS = 700
RESIZE_SETTLES_MS = 60
HANDLE = 5.0
SLIDER_STEP = 0.05


@dataclass(frozen=True)
class Side:
    """One of the two: its picture, or the words that stand in its place."""

    key: str
    """What tells one picture from another, so that the same is not decoded anew."""
    load: Callable[[], tuple[bytes, Shot]] | None = None
    marks: Marks = field(default_factory=Marks)
    words: str = ""


@dataclass
class _Shown:
    side: Side
    image: QImage | None = None
    subject: Subject | None = None
    problem: str = ""


class PicturePair(QWidget):
    """The two in one of four ways; the keys ← and → move the slider.

    Signals:
        settled: both pictures that were asked for are on the screen, or the words that there are none.
    """

    settled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("picture_pair")
        self.setAccessibleName("Two pictures")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(320, 180)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.mode: Mode = "side"
        self.slider = 0.5
        """Where the left picture ends, as a part of the width."""
        self._second_in_front = False
        self._difference: QImage | None = None
        self._shown = (_Shown(Side("")), _Shown(Side("")))
        self.decoders = tuple(PictureDecoder(f"pair-{name}", self) for name in ("left", "right"))
        for shown, decoder in zip(self._shown, self.decoders, strict=True):
            decoder.decoded.connect(self._taker(shown))
        self._blink = QTimer(self)
        self._blink.setInterval(BLINK_MS)
        self._blink.timeout.connect(self._on_blink)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(RESIZE_SETTLES_MS)
        self._settle.timeout.connect(self._ask)

    @property
    def busy(self) -> bool:
        """Whether a picture is still on its way."""
        return any(decoder.busy for decoder in self.decoders) or self._settle.isActive()

    @property
    def images(self) -> tuple[QImage | None, QImage | None]:
        """The pixels of both."""
        return self._shown[0].image, self._shown[1].image

    @property
    def second_in_front(self) -> bool:
        """While they are shown in turn: whether the second is the one to be seen."""
        return self._second_in_front

    def show_sides(self, left: Side, right: Side) -> None:
        """Show these two; what stays the same stays on the screen."""
        for at, side in enumerate((left, right)):
            shown = self._shown[at]
            fresh = side.key != shown.side.key or side.load is None
            shown.side = side
            if fresh:
                shown.image, shown.subject, shown.problem = None, None, ""
                self._difference = None
                self._ask_one(at)
        self.setAccessibleDescription("; ".join(one.words or one.marks.words for one in (left, right)))
        self.update()

    def set_mode(self, mode: Mode) -> None:
        """Show them in this way from now on."""
        if mode == self.mode:
            return
        both = (mode == "side") == (self.mode == "side")
        self.mode, self._second_in_front = mode, False
        (self._blink.start if mode == "blink" else self._blink.stop)()
        if not both:
            self._ask()
        self.update()

    def close_down(self) -> None:
        """End the workers."""
        self._blink.stop()
        self._settle.stop()
        for decoder in self.decoders:
            decoder.close()

    def _rooms(self) -> tuple[QRectF, QRectF]:
        whole = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        if self.mode != "side":
            return whole, whole
        half = (whole.width() - GAP) / 2
        left = QRectF(whole.left(), whole.top(), half, whole.height())
        return left, left.translated(half + GAP, 0)

    def _ask(self) -> None:
        for at in (0, 1):
            self._ask_one(at)

    def _ask_one(self, at: int) -> None:
        load = self._shown[at].side.load
        if load is not None:
            ratio, room = self.devicePixelRatioF(), self._rooms()[at]
            size = QSize(int(room.width() * ratio), int(room.height() * ratio))
            self.decoders[at].want(load, size.expandedTo(QSize(1, 1)))
        elif not self.busy:
            self.settled.emit()

    def _taker(self, shown: _Shown) -> Callable[[Decoded], None]:
        def take(decoded: Decoded) -> None:
            if shown.side.load is None:
                return
            shot: Shot | None = decoded.belongs
            # An answer to an older wish is passed over: what belongs to it says so.
            if shot is not None and shot.label != shown.side.key:
                return
            shown.image, shown.problem, self._difference = decoded.image, decoded.problem, None
            if shot is not None:
                size = decoded.size
                shown.subject = Subject(size.width(), size.height(), shot.css_width, shot.css_height)
            self.update()
            if not self.busy:
                self.settled.emit()

        return take

    def _on_blink(self) -> None:
        self._second_in_front = not self._second_in_front
        self.update()

    def _placement(self, at: int) -> Placement | None:
        shown, room = self._shown[at], self._rooms()[at]
        if shown.subject is None or shown.image is None:
            return None
        inner = place(
            shown.subject,
            area_width=room.width(),
            area_height=room.height(),
            device_pixel_ratio=self.devicePixelRatioF(),
        )
        x, y = inner.x + room.left(), inner.y + room.top()
        return Placement(x, y, inner.width, inner.height, inner.scale_x, inner.scale_y, inner.exact)

    def _draw(self, painter: QPainter, at: int) -> None:
        shown, placement = self._shown[at], self._placement(at)
        if shown.image is None or placement is None:
            self._say(painter, self._rooms()[at], shown.side.words or shown.problem)
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(QRectF(placement.x, placement.y, placement.width, placement.height), shown.image)
        paint_marks(painter, shown.side.marks, placement, theme())

    def _say(self, painter: QPainter, room: QRectF, words: str) -> None:
        painter.setPen(QColor(theme().dim))
        painter.setFont(text_font(SECONDARY_POINTS + 1))
        flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
        painter.drawText(room.adjusted(24, 24, -24, -24), flags, words)

    def _draw_slider(self, painter: QPainter) -> None:
        x = self.width() * self.slider
        painter.save()
        painter.setClipRect(QRectF(x, 0, self.width() - x, self.height()))
        self._draw(painter, 1)
        painter.restore()
        painter.save()
        painter.setClipRect(QRectF(0, 0, x, self.height()))
        self._draw(painter, 0)
        painter.restore()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme().accent), 2))
        painter.setBrush(QColor(theme().accent))
        painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))
        painter.drawEllipse(QPointF(x, self.height() / 2), HANDLE, HANDLE)

    def _draw_difference(self, painter: QPainter) -> None:
        left, right, placement = self._shown[0].image, self._shown[1].image, self._placement(0)
        if left is None or right is None or placement is None:
            self._say(painter, self._rooms()[0], "Both pictures are needed to say what differs.")
            return
        if self._difference is None:
            self._difference = difference(left, right)
        painter.drawImage(QRectF(placement.x, placement.y, placement.width, placement.height), self._difference)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme().stage))
        if self.mode == "side":
            self._draw(painter, 0)
            self._draw(painter, 1)
        elif self.mode == "slider":
            self._draw_slider(painter)
        elif self.mode == "blink":
            self._draw(painter, int(self._second_in_front))
        else:
            self._draw_difference(painter)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme().accent), 1, Qt.PenStyle.DotLine))
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle.start()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.mode == "slider" and event.buttons() & Qt.MouseButton.LeftButton:
            self._slide_to(event.position().x() / max(1, self.width()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -SLIDER_STEP, Qt.Key.Key_Right: SLIDER_STEP}
        step = steps.get(Qt.Key(event.key()))
        if self.mode == "slider" and step is not None:
            self._slide_to(self.slider + step)
        else:
            super().keyPressEvent(event)

    def _slide_to(self, part: float) -> None:
        self.slider = min(1.0, max(0.0, part))
        self.update()
