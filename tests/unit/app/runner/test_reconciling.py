"""An effect that may have happened is settled by a person before the run goes on; the model reads what was found."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.ask import Ask
from app.core.decision import Answer
from app.core.errors import LedgerInUse, LedgerProblem
from app.core.events import (
    AskRaised,
    CallAnswered,
    DecisionMade,
    EffectReconciled,
    Found,
    RunResumed,
    SegmentStarted,
    UserTextAdded,
)
from app.core.moment import Moment
from app.core.plan import RulePlan, RunPlan
from app.core.resuming import ResumeAnswer, left_of
from app.core.settle import settle
from app.gate.inbox import AskInbox
from app.ledger.shelf import summary_of
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from app.rehearsal.scenario import Scenario
from app.runner.folding import FOUND, NOT_BEGUN
from app.runner.resuming import Prepared, prepare, resumption
from app.runner.told import NEW_BROWSER, RESUMED
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import Run, run_scenario, serving
from tests.unit.app.runner.invariants import check_journal, check_timeline
from tests.unit.app.runner.scenes import answer, batch, fault, scene
from tests.unit.app.runner.test_doubtful import BrokenHalfDriver, HalfComputer
from tests.unit.app.runner.thinking_model import DONE, UNSURE, ThinkingModel, booking_scene

Answering = Callable[[Prepared], ResumeAnswer]


def says(found: Found, note: str = "") -> Answering:
    """The same answer to everything in doubt."""
    return lambda prepared: ResumeAnswer(found={one.place: found for one in prepared.left.in_doubt}, note=note)


def take_up(first: Run, scenario: Scenario, served: Any, answering: Answering, **more: Any) -> Run:
    """Own the ledger of a run that is over, answer the form, and run to the end."""
    ledger = RunLedger.open_owned(first.ledger_path, SystemClock())
    try:
        prepared = prepare(ledger, None)
        resumed = resumption(prepared, answering(prepared), model="scripted-model", versions={}, by="scripted")
    except LedgerProblem:
        ledger.close()
        raise
    return run_scenario(
        scenario,
        first.ledger_path.parent,
        ledger=ledger,
        served=served,
        resumption=resumed,
        header=prepared.left.started,
        plan=lambda _plan: prepared.plan,
        **more,
    )


def outputs_in(run: Run, request: int, call_id: str) -> list[Any]:
    """What the call's output is in a request."""
    items = run.model.requests[request].body["input"]
    return [item["output"] for item in items if item.get("call_id") == call_id and "output" in item]


@pytest.mark.parametrize(
    ("found", "final", "bookings"), [("done", DONE, 1), ("not_done", DONE, 2), ("unknown", UNSURE, 1)]
)
def test_what_the_operator_found_is_the_output_that_the_model_reads(
    tmp_path: Path, found: Found, final: str, bookings: int
) -> None:
    """The click was done; an operator who says otherwise is believed, so that the words must be his."""
    with serving(booking_scene(), ThinkingModel) as served:
        first = run_scenario(booking_scene(), tmp_path, served=served, make_driver=BrokenHalfDriver)
        assert first.ended.status == "needs_reconciling"
        (in_doubt,) = left_of(first.timeline.events).in_doubt
        assert in_doubt.ask is not None
        assert in_doubt.call.member == "click"
        sent = len(served[2].requests)
        run = take_up(first, booking_scene(), served, says(found, "The page is slow today."))
        assert run.timeline.ended[-1].final_text == final
        assert len(served[0].bookings) == bookings
        (output,) = outputs_in(run, sent, in_doubt.call.call_id)
        assert FOUND[found] in output[0]["text"]
        seam = served[2].requests[sent].body["input"][-1]["content"]
        assert seam.startswith(RESUMED)
        assert NEW_BROWSER in seam
        assert "The operator's note: The page is slow today." in seam
        assert "Open now:" in seam
    (reconciled,) = run.of(EffectReconciled)
    assert (reconciled.call_id, reconciled.found, reconciled.by) == (in_doubt.call.call_id, found, "scripted")
    settled = next(one for one in settle(run.timeline.events) if one.call_id == in_doubt.call.call_id)
    assert settled.outcome == "may_have_happened", "the three words are not overwritten by what somebody says"
    assert settled.found == found
    check_journal(run.events, dropped=True)
    check_timeline(run.timeline)
    assert verify(run.ledger_path).whole
    assert summary_of(run.ledger_path).status == "finished"


def test_without_an_answer_nothing_goes_on_and_nothing_is_written(tmp_path: Path) -> None:
    with serving(booking_scene(), ThinkingModel) as served:
        first = run_scenario(booking_scene(), tmp_path, served=served, make_driver=BrokenHalfDriver)
        before, sent = summary_of(first.ledger_path), len(served[2].requests)
        with pytest.raises(LedgerProblem, match="each effect in doubt"):
            take_up(first, booking_scene(), served, lambda _prepared: ResumeAnswer())
        with pytest.raises(LedgerProblem, match="each effect in doubt"):
            take_up(first, booking_scene(), served, lambda _prepared: ResumeAnswer(found={("another", 1): "done"}))
        assert summary_of(first.ledger_path) == before
        assert len(served[2].requests) == sent


def test_a_stopped_run_goes_on_from_its_boundary_and_asks_anew(tmp_path: Path) -> None:
    """Everything that was allowed before is allowed no more; ids of asks and numbers of segments go on."""
    with serving(booking_scene(), ThinkingModel) as served:
        first = run_scenario(
            booking_scene(), tmp_path, served=served, begun=lambda session, model: stop_at(session, "type")
        )
        assert first.ended.status == "stopped"
        run = take_up(first, booking_scene(), served, says("done"))
    assert run.timeline.ended[-1].status == "finished"
    assert len(served[0].bookings) == 1
    asked = [event.ask.ask_id for event in run.of(AskRaised)]
    assert len(set(asked)) == len(asked)
    assert [segment.number for segment in run.of(SegmentStarted)] == [1, 2]
    resumed = run.of(RunResumed)[0]
    assert run.of(SegmentStarted)[1].base_revision == resumed.base_revision
    assert [event.revision for event in run.timeline.checkpoints] == list(range(1, len(run.timeline.checkpoints) + 1))
    at = run.events.index(resumed) + 1
    assert Moment(run.timeline, at - 1).state == "ended"
    assert Moment(run.timeline, at).state != "ended"
    assert any(isinstance(event, AskRaised) and event.ask.member == "type" for event in run.events[at:])


def stop_at(session: Any, member: str) -> None:
    """Stop once an action of that name has ended."""

    def listen(recorded: Any) -> None:
        if recorded.event.type == "action_ended" and session_members.get(recorded.event.call_id) == member:
            session.request_stop("person")
        if recorded.event.type == "action_started":
            session_members[recorded.event.call_id] = recorded.event.member

    session_members: dict[str, str] = {}
    session.subscribe(listen)


class StopsAtTheClick:
    """A person who allows everything, and presses *Stop run* when asked about the click."""

    def __init__(self) -> None:
        self.inbox = AskInbox()
        self.inbox.subscribe(self)
        self._session: Any = None

    def meet(self, session: Any) -> None:
        self._session = session

    def ask_held(self, ask: Ask) -> None:
        if ask.member == "click":
            self._session.request_stop("person")
        else:
            self.inbox.answer(ask.ask_id, Answer(verdict="allow", by="person", shown_digest=ask.digest))

    def ask_settled(self, ask_id: str) -> None:
        pass


def test_what_only_the_stop_refused_is_said_to_be_unjudged(tmp_path: Path) -> None:
    """The output of the refused call says "not approved", and the model must not take that for the operator's word."""
    person = StopsAtTheClick()
    with serving(booking_scene(), ThinkingModel) as served:
        first = run_scenario(booking_scene(), tmp_path, served=served, inbox=person.inbox, before=person.meet)
        assert first.ended.status == "stopped"
        run = take_up(first, booking_scene(), served, says("done"))
    assert run.timeline.ended[-1].status == "finished"
    assert len(served[0].bookings) == 1
    (seam,) = [event.text for event in run.of(UserTextAdded) if event.text.startswith(RESUMED)]
    assert "(click) was refused only because the run was being stopped" in seam


def test_what_was_held_by_hand_is_held_again(tmp_path: Path) -> None:
    """A restriction is not forgotten with the process that had it: the rule of the plan allows nothing."""

    def allowing(plan: RunPlan) -> RunPlan:
        return plan.model_copy(update={"rules": (RulePlan(verdict="allow"),)})

    with serving(booking_scene(), ThinkingModel) as served:
        first = run_scenario(
            booking_scene(),
            tmp_path,
            served=served,
            plan=allowing,
            make_driver=BrokenHalfDriver,
            before=lambda session: session.by_hand.hold_all(True),
        )
        run = take_up(first, booking_scene(), served, says("not_done"))
    at = [event.type for event in run.events].index("run_resumed")
    decided = [event.decision.by for event in run.events[at:] if isinstance(event, DecisionMade)]
    assert decided
    assert "rule" not in decided


def test_a_run_that_breaks_off_twice_is_settled_twice(tmp_path: Path) -> None:
    with serving(booking_scene(), ThinkingModel) as served:
        first = run_scenario(booking_scene(), tmp_path, served=served, make_driver=BrokenHalfDriver)
        second = take_up(first, booking_scene(), served, says("not_done"), make_driver=BrokenHalfDriver)
        assert second.timeline.ended[-1].status == "needs_reconciling"
        run = take_up(second, booking_scene(), served, says("done"))
    assert run.timeline.ended[-1].final_text == DONE
    assert [event.found for event in run.of(EffectReconciled)] == ["not_done", "done"]
    assert [segment.number for segment in run.of(SegmentStarted)] == [1, 2, 3]
    asked = [event.ask.ask_id for event in run.of(AskRaised)]
    assert len(set(asked)) == len(asked)
    check_journal(run.events, dropped=True)
    check_timeline(run.timeline)
    assert verify(run.ledger_path).whole


def test_one_console_takes_it_up_and_a_finished_run_nobody(tmp_path: Path) -> None:
    with serving(booking_scene(), ThinkingModel) as served:
        first = run_scenario(booking_scene(), tmp_path, served=served)
    with RunLedger.open_owned(first.ledger_path, SystemClock()) as owned:
        with pytest.raises(LedgerInUse):
            RunLedger.open_owned(first.ledger_path, SystemClock())
        with pytest.raises(LedgerProblem, match="final message"):
            prepare(owned, None)


def test_a_batch_that_broke_off_is_told_action_by_action(tmp_path: Path) -> None:
    scenario = scene(
        answer(batch(scenes.CLICK_NAME, scenes.TYPE_TEXT, scenes.CLICK_RESERVE)),
        answer(scenes.DONE),
        keys="computer = true",
    )
    with serving(scenario) as served:
        first = run_scenario(scenario, tmp_path, served=served, make_computer=HalfComputer)
        assert first.ended.status == "needs_reconciling"
        run = take_up(first, scenario, served, says("not_done"))
    assert run.timeline.ended[-1].status == "finished"
    items = run.model.requests[-1].body["input"]
    assert [item["type"] for item in items if "type" in item][-2:] == ["computer_call", "computer_call_output"]
    told = items[-1]["content"]
    assert "Action 1 (click): Done" in told
    assert f"Action 2 (type): {FOUND['not_done']}" in told
    assert "What is not named here was not begun." in told


def test_calls_that_had_not_begun_are_said_to_be_not_done(tmp_path: Path) -> None:
    scenario = scene(
        answer(scenes.READ),
        answer(scenes.RESERVE, scenes.OPENING_HOURS),
        answer(scenes.DONE),
        keys='functions = ["opening_hours"]',
    )
    with serving(scenario) as served:
        first = run_scenario(scenario, tmp_path, served=served, make_driver=BrokenHalfDriver)
        run = take_up(first, scenario, served, says("unknown"))
    items = run.model.requests[-1].body["input"]
    said = {item["call_id"]: item["output"] for item in items if item.get("type") == "function_call_output"}
    assert said["call_002_02"] == NOT_BEGUN
    assert {event.call_id for event in run.of(CallAnswered)} == set(said)


def test_an_approval_of_the_old_process_is_asked_again(tmp_path: Path) -> None:
    """The request that carried it left and brought no answer: the service may have acted."""
    scenario = scene(
        answer(scenes.ASK_GUEST),
        fault("status = 500", scenes.GUEST_FOUND, scenes.DONE),
        mcp=scenes.GUEST_LIST,
    )
    with serving(scenario) as served:
        first = run_scenario(scenario, tmp_path, served=served)
        assert first.ended.status == "failed"
        (in_doubt,) = left_of(first.timeline.events).in_doubt
        assert in_doubt.call.source == "mcp"
        run = take_up(first, scenario, served, says("not_done"))
    assert run.timeline.ended[-1].status == "finished"
    assert [event.ask.kind for event in run.of(AskRaised)] == ["mcp_approval", "mcp_approval"]
    told = run.model.requests[-1].body["input"][-1]["content"]
    assert "(find_guest) the run was interrupted. The operator says: it was not done." in told
