"""What the console's own tools have in common: each call is put to the gate, then done on record, then answered."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from app.core.ask import AskKind, Source
from app.core.breakpoint import Point
from app.core.errors import NotDurable
from app.core.evidence import Evidence
from app.core.value import Json
from app.runner.asking import Asking
from app.runner.effects import Effect, Effects
from app.runner.functions import refusal_words
from app.runner.holding import Holding
from app.runner.outputs import OutputRecorder
from app.runner.programs.diagnosing import Diagnosing
from app.runner.programs.items import Call, Wire
from drivers.errors import NotDone

T = TypeVar("T")


class OwnTool(Protocol):
    """One of the console's own tools: it answers one kind of call."""

    @property
    def declared(self) -> Wire:
        """As each request declares it."""

    async def answer(self, call: Call) -> Wire:
        """The output item. May wait for a person."""


@dataclass(frozen=True)
class Asked:
    """One such tool's way to the gate and to the record."""

    kind: AskKind
    source: Source
    member: str
    callers: Sequence[str]
    asking: Asking
    effects: Effects
    outputs: OutputRecorder
    holding: Holding
    diagnosing: Diagnosing

    def check(self, call: Call) -> None:
        """Raise `NotDone` where the call may not be made so."""
        if ("programmatic" if call.program else "direct") not in self.callers:
            who = "a program" if call.program else "the model itself"
            raise NotDone(f"Not executed: {self.member} may not be called by {who}.")
        if not call.whole:
            raise NotDone("Not executed: the call came incomplete.")

    async def done(
        self,
        call: Call,
        arguments: Json,
        act: Callable[[], Awaitable[T]],
        *,
        evidence: Evidence | None = None,
        reads_only: bool = False,
    ) -> T:
        """What `act` gave, once somebody allowed it.

        Raises:
            NotDone: it was not allowed, or was refused before any effect; says why, for the model.
            Exception: what `act` raised in the middle.
        """
        here = Point("arguments", self.source, self.member, arguments, call.call_id)
        since = self.diagnosing.now()
        await self.holding.at(here)
        await self.holding.at(replace(here, stage="approval", kind=self.kind))
        decision = await self.asking.ask(
            self.kind,
            self.source,
            call.call_id,
            self.member,
            arguments,
            evidence=evidence,
            program=call.program,
        )
        self._said("approval", "completed" if decision.allowed else "refused", call, since)
        if not decision.allowed:
            raise NotDone(refusal_words(decision))
        since = self.diagnosing.now()
        effect = Effect(call.call_id, self.source, self.member, arguments, reads_only=reads_only, needs_permit=True)
        try:
            result = await self.effects.perform(effect, act)
        except NotDone:
            self._said("action", "cancelled", call, since)
            raise
        except NotDurable:
            raise
        except Exception:
            self._said("action", "driver_failed", call, since)
            raise
        self._said("action", "completed", call, since)
        return result

    def _said(self, stage: str, reason: str, call: Call, since: int) -> None:
        self.diagnosing.said(stage, reason, call_id=call.call_id, member=self.member, since=since)

    async def answered(self, call: Call, content: Json, *, ok: bool) -> None:
        """Put on record what the model will read."""
        self.outputs.answered(call.call_id, {"output": content}, ok=ok)
        await self.holding.at(Point("output", self.source, self.member, {"ok": ok, "output": content}, call.call_id))
