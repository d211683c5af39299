"""The inbox of an unattended run: a scenario's operator answers at once, and each answer is marked as scripted."""

from app.core.ask import Ask
from app.core.decision import Answer
from app.core.ports import InboxClosed
from app.rehearsal.operator_script import ScriptedOperator


class OperatorInbox:
    """`core.ports.Inbox` without a person."""

    def __init__(self, operator: ScriptedOperator) -> None:
        self._operator = operator
        self._closed: str | None = None

    async def hold(self, ask: Ask) -> Answer:
        """The script's answer. Raises `InboxClosed` once the run is stopping."""
        if self._closed is not None:
            raise InboxClosed(self._closed)
        if ask.step is not None:
            # A script says nothing about holds, and nobody is there to look.
            return Answer(verdict="allow", by="scripted", shown_digest=ask.digest)
        return self._operator.answer(ask)

    def close(self, reason: str) -> None:
        """Nobody answers any more."""
        self._closed = reason
