"""The one place where an ask becomes a decision. Fails closed: whatever goes wrong, the answer is deny.

Order on disk is asked, decided; the effect's own "started" is written by whoever spends the permit.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from app.core.ask import Ask, AskKind
from app.core.asking_plan import AskingPlan
from app.core.changes import Change
from app.core.code_events import CodeAct
from app.core.decision import Answer, DecidedBy, Decision, Verdict
from app.core.describe import withdrawn_words
from app.core.events import AskRaised, DecisionMade
from app.core.evidence import Blob
from app.core.ids import ask_id, step_id
from app.core.ports import Announced, Clock, Inbox, InboxClosed, Journal
from app.gate.control import Control
from app.gate.habits import Habits
from app.gate.in_time import TooLate, in_time
from app.gate.output_schema import faults_of
from app.gate.permits import PermitBook
from app.gate.rules import NOT_ANSWERED, RuleAnswer, RuleBook
from app.gate.sites import Sites
from app.gate.standing import StandingRules, scope_of
from app.gate.watch import PageWatch, held_and_watched

log = logging.getLogger(__name__)

NANOS_PER_MILLI = 1_000_000

LOGGED_ONLY = "a breakpoint that only logs"
WRONG_VALUE = "the answer given in the function's place is not as its output_schema says"

ACTING_KINDS = frozenset(
    {
        "browser_action",
        "protected_read",
        "computer_action",
        "function_call",
        "custom_call",
        "candidate",
        "code",
        "script",
        "file_grant",
        "patch",
        "shell",
        "tool_search",
    }
)
"""Kinds whose allowance is spent by an effect; the others answer a callback that the SDK acts on itself."""


@dataclass(frozen=True)
class _Settled:
    """How an ask ended, before it is on record."""

    verdict: Verdict
    by: DecidedBy
    reason: str
    answer: Answer | None = None
    withdrawn: tuple[Change, ...] = ()
    rule: str = ""

    @property
    def by_hand(self) -> bool:
        return self.by in ("person", "scripted")


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
        asking: AskingPlan | None = None,
        standing: StandingRules | None = None,
        sites: Sites | None = None,
        asked_before: int = 0,
    ) -> None:
        """`on_stop` is called, after the decision is on record, when an answer says that the run must end.

        `standing` takes up what is allowed for the run; it must be one of `rules` to have any effect. `asked_before`:
        how many asks of the run another process raised. `sites`: those that the run file opens; None marks none.
        """
        self._journal = journal
        self._inbox = inbox
        self._rules = rules
        self._clock = clock
        self._on_stop = on_stop
        self._asking = asking or AskingPlan()
        self._standing = standing
        self._sites = sites
        self._habits = Habits()
        self._together: dict[tuple[str, AskKind, str], Decision] = {}
        """Answers that were given together with another question's, until that question comes."""
        self._raised = asked_before
        # Holds are among what was asked, so that no name comes twice.
        self._held = asked_before
        self._closed: str | None = None
        self.control = Control(journal)
        """Who has the driven screen, the run or a person."""
        self.control.closed = lambda: self.closed
        self.permits = PermitBook()
        self.control.on_returned.append(self.permits.void)
        if sites is not None:
            self.control.on_returned.append(sites.brought_by_hand)
        self.cancel_job: Callable[[str], None] = lambda _call_id: None
        """Ends the background job of that call; the run sets it."""
        self.act_on_code: Callable[[str, CodeAct], None] = lambda _language, _act: None
        """What a person does to a code environment; the run sets it."""
        self.holding_all = False
        """While on, nothing is allowed by rule: each question is put to a person. Set from any thread."""

    def new_ask_id(self) -> str:
        """The id for the next ask of this run."""
        self._raised += 1
        return ask_id(self._raised)

    def new_step_id(self) -> str:
        """The id for the next hold of this run."""
        self._held += 1
        return step_id(self._held)

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
        if self._sites is not None and self._sites.unasked(ask):
            ask = ask.model_copy(update={"unasked_site": True})
        said, problem = self._by_rules(ask)
        ask = self._with_what_is_offered(ask, said, asked_ns)
        with self._announced(ask, said):
            return await self._asked(ask, blobs, said, problem, asked_ns, watch)

    @contextmanager
    def _announced(self, ask: Ask, said: RuleAnswer) -> Iterator[None]:
        """It may be shown while it is being written, and answered once it is held; unless it is, it goes again."""
        answered = self.closed or said.verdict != "hold" or (ask.call_id, ask.kind, ask.digest) in self._together
        if answered or ask.step is not None or not isinstance(self._inbox, Announced):
            yield
            return
        self._inbox.announce(ask)
        try:
            yield
        finally:
            self._inbox.recall(ask.ask_id)

    async def _asked(
        self,
        ask: Ask,
        blobs: Sequence[Blob],
        said: RuleAnswer,
        problem: Exception | None,
        asked_ns: int,
        watch: PageWatch | None,
    ) -> Decision:
        self._journal.append(AskRaised(ask=ask), blobs)
        self.control.asking += ask.kind != "step"
        try:
            if problem is not None:
                raise problem
            settled = await self._settled(ask, said, watch)
        except asyncio.CancelledError:
            words = "the ask was withdrawn: the run was cancelled"
            self._record(ask, asked_ns, _Settled("deny", "console", words))
            raise
        except InboxClosed as closed:
            settled = _Settled("deny", "console", str(closed))
        except Exception as error:
            log.exception("asking failed")
            settled = _Settled("deny", "console", f"asking failed: {type(error).__name__}")
        finally:
            self.control.asking -= ask.kind != "step"
        decision = self._record(ask, asked_ns, settled)
        self._follow(ask, decision, settled, asked_ns + decision.waited_ms * NANOS_PER_MILLI)
        if not decision.allowed or ask.kind not in ACTING_KINDS:
            self.control.answered()
        return decision

    def _by_rules(self, ask: Ask) -> tuple[RuleAnswer, Exception | None]:
        """What the rules say, asked once for each ask: some of them count. What one raises is kept for its denial."""
        if self.closed:
            return NOT_ANSWERED, None
        if ask.step is not None:
            # No rule of a run file goes on from a hold, and a breakpoint that only logs holds nothing.
            noted = RuleAnswer("allow", LOGGED_ONLY, ask.step.breakpoint)
            return noted if ask.step.logged else NOT_ANSWERED, None
        try:
            return self._rules.answer(ask, allowing=not self.holding_all), None
        except Exception as error:
            log.info("a rule failed", exc_info=True)
            return NOT_ANSWERED, error

    def _with_what_is_offered(self, ask: Ask, said: RuleAnswer, asked_ns: int) -> Ask:
        """The ask with what its card has to say beyond the question itself."""
        if said.verdict != "hold" or self.closed or ask.step is not None:
            return ask.model_copy(update={"joined": ()}) if ask.joined else ask
        more = {
            "irreversible": said.irreversible,
            "expires_secs": self._asking.expire_secs,
            "code_change": self._habits.code_change(ask),
        }
        marked = ask.model_copy(update={**more, "habit": self._habits.of(ask, asked_ns)})
        joined = tuple(kind for kind in ask.joined if self._joins(marked, kind))
        marked = marked.model_copy(update={"joined": joined})
        if self.holding_all:
            return marked.model_copy(update={"everything_held": True})
        if self._standing is None or said is not NOT_ANSWERED:
            # A rule of the run file that says hold wants each one asked.
            return marked
        return marked.model_copy(update={"scope": scope_of(marked)})

    def _joins(self, ask: Ask, kind: AskKind) -> bool:
        """Whether the question of that kind about the same call would be put to a person as well."""
        if not self._asking.together or kind == ask.kind:
            return False
        other = ask.model_copy(update={"kind": kind, "url": None, "joined": ()})
        try:
            said = self._rules.answer(other, allowing=not self.holding_all)
        except Exception:
            log.info("a rule failed", exc_info=True)
            return False
        return said.verdict == "hold" and said.irreversible == ask.irreversible

    async def _settled(self, ask: Ask, said: RuleAnswer, watch: PageWatch | None) -> _Settled:
        if (reason := self._why_closed()) is not None:
            return _Settled("deny", "console", reason)
        if said.verdict != "hold" and not (self.holding_all and said.verdict == "allow"):
            return _Settled(said.verdict, "rule", said.text, rule=said.name)
        if (given := self._together.pop((ask.call_id, ask.kind, ask.digest), None)) is not None and given.by != "rule":
            return _Settled("allow", given.by, f"answered together with ask {given.ask_id}")
        try:
            answer = await in_time(self._clock, ask.expires_secs, held_and_watched(self._inbox, ask, watch))
        except TooLate:
            return _Settled("deny", "console", f"nobody answered within {ask.expires_secs:g} seconds")
        if isinstance(answer, tuple):
            if (reason := self._why_closed()) is not None:
                return _Settled("deny", "console", reason)
            return _Settled("deny", "console", withdrawn_words(answer), withdrawn=answer)
        if answer.verdict == "allow" and (reason := self._why_closed()) is not None:
            # Stop beats Allow: the press came while the run was already ending.
            return _Settled("deny", "console", reason, answer)
        if answer.verdict == "allow" and answer.shown_digest != ask.digest:
            return _Settled("deny", "console", "what was shown is not what was asked", answer)
        if answer.verdict == "deny" and _misfits(ask, answer):
            return _Settled("deny", "console", WRONG_VALUE, answer)
        # Whoever does not go on from a hold ends the run: what comes next would otherwise slip past.
        verdict = "stop" if ask.step is not None and answer.verdict == "deny" else answer.verdict
        return _Settled(verdict, answer.by, "", answer)

    def _record(self, ask: Ask, asked_ns: int, settled: _Settled) -> Decision:
        answer, verdict = settled.answer, settled.verdict
        denied_by_hand = verdict == "deny" and settled.by_hand
        for_run = settled.by_hand and verdict == "allow" and answer is not None and answer.for_run
        decision = Decision(
            ask_id=ask.ask_id,
            verdict=verdict,
            by=settled.by,
            reason=settled.reason,
            note=answer.note if answer else "",
            digest=ask.digest,
            waited_ms=(self._clock.mono_ns() - asked_ns) // NANOS_PER_MILLI,
            picked=_picked(ask, answer) if denied_by_hand else "",
            rule=settled.rule,
            for_run=ask.scope if for_run else None,
            value=answer.value if denied_by_hand and ask.own_value and answer is not None else None,
            withdrawn=settled.withdrawn,
        )
        self._journal.append(DecisionMade(decision=decision))
        return decision

    def _follow(self, ask: Ask, decision: Decision, settled: _Settled, now_ns: int) -> None:
        """What a decision on record brings with it."""
        if settled.by_hand:
            (self._habits.allowed if decision.allowed else self._habits.denied)(ask, now_ns)
        if decision.allowed and self._sites is not None:
            self._sites.allowed(ask, by_hand=settled.by_hand)
        if decision.allowed:
            for kind in ask.joined if settled.answer is not None else ():
                self._together[(ask.call_id, kind, ask.digest)] = decision
            if ask.kind in ACTING_KINDS:
                self.permits.give(ask)
            if decision.for_run is not None and self._standing is not None:
                self._standing.add(ask)
        elif settled.by_hand and self._standing is not None:
            self._standing.take_back(ask)
        if decision.verdict == "stop" and settled.answer is not None:
            self._on_stop(settled.answer)


def _picked(ask: Ask, answer: Answer | None) -> str:
    """What is to be asked about instead: only what was offered, and only in place of the model's own choice."""
    if answer is None or ask.offer is None or ask.offer.chosen_by != "model":
        return ""
    return answer.picked if any(other.candidate_id == answer.picked for other in ask.offer.others()) else ""


def _misfits(ask: Ask, answer: Answer) -> bool:
    """Whether it is given in a function's place and not as that function says that it answers."""
    if answer.value is None or not ask.own_value or ask.output_schema is None:
        return False
    return bool(faults_of(ask.output_schema, answer.value))
