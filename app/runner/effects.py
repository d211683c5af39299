"""From a permit to an effect, on record: "started" before the driver is called, one of three words after it."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from app.core.ask import Ask, Source
from app.core.breakpoint import Point
from app.core.causes import failure_seen, without_keys
from app.core.events import ActionEnded, ActionStarted, Outcome
from app.core.evidence import Blob, Picture
from app.core.ports import Clock, Journal
from app.core.value import Json, call_digest
from app.gate.control import PERSON_ACTED
from app.gate.gate import NANOS_PER_MILLI, Gate
from app.gate.permits import NoPermit
from app.runner.holding import Holding
from drivers.errors import NotDone

log = logging.getLogger(__name__)

T = TypeVar("T")

AfterPicture = Callable[[int], tuple[Picture, Blob] | None]
"""A picture taken after the given monotonic nanoseconds, if one is at hand; never waits for one."""


def _done(result: object) -> tuple[Outcome, str]:
    """An effect that ends without an exception is done."""
    return "done", ""


@dataclass(frozen=True)
class Effect:
    """One thing about to be done: exactly this member with exactly these arguments."""

    call_id: str
    source: Source
    member: str
    arguments: Json
    reads_only: bool
    needs_permit: bool
    part: int = 1
    background: bool = False
    """It touches no driven screen and goes on beside whatever the run does."""


@dataclass
class Effects:
    """Runs effects and knows what became of each; only those in the background overlap. On the run's own loop only."""

    journal: Journal
    gate: Gate
    clock: Clock
    after_picture: AfterPicture = field(default=lambda _since: None)
    holding: Holding | None = None
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    """The worst word of each call that started anything."""
    open_ended: list[Effect] = field(default_factory=list)
    """Effects that were started and whose end is not on record; between effects, those whose record failed."""

    @property
    def unrecorded(self) -> Effect | None:
        """The first of them; one that acts before any that only reads."""
        acting = [effect for effect in self.open_ended if not effect.reads_only]
        return next(iter([*acting, *self.open_ended]), None)

    @property
    def uncertain(self) -> bool:
        """Whether anything may have happened of which only a person can say whether it did.

        A job that is going on in the background is not uncertain: its end comes.
        """
        open_end = any(not effect.reads_only and not effect.background for effect in self.open_ended)
        return open_end or "may_have_happened" in self.outcomes.values()

    def nothing_done(self, call_id: str) -> bool:
        """Whether it is certain that the call had no effect."""
        return self.outcomes.get(call_id, "not_done") == "not_done"

    async def perform(
        self, effect: Effect, act: Callable[[], Awaitable[T]], became: Callable[[T], tuple[Outcome, str]] = _done
    ) -> T:
        """Spend the permit, record the start, act, record the end. `became`: what a result says of it, and its detail.

        Raises:
            NotDone: nobody allowed it, a person took the screen meanwhile, or the driver refused before any effect.
            NotDurable: a record did not reach the disk.
            Exception: whatever else the driver raised; the record then says "may have happened", unless it only reads.
        """
        if self.holding is not None:
            await self.holding.at(
                Point("action", effect.source, effect.member, effect.arguments, effect.call_id, None, effect.part)
            )
        if effect.background:
            return await self._perform(effect, act, became)
        control = self.gate.control
        # What is allowed already is part of what is drained; for a person who has control nothing is.
        drained = control.state == "wanted" and self.gate.permits.has(effect.call_id, effect.part)
        had_it = False if drained else await control.give_way()
        if had_it and (effect.needs_permit or not effect.reads_only):
            # What was allowed was allowed for the page as it was before.
            raise NotDone(PERSON_ACTED)
        with control.inside():
            return await self._perform(effect, act, became)

    async def _perform(
        self, effect: Effect, act: Callable[[], Awaitable[T]], became: Callable[[T], tuple[Outcome, str]]
    ) -> T:
        allowed = self._spend(effect)
        self.journal.append(
            ActionStarted(
                call_id=effect.call_id,
                part=effect.part,
                source=effect.source,
                member=effect.member,
                digest=call_digest(effect.member, effect.arguments),
                ask_id=allowed.ask_id if allowed else None,
                reads_only=effect.reads_only,
            )
        )
        self.open_ended.append(effect)
        started_ns = self.clock.mono_ns()
        try:
            result = await act()
        except NotDone as refusal:
            self._end(effect, "not_done", started_ns, str(refusal))
            raise
        except BaseException as error:
            # Cancellation too: the driver may have been in the middle of it.
            self._failed(effect, error, started_ns)
            raise
        outcome, detail = became(result)
        self._end(effect, outcome, started_ns, detail)
        return result

    def failed(self, where: str, error: BaseException, call_id: str | None = None) -> None:
        """Keep an exception that the SDK is about to hide; for people, never for the model."""
        self.journal.append(failure_seen(where, error, call_id))

    def _spend(self, effect: Effect) -> Ask | None:
        if self.gate.closed:
            raise NotDone("The run is being stopped.")
        if not effect.needs_permit:
            return None
        try:
            return self.gate.permits.take(effect.call_id, effect.part, call_digest(effect.member, effect.arguments))
        except NoPermit as missing:
            raise NotDone(f"Not done: {missing}.") from missing

    def _failed(self, effect: Effect, error: BaseException, started_ns: int) -> None:
        self.failed(f"{effect.source}.{effect.member}", error, effect.call_id)
        self._end(effect, "not_done" if effect.reads_only else "may_have_happened", started_ns, str(error))

    def _end(self, effect: Effect, outcome: Outcome, started_ns: int, detail: str) -> None:
        order: tuple[Outcome, ...] = ("not_done", "done", "may_have_happened")
        before = self.outcomes.get(effect.call_id, "not_done")
        self.outcomes[effect.call_id] = max(before, outcome, key=order.index)
        hidden = effect.reads_only or effect.background
        after = None if hidden or outcome != "done" else self.after_picture(started_ns)
        self.journal.append(
            ActionEnded(
                call_id=effect.call_id,
                part=effect.part,
                outcome=outcome,
                detail=without_keys(detail),
                duration_ms=(self.clock.mono_ns() - started_ns) // NANOS_PER_MILLI,
                picture=after[0] if after else None,
            ),
            [after[1]] if after else [],
        )
        self.open_ended.remove(effect)
