"""Work off the window's thread, with its result told in it; what comes after the window has closed is dropped."""

import contextlib
import logging
import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from app.core.errors import SignalboxError

log = logging.getLogger(__name__)

FAILED = "It did not work; the log has the reason"


class Work(QObject):
    """Threads of one window. Each result (or the words of what went wrong) is handed to whoever started it."""

    _done = Signal(object, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._closed = threading.Event()
        self._threads: list[threading.Thread] = []
        self._done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)

    def start(
        self, name: str, work: Callable[[], Any], then: Callable[[Any], None], failed: Callable[[str], None]
    ) -> None:
        """Do `work`; then call one of the two in the window's thread."""
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=self._main, args=(work, then, failed), name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def tell(self, told: Callable[[Any], None], what: Any) -> None:
        """From a worker: call `told` with `what` in the window's thread."""
        if not self._closed.is_set():
            with contextlib.suppress(RuntimeError):
                # The window is gone between the two lines.
                self._done.emit(told, what)

    def close_down(self) -> None:
        """Nothing is told any more. Threads that wait for a network are not waited for; they change nothing."""
        self._closed.set()

    @property
    def busy(self) -> bool:
        """Whether anything is under way."""
        return any(thread.is_alive() for thread in self._threads)

    def _main(self, work: Callable[[], Any], then: Callable[[Any], None], failed: Callable[[str], None]) -> None:
        try:
            result = work()
        except SignalboxError as problem:
            self.tell(failed, str(problem))
        except Exception:
            log.exception("work for the form of a new run failed")
            self.tell(failed, FAILED)
        else:
            self.tell(then, result)

    def _on_done(self, told: Callable[[Any], None], what: Any) -> None:
        if not self._closed.is_set():
            told(what)
