"""Nothing slips past a breakpoint because what it waits for has not reached the disk yet."""

from pathlib import Path

import pytest

from app.core.breakpoint import BreakpointPlan
from app.core.events import AskRaised, DiagnosticReported, Event, TurnAnswered
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
