"""The fold of a journal that all views show: events go in one by one, nothing is ever rebuilt.

Live and replay cannot differ, since both are this fold. `moment.Moment` is what it says at one place on it.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

from app.core.ask import Ask
from app.core.code_events import CodeActed, CodeEvent, CodeSaid, VariablesSeen
from app.core.decision import Decision, VerdictWord, verdict_word
from app.core.elapsed import Elapsed
from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    CallAnswered,
    CheckpointSaved,
    DecisionMade,
    DiagnosticReported,
    EffectReconciled,
    Event,
    FailureSeen,
    Outcome,
    OutcomeChecked,
    PageChanged,
    PageRead,
    PictureTaken,
    ProposedCall,
    Recorded,
    RequestSent,
    RunEnded,
    RunResumed,
    RunStarted,
    SegmentStarted,
    StopRequested,
    TurnAnswered,
    UserTextAdded,
)
from app.core.evidence import Picture, PictureRole
from app.core.exchange import ExchangeSeen
from app.core.human import (
    ControlChanged,
    HoldAllSet,
    HumanActed,
    RecordingChanged,
    RuleTakenBack,
)
from app.core.jobs import JobCancelWanted, JobDelivered, JobEnded, JobEvent, JobRegistered
from app.core.series import Series
from app.core.settle import FOUND_WORDS
from app.core.strip import Frame as Frame
from app.core.strip import Said as Said

CallState = VerdictWord | Literal["next", "asked", "running", "done", "partly_done", "not_done", "may_have_happened"]
"""`partly_done` is a batch of which some actions were done and others were not, or not yet."""


LISTS: dict[type[Any], tuple[str, ...]] = {
    RequestSent: ("requests",),
    PageRead: ("reads",),
    PageChanged: ("page_changes",),
    DiagnosticReported: ("diagnostics",),
    ExchangeSeen: ("exchanges",),
    FailureSeen: ("failures", "problems"),
    CheckpointSaved: ("checkpoints",),
    SegmentStarted: ("segments",),
    StopRequested: ("stops",),
    OutcomeChecked: ("outcomes",),
    HoldAllSet: ("holds",),
    RuleTakenBack: ("taken_back",),
    ControlChanged: ("controls",),
    HumanActed: ("human_acts",),
    RecordingChanged: ("gaps",),
    **dict.fromkeys((JobRegistered, JobEnded, JobDelivered, JobCancelWanted), ("jobs",)),
    **dict.fromkeys((CodeSaid, VariablesSeen, CodeActed), ("code",)),
}
"""Kinds of events that a timeline keeps as they are, by the names of its lists."""

RESUMED = "taken up again in another process: what had not begun is asked anew"


@dataclass
class AskRecord:
    """One ask and, once there is one, its decision."""

    seq: int
    ask: Ask
    wall_ms: int
    decision: Decision | None = None
    decided_seq: int | None = None
    dropped_seq: int | None = None
    """Of one that nobody answered: where another process took the run up, so that it is asked no more."""

    def open_at(self, seq: int) -> bool:
        """Whether the question stood unanswered when event `seq` was written."""
        closed_seq = self.decided_seq if self.decided_seq is not None else self.dropped_seq
        return self.seq <= seq and (closed_seq is None or closed_seq > seq)

    def decision_at(self, seq: int) -> Decision | None:
        """The decision, if it had been made when event `seq` was written."""
        return self.decision if self.decided_seq is not None and self.decided_seq <= seq else None


@dataclass
class CallRecord:
    """One call from proposal to output."""

    seq: int
    turn: int
    proposed: ProposedCall
    states: Series[CallState] = field(default_factory=Series)
    asks: list[AskRecord] = field(default_factory=list)
    answers: Series[CallAnswered] = field(default_factory=Series)
    details: Series[str] = field(default_factory=Series)
    started: dict[int, ActionStarted] = field(default_factory=dict)
    """By part, as of the newest event."""
    early: bool = False
    """Heard of before the answer that proposes it was complete."""
    ended: dict[int, Outcome] = field(default_factory=dict)

    @property
    def answer(self) -> CallAnswered | None:
        """The output that the model read, as of the newest event."""
        return self.answers[-1] if len(self.answers) else None

    @property
    def detail(self) -> str:
        """The words of its last ended action, as of the newest event."""
        return self.details[-1] if len(self.details) else ""

    def state_at(self, seq: int) -> CallState:
        """Its state when event `seq` was written."""
        return self.states.last(seq) or "next"

    def within(self, part: int) -> bool:
        """Whether that action of it was begun and has not ended: what is asked then, it asks from within."""
        return part in self.started and part not in self.ended

    def only_read(self, part: int) -> bool:
        """Whether that action of it is known to change nothing."""
        return part in self.started and self.started[part].reads_only

    def answer_at(self, seq: int) -> CallAnswered | None:
        """The output that the model read, if there was one when event `seq` was written."""
        return self.answers.last(seq)

    def settled(self) -> CallState:
        """What became of it by the actions that were started; "not done" where none of them did anything."""
        acted = [outcome for part, outcome in self.ended.items() if not self.started[part].reads_only]
        if "may_have_happened" in acted:
            return "may_have_happened"
        acting = self._acting_parts()
        if acted.count("done"):
            return "done" if acted.count("done") >= acting else "partly_done"
        if acting or not self.ended:
            return "not_done"
        # It only reads.
        return "done" if "done" in self.ended.values() else "not_done"

    def _acting_parts(self) -> int:
        actions = self.proposed.arguments
        one_by_one = all(action.member != self.proposed.member for action in self.started.values())
        if self.proposed.source == "computer" and one_by_one and isinstance(actions, list):
            return sum(not (isinstance(action, dict) and action.get("type") == "screenshot") for action in actions)
        return sum(not action.reads_only for action in self.started.values())


class Timeline:
    """Everything a view may show of a run, as of the last event given to `apply`."""

    def __init__(self) -> None:
        self.run: RunStarted | None = None
        self.started_wall_ms = 0
        self.elapsed = Elapsed()
        self.last_seq = 0
        self.cut_off = False
        """Nobody writes it any more although no end is on record; said by whoever opened it."""
        self.events: Series[Recorded] = Series()
        self.asks: Series[AskRecord] = Series()
        self.steps: Series[AskRecord] = Series()
        """Those of the asks that are holds, or notes of breakpoints."""
        self.calls: Series[CallRecord] = Series()
        self.decisions: Series[Decision] = Series()
        self.allowed: Series[Decision] = Series()
        self.denied: Series[Decision] = Series()
        self.answered: Series[Decision] = Series()
        """Answers that a person gave in a function's place: it did not run, and the model got what it asked for."""
        self.requests: Series[RequestSent] = Series()
        self.turns: Series[TurnAnswered] = Series()
        self.tokens: Series[int] = Series()
        self.conversation: Series[Said] = Series()
        self.reads: Series[PageRead] = Series()
        self.frames: Series[Frame] = Series()
        self.actions: Series[ActionStarted] = Series()
        self.endings: Series[ActionEnded] = Series()
        self.diagnostics: Series[DiagnosticReported] = Series()
        self.exchanges: Series[ExchangeSeen] = Series()
        self.page_changes: Series[PageChanged] = Series()
        self.failures: Series[FailureSeen] = Series()
        self.problems: Series[FailureSeen | ActionEnded] = Series()
        """What went wrong: failures, and actions that did not end as done."""
        self.checkpoints: Series[CheckpointSaved] = Series()
        self.segments: Series[SegmentStarted] = Series()
        self.resumptions: Series[RunResumed] = Series()
        self.reconciled: Series[EffectReconciled] = Series()
        self.stops: Series[StopRequested] = Series()
        self.outcomes: Series[OutcomeChecked] = Series()
        self.holds: Series[HoldAllSet] = Series()
        self.taken_back: Series[RuleTakenBack] = Series()
        self.controls: Series[ControlChanged] = Series()
        self.human_acts: Series[HumanActed] = Series()
        self.gaps: Series[RecordingChanged] = Series()
        self.jobs: Series[JobEvent] = Series()
        self.code: Series[CodeEvent] = Series()
        self.ended: Series[RunEnded] = Series()
        self._ask_by_id: dict[str, AskRecord] = {}
        self._call_by_id: dict[str, CallRecord] = {}
        self._unclaimed: dict[str, CallAnswered] = {}
        """Outputs of eager calls of which nothing was asked or started, until their answer is complete."""

    def ask(self, ask_id: str) -> AskRecord | None:
        """The ask of that id, if it is on record."""
        return self._ask_by_id.get(ask_id)

    def call(self, call_id: str) -> CallRecord | None:
        """The call of that id, if it is on record."""
        return self._call_by_id.get(call_id)

    def apply(self, recorded: Recorded) -> None:
        """Fold one event in.

        Raises:
            ValueError: when `recorded` is not the next one; a gap would make every view lie.
        """
        if recorded.seq != self.last_seq + 1:
            raise ValueError(f"event {recorded.seq} after event {self.last_seq}")
        self.last_seq = recorded.seq
        self.events.add(recorded.seq, recorded)
        self.elapsed.add(recorded)
        seq, event = recorded.seq, recorded.event
        match event:
            case RunStarted():
                self.run = event
                self.started_wall_ms = recorded.wall_ms
                self.conversation.add(seq, Said(seq, "task", event.task))
            case TurnAnswered():
                self._turn_answered(seq, event)
            case AskRaised() | DecisionMade():
                self._asked_or_decided(recorded)
            case ActionStarted() | ActionEnded() | CallAnswered():
                self._acted(recorded)
            case PictureTaken():
                self._frame(recorded, event.picture, event.role, event.call_id)
            case UserTextAdded():
                self.conversation.add(seq, Said(seq, "operator", event.text))
            case RunEnded():
                self.ended.add(seq, event)
                self.conversation.add(seq, Said(seq, "console", event.reason))
            case RunResumed() | EffectReconciled():
                self._taken_up(seq, event)
            case _:
                self._listed(seq, event)

    def _listed(self, seq: int, event: Event) -> None:
        """What is only kept in order; some of it in two lists."""
        for name in LISTS[type(event)]:
            getattr(self, name).add(seq, event)

    def _taken_up(self, seq: int, event: RunResumed | EffectReconciled) -> None:
        if isinstance(event, RunResumed):
            self.resumptions.add(seq, event)
            self.conversation.add(seq, Said(seq, "console", RESUMED))
            for asked in self.asks:
                if asked.open_at(seq):
                    asked.dropped_seq = seq
            return
        self.reconciled.add(seq, event)
        if (call := self.call(event.call_id)) is not None:
            call.details.add(seq, FOUND_WORDS[event.found])

    def _turn_answered(self, seq: int, turn: TurnAnswered) -> None:
        self.turns.add(seq, turn)
        total = self.tokens.last(seq) or 0
        self.tokens.add(seq, total + turn.total_tokens)
        for text in turn.messages:
            self.conversation.add(seq, Said(seq, "model", text))
        for proposed in turn.calls:
            known = self.call(proposed.call_id)
            if known is not None and known.early:
                # With eager calls the answer is complete only after they have run.
                known.proposed, known.turn, known.early = proposed, turn.turn, False
            else:
                # An id given twice is an answer that nothing of ran: it must not change what the first became.
                self._proposed(seq, turn.turn, proposed)

    def _proposed(self, seq: int, turn: int, proposed: ProposedCall, *, early: bool = False) -> CallRecord:
        record = CallRecord(seq, turn, proposed, early=early)
        record.states.add(seq, "next")
        self.calls.add(seq, record)
        self._call_by_id.setdefault(proposed.call_id, record)
        if (answered := self._unclaimed.pop(proposed.call_id, None)) is not None:
            self._call_answered(seq, record, answered)
        return record

    def _call_asked(self, seq: int, ask: Ask) -> CallRecord:
        known = self.call(ask.call_id)
        if known is not None:
            return known
        member, arguments = ask.member, ask.arguments
        if ask.source == "computer":
            member, arguments = "computer", list(ask.siblings) or [ask.arguments]
        proposed = ProposedCall(call_id=ask.call_id, source=ask.source, member=member, arguments=arguments)
        return self._proposed(seq, ask.turn, proposed, early=True)

    def _call_started(self, seq: int, action: ActionStarted) -> CallRecord:
        known = self.call(action.call_id)
        if known is not None:
            return known
        request = self.requests.last(seq)
        proposed = ProposedCall(call_id=action.call_id, source=action.source, member=action.member, arguments=None)
        return self._proposed(seq, request.turn if request else 0, proposed, early=True)

    def _asked_or_decided(self, recorded: Recorded) -> None:
        seq, event = recorded.seq, recorded.event
        if isinstance(event, AskRaised):
            asked = AskRecord(seq, event.ask, recorded.wall_ms)
            self.asks.add(seq, asked)
            self._ask_by_id[event.ask.ask_id] = asked
            if event.ask.step is not None:
                # A hold says nothing about the call before which it stands.
                self.steps.add(seq, asked)
                return
            call = self._call_asked(seq, event.ask)
            call.asks.append(asked)
            call.states.add(seq, "running" if call.within(event.ask.part) else "asked")
            if event.ask.evidence.picture is not None:
                self._frame(recorded, event.ask.evidence.picture, "asked", event.ask.call_id)
        elif isinstance(event, DecisionMade):
            decision = event.decision
            self.decisions.add(seq, decision)
            if (record := self._ask_by_id.get(decision.ask_id)) is not None:
                record.decision, record.decided_seq = decision, seq
                if record.ask.step is not None:
                    return
                call = self._call_asked(seq, record.ask)
                call.states.add(seq, "running" if call.within(record.ask.part) else verdict_word(decision))
            {"allowed": self.allowed, "answered": self.answered, "denied": self.denied}[verdict_word(decision)].add(
                seq, decision
            )
            if decision.note:
                self.conversation.add(seq, Said(seq, "operator", decision.note))

    def _acted(self, recorded: Recorded) -> None:
        seq, event = recorded.seq, recorded.event
        if isinstance(event, ActionStarted):
            self.actions.add(seq, event)
            call = self._call_started(seq, event)
            call.started[event.part] = event
            if call.ended.get(event.part) != "may_have_happened":
                call.ended.pop(event.part, None)
            call.states.add(seq, "running")
        elif isinstance(event, ActionEnded):
            self.endings.add(seq, event)
            if event.outcome != "done":
                self.problems.add(seq, event)
            if (ended := self.call(event.call_id)) is not None and event.part in ended.started:
                # What may have happened once is not taken back by a later, better end.
                if ended.ended.get(event.part) != "may_have_happened":
                    ended.ended[event.part] = event.outcome
                ended.states.add(seq, ended.settled())
                ended.details.add(seq, event.detail)
            if event.picture is not None:
                self._frame(recorded, event.picture, "after", event.call_id)
        elif isinstance(event, CallAnswered):
            if (answered := self.call(event.call_id)) is not None:
                self._call_answered(seq, answered, event)
            else:
                self._unclaimed[event.call_id] = event

    @staticmethod
    def _call_answered(seq: int, call: CallRecord, event: CallAnswered) -> None:
        call.answers.add(seq, event)
        # A refused call ends here without ever having started; it must never read as done.
        # A server's tool runs at the service, and the SDK itself lists the tabs: their output is all there is to know.
        elsewhere = call.proposed.source == "mcp" or call.proposed.member == "list_tabs"
        call.states.add(seq, "done" if elsewhere and event.ok else call.settled())

    def _frame(self, recorded: Recorded, picture: Picture, role: PictureRole, call_id: str | None) -> None:
        newest = self.frames.last(recorded.seq)
        if newest is not None and newest.picture.digest == picture.digest:
            return
        self.frames.add(recorded.seq, Frame(recorded.seq, recorded.wall_ms, picture, role, call_id))
