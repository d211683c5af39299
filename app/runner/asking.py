"""Builds asks from what the SDK's callbacks are given, puts them to the gate, and remembers where the run stands."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.core.ask import Ask, AskKind, DenyEffect, Source
from app.core.decision import Decision
from app.core.evidence import Blob, Evidence, SafetyCheck
from app.core.value import Json, call_digest
from app.gate.gate import Gate


@dataclass
class Asking:
    """One per run. `turn` and `raw_arguments` are set as answers come in."""

    gate: Gate
    turn: int = 0
    raw_arguments: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    """What the model must be told at the next boundary, where its call's own output cannot say it."""

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
    ) -> Decision:
        """Raise one ask and wait for its decision."""
        ask = Ask(
            ask_id=self.gate.new_ask_id(),
            kind=kind,
            source=source,
            call_id=call_id,
            turn=self.turn,
            member=member,
            arguments=arguments,
            digest=call_digest(member, arguments),
            part=part,
            parts=parts,
            url=url,
            server_label=server_label,
            checks=checks,
            siblings=siblings,
            evidence=evidence or Evidence(),
            on_deny=on_deny,
            raw_arguments=self.raw_arguments.get(call_id),
        )
        return await self.gate.decide(ask, blobs)
