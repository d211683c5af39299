"""The points at which a run can be held, as its parts come to them: each hold is a question put to the gate."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from app.core.ask import Ask
from app.core.breakpoint import Point, Sight
from app.core.evidence import Blob
from app.core.step import Step
from app.core.value import Json, call_digest
from app.gate.gate import Gate
from app.gate.stepping import Stepper
from drivers.errors import NotDone

log = logging.getLogger(__name__)

LOOK_SECS = 2.0
"""How long a look at the page for a breakpoint may take; a page that hangs shows nothing."""


class Requests(Protocol):
    """Where the run stands with its requests."""

    @property
    def requests(self) -> int:
        """The number of the turn in progress, from 1."""

    @property
    def resumable(self) -> bool:
        """Whether the newest checkpoint is one that a run can be resumed from."""


class SeenPage(Protocol):
    """What a breakpoint may want to know of the page in front."""

    async def page_facts(self, tab_id: str | None) -> Any:
        """Its address, as `url`, among others."""

    async def plain_text(self, tab_id: str | None = None) -> str:
        """Its visible words."""


@dataclass
class Holding:
    """One per run. A point returns when the run may go on; what comes next still asks, and the gate still denies."""

    gate: Gate
    stepper: Stepper
    page: SeenPage | None = None
    turns: Requests | None = None

    async def at(self, point: Point, blobs: Sequence[Blob] = (), left_out: tuple[str, ...] = ()) -> None:
        """The run has come to `point`. May wait for a person; cancelling withdraws the hold.

        Raises:
            NotDone: going on was denied without an end of the run having been asked for.
            NotDurable: the hold did not reach the disk.
        """
        if self.gate.closed or self.stepper.idle:
            return
        stops = self.stepper.stops_at(point, await self._sight())
        for noted in stops.noted:
            await self.gate.decide(self._ask(point, noted))
        if stops.hold is None:
            return
        hold = stops.hold.model_copy(
            update={
                "left_out": left_out,
                "resumable": point.stage == "request" and self.turns is not None and self.turns.resumable,
            }
        )
        with self.gate.control.parked():
            decision = await self.gate.decide(self._ask(point, hold), blobs)
        await self.gate.control.give_way()
        if not decision.allowed and not self.gate.closed:
            raise NotDone("Not done: the run was held here, and going on was denied.")

    def _ask(self, point: Point, step: Step) -> Ask:
        turn = self.turns.requests if self.turns is not None else 0
        arguments = _sayable(point.arguments)
        return Ask(
            ask_id=self.gate.new_step_id(),
            kind="step",
            source=point.source,
            call_id=point.call_id or f"{point.stage}-{turn}",
            turn=turn,
            member=point.member,
            arguments=arguments,
            digest=call_digest(point.member, arguments),
            part=point.part,
            parts=point.parts,
            on_deny="run_ends",
            step=step,
        )

    async def _sight(self) -> Sight:
        """Looks only where a breakpoint asks for it."""
        if self.page is None:
            return Sight()
        url, text = "", ""
        try:
            async with asyncio.timeout(LOOK_SECS):
                if self.stepper.wants_address():
                    url = str((await self.page.page_facts(None)).url)
                if self.stepper.wants_text():
                    text = await self.page.plain_text()
        except Exception:
            log.info("the page could not be looked at for a breakpoint", exc_info=True)
        return Sight(url=url, text=text)


def _sayable(arguments: Json) -> Json:
    try:
        call_digest("", arguments)
    except (ValueError, TypeError, RecursionError):
        return "(what cannot be written as JSON)"
    return arguments
