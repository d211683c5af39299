"""The journal's vocabulary: frozen, past tense, one union. Each is on disk before what follows it may happen.

A change of meaning or shape raises `VERSION` and adds one converter in ``app/ledger/migrate.py``.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from app.core.ask import Ask, Source
from app.core.carried import Carried
from app.core.code_events import CodeActed, CodeSaid, VariablesSeen
from app.core.decision import Decision
from app.core.evidence import Box, Picture, PictureRole
from app.core.exchange import ExchangeSeen
from app.core.human import ControlChanged, HoldAllSet, HumanActed, RecordingChanged, RuleTakenBack
from app.core.jobs import JobCancelWanted, JobDelivered, JobEnded, JobRegistered
from app.core.offer import Offer, Verification
from app.core.value import Frozen, Json, Text

VERSION = 1

Outcome = Literal["done", "not_done", "may_have_happened"]
"""The only three words for an effect. The first two are never wrong."""

RunStatus = Literal["finished", "stopped", "failed", "needs_reconciling"]
"""How a run ended: with its final message; by a person or a closed window; by an error with nothing uncertain; with an
effect of which only a person can say what became of it."""

StopBy = Literal["person", "scripted", "signal", "window_closed", "console"]

Provenance = Literal["live", "demo", "rehearsal", "imported"]

Found = Literal["done", "not_done", "unknown"]
"""What a person says became of an effect that may have happened."""


class Origin(Frozen):
    """The saved run that a run was forked from, and the boundary at which it leaves it."""

    run_id: Text
    revision: int
    """Of the origin's checkpoint whose history the run begins with; of a decisions run the request before which it
    begins."""
    seq: int
    """The origin's event that saved it."""
    chain: str
    """Check value (hex) of that event: says which record it was, letter for letter."""


Phase = Literal["boundary", "pending", "final", "programs_boundary", "programs_pending", "programs_final"]
"""The SDK's three, and those of the console's own loop: the SDK resumes none of the latter."""


class RunStarted(Frozen):
    """The run's header; always the first event."""

    type: Literal["run_started"] = "run_started"
    run_id: str
    task: Text
    model: Text
    engine: Text
    max_steps: int
    provenance: Provenance
    unattended: bool
    plan: Json
    """The run file as it was understood; no key in it."""
    versions: dict[str, str]
    origin: Origin | None = None
    """Of a fork: where its history comes from."""


class RunResumed(Frozen):
    """Another process took up a run that was cut off or had stopped, from its newest boundary, in the same ledger.

    Nothing that was decided before it holds for what had not begun. `plan`, `model` and `versions` are in force from
    here on.
    """

    type: Literal["run_resumed"] = "run_resumed"
    by: StopBy
    base_revision: int
    """The newest checkpoint before it; 0 when there was none."""
    model: Text
    plan: Json
    versions: dict[str, str]
    changes: tuple[Text, ...] = ()
    """What is otherwise than it was, as it was shown before."""
    note: Text = ""
    """What was added for the model."""


class EffectReconciled(Frozen):
    """A person said what became of an effect that may have happened. The three words stay; this stands beside them."""

    type: Literal["effect_reconciled"] = "effect_reconciled"
    call_id: Text
    part: int = 1
    source: Source
    member: Text
    found: Found
    by: StopBy


class SegmentStarted(Frozen):
    """One SDK run inside the run began, from the boundary `base_revision` (0 = from nothing)."""

    type: Literal["segment_started"] = "segment_started"
    number: int
    base_revision: int
    reason: Text
    carried: Carried | None = None
    """Of a decisions run that goes on or was forked."""


class RequestSent(Frozen):
    """A turn's request is about to leave: everything before it is durable."""

    type: Literal["request_sent"] = "request_sent"
    turn: int
    revision: int
    """0 in a decisions run: the SDK saves no checkpoints there."""
    offer: Offer | None = None
    """Of a decisions run: everything that the request offers."""


class ProposedCall(Frozen):
    """One call in a model's answer, before anything of it is asked or done."""

    call_id: Text
    source: Source
    member: Text
    arguments: Json
    raw_arguments: Text = ""
    program: Text = ""
    """Call id of the program that makes it; empty for a call that the model makes itself."""
    background: bool = False
    """Marked to run in the background."""


class TurnAnswered(Frozen):
    """The model's answer to one request, before any of its calls runs."""

    type: Literal["turn_answered"] = "turn_answered"
    turn: int
    response_id: Text
    calls: tuple[ProposedCall, ...]
    messages: tuple[Text, ...]
    """What the model said in this answer, in order. Never part of a question."""
    final: bool
    input_tokens: int = 0
    output_tokens: int = 0
    total_tokens: int = 0
    items: Json = None
    """The answer's output items as they came."""


class AskRaised(Frozen):
    """A question stands, with what is shown beside it."""

    type: Literal["ask_raised"] = "ask_raised"
    ask: Ask


class DecisionMade(Frozen):
    """A question is answered."""

    type: Literal["decision_made"] = "decision_made"
    decision: Decision


class ActionStarted(Frozen):
    """A driver, function or tool is about to be called. From here until `ActionEnded` it may have happened."""

    type: Literal["action_started"] = "action_started"
    call_id: Text
    part: int = 1
    source: Source
    member: Text
    digest: str
    ask_id: str | None
    """The ask whose decision allowed it; None for what needs none."""
    reads_only: bool


class ActionEnded(Frozen):
    """What became of it, in one of the three words."""

    type: Literal["action_ended"] = "action_ended"
    call_id: Text
    part: int = 1
    outcome: Outcome
    detail: Text = ""
    duration_ms: int = 0
    picture: Picture | None = None
    """The screen as it ended, where a newer picture than its start was at hand; what it did may not be painted yet."""


class CallAnswered(Frozen):
    """The output that the model will read for a call."""

    type: Literal["call_answered"] = "call_answered"
    call_id: Text
    ok: bool
    output: Json
    """The output item's content with pictures replaced by ``{"picture": digest}``."""


class PageRead(Frozen):
    """What the model read of a page, as the driver reported it."""

    type: Literal["page_read"] = "page_read"
    call_id: Text
    member: Text
    report: Json
    """The SDK's read report: version, text, elements, omitted (and scopes)."""
    tab_id: Text
    url: Text
    boxes: dict[Text, Box] = Field(default_factory=dict)
    """Where the elements lay when they were read, by ref; without those that the driver could not place."""


class PictureTaken(Frozen):
    """A picture of the screen went on record."""

    type: Literal["picture_taken"] = "picture_taken"
    role: PictureRole
    picture: Picture
    call_id: Text | None = None


class PageChanged(Frozen):
    """Something the page did by itself or by an action: a tab, a navigation, a dialog dismissed, a download."""

    type: Literal["page_changed"] = "page_changed"
    kind: Text
    tab_id: Text | None
    detail: Text = ""
    """For people only: an address, a dialog's words."""


class DiagnosticReported(Frozen):
    """One of the SDK's own content-free diagnostics."""

    type: Literal["diagnostic_reported"] = "diagnostic_reported"
    api: str
    stage: str
    reason: str
    call_id: Text | None = None
    member: Text | None = None
    duration_ms: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    total_tokens: int | None = None


class FailureSeen(Frozen):
    """A real exception that the SDK would have hidden; kept for people, never sent to the model."""

    type: Literal["failure_seen"] = "failure_seen"
    where: str
    error: str
    """Its class name."""
    detail: Text
    call_id: Text | None = None
    causes: tuple[Text, ...] = ()
    """What it was raised from, nearest first, each as ``Class: words``."""


class UserTextAdded(Frozen):
    """Words for the model that a person added during the run."""

    type: Literal["user_text_added"] = "user_text_added"
    text: Text
    reason: Text = ""


class CheckpointSaved(Frozen):
    """The SDK handed over a checkpoint and it is durable; its content lies beside the journal, by revision."""

    type: Literal["checkpoint_saved"] = "checkpoint_saved"
    revision: int
    phase: Phase
    consumed_requests: int
    attempted_call_ids: tuple[Text, ...]
    """Ids that this checkpoint adds; all of them lie in the checkpoint."""
    returned_call_ids: tuple[Text, ...]
    save_ms: float = 0.0


class StopRequested(Frozen):
    """Nothing new may start from here on."""

    type: Literal["stop_requested"] = "stop_requested"
    by: StopBy
    detail: Text = ""


class OutcomeChecked(Frozen):
    """What the world says, set apart from what the model says."""

    type: Literal["outcome_checked"] = "outcome_checked"
    ok: bool
    facts: tuple[Text, ...]


class RunEnded(Frozen):
    """The run is over; always the last event of a run that was not cut off. Only `RunResumed` may follow it."""

    type: Literal["run_ended"] = "run_ended"
    status: RunStatus
    reason: Text
    final_text: Text = ""
    verification: Verification = ""
    attempted: tuple[Text, ...] = ()
    """The SDK's own evidence where it stopped: ids of the calls that it began, approvals included, or of the candidates
    whose executors were called; in order. What became of each is said by the journal, in the three words."""
    completed: tuple[Text, ...] = ()
    """Those of them that have an output, be it that of a refusal."""


Event = Annotated[
    RunStarted
    | RunResumed
    | EffectReconciled
    | SegmentStarted
    | RequestSent
    | TurnAnswered
    | AskRaised
    | DecisionMade
    | ActionStarted
    | ActionEnded
    | CallAnswered
    | PageRead
    | PictureTaken
    | PageChanged
    | DiagnosticReported
    | ExchangeSeen
    | FailureSeen
    | UserTextAdded
    | CheckpointSaved
    | StopRequested
    | OutcomeChecked
    | JobRegistered
    | JobEnded
    | JobDelivered
    | JobCancelWanted
    | HoldAllSet
    | RuleTakenBack
    | ControlChanged
    | HumanActed
    | RecordingChanged
    | CodeSaid
    | VariablesSeen
    | CodeActed
    | RunEnded,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[Event] = TypeAdapter(Event)


@dataclass(frozen=True)
class Recorded:
    """An event that is on disk. Order is `seq` only; wall time is for people, monotonic time for durations."""

    seq: int
    """From 1, without gaps."""
    wall_ms: int
    """Milliseconds since 1970, UTC."""
    mono_ns: int
    """Monotonic nanoseconds of the process that wrote it; comparable within one process only."""
    event: Event
