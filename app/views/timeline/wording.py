"""Each event in one line of the console's own words; never a word from a page, a model or a server."""

from app.core import describe
from app.core.code_events import CodeActed, CodeSaid, VariablesSeen
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
    OutcomeChecked,
    PageRead,
    PictureTaken,
    RequestSent,
    RunEnded,
    RunResumed,
    SegmentStarted,
    TurnAnswered,
)
from app.core.exchange import ExchangeSeen
from app.core.human import ControlChanged, HoldAllSet, HumanActed, RecordingChanged, RuleTakenBack
from app.core.jobs import JobCancelWanted, JobDelivered, JobEnded, JobRegistered
from app.core.settle import FOUND_WORDS
from app.views.stage.subject import ROLES


def event_words(event: Event) -> str:
    """What happened, beyond the event's name; empty where the name says it all."""
    match event:
        case AskRaised():
            return describe.ask_title(event.ask)
        case DecisionMade():
            return describe.decision_words(event.decision)
        case ActionStarted():
            return describe.member_phrase(event.source, event.member) or event.source
        case ActionEnded():
            return f"{describe.OUTCOMES[event.outcome]} · {event.duration_ms:,} ms"
        case CallAnswered():
            return "" if event.ok else "not done"
        case TurnAnswered():
            return f"turn {event.turn} · {_counted(len(event.calls), 'call')} · {event.total_tokens:,} tokens"
        case RequestSent():
            return f"turn {event.turn}"
        case RunResumed():
            return f"from checkpoint {event.base_revision}" if event.base_revision else "from the start"
        case EffectReconciled():
            return FOUND_WORDS[event.found]
        case SegmentStarted():
            return f"segment {event.number}"
        case CheckpointSaved():
            return f"revision {event.revision} · {describe.phase_words(event.phase)}"
        case PageRead():
            return _counted(len(event.report.get("elements", ())) if isinstance(event.report, dict) else 0, "element")
        case PictureTaken():
            return ROLES[event.role]
        case DiagnosticReported():
            return f"{event.stage} · {event.reason}"
        case ExchangeSeen():
            return f"turn {event.turn} · {event.status} · {event.answer_bytes:,} bytes"
        case OutcomeChecked():
            return "as it should be" if event.ok else "not as it should be"
        case HoldAllSet() | RuleTakenBack() | ControlChanged() | HumanActed() | RecordingChanged():
            return describe.human_words(event)
        case JobRegistered() | JobEnded() | JobDelivered() | JobCancelWanted():
            return describe.job_words(event)
        case CodeSaid() | VariablesSeen() | CodeActed():
            return describe.code_words(event)
        case RunEnded():
            return describe.ending_words(event)
        case _:
            return ""


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
