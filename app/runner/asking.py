"""Builds asks from what the SDK's callbacks are given, puts them to the gate, and remembers where the run stands."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from app.core.ask import Ask, AskKind, DenyEffect, Source
from app.core.breakpoint import Point
from app.core.changes import Replaced
from app.core.decision import Decision
from app.core.evidence import Blob, Evidence, SafetyCheck
from app.core.offer import Offer
from app.core.value import Json, call_digest
from app.gate.gate import Gate
from app.gate.watch import PageWatch
from app.runner.holding import Holding
from drivers.errors import NotDone


class Turns(Protocol):
    """Where the run stands."""

    @property
    def requests(self) -> int:
        """How many requests the run has used; the number of the turn in progress."""


@dataclass
class Asking:
    """One per run. `raw_arguments` are added as answers come in."""

    gate: Gate
    checkpoints: Turns
    holding: Holding | None = None
    raw_arguments: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    """What the model must be told at the next boundary, where its call's own output cannot say it."""

    async def held_before(self, kind: AskKind, source: Source, call_id: str, member: str, arguments: Json) -> None:
        """Let the run be held before a question is raised that lies on no page."""
        if self.holding is not None:
            await self.holding.at(Point("approval", source, member, arguments, call_id, kind))

    async def ask(
        self,
        kind: AskKind,
        source: Source,
        call_id: str,
        member: str,
        arguments: Json,
        *,
        evidence: Evidence | None = None,
        blobs: Sequence[Blob] = (),
        part: int = 1,
        parts: int = 1,
        url: str | None = None,
        server_label: str | None = None,
        checks: tuple[SafetyCheck, ...] = (),
        siblings: tuple[Json, ...] = (),
        on_deny: DenyEffect = "model_told",
        offer: Offer | None = None,
        replaces: Replaced | None = None,
        joined: tuple[AskKind, ...] = (),
        own_value: bool = False,
        output_schema: Json = None,
        program: str = "",
        background: bool = False,
        watch: PageWatch | None = None,
    ) -> Decision:
        """Raise one ask and wait for its decision.

        Raises:
            NotDone: the arguments hold what JSON cannot say, so that no digest could bind a decision to them.
        """
        try:
            digest = call_digest(member, arguments)
        except (ValueError, TypeError, RecursionError) as error:
            raise NotDone("Not done: the arguments hold a value that cannot be put to the operator.") from error
        await self.gate.control.give_way()
        ask = Ask(
            ask_id=self.gate.new_ask_id(),
            kind=kind,
            source=source,
            call_id=call_id,
            turn=self.checkpoints.requests,
            member=member,
            arguments=arguments,
            digest=digest,
            part=part,
            parts=parts,
            url=url,
            server_label=server_label,
            checks=checks,
            siblings=siblings,
            evidence=evidence or Evidence(),
            on_deny=on_deny,
            offer=offer,
            raw_arguments=self.raw_arguments.get(call_id) or None,
            replaces=replaces,
            joined=joined,
            own_value=own_value,
            output_schema=output_schema if own_value else None,
            program=program or None,
            background=background,
        )
        return await self.gate.decide(ask, blobs, watch=watch)
