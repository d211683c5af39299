"""Takes up a saved run: what its record leaves to do, what is otherwise now, and what is written before it goes on.

Only the newest boundary of a ledger that is whole, of this folder and owned by this process is gone on from.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from app.core.errors import LedgerProblem
from app.core.events import (
    ActionEnded,
    CallAnswered,
    EffectReconciled,
    Event,
    Recorded,
    RunResumed,
    StopBy,
)
from app.core.grant_plan import unused
from app.core.moment import Moment
from app.core.plan import RunPlan
from app.core.resuming import Left, ResumeAnswer, ResumeOffer, left_of
from app.core.settle import SettledCall
from app.core.timeline import Timeline
from app.core.unrecorded import NOT_RECORDED
from app.core.value import Json
from app.ledger.store import RunLedger
from app.runner.carrying import taken_up, undone
from app.runner.computer import NO_PICTURE
from app.runner.folding import fold, unfinished
from app.runner.session_ports import Beginning, LoopBefore, Resumption
from app.runner.told import opened_anew, resumed_words

END_LOST = "the run was cut off: its end is not on record"
READ_CUT = "reading was cut off, nothing was changed"


@dataclass
class Prepared:
    """A run that can be taken up, owned by this process until its ledger is closed. Nothing is written yet."""

    ledger: RunLedger
    plan: RunPlan
    left: Left
    past: Sequence[Recorded]
    checkpoint: dict[str, Any] | None
    """The newest; a boundary or, where an answer was being acted on, pending."""
    changes: tuple[str, ...] = field(default=())

    @property
    def offer(self) -> ResumeOffer:
        """What a person is to be shown."""
        used = self.checkpoint["consumed_requests"] if self.checkpoint else 0
        if self.left.started.engine == "decisions":
            used = self.left.requests
        return ResumeOffer(
            left=self.left,
            changes=self.changes,
            unfinished=undone(self.left.calls, self.past) or _unfinished(self.checkpoint, self.left.calls),
            steps_left=self.plan.max_steps - used,
            start_url=self.plan.browser.start_url if self.plan.browser else None,
            provenance=self.left.started.provenance,
        )


def prepare(ledger: RunLedger, given: RunPlan | None) -> Prepared:
    """Look at an owned ledger and at what is left of its run. `given`: a run file's plan in place of the recorded one.

    Raises:
        LedgerProblem: the run is over, or cannot go on; says why.
    """
    past = list(ledger.events())
    try:
        left = left_of(past)
    except ValueError as error:
        raise LedgerProblem(f"{error}: {ledger.path}") from error
    checkpoint = ledger.latest_checkpoint()
    _require_open(left, checkpoint, ledger)
    _require_begun(left, checkpoint, ledger)
    _require_steps(left, ledger)
    plan = (given or plan_on_record(left.plan)).model_copy(update={"max_steps": left.started.max_steps})
    plan = plan.model_copy(update={"grants": unused(plan.grants, past)})
    if plan.engine != left.started.engine:
        raise LedgerProblem(f"the run file is for another engine than the run: {plan.engine}")
    return Prepared(ledger, plan, left, past, checkpoint)


def _require_open(left: Left, checkpoint: dict[str, Any] | None, ledger: RunLedger) -> None:
    final = checkpoint is not None and checkpoint["phase"] in ("final", "programs_final")
    if final or (left.ended is not None and left.ended.status == "finished"):
        raise LedgerProblem(f"the model has given its final message, so there is nothing to go on with: {ledger.path}")
    if checkpoint is not None and checkpoint["consumed_requests"] >= checkpoint["max_steps"]:
        raise LedgerProblem(f"all {checkpoint['max_steps']} steps are used up; the run can be forked: {ledger.path}")


def _unfinished(checkpoint: dict[str, Any] | None, calls: Sequence[SettledCall]) -> tuple[SettledCall, ...]:
    if checkpoint is None or not checkpoint["phase"].startswith("programs_"):
        return unfinished(checkpoint, calls)
    from app.runner.programs.folding import unread

    return unread(checkpoint, calls)


def _require_begun(left: Left, checkpoint: dict[str, Any] | None, ledger: RunLedger) -> None:
    """A fork that was cut off before it had begun has nothing of its origin in its own record."""
    begun = left.segments > 0 if left.started.engine == "decisions" else checkpoint is not None
    if left.started.origin is not None and not begun:
        raise LedgerProblem(f"the fork was cut off before it began; fork the saved run again: {ledger.path}")


def _require_steps(left: Left, ledger: RunLedger) -> None:
    if left.started.engine == "decisions" and left.requests >= left.started.max_steps:
        raise LedgerProblem(f"all {left.started.max_steps} steps are used up; the run can be forked: {ledger.path}")


def plan_on_record(recorded: Json) -> RunPlan:
    """The plan as the ledger keeps it.

    Raises:
        LedgerProblem: it holds what is never recorded, so that only its run file can say it, or it does not fit.
    """
    text = json.dumps(recorded)
    if NOT_RECORDED in text:
        raise LedgerProblem("keys and addresses of its servers are not on record: give its run file")
    try:
        return RunPlan.model_validate_json(text)
    except ValidationError as error:
        raise LedgerProblem("the plan on record does not fit this Signalbox: give a run file") from error


def resumption(
    prepared: Prepared, answer: ResumeAnswer, *, model: str, versions: dict[str, str], by: StopBy
) -> Resumption:
    """All that is put on record before the run goes on, and where it begins.

    Raises:
        LedgerProblem: an effect in doubt has no answer, or what was cut off can be answered by nobody.
    """
    left, checkpoint = prepared.left, prepared.checkpoint
    if not answer.covers(left.in_doubt):
        raise LedgerProblem("what became of each effect in doubt has to be said before the run goes on")
    base, answered, told = checkpoint, tuple[Event, ...](), tuple[str, ...]()
    loop = LoopBefore()
    if checkpoint is not None and checkpoint["phase"] == "pending":
        folded = fold(checkpoint, left.calls, answer.found, _outputs(prepared.past), NO_PICTURE, _browser(checkpoint))
        base, answered, told = folded.boundary, folded.answered, folded.told
    if checkpoint is not None and left.started.engine == "programs":
        # No other run needs what these load.
        from app.runner.programs.taking_up import loop_before, settled_loop

        settled = settled_loop(checkpoint, left.calls, answer.found, prepared.past, prepared.ledger.blob)
        base, answered, told = settled.boundary, settled.answered, settled.told
        loop = loop_before(prepared.past, answered, base["history"], stored=prepared.plan.store)
    carried = None
    if left.started.engine == "decisions":
        new_browser = prepared.plan.browser is not None
        taken = taken_up(prepared.past, answer.found, answer.note, new_browser=new_browser)
        carried, answered = taken.carried, taken.answered
    pending = {call.call_id for call in _unfinished(checkpoint, left.calls)}
    told += tuple(_elsewhere(prepared, answer, pending)) + tuple(_refused_by_the_stop(prepared.past))
    opening: list[Event] = [
        RunResumed(
            by=by,
            base_revision=checkpoint["revision"] if checkpoint else 0,
            model=model,
            plan=prepared.plan.on_record(),
            versions=versions,
            changes=prepared.changes,
            note=answer.note,
        ),
        *_ends(prepared.past),
        *(
            EffectReconciled(
                call_id=one.call.call_id,
                part=one.call.part,
                source=one.call.source,
                member=one.call.member,
                found=answer.found[one.place],
                by=by,
            )
            for one in left.in_doubt
        ),
        *answered,
    ]
    words = resumed_words(told, answer.note, opened_anew(prepared.plan))
    return Resumption(
        past=prepared.past,
        opening=tuple(opening),
        folded=base if base is not checkpoint else None,
        asked=left.asked,
        standing=left.standing,
        holding_all=left.holding_all,
        beginning=Beginning(
            told=prepared.plan.task if base is None else words,
            reason="the run is taken up again",
            base=base,
            segments=left.segments,
            look=base is not None,
            loop=loop,
            carried=carried,
        ),
    )


def _browser(checkpoint: dict[str, Any]) -> frozenset[str]:
    """Names of the browser tools. A function of the user's own may bear such a name, but not beside the member's."""
    from openai.lib.browser import BROWSER_MEMBERS

    names = {f"browser_{member}" for member in BROWSER_MEMBERS}
    return frozenset(str(tool["name"]) for tool in checkpoint["tools"] if tool.get("name") in names)


def _outputs(past: Sequence[Recorded]) -> dict[str, CallAnswered]:
    return {one.event.call_id: one.event for one in past if isinstance(one.event, CallAnswered)}


def _ends(past: Sequence[Recorded]) -> Iterator[ActionEnded]:
    """The ends of actions that were started and are not on record as ended; nothing begins before they are."""
    timeline = Timeline()
    for recorded in past:
        timeline.apply(recorded)
    for call in timeline.calls:
        for part, started in call.started.items():
            if part not in call.ended:
                yield ActionEnded(
                    call_id=started.call_id,
                    part=part,
                    outcome="not_done" if started.reads_only else "may_have_happened",
                    detail=READ_CUT if started.reads_only else END_LOST,
                )


def _refused_by_the_stop(past: Sequence[Recorded]) -> Iterator[str]:
    """Calls that nobody judged: their outputs say "not approved", and only the stop was the reason."""
    timeline = Timeline()
    for recorded in past:
        timeline.apply(recorded)
    if not Moment(timeline).stop_requested:
        return
    stopped_seq = timeline.stops.seq_of(len(timeline.stops) - 1)
    for call in timeline.calls:
        answered = call.answers.since(stopped_seq, timeline.last_seq)
        decision = call.asks[-1].decision if call.asks else None
        by_hand = decision is not None and decision.by != "console"
        if answered is not None and not answered.ok and not by_hand:
            yield (
                f"The call {call.proposed.call_id} ({call.proposed.member}) was refused only because the run was being "
                "stopped; nobody judged it, and it may be proposed again."
            )


def _elsewhere(prepared: Prepared, answer: ResumeAnswer, pending: set[str]) -> Iterator[str]:
    """What was found out about effects whose calls have no output left to say it in."""
    says = {"done": "it was done", "not_done": "it was not done", "unknown": "it may have happened or not"}
    for one in prepared.left.in_doubt:
        if one.call.call_id not in pending:
            yield (
                f"During the call {one.call.call_id} ({one.call.member}) the run was interrupted. "
                f"The operator says: {says[answer.found[one.place]]}."
            )
