"""Small pictures for the film strip, read and decoded by a worker for those rows that are on the screen."""

import logging
import threading
from collections import OrderedDict

from PySide6.QtCore import QObject, QSize, QTimer, Signal
from PySide6.QtGui import QImage

from app.core.errors import SignalboxError
from app.replay.frames import Frames
from app.views.stage.reading import UnsafePicture, read_picture

log = logging.getLogger(__name__)

THUMBNAIL = QSize(192, 120)
KEPT = 400
"""About 35 MB of decoded thumbnails."""
QUEUED = 64
"""Rows that were scrolled past are forgotten; they are asked for again when they come back."""


class Thumbnails(QObject):
    """Answers at once from what is kept; what is not comes later, the newest wish first.

    Signals:
        arrived: the digest whose thumbnail can now be had.
        idle: nothing is asked for any more.
    """

    arrived = Signal(str)
    idle = Signal()

    def __init__(self, pictures: Frames, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pictures = pictures
        self._changed = threading.Condition()
        self._wished: list[str] = []
        self._in_hand: str | None = None
        self._kept: OrderedDict[str, QImage] = OrderedDict()
        self._closed = False
        self._thread: threading.Thread | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._begin)

    def get(self, digest: str) -> QImage | None:
        """The thumbnail if it is here, else None and it is on its way. A null image: there is none to be had."""
        with self._changed:
            image = self._kept.get(digest)
            if image is not None:
                self._kept.move_to_end(digest)
            elif not self._closed and digest != self._in_hand:
                if digest in self._wished:
                    self._wished.remove(digest)
                self._wished.append(digest)
                del self._wished[:-QUEUED]
                # Not before the large picture has been asked for: that one is waited for, and one is decoded at a time.
                self._soon.start()
            return image

    @property
    def kept(self) -> list[str]:
        """The digests that can be had at once, longest unused first."""
        with self._changed:
            return list(self._kept)

    @property
    def busy(self) -> bool:
        """Whether thumbnails are on their way."""
        with self._changed:
            return bool(self._wished) or self._in_hand is not None

    def close(self) -> None:
        """End the worker; waits for the one in hand."""
        with self._changed:
            self._closed = True
            self._wished.clear()
            thread, self._thread = self._thread, None
            self._changed.notify()
        if thread is not None:
            thread.join()

    def _begin(self) -> None:
        with self._changed:
            if self._closed:
                return
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="thumbnails", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or bool(self._wished))
                if self._closed:
                    return
                digest = self._in_hand = self._wished.pop()
            image = self._read(digest)
            with self._changed:
                self._in_hand = None
                self._keep(digest, image)

    def _keep(self, digest: str, image: QImage) -> None:
        if self._closed:
            return
        self._kept[digest] = image
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        self.arrived.emit(digest)
        if not self._wished:
            self.idle.emit()

    def _read(self, digest: str) -> QImage:
        try:
            small = self._pictures.thumbnail(digest)
            image, _ = read_picture(small, THUMBNAIL) if small is not None else (QImage(), THUMBNAIL)
        except (UnsafePicture, SignalboxError):
            return QImage()
        except Exception:
            log.exception("a thumbnail could not be loaded")
            return QImage()
        return image
