"""Who has the driven screen: the run, or a person. The run gives way between two effects and never within one."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, Protocol

from app.core.human import ControlChanged, HumanInput, RecordingChanged
from app.core.ports import Journal

PERSON_ACTED = (
    "Not done: the operator has taken control of the browser since you last looked and may have changed anything. "
    "Everything you read before is out of date: look at the page again first."
)
PRIVATE_WORDS = "private mode: the operator types something that is not to be kept"

NO_HANDS = "this run drives no browser that a person could use here, or it is not open yet"
UNCERTAIN = "an action may have happened and nobody knows whether it did: that must be settled first"
ENDING = "the run is ending"


class Hands(Protocol):
    """What a person's input reaches: the driven browser."""

    def begin(self) -> None:
        """Take input from now on."""

    def put(self, given: HumanInput) -> None:
        """Do this, after whatever was put before."""

    def then(self, do: Callable[[], None]) -> None:
        """Do this once what was put before has arrived."""

    def end(self) -> None:
        """Let go of what is held down, and void every reference the model holds."""


class Control:
    """Lives on the run's loop; only `holding` of the gate is set from elsewhere.

    ``run``: the run acts. ``wanted``: it finishes what it is in and begins nothing. ``person``: it stands still.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.state: Literal["run", "wanted", "person"] = "run"
        self.recording = True
        """False in private mode: neither pictures nor texts nor addresses are kept."""
        self.private = False
        """What the person does now is not to be kept; the gap in the record ends only when all of it has arrived."""
        self.returned = 0
        """How often a person has handed back: whatever was read or shown before counts no more."""
        self.must_look = False
        """A person has acted since the model last looked."""
        self.asking = 0
        """How many questions stand."""
        self.hands: Hands | None = None
        self.uncertain: Callable[[], bool] = lambda: False
        self.closed: Callable[[], bool] = lambda: False
        self.on_returned: list[Callable[[], None]] = []
        self._inside: dict[asyncio.Task[object] | None, int] = {}
        self._free = asyncio.Event()
        self._free.set()

    def answered(self) -> None:
        """A question is settled of which no effect follows; it may have been the last thing waited for."""
        if self.state == "wanted":
            asyncio.get_running_loop().call_soon(self._take_if_drained)

    @contextmanager
    def inside(self) -> Iterator[None]:
        """The run is in something of which a person must not see half; entered right after `give_way`."""
        task = asyncio.current_task()
        self._inside[task] = self._inside.get(task, 0) + 1
        try:
            yield
        finally:
            self._inside[task] -= 1
            if not self._inside[task]:
                del self._inside[task]
            self._take_if_drained()

    @contextmanager
    def parked(self) -> Iterator[None]:
        """The run is held where nothing is half done: a person may have the screen. `give_way` must follow."""
        task = asyncio.current_task()
        left = self._inside.pop(task, 0)
        self._take_if_drained()
        try:
            yield
        finally:
            if left:
                self._inside[task] = left

    async def give_way(self) -> bool:
        """Wait while a person wants or has the screen; whether one has had it meanwhile. Nothing is half done here."""
        before, task = self.returned, asyncio.current_task()
        while self.state != "run":
            left = self._inside.pop(task, 0)
            self._take_if_drained()
            try:
                await self._free.wait()
            finally:
                if left:
                    self._inside[task] = left
        return self.returned != before

    def want(self) -> None:
        """A person asks for the screen."""
        if self.state != "run":
            return
        if (reason := self._why_not()) is not None:
            self._journal.append(ControlChanged(step="refused", reason=reason))
            return
        self._journal.append(ControlChanged(step="wanted"))
        self.state = "wanted"
        self._free.clear()
        self._take_if_drained()

    def _why_not(self) -> str | None:
        if self.closed():
            return ENDING
        if self.hands is None:
            return NO_HANDS
        if self.uncertain() and not self._inside:
            # Within an action nobody knows yet; that is looked at again when it has ended.
            return UNCERTAIN
        return None

    def _take_if_drained(self) -> None:
        if self.state != "wanted" or self._inside or self.asking:
            return
        if (reason := self._why_not()) is not None:
            # What it was in ended in a way of which nobody knows the effect, or the run is over.
            self.state = "run"
            self._free.set()
            self._journal.append(ControlChanged(step="refused", reason=reason))
            return
        self._journal.append(ControlChanged(step="taken"))
        self.state = "person"
        if self.hands is not None:
            self.hands.begin()

    def act(self, given: HumanInput) -> None:
        """A person's input; whatever comes while they have no control is dropped."""
        if self.state == "person" and self.hands is not None:
            self.hands.put(given)

    def set_private(self, private: bool) -> None:
        """Begin or end a gap in the record; only while a person has control."""
        if self.state != "person" or private == self.private or self.hands is None:
            return
        self.private = private
        if private:
            self._set_recording(False, PRIVATE_WORDS)
        else:
            # Not before everything private has arrived: what it leads to belongs to the gap.
            self.hands.then(self._end_gap)

    def _end_gap(self) -> None:
        if not self.private:
            self._set_recording(True, PRIVATE_WORDS)

    def finish(self) -> None:
        """The person hands back: the run goes on once all of their input has arrived."""
        if self.state == "person" and self.hands is not None:
            self.hands.then(self.give_back)
        else:
            self.give_back()

    def give_back(self, reason: str = "handed back by the operator") -> None:
        """The run goes on, at once; what it and the model know of the page is void. Also when nothing can be recorded.

        Raises:
            NotDurable: it could not be put on record.
        """
        if self.state == "run":
            return
        had_it = self.state == "person"
        # Last in, first done, and each whatever becomes of those before it: the run must not wait for ever for a hand.
        with contextlib.ExitStack() as steps:
            steps.callback(self._go_on, had_it)
            steps.callback(self._journal.append, ControlChanged(step="returned", reason=reason))
            if had_it:
                steps.callback(self._end_gap_at, reason)
                if self.hands is not None:
                    steps.callback(self.hands.end)

    def _end_gap_at(self, reason: str) -> None:
        self.private = False
        if not self.recording:
            self._set_recording(True, reason)

    def _go_on(self, had_it: bool) -> None:
        if self.state == "run":
            return
        if had_it:
            self.returned += 1
            self.must_look = True
        self.state = "run"
        with contextlib.ExitStack() as steps:
            steps.callback(self._free.set)
            for listener in reversed(self.on_returned) if had_it else ():
                steps.callback(listener)

    def _set_recording(self, recording: bool, reason: str) -> None:
        if recording == self.recording:
            return
        # A gap begins before its mark is on disk and ends after it: nothing private slips in between.
        self.recording = self.recording and recording
        self._journal.append(RecordingChanged(recording=recording, reason=reason))
        self.recording = recording
