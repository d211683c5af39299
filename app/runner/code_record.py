"""What is on record of a code environment beside its calls: its words as they come, its variables, a person's acts."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from app.core.code_events import CodeAct, CodeSaid, VariableSeen, VariablesSeen
from app.core.errors import NotDurable
from app.core.ports import Journal
from app.tasks import TaskOwner, spawn

GATHER_SECS = 0.25
"""Words that come within so long are one event."""
GATHER_CHARS = 2_000
MOST_VARIABLES = 200


class ActedOn(Protocol):
    """A code environment, as a person may act on it."""

    async def interrupt(self) -> None:
        """End what runs."""

    async def begin_anew(self) -> bool:
        """End the process; False where a call is in progress, which says so."""


class CodeRecord:
    """Of one call, in the run's loop. What could not be written is raised by the next `heard`, or by `flush`."""

    def __init__(self, journal: Journal, language: str, call_id: str) -> None:
        self._journal = journal
        self._language = language
        self._call_id = call_id
        self._gathered = ""
        self._timer: asyncio.TimerHandle | None = None
        self._failure: NotDurable | None = None

    def heard(self, text: str) -> None:
        """Text that the code gave back. Raises `NotDurable`."""
        if self._failure is not None:
            raise self._failure
        self._gathered += text
        if len(self._gathered) >= GATHER_CHARS:
            self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER_SECS, self._on_time)

    def flush(self) -> None:
        """Write what has been gathered. Raises `NotDurable`."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        gathered, self._gathered = self._gathered, ""
        if self._failure is not None:
            raise self._failure
        if gathered:
            self._journal.append(CodeSaid(call_id=self._call_id, text=gathered))

    def left(self, variables: Sequence[Any], *, lost: bool) -> None:
        """What the environment holds now."""
        seen = tuple(VariableSeen(name=one.name, kind=one.kind, shown=one.shown) for one in variables[:MOST_VARIABLES])
        left_out = max(0, len(variables) - MOST_VARIABLES)
        self._journal.append(
            VariablesSeen(language=self._language, variables=seen, left_out=left_out, lost=lost and not seen)
        )

    def _on_time(self) -> None:
        self._timer = None
        try:
            self.flush()
        except NotDurable as failure:
            self._failure = failure


class CodeHands:
    """A person's acts on the environments, in the run's loop; that they are wanted is on record already."""

    def __init__(self, environments: Mapping[str, ActedOn], journal: Journal) -> None:
        self._environments = environments
        self._journal = journal
        self._owner = TaskOwner("hands on the code")

    def act(self, language: str, act: CodeAct) -> None:
        """Begin it; it goes on beside whatever runs."""
        if (environment := self._environments.get(language)) is not None and not self._owner.closed:
            spawn(f"{act} code", self._acted(language, environment, act), owner=self._owner)

    async def aclose(self) -> None:
        """Nothing of it goes on after this."""
        await self._owner.aclose()

    async def _acted(self, language: str, environment: ActedOn, act: CodeAct) -> None:
        if act == "interrupt":
            await environment.interrupt()
        elif await environment.begin_anew():
            self._journal.append(VariablesSeen(language=language, variables=(), lost=True))
