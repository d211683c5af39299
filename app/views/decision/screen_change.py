"""Whether the live picture shows something else than the picture on the card, by what can be seen of both."""

import threading
from collections.abc import Callable

from PySide6.QtCore import QBuffer, QByteArray, QObject, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from app.core.live import LiveFrame
from app.views.decoding import DECODING, format_of

COMPARED = QSize(320, 200)
"""Both are compared at this size, in grey: compression and a blinking caret leave no mark there."""

OTHER_BY = 48
"""So many of 256 levels apart, a pixel counts as another one."""

MOST_OTHERS = 8
"""So many other pixels are still the same screen; a ticked box has twice as many."""


class ScreenChange(QObject):
    """Compares in a thread of its own, one live frame at a time. Once the screen has been another, that stays said."""

    def __init__(self, read: Callable[[str], bytes], digest: str, parent: QObject) -> None:
        """`read` gives the stored picture named `digest`; it is called in the other thread."""
        super().__init__(parent)
        self._read = read
        self._digest = digest
        self._shown: bytes | None = None
        self._compared: LiveFrame | None = None
        self._busy = threading.Lock()
        self.changed = False

    def look(self, frame: LiveFrame) -> None:
        """Compare with `frame`, unless that was done or another comparison runs; the result is in `changed` later."""
        if self.changed or frame is self._compared or not self._busy.acquire(blocking=False):
            return
        self._compared = frame
        threading.Thread(target=self._run, args=(frame.data,), name="screen-change", daemon=True).start()

    def _run(self, data: bytes) -> None:
        try:
            if self._shown is None:
                self._shown = small_grey(self._read(self._digest))
            self.changed = others(self._shown, small_grey(data)) > MOST_OTHERS
        finally:
            self._busy.release()


def small_grey(data: bytes) -> bytes:
    """The picture in `data` as one byte a pixel at the compared size; empty when it cannot be decoded."""
    with DECODING:
        buffer = QBuffer()
        buffer.setData(QByteArray(data))
        reader = QImageReader(buffer)
        format_of(reader)
        reader.setScaledSize(COMPARED)
        image: QImage = reader.read()
        del reader, buffer
    if image.isNull():
        return b""
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    if grey.size() != COMPARED:
        grey = grey.scaled(COMPARED, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)
    return bytes(grey.constBits())


def others(one: bytes, other: bytes) -> int:
    """How many pixels differ; all of them when the two cannot be compared, since doubt counts as a change."""
    if len(one) != len(other) or not one:
        return max(len(one), len(other), MOST_OTHERS + 1)
    return sum(abs(a - b) > OTHER_BY for a, b in zip(one, other, strict=True))
