"""Two runs step by step beside each other: which steps are the same, and where they first part ways.

A step is one call with its arguments, what was decided about it, and what became of it; the last step is the run's end.
The model's words are not compared: two runs that do the same need not say the same.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from app.core.describe import BROWSER_MEMBERS, CALL_STATES, decision_words, ending_words
from app.core.moment import Moment
from app.core.timeline import CallRecord, Timeline
from app.core.value import Json, digest_of

Differs = Literal["arguments", "decision", "outcome", "only in one"]

_LOOPBACK = re.compile(r"(https?://127\.0\.0\.1):\d{1,5}")

NO_END = "no end is on record"


@dataclass(frozen=True)
class Step:
    """One call of a run, or in the end how the run ended."""

    seq: int
    """Where it was proposed."""
    source: str
    """Empty for the end; ``browser`` also for a candidate that is a member of it."""
    member: str
    """Outside text for a function or a tool."""
    arguments: Json
    compared: Json
    """The same with the element's role and label in place of its ref, and in a demo without the site's port: both are
    given anew in each run."""
    call_id: str
    decision: str
    """In the console's words; empty where nothing was asked."""
    outcome: str
    """In the console's words."""

    @property
    def key(self) -> str:
        """Equal for the same call with the same arguments."""
        return digest_of([self.source, self.member, self.compared])

    @property
    def kind(self) -> tuple[str, str]:
        """Equal for the same call with any arguments."""
        return self.source, self.member


@dataclass(frozen=True)
class AlignedStep:
    """The same place in both runs; None where one of them has nothing there."""

    left: Step | None
    right: Step | None
    differs: tuple[Differs, ...]
    """Empty when the two are the same."""


def steps_of(timeline: Timeline) -> list[Step]:
    """The steps of a run as of its newest event."""
    now = Moment(timeline)
    embedded = timeline.run is not None and timeline.run.provenance in ("demo", "rehearsal")
    steps = [_step(call, now, embedded=embedded) for call in timeline.calls if not _look(timeline, call)]
    ended = timeline.ended[-1] if len(timeline.ended) else None
    words = ending_words(ended) if ended is not None else NO_END
    steps.append(Step(timeline.last_seq, "", "", None, None, "", "", words))
    return steps


def aligned(left: Sequence[Step], right: Sequence[Step]) -> list[AlignedStep]:
    """Both runs' steps, those that belong together in one place; the two ends always do."""
    rows: list[AlignedStep] = []
    one, other = list(left[:-1]), list(right[:-1])
    matcher = SequenceMatcher(None, [step.key for step in one], [step.key for step in other], autojunk=False)
    for tag, left_from, left_to, right_from, right_to in matcher.get_opcodes():
        here, there = one[left_from:left_to], other[right_from:right_to]
        if tag == "equal":
            rows += [_together(a, b) for a, b in zip(here, there, strict=True)]
        else:
            rows += _by_kind(here, there)
    rows.append(_together(left[-1], right[-1]))
    return rows


def first_difference(rows: Sequence[AlignedStep], after: int = -1) -> int | None:
    """The first place after `after` where the two are not the same."""
    return next((at for at in range(after + 1, len(rows)) if rows[at].differs), None)


def _by_kind(here: list[Step], there: list[Step]) -> list[AlignedStep]:
    """Steps that are nowhere the same: the same kind of call beside each other, all others alone."""
    rows: list[AlignedStep] = []
    matcher = SequenceMatcher(None, [step.kind for step in here], [step.kind for step in there], autojunk=False)
    for tag, left_from, left_to, right_from, right_to in matcher.get_opcodes():
        if tag == "equal":
            pairs = zip(here[left_from:left_to], there[right_from:right_to], strict=True)
            rows += [_together(a, b) for a, b in pairs]
            continue
        rows += [AlignedStep(step, None, ("only in one",)) for step in here[left_from:left_to]]
        rows += [AlignedStep(None, step, ("only in one",)) for step in there[right_from:right_to]]
    return rows


def _together(left: Step, right: Step) -> AlignedStep:
    found: list[Differs] = []
    if left.key != right.key:
        found.append("arguments")
    if left.decision != right.decision:
        found.append("decision")
    if left.outcome != right.outcome:
        found.append("outcome")
    return AlignedStep(left, right, tuple(found))


def _look(timeline: Timeline, call: CallRecord) -> bool:
    """Whether it is a look of a decisions run at the page: no model asked for it."""
    choosing = timeline.run is not None and timeline.run.engine == "decisions"
    return choosing and call.proposed.source == "browser"


def _source(call: CallRecord) -> str:
    """A candidate that is a member of the browser is the same thing done as a call of that member."""
    source, member = call.proposed.source, call.proposed.member
    return "browser" if source == "decisions" and member in BROWSER_MEMBERS else source


def _step(call: CallRecord, now: Moment, *, embedded: bool) -> Step:
    decided = [asked.decision for asked in call.asks if asked.decision is not None]
    return Step(
        seq=call.asks[0].seq if call.asks else call.seq,
        source=_source(call),
        member=call.proposed.member,
        arguments=call.proposed.arguments,
        compared=_without_port(_without_ref(call)) if embedded else _without_ref(call),
        call_id=call.proposed.call_id,
        decision=", ".join(decision_words(one) for one in decided),
        outcome=CALL_STATES[now.state_of(call)],
    )


def _without_ref(call: CallRecord) -> Json:
    arguments = call.proposed.arguments
    target = call.asks[0].ask.evidence.target if call.asks else None
    if target is None or not isinstance(arguments, dict):
        return arguments
    named = {"role": target.role, "label": target.label}
    return {key: named if value == target.ref else value for key, value in arguments.items()}


def _without_port(value: Json) -> Json:
    if isinstance(value, str):
        return _LOOPBACK.sub(r"\1", value)
    if isinstance(value, dict):
        return {key: _without_port(part) for key, part in value.items()}
    return [_without_port(part) for part in value] if isinstance(value, list) else value
