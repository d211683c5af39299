"""The one place where an ask becomes a decision. Fails closed: whatever goes wrong, the answer is deny.

Order on disk is asked, decided; the effect's own "started" is written by whoever spends the permit.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import TypeAlias

from app.core.ask import Ask
from app.core.changes import Change
from app.core.decision import Answer, DecidedBy, Decision, Verdict
from app.core.describe import withdrawn_words
from app.core.events import AskRaised, DecisionMade
from app.core.evidence import Blob
from app.core.ids import ask_id
from app.core.ports import Clock, Inbox, InboxClosed, Journal
from app.gate.permits import PermitBook
from app.gate.rules import RuleBook
from app.gate.watch import PageWatch, held_and_watched

log = logging.getLogger(__name__)

NANOS_PER_MILLI = 1_000_000

ACTING_KINDS = frozenset(
    {"browser_action", "protected_read", "computer_action", "function_call", "candidate", "code", "script"}
)
"""Kinds whose allowance is spent by an effect; the others answer a callback that the SDK acts on itself."""

_Answered: TypeAlias = tuple[Verdict, DecidedBy, str, Answer | None, tuple[Change, ...]]


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

    async def decide(self, ask: Ask, blobs: Sequence[Blob] = (), *, watch: PageWatch | None = None) -> Decision:
        """Put `ask` on record, find its answer, put that on record, and return it. May wait for a person.

        Cancelling withdraws the ask: the denial is recorded and the cancellation goes on. While a person is asked,
        `watch` looks at the page; when it finds a change, the ask is withdrawn, whatever was pressed.

        Raises:
            NotDurable: the question or the answer did not reach the disk; nothing may happen.
        """
        asked_ns = self._clock.mono_ns()
        self._journal.append(AskRaised(ask=ask), blobs)
        answer: Answer | None = None
        changes: tuple[Change, ...] = ()
        try:
            verdict, by, reason, answer, changes = await self._answer(ask, watch)
        except asyncio.CancelledError:
            self._record(ask, asked_ns, "deny", "console", "the ask was withdrawn: the run was cancelled")
            raise
        except InboxClosed as closed:
            verdict, by, reason = "deny", "console", str(closed)
        except Exception as error:
            log.exception("asking failed")
            verdict, by, reason = "deny", "console", f"asking failed: {type(error).__name__}"
        decision = self._record(ask, asked_ns, verdict, by, reason, answer, changes)
        if decision.allowed and ask.kind in ACTING_KINDS:
            self.permits.give(ask)
        if decision.verdict == "stop" and answer is not None:
            self._on_stop(answer)
        return decision

    async def _answer(self, ask: Ask, watch: PageWatch | None) -> _Answered:
        if (reason := self._why_closed()) is not None:
            return "deny", "console", reason, None, ()
        said = self._rules.answer(ask)
        if said.verdict != "hold":
            return said.verdict, "rule", said.text, None, ()
        answer = await held_and_watched(self._inbox, ask, watch)
        if isinstance(answer, tuple):
            if (reason := self._why_closed()) is not None:
                return "deny", "console", reason, None, ()
            return "deny", "console", withdrawn_words(answer), None, answer
        if answer.verdict == "allow" and (reason := self._why_closed()) is not None:
            # Stop beats Allow: the press came while the run was already ending.
            return "deny", "console", reason, answer, ()
        if answer.verdict == "allow" and answer.shown_digest != ask.digest:
            return "deny", "console", "what was shown is not what was asked", answer, ()
        return answer.verdict, answer.by, "", answer, ()

    def _record(
        self,
        ask: Ask,
        asked_ns: int,
        verdict: Verdict,
        by: DecidedBy,
        reason: str,
        answer: Answer | None = None,
        withdrawn: tuple[Change, ...] = (),
    ) -> Decision:
        decision = Decision(
            ask_id=ask.ask_id,
            verdict=verdict,
            by=by,
            reason=reason,
            note=answer.note if answer else "",
            digest=ask.digest,
            waited_ms=(self._clock.mono_ns() - asked_ns) // NANOS_PER_MILLI,
            picked=_picked(ask, answer) if verdict == "deny" and by in ("person", "scripted") else "",
            withdrawn=withdrawn,
        )
        self._journal.append(DecisionMade(decision=decision))
        return decision


def _picked(ask: Ask, answer: Answer | None) -> str:
    """What is to be asked about instead: only what was offered, and only in place of the model's own choice."""
    if answer is None or ask.offer is None or ask.offer.chosen_by != "model":
        return ""
    return answer.picked if any(other.candidate_id == answer.picked for other in ask.offer.others()) else ""
