"""What became of each call of a run, as far as its record says: the three words, never guessed."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from app.core.ask import Ask, Source
from app.core.decision import Decision
from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    CallAnswered,
    DecisionMade,
    EffectReconciled,
    Found,
    Outcome,
    PageRead,
    Recorded,
    RequestSent,
    TurnAnswered,
)
from app.core.offer import Offer
from app.core.subject import asked_about, proposed_about

NOT_ASKED = "not asked yet, nothing was done"
NO_DECISION = "no decision was made, nothing was done"
DENIED = "denied, nothing was done"
NOT_STARTED = "allowed, not started: nothing was done"
ONLY_READ = "reading was cut off, nothing was changed"
MAY_HAVE_HAPPENED = "may have happened"
SERVICE_MAY_HAVE_ACTED = "allowed and sent: the service may have acted"

FOUND_WORDS: dict[Found, str] = {
    "done": "the operator says: done",
    "not_done": "the operator says: not done",
    "unknown": "the operator could not say",
}
"""What a person said of an effect that may have happened; it stands beside those words and never replaces them."""


@dataclass(frozen=True)
class SettledCall:
    """One action of a run and what became of it. `done` and `not_done` are never wrong."""

    call_id: str
    part: int
    """Of a computer batch, from 1."""
    source: Source
    member: str
    outcome: Outcome
    words: str
    """The console's own, for people."""
    on_record: bool
    """Whether the end itself is on record; otherwise `outcome` follows from what is missing."""
    ask_id: str | None = None
    """The last ask about it."""
    last_seq: int = 0
    """The newest event about it."""
    found: Found | None = None
    """What a person said became of it."""
    about: str = ""
    """Which element, candidate or address; outside text, empty where the record names none."""

    @property
    def in_doubt(self) -> bool:
        """Whether only a person can say what became of it, and none has."""
        return self.outcome == "may_have_happened" and self.found is None


@dataclass
class _Action:
    call_id: str
    part: int
    source: Source
    member: str
    last_seq: int = 0
    ask: Ask | None = None
    decision: Decision | None = None
    decided_seq: int = 0
    started: ActionStarted | None = None
    ended: ActionEnded | None = None
    found: Found | None = None
    about: str = ""
    uncertain: bool = False
    """Something of it may have happened already; a later start or ask takes nothing of that back."""

    @property
    def in_doubt(self) -> bool:
        """Whether something was started of which it is not known whether it happened."""
        if self.uncertain or self.started is None or self.started.reads_only:
            return self.uncertain
        return self.ended is None or self.ended.outcome == "may_have_happened"


@dataclass
class _Fold:
    actions: dict[tuple[str, int], _Action] = field(default_factory=dict)
    by_ask: dict[str, _Action] = field(default_factory=dict)
    answered: dict[str, bool] = field(default_factory=dict)
    """By call id, whether its output says ok."""
    requests: list[int] = field(default_factory=list)
    """Seqs of requests that left."""
    replies: int = 0
    offer: Offer | None = None
    """Of the newest request."""
    read: PageRead | None = None

    def action(self, seq: int, call_id: str, part: int, source: Source, member: str) -> _Action:
        found = self.actions.setdefault((call_id, part), _Action(call_id, part, source, member))
        found.last_seq, found.source, found.member = seq, source, member
        return found

    def add(self, recorded: Recorded) -> None:
        seq, event = recorded.seq, recorded.event
        match event:
            case RequestSent():
                self.requests.append(seq)
                self.offer = event.offer
            case PageRead():
                self.read = event
            case TurnAnswered():
                self.replies += 1
                for call in event.calls:
                    # An id given twice is an answer that nothing of ran: it says nothing about the first.
                    if (call.call_id, 1) not in self.actions:
                        action = self.action(seq, call.call_id, 1, call.source, call.member)
                        action.about = proposed_about(call, event.items, self.offer, self.read)
            case AskRaised() if event.ask.step is None:
                ask = event.ask
                begun = self.actions.get((ask.call_id, ask.part))
                if begun is not None and begun.started is not None and begun.ended is None and begun.found is None:
                    # Asked from within it, as code asks before it opens an address: it says nothing of the whole.
                    begun.last_seq = seq
                    return
                action = self.action(seq, ask.call_id, ask.part, ask.source, ask.member)
                # Asked again: what was said before counts no more.
                action.ask, action.decision = ask, None
                action.about = asked_about(ask) or action.about
                self.by_ask[ask.ask_id] = action
            case DecisionMade() if (decided := self.by_ask.get(event.decision.ask_id)) is not None:
                if decided.ask is not None and decided.ask.ask_id == event.decision.ask_id:
                    decided.decision, decided.decided_seq, decided.last_seq = event.decision, seq, seq
            case ActionStarted():
                action = self.action(seq, event.call_id, event.part, event.source, event.member)
                action.uncertain = action.in_doubt
                action.started, action.ended, action.found = event, None, None
            case ActionEnded() if (action_ended := self.actions.get((event.call_id, event.part))) is not None:
                action_ended.ended, action_ended.last_seq = event, seq
            case EffectReconciled() if (settled := self.actions.get((event.call_id, event.part))) is not None:
                settled.found, settled.last_seq = event.found, seq
            case CallAnswered():
                self.answered[event.call_id] = event.ok
            case _:
                pass


def settle(events: Iterable[Recorded]) -> list[SettledCall]:
    """Every action that the events tell of, in the order in which it was first heard of.

    For a run that is over or was cut off: while it is running, what is missing may still come.
    """
    fold = _Fold()
    for recorded in events:
        fold.add(recorded)
    return [_settled(action, fold) for action in fold.actions.values()]


def lost_requests(events: Iterable[Recorded]) -> int:
    """How many requests left without an answer on record: each counts against the run's limit of steps."""
    fold = _Fold()
    for recorded in events:
        fold.add(recorded)
    return max(0, len(fold.requests) - fold.replies)


def _settled(action: _Action, fold: _Fold) -> SettledCall:
    outcome, words, on_record = _verdict(action, fold)
    if action.found is not None:
        words, on_record = f"{words}; {FOUND_WORDS[action.found]}", True
    return SettledCall(
        call_id=action.call_id,
        part=action.part,
        source=action.source,
        member=action.member,
        outcome=outcome,
        words=words,
        on_record=on_record,
        ask_id=action.ask.ask_id if action.ask else None,
        last_seq=action.last_seq,
        found=action.found,
        about=action.about,
    )


def _verdict(action: _Action, fold: _Fold) -> tuple[Outcome, str, bool]:
    if action.in_doubt:
        return "may_have_happened", MAY_HAVE_HAPPENED, action.ended is not None
    if action.ended is not None:
        return action.ended.outcome, action.ended.outcome.replace("_", " "), True
    if action.started is not None:
        return "not_done", ONLY_READ, False
    answered = action.call_id in fold.answered
    if action.member == "list_tabs" and fold.answered.get(action.call_id):
        # The SDK answers it by itself, without any driver.
        return "done", "done", True
    if action.ask is None:
        return "not_done", NOT_ASKED, answered
    if action.decision is None:
        return "not_done", NO_DECISION, answered
    if not action.decision.allowed:
        return "not_done", DENIED, answered
    if action.ask.kind == "mcp_approval" and any(seq > action.decided_seq for seq in fold.requests):
        return "may_have_happened", SERVICE_MAY_HAVE_ACTED, False
    return "not_done", NOT_STARTED, answered
