"""A run that a window can watch although nothing runs: a journal played by a thread, its asks held for real."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

from app.clock import SystemClock
from app.core.code_events import CodeAct
from app.core.decision import Answer
from app.core.events import AskRaised, Recorded
from app.core.human import HumanInput
from app.core.live import LatestFrame, LiveFrame
from app.core.ports import InboxClosed
from app.gate.inbox import AskInbox
from app.gate.stepping import Stepper
from tests.helpers.journals import HEIGHT, WIDTH, JournalWriter, MemoryBlobs


class NotedControls:
    """Keeps what a person did at the controls, in order."""

    def __init__(self) -> None:
        self.did: list[tuple[str, object]] = []

    def hold_all(self, on: bool) -> None:
        """As every run's."""
        self.did.append(("hold_all", on))

    def say(self, text: str) -> None:
        """As every run's."""
        self.did.append(("say", text))

    def act_on_code(self, language: str, act: CodeAct) -> None:
        """Noted."""
        self.did.append(("act_on_code", (language, act)))

    def cancel_job(self, call_id: str) -> None:
        """As every run's."""
        self.did.append(("cancel_job", call_id))

    def want_control(self) -> None:
        """As every run's."""
        self.did.append(("want_control", None))

    def give_back(self) -> None:
        """As every run's."""
        self.did.append(("give_back", None))

    def set_private(self, private: bool) -> None:
        """As every run's."""
        self.did.append(("set_private", private))

    def act(self, given: HumanInput) -> None:
        """As every run's."""
        self.did.append(("act", given))


class PlayedRun:
    """A run handle: each event is handed to the listeners in the run's thread; at each ask it waits for the inbox.

    `drain` keeps the thread alive after the last event or a stop until it is set.
    """

    def __init__(self, writer: JournalWriter, inbox: AskInbox) -> None:
        self.writer = writer
        self.inbox = inbox
        self.frames = LatestFrame()
        self.by_hand = NotedControls()
        self.stepper = Stepper((), SystemClock())
        self.stops: list[str] = []
        self.answers: list[Answer] = []
        self.drain = threading.Event()
        self.drain.set()
        self.stopped = threading.Event()
        self.unrecorded = ""
        self._listeners: list[Callable[[Recorded], None]] = []
        self._written: list[Recorded] = []
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._play()), name="played run")

    @property
    def run_id(self) -> str:
        """The id in the journal's header."""
        return "20261129-2105-k7m3qx"

    @property
    def ledger_path(self) -> Path:
        """Where its ledger would lie."""
        return Path("20261129-2105-k7m3qx.signalbox")

    @property
    def blobs(self) -> MemoryBlobs:
        """The journal's pictures."""
        return self.writer.blobs

    @property
    def started(self) -> bool:
        """Whether it began to play."""
        return self._thread.ident is not None

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def subscribe(self, listener: Callable[[Recorded], None]) -> None:
        """As every run handle."""
        with self._lock:
            for recorded in self._written:
                listener(recorded)
            self._listeners.append(listener)

    def undo_rule(self, number: int) -> bool:
        """Nothing of a played run can be taken back."""
        return False

    def request_stop(self, by: str, detail: str = "") -> None:
        """Let the journal end where it stands."""
        self.stops.append(by)
        self.stopped.set()
        self.inbox.close("stopped")

    def join(self, timeout_secs: float | None = None) -> bool:
        """Wait for the thread."""
        self._thread.join(timeout_secs)
        return not self._thread.is_alive()

    def show(self, data: bytes, *, url: str = "", title: str = "", media_type: str = "image/png") -> None:
        """Put a live picture of the usual size."""
        self.frames.put(
            LiveFrame(
                data=data,
                media_type=media_type,
                width=WIDTH,
                height=HEIGHT,
                css_width=WIDTH,
                css_height=HEIGHT,
                taken_mono_ns=0,
                tab_id="t1",
                url=url,
                title=title,
            )
        )

    async def _play(self) -> None:
        for recorded in self.writer.records:
            if self.stopped.is_set():
                break
            with self._lock:
                self._written.append(recorded)
                listeners = list(self._listeners)
            for listener in listeners:
                listener(recorded)
            if isinstance(recorded.event, AskRaised):
                try:
                    self.answers.append(await self.inbox.hold(recorded.event.ask))
                except InboxClosed:
                    break
        self.drain.wait()
