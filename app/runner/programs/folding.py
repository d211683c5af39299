"""Settles what a run of the own loop was left in: each call and each job gets the output that is true, exactly once.

After a process has gone nothing of its jobs runs, so that every one of them has its end here, and a wait for them too.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.core.events import CallAnswered, Event, Found, Recorded
from app.core.jobs import JobDelivered, JobEnded, JobRegistered
from app.core.programs_plan import WAIT_TOOL
from app.core.resuming import CallPart
from app.core.settle import DENIED, SettledCall
from app.core.value import Json
from app.runner.folding import (
    RESULT_LOST,
    answers,
    batch_words,
    closed,
    computer_output,
    kept_output,
    require_an_answer,
    text_output,
    words_of,
)
from app.runner.outputs import inlined_pictures
from app.runner.programs.calls import Result, failed
from app.runner.programs.items import NAMES, Call, Wire, in_words, is_output, kept_length, recorded_call
from app.runner.programs.jobs import handles_of, wait_result
from app.runner.programs.tools import WrongCall

PENDING = "programs_pending"
ELSEWHERE = "This task was started by the run that this one was forked from, and its result is not here."


@dataclass(frozen=True)
class FoldedLoop:
    """The boundary that the run goes on from, and what it says that was said nowhere before."""

    boundary: Wire
    answered: tuple[Event, ...]
    """For the journal, in order: how jobs ended, and every output that was made here."""
    told: tuple[str, ...]
    """What no output can say: of computer calls, whose outputs are pictures."""


def unread(checkpoint: Wire, calls: Iterable[SettledCall]) -> tuple[SettledCall, ...]:
    """The actions of calls and jobs whose outputs no request carried, in order."""
    items = [*checkpoint["history"], *checkpoint["pending_items"]]
    given = _given(checkpoint)
    ids = {call.call_id for item in items if (call := recorded_call(item)) is not None}
    pending = {call.call_id for item in checkpoint["pending_items"] if (call := recorded_call(item)) is not None}
    return tuple(
        call
        for call in calls
        if call.call_id in ids and (call.call_id not in given or (call.in_doubt and call.call_id in pending))
    )


def _given(checkpoint: Wire) -> set[str]:
    items = [*checkpoint["history"], *checkpoint["returned_outputs"]]
    return {answers(item) for item in items if is_output(item)}


@dataclass
class _Fold:
    """Collects outputs in the order in which the model is to read them."""

    parts: Mapping[str, list[SettledCall]]
    found: Mapping[CallPart, Found]
    on_record: Mapping[str, CallAnswered]
    no_picture: Wire
    browser_names: frozenset[str]
    blob: Callable[[str], bytes]
    turn: int
    goes_on_elsewhere: bool = False
    """The conversation is a fork's: what still ran there belongs to the run that it was forked from."""
    outputs: list[Wire] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def answer(self, call: Call) -> None:
        """The output of a call that the model waits for and that is no wait itself."""
        parts = self.parts.get(call.call_id, [])
        require_an_answer(parts, self.found)
        if call.kind == "mcp_approval_request":
            # An approval of the old process does not count: what was not sent on is not approved.
            self._put(call, call.approval(approve=False), "not approved", ok=False)
        elif call.kind == "computer_call":
            self._put(call, computer_output(call.raw, self.no_picture), {"picture": None}, ok=False)
            self.told.append(batch_words(call.call_id, parts, self.found))
        else:
            self._answer_in_words(call, parts)

    def _answer_in_words(self, call: Call, parts: Sequence[SettledCall]) -> None:
        settled = not any(part.outcome == "may_have_happened" for part in parts)
        browser = call.kind == "function_call" and call.name in self.browser_names
        on_record = self.on_record.get(call.call_id) if settled else None
        if call.kind in NAMES:
            self._answer_own(call, parts, on_record)
            return
        if (kept := kept_output(on_record, browser)) is not None:
            self.outputs.append(call.output(_for_caller(call, kept)))
            return
        ok, words = words_of(parts, self.found)
        content: Json = text_output(words, ok=ok, browser=True) if browser else _failure(call, parts, words).content
        content = _for_caller(call, content)
        self._put(call, call.output(content), content, ok=ok)

    def _answer_own(self, call: Call, parts: Sequence[SettledCall], on_record: CallAnswered | None) -> None:
        """One of the console's own tools; what it said is on record in full, but for what a search has given."""
        said = on_record.output if on_record is not None and isinstance(on_record.output, list) else None
        if said and call.kind == "shell_call" and isinstance(said[0], dict):
            self.outputs.append(call.made(output=said, **kept_length(call)))
        elif said and on_record is not None and call.kind != "tool_search_call" and isinstance(said[0], str):
            self.outputs.append(in_words(call, said[0], ok=on_record.ok))
        else:
            ok, words = words_of(parts, self.found)
            self._put(call, in_words(call, words, ok=ok), words, ok=ok)

    def job(self, call: Call, registered: JobRegistered, ended: JobEnded | None) -> str:
        """A job's own output, where no request has carried it; how it ended."""
        parts = self.parts.get(call.call_id, [])
        if ended is None and self.goes_on_elsewhere:
            self.outputs.append(call.output(failed(call, None, "elsewhere", ELSEWHERE).content))
            return "cut_off"
        if not self.goes_on_elsewhere:
            require_an_answer(parts, self.found)
        uncertain = any(part.outcome == "may_have_happened" for part in parts)
        if ended is not None and ended.output is not None and (self.goes_on_elsewhere or not uncertain):
            result = Result(inlined_pictures(ended.output, self.blob), ok=ended.ok)
        else:
            result = _failure(call, parts, words_of(parts, self.found)[1])
        if ended is None:
            fate = "may have happened" if uncertain else "was not done"
            if any(part.outcome == "done" for part in parts):
                fate = "done, its result was lost"
            ended = JobEnded(call_id=call.call_id, state="cut_off", detail=fate, output=result.content)
            self.events.append(ended)
        self._put(call, call.output(result.content), ended.output, ok=result.ok)
        self.events.append(JobDelivered(call_id=registered.call_id, turn=self.turn))
        return ended.state

    def wait(self, call: Call, states: Mapping[str, str]) -> None:
        """The status of a wait, once the outputs of all jobs stand before it."""
        try:
            result = wait_result(handles_of(call, states), states)
        except WrongCall as wrong:
            result = failed(call, None, wrong.kind, str(wrong))
        self._put(call, call.output(result.content), result.content, ok=result.ok)

    def _put(self, call: Call, output: Wire, kept: Json, *, ok: bool) -> None:
        self.outputs.append(output)
        self.events.append(CallAnswered(call_id=call.call_id, ok=ok, output=kept if isinstance(kept, list) else [kept]))


def fold_loop(
    checkpoint: Wire,
    calls: Iterable[SettledCall],
    found: Mapping[CallPart, Found],
    past: Sequence[Recorded],
    no_picture: Wire,
    browser_names: frozenset[str],
    blob: Callable[[str], bytes],
    *,
    fork: bool = False,
) -> FoldedLoop | None:
    """The boundary that follows `checkpoint`; None where nothing is open in it. `fork`: a new run begins with it.

    Raises:
        LedgerProblem: something of it can be answered by nobody.
    """
    parts: dict[str, list[SettledCall]] = {}
    for part in calls:
        parts.setdefault(part.call_id, []).append(part)
    given, jobs, ended = _given(checkpoint), _registered(past), _ended(past)
    items = [*checkpoint["history"], *checkpoint["pending_items"]]
    waiting = [call for item in items if (call := recorded_call(item)) is not None and call.call_id not in given]
    if not waiting and checkpoint["phase"] != PENDING:
        return None
    fold = _Fold(
        parts, found, _answered(past), no_picture, browser_names, blob, checkpoint["consumed_requests"] + 1, fork
    )
    waits = [call for call in waiting if call.kind == "function_call" and call.name == WAIT_TOOL]
    for call in waiting:
        if call.call_id not in jobs and call not in waits:
            fold.answer(call)
    states: dict[str, str] = {jobs[one].handle: ended[one].state for one in jobs if one in ended}
    for call in waiting:
        if (job := jobs.get(call.call_id)) is not None:
            states[job.handle] = fold.job(call, job, ended.get(call.call_id))
    for call in waits:
        fold.wait(call, states)
    boundary = closed(checkpoint, [*checkpoint["returned_outputs"], *fold.outputs], "programs_boundary")
    boundary["attempted_call_ids"] = list(checkpoint["attempted_call_ids"])
    boundary["returned_call_ids"] = list(checkpoint["attempted_call_ids"])
    return FoldedLoop(boundary, tuple(fold.events), tuple(fold.told))


def _failure(call: Call, parts: Sequence[SettledCall], words: str) -> Result:
    part = parts[0] if parts else None
    if part is not None and part.outcome == "may_have_happened":
        kind = "cut_off"
    elif part is not None and part.outcome == "done":
        kind = "result_lost"
    else:
        kind = "not_approved" if part is not None and part.words == DENIED else "not_done"
    result = failed(call, None, kind, words)
    return Result(result.content, ok=words == RESULT_LOST, failure=kind)


def _for_caller(call: Call, content: Any) -> Any:
    """A program reads text; blocks are for the model's own eyes."""
    if call.program and isinstance(content, list) and len(content) == 1:
        return content[0]["text"] if isinstance(content[0], dict) else json.dumps(content[0])
    return content


def _answered(past: Sequence[Recorded]) -> dict[str, CallAnswered]:
    return {one.event.call_id: one.event for one in past if isinstance(one.event, CallAnswered)}


def _registered(past: Sequence[Recorded]) -> dict[str, JobRegistered]:
    return {one.event.call_id: one.event for one in past if isinstance(one.event, JobRegistered)}


def _ended(past: Sequence[Recorded]) -> dict[str, JobEnded]:
    return {one.event.call_id: one.event for one in past if isinstance(one.event, JobEnded)}
