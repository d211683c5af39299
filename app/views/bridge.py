"""Where asyncio and Qt meet: the window's loop, and the one-way crossing of a run's events into the window's thread.

The only file that imports qasync, and it does so after the first window has been painted.
"""

import contextlib
import logging
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from app.views.style import appearance

if TYPE_CHECKING:
    import asyncio

    from app.core.ask import Ask
    from app.core.events import Recorded
    from app.core.live import RunHandle
    from app.gate.inbox import AskInbox

log = logging.getLogger(__name__)

BATCH_EVENTS = 500
"""So many events are handed over at most before the window gets a turn: a long journal must not freeze it."""

FIRST_PAINT_MS = 500
"""A window that has not been painted by then (started minimised, say) is not waited for."""

SIGNAL_TICK_MS = 200
"""Where the loop has no signal handlers (Windows), Python looks for Ctrl-C this often."""

Main = Callable[[QApplication], Coroutine[Any, Any, int]]


def run_window(main: Main, *, first: Callable[[QApplication], QWidget] | None = None) -> int:
    """Run `main` on the window's loop until it returns; its result is ours. Never raises `SystemExit`.

    `first` makes and shows a window that is painted before asyncio, qasync and all else are imported. Closing windows
    ends nothing: `main` awaits whatever it wants to wait for. SIGINT, SIGTERM and SIGHUP close the windows.
    """
    instance = QApplication.instance()
    qapp = instance if isinstance(instance, QApplication) else QApplication(sys.argv[:1])
    qapp.setQuitOnLastWindowClosed(False)
    appearance(qapp)
    if first is not None:
        _paint_first(qapp, first(qapp))

    import qasync  # type: ignore[import-untyped]

    from app import log as program_log

    loop = qasync.QEventLoop(qapp)
    program_log.install_hooks()
    program_log.watch_loop(loop)
    try:
        return int(loop.run_until_complete(_to_the_end(main, qapp)))
    finally:
        loop.close()


def _paint_first(qapp: QApplication, window: QWidget) -> None:
    """Let Qt paint `window` once. Its loop has ended again before the window's real loop begins: nothing is nested."""
    watch = _PaintWatch(window, qapp)
    QTimer.singleShot(FIRST_PAINT_MS, watch, watch.end)
    qapp.exec()
    watch.deleteLater()


class _PaintWatch(QObject):
    def __init__(self, window: QWidget, qapp: QApplication) -> None:
        super().__init__(window)
        self._qapp = qapp
        self._ended = False
        window.installEventFilter(self)

    def end(self) -> None:
        if not self._ended:
            self._ended = True
            self._qapp.exit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, self, self.end)
        return False


async def _to_the_end(main: Main, qapp: QApplication) -> int:
    import asyncio

    work = asyncio.ensure_future(main(qapp))
    with _signals(asyncio.get_running_loop(), qapp, work):
        try:
            return await work
        except asyncio.CancelledError:
            return 1
        finally:
            here = asyncio.current_task()
            left = [task for task in asyncio.all_tasks() if task is not here]
            for task in left:
                task.cancel("the window's loop is ending")
            await asyncio.gather(*left, return_exceptions=True)


@contextlib.contextmanager
def _signals(loop: "asyncio.AbstractEventLoop", qapp: QApplication, work: "asyncio.Task[int]") -> Iterator[None]:
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    numbers = [signal.Signals[name] for name in names]

    def on_signal(*_: object) -> None:
        if not close_windows(qapp):
            work.cancel("a signal asked the program to end")

    if sys.platform == "win32":
        before = {number: signal.signal(number, lambda *_: loop.call_soon_threadsafe(on_signal)) for number in numbers}
        tick = QTimer(qapp)
        tick.timeout.connect(lambda: None)
        tick.start(SIGNAL_TICK_MS)
        try:
            yield
        finally:
            tick.stop()
            for number, handler in before.items():
                signal.signal(number, handler)
    else:
        for number in numbers:
            loop.add_signal_handler(number, on_signal)
        try:
            yield
        finally:
            for number in numbers:
                loop.remove_signal_handler(number)


def close_windows(qapp: QApplication) -> bool:
    """Close each main window as a person would; whether one was there. Cards and dialogs belong to their window."""
    windows = [one for one in qapp.topLevelWidgets() if isinstance(one, QMainWindow) and one.isVisible()]
    for window in windows:
        window.close()
    return bool(windows)


class _InboxEar:
    """The inbox's listener: passes on what it is told, from whatever thread, and does nothing else."""

    def __init__(self, put: Callable[[str, Any], None]) -> None:
        self._put = put

    def ask_held(self, ask: "Ask") -> None:
        self._put("held", ask)

    def ask_settled(self, ask_id: str) -> None:
        self._put("settled", ask_id)


class RunBridge(QObject):
    """Hands a run's events, asks and pictures to the window's thread, in the order in which they came.

    Lives in the window's thread; after `close` it hands over nothing more.

    Signals:
        recorded: a list of `Recorded`; a burst comes as few lists.
        ask_held: an `Ask` that waits for a person; every event before it has been handed over.
        ask_settled: the id of an ask that no longer waits.
        frame_ready: the newest live picture is another one. At most one of these is on its way at any time.
        finished: the run's thread has ended, and every event has been handed over.
    """

    recorded = Signal(object)
    ask_held = Signal(object)
    ask_settled = Signal(str)
    frame_ready = Signal()
    finished = Signal()
    _posted = Signal()
    _frame_posted = Signal()

    def __init__(self, handle: "RunHandle", inbox: "AskInbox", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.handle = handle
        self.inbox = inbox
        self._lock = threading.Lock()
        self._queue: list[tuple[str, Any]] = []
        self._wake_pending = False
        self._frame_pending = False
        self._closed = False
        self._held: set[str] = set()
        self._posted.connect(self._on_posted, Qt.ConnectionType.QueuedConnection)
        self._frame_posted.connect(self._on_frame_posted, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        """Begin to hand over; connect the signals first. Asks that already wait are handed over too."""
        self.inbox.subscribe(_InboxEar(self._put))
        self.handle.subscribe(self._on_recorded)
        for ask in self.inbox.waiting:
            self._put("held", ask)
        self.handle.frames.listen(self._on_frame)
        if self.handle.frames.frame is not None:
            self._on_frame()
        threading.Thread(target=self._await_end, name="run-end-watch", daemon=True).start()

    def close(self) -> None:
        """Hand over nothing more."""
        with self._lock:
            self._closed = True
            self._queue.clear()
        self.handle.frames.listen(None)

    def _on_recorded(self, recorded: "Recorded") -> None:
        self._put("recorded", recorded)

    def _on_frame(self) -> None:
        with self._lock:
            if self._frame_pending or self._closed:
                return
            self._frame_pending = True
            self._frame_posted.emit()

    def _await_end(self) -> None:
        self.handle.join(None)
        self._put("finished", None)

    def _put(self, kind: str, value: Any) -> None:
        with self._lock:
            if self._closed:
                return
            self._queue.append((kind, value))
            if not self._wake_pending:
                self._wake_pending = True
                self._posted.emit()

    def _on_frame_posted(self) -> None:
        # Cleared before the newest frame is read: one that comes while it is being read posts another wake-up.
        with self._lock:
            self._frame_pending = False
            if self._closed:
                return
        self.frame_ready.emit()

    def _on_posted(self) -> None:
        with self._lock:
            taken, self._queue = self._queue[:BATCH_EVENTS], self._queue[BATCH_EVENTS:]
            self._wake_pending = bool(self._queue)
            if self._wake_pending:
                self._posted.emit()
        events: list[Recorded] = []
        for kind, value in taken:
            if kind == "recorded":
                events.append(value)
                continue
            events = self._hand_over(events)
            self._tell(kind, value)
        self._hand_over(events)

    def _hand_over(self, events: "list[Recorded]") -> "list[Recorded]":
        if events:
            self.recorded.emit(events)
        return []

    def _tell(self, kind: str, value: Any) -> None:
        if kind == "held":
            # Settled meanwhile: its `ask_settled` came before or is on its way, and no card must open for it.
            still_waiting = any(ask.ask_id == value.ask_id for ask in self.inbox.waiting)
            if still_waiting and value.ask_id not in self._held:
                self._held.add(value.ask_id)
                self.ask_held.emit(value)
        elif kind == "settled":
            self._held.discard(value)
            self.ask_settled.emit(value)
        else:
            self.finished.emit()
