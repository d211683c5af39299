"""What passes from a running run to a window beside the journal: the newest live picture, and a handle to the run."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from app.core.breakpoint import BreakpointPlan
from app.core.code_events import CodeAct
from app.core.events import Recorded, StopBy
from app.core.human import HumanInput
from app.core.ports import Blobs
from app.core.step import StepCommand


@dataclass(frozen=True)
class LiveFrame:
    """One picture of the live view: JPEG or PNG bytes, never stored unless an ask is shown with it."""

    data: bytes
    media_type: str
    width: int
    height: int
    css_width: float
    css_height: float
    taken_mono_ns: int
    tab_id: str
    url: str = ""
    title: str = ""


class LatestFrame:
    """A slot that keeps only the newest frame, so that a slow window never ends on a stale one. Any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frame: LiveFrame | None = None
        self._listener: Callable[[], None] | None = None

    @property
    def frame(self) -> LiveFrame | None:
        """The newest frame there is, or None before the first."""
        return self._frame

    def put(self, frame: LiveFrame) -> None:
        """Replace the frame and tell the listener, in the caller's thread."""
        with self._lock:
            self._frame = frame
            listener = self._listener
        if listener is not None:
            listener()

    def listen(self, listener: Callable[[], None] | None) -> None:
        """`listener` is called after each new frame, in the thread that put it; it must only post a wake-up."""
        with self._lock:
            self._listener = listener


class RunControls(Protocol):
    """From any thread; what came of it is told by the run's events."""

    def hold_all(self, on: bool) -> None:
        """Suspend whatever would allow by itself, or let it count again."""

    def say(self, text: str) -> None:
        """Words for the model, sent at the next boundary."""

    def cancel_job(self, call_id: str) -> None:
        """End the background job of that call, if it still runs."""

    def act_on_code(self, language: str, act: CodeAct) -> None:
        """End what runs in the code environment of that language, or begin the environment anew."""

    def want_control(self) -> None:
        """Ask for the driven screen."""

    def give_back(self) -> None:
        """Let the run go on."""

    def set_private(self, private: bool) -> None:
        """Keep neither pictures nor text from now on, or do again."""

    def act(self, given: HumanInput) -> None:
        """Input for the driven screen; dropped while a person has no control."""


class StepControl(Protocol):
    """Where a run is held. Every method may be called from any thread; going on is an answer in the inbox."""

    @property
    def waits(self) -> str:
        """What a step or pause still waits for, in words; empty where the run just goes on."""

    @property
    def next_stop(self) -> str:
        """The same in few words: ``before the next request``."""

    @property
    def breakpoints(self) -> Sequence["KnownBreakpoint"]:
        """All of the run as they stand."""

    def command(self, command: StepCommand) -> None:
        """From here on, until the next hold."""

    def run_to(self, call_id: str) -> None:
        """Hold before that call, or before the next request where it does not come."""

    def add(self, plan: BreakpointPlan) -> str:
        """Put a breakpoint in force; its name."""

    def switch(self, name: str, *, enabled: bool) -> None:
        """Switch one off or on."""

    def remove(self, name: str) -> None:
        """Take one out of force."""


class KnownBreakpoint(Protocol):
    """A breakpoint as it stands."""

    @property
    def name(self) -> str:
        """As holds name it."""

    @property
    def words(self) -> str:
        """The author's own words, else what it looks for; outside text."""

    @property
    def plan(self) -> BreakpointPlan:
        """What it looks for."""

    @property
    def hits(self) -> int:
        """How often it has fitted."""

    @property
    def enabled(self) -> bool:
        """Whether it is in force."""


class RunHandle(Protocol):
    """What a window may do with a running run: watch it, and ask it to stop. Answers go to the inbox."""

    @property
    def run_id(self) -> str:
        """The run's id."""

    @property
    def ledger_path(self) -> Path:
        """Where its ledger lies."""

    @property
    def frames(self) -> LatestFrame:
        """The live picture."""

    @property
    def blobs(self) -> Blobs:
        """Stored pictures; safe to read from the window's thread, but never on it when large."""

    @property
    def unrecorded(self) -> str:
        """Once the run is over: why its record has no end, in words; empty when it has one."""

    def subscribe(self, listener: Callable[[Recorded], None]) -> None:
        """`listener` gets every event, those already written first, in order, from the run's thread or the caller's."""

    def request_stop(self, by: StopBy, detail: str = "") -> None:
        """Let nothing new start, drain what runs, save, end. From any thread; a second call changes nothing."""

    def undo_rule(self, number: int) -> bool:
        """Take back one of the rules made by a press, at once; False when it had gone before. From any thread."""

    @property
    def by_hand(self) -> "RunControls":
        """What a person does beside answering."""

    @property
    def stepper(self) -> "StepControl":
        """Pausing, stepping and breakpoints."""

    def join(self, timeout_secs: float | None = None) -> bool:
        """Wait for the run's thread to end; whether it has."""
