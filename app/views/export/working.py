"""One export in a thread of its own: how far it is, how it ended, and a way to stop it."""

import logging
import threading

from PySide6.QtCore import QObject, Qt, Signal

from app.core.errors import SignalboxError
from app.core.exporting import Exporter, ExportOrder, ExportStopped

log = logging.getLogger(__name__)

PARTS = 1000
"""Of the whole; progress is told when one more is done."""


class ExportWork(QObject):
    """From `start` to `ended`; `stop` may be called at any time, and `wait` by whoever must not go before it.

    Signals:
        moved: how much is done, of `PARTS`.
        ended: an `Exported`; or words about what went wrong; or None, when it was stopped.
    """

    moved = Signal(int)
    ended = Signal(object)
    _told = Signal(int)
    _over = Signal(object)

    def __init__(self, exporter: Exporter, order: ExportOrder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._exporter = exporter
        self._order = order
        self._stopped = threading.Event()
        self._last = -1
        self._thread = threading.Thread(target=self._work, name="export", daemon=True)
        self._told.connect(self.moved, Qt.ConnectionType.QueuedConnection)
        self._over.connect(self.ended, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End it at the next picture or event; nothing is left of it."""
        self._stopped.set()

    def wait(self) -> None:
        """Block until the thread has ended."""
        if self._thread.ident is not None:
            self._thread.join()

    def _progress(self, done: int, whole: int) -> None:
        if self._stopped.is_set():
            raise ExportStopped
        part = PARTS * done // max(1, whole)
        if part > self._last:
            self._last = part
            self._told.emit(part)

    def _work(self) -> None:
        try:
            self._over.emit(self._exporter.export(self._order, self._progress))
        except ExportStopped:
            self._over.emit(None)
        except SignalboxError as problem:
            self._over.emit(str(problem))
        except Exception as error:
            log.exception("an export failed")
            self._over.emit(f"an error in the console: {type(error).__name__}; the log has more")
