"""Paints one picture with its marks; asks for it anew when its room changes. Knows nothing of runs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHideEvent, QImage, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.views.stage.decoder import Decoded, PictureDecoder
from app.views.stage.marks import Marks, paint_marks
from app.views.stage.placement import Placement, Subject, place
from app.views.style import SECONDARY_POINTS, text_font, theme

RESIZE_SETTLES_MS = 60
FRINGE = 2
"""Pixels kept free around the picture, so that its edge is seen against the stage."""


@dataclass(frozen=True)
class Shot:
    """What belongs to the bytes of one picture: they are swapped together, so that words and marks never lag behind."""

    css_width: float
    css_height: float
    label: Any
    """Whatever the owner wants back when this picture is the one on the screen."""


class PictureView(QWidget):
    """Shows the newest picture asked for, 1 : 1 where it fits, never stretched, never enlarged.

    Signals:
        swapped: another picture is on the screen; its `Shot`, or None when there is none.
    """

    swapped = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("picture_view")
        self.setAccessibleName("Picture of the driven screen")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(240, 60)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.decoder = PictureDecoder("stage-pictures", self)
        self.decoder.decoded.connect(self._on_decoded)
        self.marks = Marks()
        self.shot: Shot | None = None
        self.words = ""
        """Said in the middle of the stage while there is no picture."""
        self._image: QImage | None = None
        self._subject: Subject | None = None
        self._load: Callable[[], tuple[bytes, Shot]] | None = None
        self._missed = False
        self._waits = False
        self._late: Decoded | None = None
        self._in_hand = False
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.timeout.connect(self._ask)

    @property
    def image(self) -> QImage | None:
        """The pixels on the screen."""
        return self._image

    @property
    def placement(self) -> Placement | None:
        """Where the picture lies, or None without one."""
        if self._subject is None:
            return None
        room = QRectF(self.rect()).adjusted(FRINGE, FRINGE, -FRINGE, -FRINGE)
        inner = place(
            self._subject,
            area_width=room.width(),
            area_height=room.height(),
            device_pixel_ratio=self.devicePixelRatioF(),
        )
        return Placement(
            inner.x + FRINGE, inner.y + FRINGE, inner.width, inner.height, inner.scale_x, inner.scale_y, inner.exact
        )

    def show_picture(self, load: Callable[[], tuple[bytes, Shot]]) -> None:
        """Load and show a picture; `load` runs in a worker. What is on the screen stays until the new one is ready."""
        self._load = load
        self._ask()

    def show_words(self, words: str) -> None:
        """Show no picture but words, at once."""
        self._load = self._late = None
        self._clear(words)

    def set_marks(self, marks: Marks) -> None:
        """Draw these over the picture from now on."""
        if marks != self.marks:
            self.marks = marks
            self.setAccessibleDescription(marks.words)
            self.update()

    def set_in_hand(self, in_hand: bool) -> None:
        """Frame the picture, because presses on it reach the page."""
        self._in_hand = in_hand
        self.update()

    def wait(self) -> None:
        """Show nothing new before `go_on`: something else comes first for a moment."""
        self._waits = True

    def go_on(self) -> None:
        """Show the newest picture that was ready meanwhile."""
        self._waits = False
        late, self._late = self._late, None
        if late is not None:
            self._on_decoded(late)

    def close_down(self) -> None:
        """End the worker; nothing more is shown."""
        self._load = None
        self.decoder.close()

    def _ask(self) -> None:
        if self._load is None:
            return
        # Nobody sees it: decoding waits until somebody does, and then takes whatever is newest.
        self._missed = not self.isVisible()
        if not self._missed:
            ratio = self.devicePixelRatioF()
            room = QSize(int((self.width() - 2 * FRINGE) * ratio), int((self.height() - 2 * FRINGE) * ratio))
            self.decoder.want(self._load, room.expandedTo(QSize(1, 1)))

    def _clear(self, words: str) -> None:
        self._image, self._subject, self.words = None, None, words
        had, self.shot = self.shot, None
        self.update()
        if had is not None:
            self.swapped.emit(None)

    def _on_decoded(self, decoded: Decoded) -> None:
        if self._load is None:
            return
        if self._waits:
            self._late = decoded
            return
        if decoded.image is None:
            self._clear(f"No picture: {decoded.problem}")
            return
        shot: Shot = decoded.belongs
        self._image = decoded.image
        self._subject = Subject(decoded.size.width(), decoded.size.height(), shot.css_width, shot.css_height)
        self.shot = shot
        self.update()
        self.swapped.emit(shot)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        painter.fillRect(self.rect(), QColor(colours.stage))
        placement = self.placement
        if self._image is None or placement is None:
            painter.setPen(QColor(colours.dim))
            painter.setFont(text_font(SECONDARY_POINTS + 1))
            painter.drawText(
                self.rect().adjusted(24, 2, -24, -2),
                int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap),
                self.words,
            )
            return
        area = QRectF(placement.x, placement.y, placement.width, placement.height)
        decoded_at = self._image.deviceIndependentSize() / self.devicePixelRatioF()
        at_size = abs(decoded_at.width() - area.width()) < 0.01 and abs(decoded_at.height() - area.height()) < 0.01
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not at_size)
        painter.drawImage(area, self._image)
        paint_marks(painter, self.marks, placement, colours)
        if self._in_hand:
            painter.setPen(QPen(QColor(colours.hold), FRINGE))
            painter.drawRect(area.adjusted(-FRINGE / 2, -FRINGE / 2, FRINGE / 2, FRINGE / 2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle.start(RESIZE_SETTLES_MS)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._missed:
            self._ask()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._missed = self._load is not None
