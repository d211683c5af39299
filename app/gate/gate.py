"""The one place where an ask becomes a decision. Fails closed: whatever goes wrong, the answer is deny.

Order on disk is asked, decided; the effect's own "started" is written by whoever spends the permit.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence

from app.core.ask import Ask
from app.core.decision import Answer, DecidedBy, Decision, Verdict
from app.core.events import AskRaised, DecisionMade
from app.core.evidence import Blob
from app.core.ids import ask_id
from app.core.ports import Clock, Inbox, InboxClosed, Journal
from app.gate.permits import PermitBook
from app.gate.rules import RuleBook

log = logging.getLogger(__name__)

NANOS_PER_MILLI = 1_000_000

ACTING_KINDS = frozenset({"browser_action", "protected_read", "computer_action", "function_call", "code", "script"})
"""Kinds whose allowance is spent by an effect; the others answer a callback that the SDK acts on itself."""


class Gate:
    """Turns each ask into exactly one decision, on record before it is returned."""

    def __init__(
        self,
        journal: Journal,
        inbox: Inbox,
        rules: RuleBook,
        clock: Clock,
        *,
        on_stop: Callable[[Answer], None],
    ) -> None:
        """`on_stop` is called, after the decision is on record, when an answer says that the run must end."""
        self._journal = journal
        self._inbox = inbox
        self._rules = rules
        self._clock = clock
        self._on_stop = on_stop
        self._raised = 0
        self._closed: str | None = None
        self.permits = PermitBook()

    def new_ask_id(self) -> str:
        """The id for the next ask of this run."""
        self._raised += 1
        return ask_id(self._raised)

    @property
    def closed(self) -> bool:
        """Whether nothing is allowed any more."""
        return self._why_closed() is not None

    def _why_closed(self) -> str | None:
        return self._closed

    def close(self, reason: str) -> None:
        """From here on every ask is denied by the console, and permits already given are void."""
        if self._closed is None:
            self._closed = reason
        self.permits.void()

    async def decide(self, ask: Ask, blobs: Sequence[Blob] = ()) -> Decision:
        """Put `ask` on record, find its answer, put that on record, and return it. May wait for a person.

        Cancelling withdraws the ask: the denial is recorded and the cancellation goes on.

        Raises:
            NotDurable: the question or the answer did not reach the disk; nothing may happen.
        """
        asked_ns = self._clock.mono_ns()
        self._journal.append(AskRaised(ask=ask), blobs)
        answer: Answer | None = None
        try:
            verdict, by, reason, answer = await self._answer(ask)
        except asyncio.CancelledError:
            self._record(ask, asked_ns, "deny", "console", "the ask was withdrawn: the run was cancelled", "")
            raise
        except InboxClosed as closed:
            verdict, by, reason = "deny", "console", str(closed)
        except Exception as error:
            log.exception("asking failed")
            verdict, by, reason = "deny", "console", f"asking failed: {type(error).__name__}"
        decision = self._record(ask, asked_ns, verdict, by, reason, answer.note if answer else "")
        if decision.allowed and ask.kind in ACTING_KINDS:
            self.permits.give(ask)
        if decision.verdict == "stop" and answer is not None:
            self._on_stop(answer)
        return decision

    async def _answer(self, ask: Ask) -> tuple[Verdict, DecidedBy, str, Answer | None]:
        if (reason := self._why_closed()) is not None:
            return "deny", "console", reason, None
        said = self._rules.answer(ask)
        if said.verdict == "allow":
            return "allow", "rule", said.text, None
        if said.verdict == "deny":
            return "deny", "rule", said.text, None
        answer = await self._inbox.hold(ask)
        if answer.verdict == "allow" and (reason := self._why_closed()) is not None:
            # Stop beats Allow: the press came while the run was already ending.
            return "deny", "console", reason, answer
        if answer.verdict == "allow" and answer.shown_digest != ask.digest:
            return "deny", "console", "what was shown is not what was asked", answer
        return answer.verdict, answer.by, "", answer

    def _record(self, ask: Ask, asked_ns: int, verdict: Verdict, by: DecidedBy, reason: str, note: str) -> Decision:
        decision = Decision(
            ask_id=ask.ask_id,
            verdict=verdict,
            by=by,
            reason=reason,
            note=note,
            digest=ask.digest,
            waited_ms=(self._clock.mono_ns() - asked_ns) // NANOS_PER_MILLI,
        )
        self._journal.append(DecisionMade(decision=decision))
        return decision
