"""The one-way crossing of a run's events, asks and pictures from the run's thread into the window's."""

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.core.ask import Ask
from app.core.events import Recorded
from app.core.live import RunHandle
from app.gate.inbox import AskInbox

BATCH_EVENTS = 500
"""So many events are handed over at most before the window gets a turn: a long journal must not freeze it."""

CARD_FIRST_SECS = 0.015
"""So long at most the run waits, before it writes a question, for the window to paint it: both would take turns."""

GIVES_WAY_MS = 8
"""So long the run has the interpreter for itself after an answer from this window: it records that, and acts."""

NOT_STARTED_SECS = 0.05
"""How often a run that has not begun is looked at again."""


class _InboxEar:
    """The inbox's listener: passes on what it is told, from whatever thread, and does nothing else."""

    def __init__(self, put: Callable[[str, Any], None]) -> None:
        self._put = put

    def ask_held(self, ask: Ask) -> None:
        self._put("held", ask)

    def ask_settled(self, ask_id: str) -> None:
        self._put("settled", ask_id)


_AT_ONCE = ("announced", "held")
"""What gives way to nothing: somebody is to be asked."""


class RunBridge(QObject):
    """Hands a run's events, asks and pictures to the window's thread, in the order in which they came.

    Lives in the window's thread; after `close` it hands over nothing more.

    Signals:
        recorded: a list of `Recorded`; a burst comes as few lists.
        ask_announced: an `Ask` that is being written; it may be shown, and takes no answer before it is held.
        ask_held: an `Ask` that waits for a person; every event before it has been handed over.
        ask_settled: the id of an ask that no longer waits, or was announced and does not come.
        frame_ready: the newest live picture is another one. At most one of these is on its way at any time.
        finished: the run's thread has ended, and every event has been handed over.
    """

    recorded = Signal(object)
    ask_announced = Signal(object)
    ask_held = Signal(object)
    ask_settled = Signal(str)
    frame_ready = Signal()
    finished = Signal()
    _posted = Signal()
    _frame_posted = Signal()

    def __init__(self, handle: RunHandle, inbox: AskInbox, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.handle = handle
        self.inbox = inbox
        self._lock = threading.Lock()
        self._window_thread = threading.get_ident()
        self._queue: list[tuple[str, Any]] = []
        self._wake_pending = False
        self._frame_pending = False
        self._closed = False
        self._shut = threading.Event()
        self._held: set[str] = set()
        self._card_came = threading.Event()
        self._posted.connect(self._on_posted, Qt.ConnectionType.QueuedConnection)
        self._frame_posted.connect(self._on_frame_posted, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        """Begin to hand over; connect the signals first. Asks that already wait are handed over too."""
        self.inbox.subscribe(_InboxEar(self._put))
        self.inbox.hear_announced(self._on_announced)
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
        self._shut.set()
        self._card_came.set()
        self.handle.frames.listen(None)

    def card_came(self) -> None:
        """The question that was announced is on the screen, or nothing of it will be now: the run need not wait."""
        self._card_came.set()

    def _on_announced(self, ask: Ask) -> None:
        """In the run's thread."""
        self._card_came.clear()
        self._put("announced", ask)
        if not self._shut.is_set():
            self._card_came.wait(CARD_FIRST_SECS)

    def _on_recorded(self, recorded: Recorded) -> None:
        self._put("recorded", recorded)

    def _on_frame(self) -> None:
        with self._lock:
            if self._frame_pending or self._closed:
                return
            self._frame_pending = True
            self._frame_posted.emit()

    def _await_end(self) -> None:
        while not self._shut.is_set():
            try:
                self.handle.join(None)
            except RuntimeError:
                # The window is shown before the run's thread is started, and an unstarted thread cannot be joined.
                self._shut.wait(NOT_STARTED_SECS)
            else:
                self._put("finished", None)
                return

    def _put(self, kind: str, value: Any) -> None:
        with self._lock:
            if self._closed:
                return
            self._queue.append((kind, value))
            if self._wake_pending and kind not in _AT_ONCE:
                return
            gives_way = not self._wake_pending and kind == "settled" and threading.get_ident() == self._window_thread
            self._wake_pending = True
            if gives_way:
                QTimer.singleShot(GIVES_WAY_MS, self, self._on_posted)
            else:
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

    def _hand_over(self, events: list[Recorded]) -> list[Recorded]:
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
        elif kind == "announced":
            self.ask_announced.emit(value)
        elif kind == "settled":
            self._held.discard(value)
            self.ask_settled.emit(value)
        else:
            self.finished.emit()
