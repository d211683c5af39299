"""What a decisions run takes along when it goes on in another process, or as a fork, read from its journal.

The SDK keeps nothing of such a run: each request holds the task and one observation. So nothing has to be folded: the
observation of a run that goes on says what it would have said, and what became of what was interrupted.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.core.carried import NOTHING_CARRIED, Carried
from app.core.decisions_plan import MOST_EARLIER_CHARS
from app.core.events import CallAnswered, Found, Recorded, RunResumed, UserTextAdded
from app.core.looks import is_look
from app.core.resuming import CallPart, begun_run
from app.core.settle import DENIED, SettledCall, settle
from app.core.timeline import AskRecord, Timeline
from app.runner.told import RESUMED, SAID

BY_OPERATOR = " (chosen by the operator in place of your choice)"
CHECKED_DONE = " (the run was interrupted during it; the operator has checked: it was done)"
FORKED = "The operator continues an earlier run of this task from here, as a run of its own."
NEW_BROWSER = "The browser was opened anew: what had been typed into a page and not sent is gone."
NOT_ALLOWED = "The operator did not allow: {}. Nothing of it was done."
RULED_OUT = "A rule does not allow: {}. Nothing of it was done."
NOT_BEGUN = "Chosen before the interruption and not executed: {}. Nothing of it was done."
FOUND: dict[Found, str] = {
    "done": "Interrupted: {}. The operator has checked: it was done.",
    "not_done": "Interrupted: {}. The operator has checked: it was not done.",
    "unknown": "Interrupted: {}. It may have happened or not, and the operator could not find out. Look for signs of "
    "it, and do not choose it again unless they show that it was not done.",
}
SAYS = "The operator says: {}"
NOTE = "The operator's note: {}"
MOST_NAMED = 8
"""Of what was denied or is uncertain, the newest: an observation is bounded."""


@dataclass(frozen=True)
class TakenUp:
    """A decisions run that goes on: what it takes along, and what that says of calls without an output."""

    carried: Carried
    answered: tuple[CallAnswered, ...]


def undone(calls: Iterable[SettledCall], past: Sequence[Recorded]) -> tuple[SettledCall, ...]:
    """What was chosen, was not executed, and has not been said to be so yet."""
    answered = {one.event.call_id for one in past if isinstance(one.event, CallAnswered)}
    chosen = [call for call in calls if call.source == "decisions"]
    # Of one that another was taken for, only that other is told.
    replaced = {call.call_id.removesuffix("-operator") for call in chosen if call.call_id.endswith("-operator")}
    return tuple(call for call in chosen if call.outcome == "not_done" and call.call_id not in answered | replaced)


def taken_up(past: Sequence[Recorded], found: Mapping[CallPart, Found], note: str, *, new_browser: bool) -> TakenUp:
    """The run of `past` goes on. `found`: what a person says of each effect that may have happened."""
    timeline, _ = begun_run(past)
    calls = [call for call in settle(past) if call.source == "decisions"]
    answered: list[CallAnswered] = []
    until: list[str] = [RESUMED, *([NEW_BROWSER] if new_browser else [])] if len(timeline.requests) else []
    until += _said_and_nothing_done_since(timeline, calls, past)
    for call in undone(calls, past):
        words = _undone_words(timeline, call)
        answered.append(CallAnswered(call_id=call.call_id, ok=False, output=[words]))
        if not _judged(timeline, call):
            until.append(words)
    for call in calls:
        if (said := found.get((call.call_id, call.part))) is not None:
            words = FOUND[said].format(_quoted(timeline, call))
            answered.append(CallAnswered(call_id=call.call_id, ok=said == "done", output=[words]))
            if said == "not_done":
                until.append(words)
    carried = _carried(timeline, calls, found, until, [*_said(past), *_noted(note)])
    return TakenUp(carried, tuple(answered))


def _said_and_nothing_done_since(
    timeline: Timeline, calls: Sequence[SettledCall], past: Iterable[Recorded]
) -> Iterator[str]:
    """What the model was to be told of calls when the run was taken up or taken over before, as far as it still is.

    The process may have ended before any request said it. What is said in every observation is not of these.
    """
    outputs = {one.event.call_id: one.event for one in past if isinstance(one.event, CallAnswered)}
    last_done = max((at for at, call in enumerate(calls) if _was_done(call, {})), default=-1)
    for call in calls[last_done + 1 :]:
        answered = outputs.get(call.call_id)
        if answered is None or answered.ok or call.found == "unknown" or _judged(timeline, call):
            continue
        for words in answered.output if isinstance(answered.output, list) else []:
            yield str(words)


def carried_to(past: Sequence[Recorded], note: str, *, new_browser: bool) -> Carried:
    """A fork begins where `past` ends, right before a request, with a count of steps of its own."""
    timeline, _ = begun_run(past)
    calls = [call for call in settle(past) if call.source == "decisions"]
    began = [FORKED, *([NEW_BROWSER] if new_browser else [])]
    return _carried(timeline, calls, {}, began, [*_said(past), *_noted(note)]).model_copy(
        update={"requests": 0, "looks": 0}
    )


def _carried(
    timeline: Timeline,
    calls: Sequence[SettledCall],
    found: Mapping[CallPart, Found],
    until: Sequence[str],
    said: Iterable[str],
) -> Carried:
    done = [call for call in calls if _was_done(call, found)]
    last = done[-1] if done else None
    kept = list(_kept_words(timeline, calls, found))[-MOST_NAMED:]
    origin = _of_the_origin(timeline)
    return Carried(
        requests=len(timeline.requests),
        looks=sum(is_look(started.call_id) for started in timeline.actions),
        last_action=_last_words(timeline, last) if last is not None else origin.last_action,
        earlier=_text_before(timeline, last) if last is not None else origin.earlier,
        until_an_action=tuple(until),
        always=(*origin.always, *kept, *said),
    )


def _said(past: Iterable[Recorded]) -> Iterator[str]:
    """What the operator has said to the model or noted for it, in order."""
    for one in past:
        match one.event:
            case UserTextAdded(reason=reason, text=text) if reason == SAID:
                yield SAYS.format(text)
            case RunResumed(note=note):
                yield from _noted(note)
            case _:
                pass


def _noted(note: str) -> list[str]:
    return [NOTE.format(note.strip())] if note.strip() else []


def _of_the_origin(timeline: Timeline) -> Carried:
    """What a fork took along from the run that it comes from."""
    first = next(iter(timeline.segments), None)
    return (first.carried if first is not None else None) or NOTHING_CARRIED


def _was_done(call: SettledCall, found: Mapping[CallPart, Found]) -> bool:
    said = call.found or found.get((call.call_id, call.part))
    return call.outcome == "done" or (call.outcome == "may_have_happened" and said == "done")


def _kept_words(timeline: Timeline, calls: Iterable[SettledCall], found: Mapping[CallPart, Found]) -> Iterator[str]:
    for call in calls:
        if call.outcome == "not_done" and _judged(timeline, call):
            yield _undone_words(timeline, call)
        elif call.outcome == "may_have_happened" and (call.found or found.get((call.call_id, call.part))) == "unknown":
            yield FOUND["unknown"].format(_quoted(timeline, call))


def _judged(timeline: Timeline, call: SettledCall) -> bool:
    """Whether a person or a rule said no to it; a console that was closing down judges nothing."""
    record = _asked(timeline, call)
    if call.words != DENIED or record is None or record.decision is None:
        return False
    return record.decision.by != "console" and record.decision.verdict == "deny" and not record.decision.picked


def _undone_words(timeline: Timeline, call: SettledCall) -> str:
    record = _asked(timeline, call)
    if not _judged(timeline, call) or record is None or record.decision is None:
        return NOT_BEGUN.format(_quoted(timeline, call))
    form = RULED_OUT if record.decision.by == "rule" else NOT_ALLOWED
    return form.format(_quoted(timeline, call))


def _last_words(timeline: Timeline, call: SettledCall) -> str:
    record = _asked(timeline, call)
    by_operator = record is not None and record.ask.offer is not None and record.ask.offer.chosen_by == "operator"
    checked = CHECKED_DONE if call.outcome == "may_have_happened" else ""
    return f"{_described(timeline, call)}{BY_OPERATOR if by_operator else ''}{checked}"


def _text_before(timeline: Timeline, call: SettledCall) -> str:
    """The text of the read that the action was chosen on: the newest one before its request left."""
    known = timeline.call(call.call_id)
    for at, request in enumerate(timeline.requests):
        if known is not None and request.turn == known.turn:
            read = timeline.reads.last(timeline.requests.seq_of(at))
            text = str(read.report["text"]) if read is not None and isinstance(read.report, dict) else ""
            return text[:MOST_EARLIER_CHARS]
    return ""


def _asked(timeline: Timeline, call: SettledCall) -> AskRecord | None:
    return timeline.ask(call.ask_id) if call.ask_id is not None else None


def _quoted(timeline: Timeline, call: SettledCall) -> str:
    return f"“{_described(timeline, call)}”"


def _described(timeline: Timeline, call: SettledCall) -> str:
    """What the model knows it by: the description of its candidate in the question as it was put."""
    record, known = _asked(timeline, call), timeline.call(call.call_id)
    if record is not None and record.ask.offer is not None:
        return record.ask.offer.words_for(record.ask.offer.chosen) or call.member
    # Not asked about yet: the answer names it.
    turn = known.turn if known is not None else 0
    offer = next((one.offer for one in timeline.requests if one.turn == turn), None)
    answer = next((one for one in timeline.turns if one.turn == turn), None)
    items = answer.items if answer is not None else None
    first = items[0] if isinstance(items, list) and items else None
    chosen = first.get("choice") if isinstance(first, dict) else None
    return (offer.words_for(str(chosen)) if offer is not None else "") or call.member
