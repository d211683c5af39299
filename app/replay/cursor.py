"""Where one stands on a timeline: at an event, or following the newest. Live and replay use the same commands."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from app.core.series import Series
from app.core.timeline import Timeline

logger = logging.getLogger(__name__)

Stride = Literal["event", "call", "turn"]
Landmark = Literal["ask", "decision", "denial", "failure", "problem", "picture", "read"]


@dataclass(frozen=True)
class Follow:
    """Move on with each new event."""


@dataclass(frozen=True)
class Seek:
    """Stand at event `seq`; beyond either end means at that end."""

    seq: int


@dataclass(frozen=True)
class StepForward:
    """To the next event, or the next place where a call or a turn begins."""

    by: Stride = "event"


@dataclass(frozen=True)
class StepBack:
    """To the event before, or the last place before where a call or a turn begins."""

    by: Stride = "event"


@dataclass(frozen=True)
class Next:
    """To the next landmark of a kind, if there is one."""

    landmark: Landmark


@dataclass(frozen=True)
class Previous:
    """To the last landmark of a kind before this place, if there is one."""

    landmark: Landmark


@dataclass(frozen=True)
class NextAsk(Next):
    """To the next question."""

    landmark: Landmark = "ask"


@dataclass(frozen=True)
class PreviousAsk(Previous):
    """To the question before."""

    landmark: Landmark = "ask"


Command = Follow | Seek | StepForward | StepBack | Next | Previous


class Cursor:
    """Always at an event that exists, or at 0 on an empty timeline. It only reads the timeline.

    Used in the thread that folds the timeline.
    """

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._seq: int | None = None
        self._listeners: list[Callable[[], None]] = []

    @property
    def seq(self) -> int:
        """The event it stands at; the newest one while following."""
        return self._timeline.last_seq if self._seq is None else self._seq

    @property
    def following(self) -> bool:
        """Whether it moves on with each new event."""
        return self._seq is None

    @property
    def at_end(self) -> bool:
        """Whether nothing comes after it yet."""
        return self.seq >= self._timeline.last_seq

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """`listener` is called after each move by a command. Returns what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def can(self, command: Command) -> bool:
        """Whether `command` would move it."""
        return self._goal(command) != self._seq

    def do(self, command: Command) -> bool:
        """Carry out `command`; whether that moved it."""
        goal = self._goal(command)
        if goal == self._seq:
            return False
        self._seq = goal
        for listener in list(self._listeners):
            try:
                listener()
            except Exception:
                logger.exception("A listener of the cursor failed")
        return True

    def _goal(self, command: Command) -> int | None:
        here = self.seq
        match command:
            case Follow():
                return None
            case Seek(seq):
                return self._within(seq)
            case StepForward(by):
                goal = here + 1 if by == "event" else _after(self._stride(by), here)
            case StepBack(by):
                goal = here - 1 if by == "event" else _before(self._stride(by), here)
            case Next(landmark):
                goal = _after(self._landmarks(landmark), here)
            case Previous(landmark):
                goal = _before(self._landmarks(landmark), here)
        if goal is None or self._within(goal) == here:
            return self._seq
        return self._within(goal)

    def _within(self, seq: int) -> int:
        last = self._timeline.last_seq
        return max(min(1, last), min(seq, last))

    def _stride(self, by: Stride) -> Series[Any]:
        return self._timeline.calls if by == "call" else self._timeline.requests

    def _landmarks(self, landmark: Landmark) -> Series[Any]:
        timeline = self._timeline
        places: dict[Landmark, Series[Any]] = {
            "ask": timeline.asks,
            "decision": timeline.decisions,
            "denial": timeline.denied,
            "failure": timeline.failures,
            "problem": timeline.problems,
            "picture": timeline.frames,
            "read": timeline.reads,
        }
        return places[landmark]


def _after(places: Series[Any], seq: int) -> int | None:
    index = places.count(seq)
    return places.seq_of(index) if index < len(places) else None


def _before(places: Series[Any], seq: int) -> int | None:
    index = places.count(seq - 1) - 1
    return places.seq_of(index) if index >= 0 else None
