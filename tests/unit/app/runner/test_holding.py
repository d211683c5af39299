"""Nothing slips past a breakpoint because what it waits for has not reached the disk yet."""

from pathlib import Path

import pytest

from app.core.ask import Ask
from app.core.breakpoint import BreakpointPlan
from app.core.decision import Answer
from app.core.events import AskRaised, DiagnosticReported, Event, TurnAnswered
from app.core.ports import InboxClosed
from app.core.step import Stage
from app.rehearsal.operator_inbox import OperatorInbox
from app.rehearsal.operator_script import ScriptedOperator
from app.rehearsal.scenario import load_scenario
from tests.unit.app.runner.harness import run_scenario


@pytest.mark.parametrize(
    ("plan", "after"),
    [
        (BreakpointPlan(tokens=1, stages=("answer",), log_only=True), TurnAnswered),
        (
            BreakpointPlan(diagnostic_stages=("action",), stages=("output", "request"), log_only=True),
            DiagnosticReported,
        ),
    ],
)
def test_the_first_point_after_it_is_held(tmp_path: Path, plan: BreakpointPlan, after: type[Event]) -> None:
    run = run_scenario(
        load_scenario("booking"), tmp_path, plan=lambda whole: whole.model_copy(update={"breakpoints": (plan,)})
    )
    assert run.ended.status == "finished", run.ended.reason
    events = run.events
    held = next(index for index, one in enumerate(events) if isinstance(one, AskRaised) and one.ask.step is not None)
    came = [one for one in events[:held] if isinstance(one, after)]
    came = [one for one in came if not isinstance(one, DiagnosticReported) or one.stage == "action"]
    assert len(came) == 1, "held when it had come for the first time"


class NobodyIsShown(OperatorInbox):
    """Answers every question by the script; a hold cannot be shown."""

    async def hold(self, ask: Ask) -> Answer:
        if ask.step is not None:
            raise InboxClosed("the hold could not be shown")
        return await super().hold(ask)


@pytest.mark.parametrize("stage", ["request", "answer", "arguments", "output"])
def test_a_hold_that_nobody_can_be_shown_ends_the_run_in_words(tmp_path: Path, stage: Stage) -> None:
    scenario = load_scenario("booking")
    plan = BreakpointPlan(stages=(stage,), nth=3)
    run = run_scenario(
        scenario,
        tmp_path,
        inbox=NobodyIsShown(ScriptedOperator(scenario.operator)),
        plan=lambda whole: whole.model_copy(update={"breakpoints": (plan,)}),
    )
    assert (run.ended.status, run.session.problem) == ("failed", None)
    assert "held here, and going on was denied" in run.ended.reason
    held = next(
        index for index, one in enumerate(run.events) if isinstance(one, AskRaised) and one.ask.step is not None
    )
    assert not {one.type for one in run.events[held + 1 :]} & {"action_started", "request_sent"}
