"""Knows which step of a scenario the next request gets: errors first, retries answered alike, each answer once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from app.rehearsal.scenario import Fault

Step = TypeVar("Step")


@dataclass(frozen=True)
class Turn(Generic[Step]):
    """What one request is to be answered with."""

    index: int
    """Place of the step in the scenario, counted from 0."""
    step: Step
    fault: Fault | None
    again: bool
    """The client asks again for what it has been answered already."""


class Script(Generic[Step]):
    """A position in a list of steps. It moves on only when a step's real answer was given.

    A request marked as a retry, with the body of the one before it, is given the same answer again.
    """

    def __init__(self, steps: Sequence[tuple[Step, int, Sequence[Fault]]]) -> None:
        self._steps = steps
        self._index = 0
        self._served = 0
        self._faults_given = 0
        self._last: tuple[Mapping[str, Any], Turn[Step]] | None = None

    def take(self, body: Mapping[str, Any], *, retry: bool) -> Turn[Step] | None:
        """The turn for this request, or None when the scenario has no more."""
        if retry and self._last is not None and self._last[1].fault is None and self._last[0] == body:
            return Turn(self._last[1].index, self._last[1].step, None, again=True)
        if self._index >= len(self._steps):
            return None
        step, repeat, faults = self._steps[self._index]
        fault = faults[self._faults_given] if self._faults_given < len(faults) else None
        turn = Turn(self._index, step, fault, again=False)
        self._last = (body, turn)
        if fault is not None:
            self._faults_given += 1
            return turn
        self._served += 1
        if self._served == repeat:
            self._index, self._served, self._faults_given = self._index + 1, 0, 0
        return turn
