"""Turns picture bytes into pixels off the window's thread. Of many requests only the newest is answered."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QImage

from app.core.errors import SignalboxError
from app.views.stage.reading import UnsafePicture, read_picture

log = logging.getLogger(__name__)

Load = Callable[[], tuple[bytes, Any]]
"""Called in the worker when it gets to it, so that a live view reads the newest frame there is by then: the bytes, and
whatever belongs to exactly them."""


@dataclass(frozen=True)
class Decoded:
    """One picture ready to paint, or in `problem` the words why there is none."""

    image: QImage | None
    size: QSize
    """Its full size, whatever size it was decoded to."""
    belongs: Any
    """What `Load` returned beside the bytes; None when loading failed."""
    problem: str = ""


class PictureDecoder(QObject):
    """One worker thread with room for one request; a newer request takes the place of one not begun.

    What is begun is finished, and a newer one always follows it: the last answer is to the last request.

    Signals:
        decoded: a `Decoded`, in the window's thread.
        idle: the last request has been answered.
    """

    decoded = Signal(object)
    idle = Signal()

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._changed = threading.Condition()
        self._wanted: tuple[Load, QSize | None] | None = None
        self._working = False
        self._closed = False
        self._thread: threading.Thread | None = None

    def want(self, load: Load, bound: QSize | None) -> None:
        """Ask for a picture no larger than `bound` (in picture pixels)."""
        with self._changed:
            if self._closed:
                return
            self._wanted = (load, bound)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify()

    @property
    def busy(self) -> bool:
        """Whether a request is not answered yet."""
        with self._changed:
            return self._working or self._wanted is not None

    def close(self) -> None:
        """End the worker; waits for the picture in hand."""
        with self._changed:
            self._closed, self._wanted = True, None
            thread, self._thread = self._thread, None
            self._changed.notify()
        if thread is not None:
            thread.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._wanted is not None)
                if self._closed or self._wanted is None:
                    return
                (load, bound), self._wanted, self._working = self._wanted, None, True
            decoded = _decode(load, bound)
            with self._changed:
                self._working = False
                self._answer(decoded)

    def _answer(self, decoded: Decoded) -> None:
        if self._closed:
            return
        self.decoded.emit(decoded)
        if self._wanted is None:
            self.idle.emit()


def _decode(load: Load, bound: QSize | None) -> Decoded:
    belongs: Any = None
    try:
        data, belongs = load()
        image, size = read_picture(data, bound)
    except UnsafePicture as refused:
        return Decoded(None, QSize(), belongs, str(refused))
    except SignalboxError as problem:
        return Decoded(None, QSize(), belongs, str(problem))
    except Exception:
        log.exception("a picture could not be loaded")
        return Decoded(None, QSize(), belongs, "it could not be read; the log has the reason")
    return Decoded(image, size, belongs)
