"""The inbox of an unattended rehearsal: what was decided then about the same question; anything else is denied."""

import re
from collections.abc import Sequence

from app.core.ask import Ask
from app.core.decision import Answer, Decision
from app.core.ports import InboxClosed
from app.core.value import canonical_json
from app.rehearsal.saved_answers import SavedDecision

_REF = re.compile(r'"[es][0-9]{1,15}"')
NOT_ASKED_THEN = "the saved run was not asked this"


class SavedOperator:
    """`core.ports.Inbox` without a person. A decision serves one question: of the same call, with the same arguments.

    Refs may differ, then the target's role and name must not.
    """

    def __init__(self, decisions: Sequence[SavedDecision], *, moved: tuple[str, str] | None = None) -> None:
        # A question that was withdrawn was asked anew, and only that answer counts.
        self._left = [one for one in decisions if not one.decision.withdrawn]
        self._moved = moved
        self._closed: str | None = None

    async def hold(self, ask: Ask) -> Answer:
        """What was decided then. Raises `InboxClosed` once the run is stopping."""
        if self._closed is not None:
            raise InboxClosed(self._closed)
        wanted = self._key(ask, then=False)
        for index, saved in enumerate(self._left):
            if self._key(saved.ask, then=True) == wanted:
                del self._left[index]
                return _answer(saved.decision, ask)
        return Answer(verdict="deny", by="scripted", note=NOT_ASKED_THEN, shown_digest=ask.digest)

    def close(self, reason: str) -> None:
        """Nobody answers any more."""
        self._closed = reason

    def _key(self, ask: Ask, *, then: bool) -> tuple[object, ...]:
        arguments = _REF.sub('"ref"', canonical_json([ask.member, ask.arguments, ask.url]).decode("ascii"))
        if not then and self._moved is not None:
            arguments = arguments.replace(self._moved[1], self._moved[0])
        target = ask.evidence.target
        named = (target.role, target.label) if target is not None else None
        return ask.kind, ask.source, ask.call_id, ask.part, arguments, named


def _answer(decision: Decision, ask: Ask) -> Answer:
    return Answer(
        verdict=decision.verdict,
        by="scripted",
        note=decision.note,
        for_run=decision.for_run is not None and ask.scope is not None,
        value=decision.value,
        picked=decision.picked,
        shown_digest=ask.digest,
    )
