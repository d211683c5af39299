"""What happened between two places on a timeline, as dots: one an ask, one an action that needed none. No Qt."""

from dataclasses import dataclass
from typing import Literal, get_args

from app.core import describe
from app.core.decision import verdict_word
from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
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
    RequestSent,
    RunEnded,
    RunResumed,
    StopRequested,
    TurnAnswered,
    UserTextAdded,
)
from app.core.moment import Moment
from app.core.timeline import AskRecord, CallState, Timeline
from app.views.theme import Tone

CALL_TONES: dict[CallState, Tone] = {
    "next": "dim",
    "asked": "hold",
    "allowed": "clear",
    "denied": "danger",
    "answered": "clear",
    "running": "accent",
    "done": "clear",
    "partly_done": "hold",
    "not_done": "danger",
    "may_have_happened": "hold",
}

ENDED_WELL = frozenset({"completed", "started", "allowed", "approved"})
"""Reasons of the SDK's diagnostics that are no cause for a second look."""

Lane = Literal["model", "asks", "effects", "driver", "page", "diagnostics", "record"]

LANES: tuple[Lane, ...] = get_args(Lane)
"""From above: what the model says, what is asked, what is done, what the driver sees, what a page does by itself, what
the SDK reports and what fails, and the record's own affairs."""


@dataclass(frozen=True)
class Dot:
    """One mark on the timeline: where, in which tone, and the word that stands beside the tone."""

    seq: int
    tone: Tone
    word: str
    title: str
    """What was asked or done, in the console's own words."""


def ask_dot(timeline: Timeline, record: AskRecord) -> Dot:
    """An ask by what became of it, as far as the record goes."""
    decision, call = record.decision, timeline.call(record.ask.call_id)
    title = describe.ask_title(record.ask)
    if record.ask.step is not None and decision is not None and decision.allowed:
        return Dot(record.seq, "hold", "noted" if record.ask.step.logged else "held", title)
    if decision is None:
        unanswered = record.dropped_seq is not None or Moment(timeline).over
        return Dot(record.seq, "danger" if unanswered else "hold", "no answer" if unanswered else "waiting", title)
    if not decision.allowed:
        word = verdict_word(decision)
        return Dot(record.seq, CALL_TONES[word], describe.CALL_STATES[word], title)
    state = Moment(timeline).state_of(call) if call is not None and call.asks[-1] is record else "allowed"
    return Dot(record.seq, CALL_TONES[state], describe.CALL_STATES[state], title)


def action_dot(timeline: Timeline, seq: int, action: ActionStarted) -> Dot:
    """An action that was not asked about."""
    call = timeline.call(action.call_id)
    state = Moment(timeline).state_of(call) if call is not None else "running"
    title = describe.member_phrase(action.source, action.member) or "Call a function"
    tone: Tone = "dim" if state == "done" else CALL_TONES[state]
    return Dot(seq, tone, "read" if action.reads_only and state == "done" else describe.CALL_STATES[state], title)


def dots_between(timeline: Timeline, after: int, upto: int) -> list[Dot]:
    """The dots of the events after `after` up to and with `upto`, in order."""
    dots = [ask_dot(timeline, record) for record in timeline.asks.between(after, upto)]
    actions = timeline.actions
    unasked = (at for at in range(actions.count(after), actions.count(upto)) if actions[at].ask_id is None)
    dots.extend(action_dot(timeline, actions.seq_of(at), actions[at]) for at in unasked)
    return sorted(dots, key=lambda dot: dot.seq)


_EVERY: dict[type, tuple[Lane, Tone]] = {
    RequestSent: ("model", "dim"),
    TurnAnswered: ("model", "accent"),
    UserTextAdded: ("model", "dim"),
    AskRaised: ("asks", "hold"),
    ActionStarted: ("effects", "dim"),
    PageRead: ("driver", "dim"),
    PictureTaken: ("driver", "dim"),
    PageChanged: ("page", "dim"),
    FailureSeen: ("diagnostics", "danger"),
    StopRequested: ("record", "danger"),
}
_ENDS: dict[Outcome, Tone] = {"done": "clear", "not_done": "danger", "may_have_happened": "hold"}


def lane_of(event: Event) -> tuple[int, Tone]:
    """Which lane an event lies in, by its place in `LANES`, and its tone there; asks and effects are told apart."""
    lane, tone = _EVERY.get(type(event)) or _told_apart(event)
    return LANES.index(lane), tone


def _told_apart(event: Event) -> tuple[Lane, Tone]:
    match event:
        case DecisionMade():
            return "asks", "clear" if event.decision.allowed else "danger"
        case ActionEnded():
            return "effects", _ENDS[event.outcome]
        case EffectReconciled():
            return "effects", "hold"
        case DiagnosticReported():
            return "diagnostics", "dim" if event.reason in ENDED_WELL else "hold"
        case OutcomeChecked():
            return "record", "clear" if event.ok else "danger"
        case RunResumed():
            return "record", "accent"
        case RunEnded():
            return "record", "clear" if event.status == "finished" else "danger"
        case _:
            return "record", "dim"
