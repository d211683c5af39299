"""A function call that the operator answers in the function's place: it does not run, and the model reads that."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from app.core.ask import Ask
from app.core.breakpoint import BreakpointPlan
from app.core.decision import Answer
from app.core.describe import count_words, decision_words
from app.core.errors import UsageProblem
from app.core.events import ActionStarted, AskRaised, CallAnswered, DecisionMade, FailureSeen
from app.core.moment import Moment
from app.core.programs_plan import FunctionPlan
from app.gate.gate import WRONG_VALUE
from app.ledger.shelf import summary_of
from app.runner.functions import load_function
from app.runner.specs import FunctionSpec
from app.views.timeline.dots import ask_dot
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import Run, run_scenario
from tests.unit.app.runner.scenes import answer, scene

TOOL = {"type": "function", "name": "lookup", "parameters": {"type": "object", "properties": {}}, "strict": False}


class Hours(BaseModel):
    """What the function answers."""

    day: str
    tables: int


async def lookup(arguments: dict[str, Any]) -> str:
    return json.dumps({"day": arguments.get("day"), "tables": "many"})


declared = ({**TOOL, "output_schema": Hours}, lookup)
broken = ({**TOOL, "output_schema": {"type": "objekt"}}, lookup)


class Knows:
    """Denies with a value of their own."""

    def __init__(self, value: str = "closed on Mondays") -> None:
        self.value = value
        self.holds: list[str] = []

    async def hold(self, ask: Ask) -> Answer:
        if ask.step is not None:
            self.holds.append(ask.step.stage)
            return Answer(verdict="allow", by="person", shown_digest=ask.digest)
        return Answer(verdict="deny", by="person", value=self.value, shown_digest=ask.digest)

    def close(self, reason: str) -> None: ...


def ran(folder: Path, spec: FunctionSpec, inbox: Any, **more: Any) -> Run:
    called = 'function = "lookup"\narguments = { day = "Monday" }'
    return run_scenario(scene(answer(called), answer(scenes.DONE)), folder, inbox=inbox, functions=[spec], **more)


@pytest.mark.parametrize("may", [True, False])
def test_the_model_gets_the_operator_s_value_where_the_function_allows_it(tmp_path: Path, may: bool) -> None:
    called: list[Any] = []

    async def executed(arguments: dict[str, Any]) -> str:
        called.append(arguments)
        return "called"

    run = ran(tmp_path, FunctionSpec(TOOL, executed, allow_output_override=may), Knows())
    assert called == []
    assert run.of(ActionStarted) == []
    sent = run.outputs_sent()["call_001_01"]
    assert (sent == "closed on Mondays") == may
    assert ("did not approve" in sent) != may
    (made,) = run.of(DecisionMade)
    assert made.decision.allowed is False
    assert (decision_words(made.decision) == "answered by you in the function's place") == may


def loaded(name: str, **more: Any) -> FunctionSpec:
    path = f"tests.unit.app.runner.test_own_answer:{name}"
    return load_function(FunctionPlan.model_validate({"name": "lookup", "import": path, **more}))


GOOD, WRONG = '{"day": "Monday", "tables": 0}', '{"day": "Monday"}'


@pytest.mark.parametrize(("value", "fits"), [(GOOD, True), (WRONG, False), ("closed", False)])
def test_with_a_schema_only_what_fits_it_goes_to_the_model(tmp_path: Path, value: str, fits: bool) -> None:
    """Whoever hands it in: a card checks before it sends, and the gate does not rely on that."""
    run = ran(tmp_path, loaded("declared", allow_output_override=True), Knows(value))
    assert run.model.requests[0].body["tools"][-1]["output_schema"] == Hours.model_json_schema()
    (raised,) = run.of(AskRaised)
    assert raised.ask.output_schema == Hours.model_json_schema()
    assert run.of(ActionStarted) == []
    (made,), sent = run.of(DecisionMade), run.outputs_sent()["call_001_01"]
    if fits:
        assert (sent, made.decision.by, made.decision.value) == (GOOD, "person", GOOD)
        assert [event.output for event in run.of(CallAnswered)] == [[GOOD]]
    else:
        assert (made.decision.by, made.decision.reason, made.decision.value) == ("console", WRONG_VALUE, None)
        assert "did not approve" in sent
    assert run.ended.status == "finished"


def test_a_breakpoint_before_an_output_holds_before_one_s_own_answer_too(tmp_path: Path) -> None:
    inbox = Knows()
    before_output = BreakpointPlan(stages=("output",), members=("lookup",))
    run = ran(
        tmp_path,
        FunctionSpec(TOOL, lookup, allow_output_override=True),
        inbox,
        plan=lambda plan: plan.model_copy(update={"breakpoints": (before_output,)}),
    )
    assert inbox.holds == ["output"]
    assert run.outputs_sent()["call_001_01"] == "closed on Mondays"
    # Neither a denial nor an allowance, and the hold is no question: the window and the list of runs say the same.
    moment, listed = Moment(run.timeline), summary_of(run.ledger_path)
    for counted in (moment, listed):
        assert (counted.asked, counted.allowed, counted.denied, counted.answered) == (1, 0, 0, 1)
    words = count_words(moment.asked, moment.allowed, moment.denied, moment.answered)
    assert words == "1 asked · 0 allowed · 0 denied · 1 answered instead"
    assert ask_dot(run.timeline, run.timeline.asks[0]).word == "answered instead"


class Allows(Knows):
    """Lets the function run."""

    async def hold(self, ask: Ask) -> Answer:
        return Answer(verdict="allow", by="person", shown_digest=ask.digest)


def test_a_result_that_is_not_as_declared_is_told_as_a_failure_and_left_out(tmp_path: Path) -> None:
    run = ran(tmp_path, loaded("declared"), Allows())
    sent = run.outputs_sent()["call_001_01"]
    assert sent == (
        "lookup ran, but its result is not as declared: tables must be a whole number. The result is left out."
    )
    assert [event.ok for event in run.of(CallAnswered)] == [False]
    assert [event.where for event in run.of(FailureSeen)] == ["functions.lookup: its result"]
    call = run.timeline.call("call_001_01")
    assert call is not None
    assert call.state_at(run.timeline.last_seq) == "done"


def test_a_schema_that_is_none_is_a_fault_of_the_run_file() -> None:
    with pytest.raises(UsageProblem, match="the output_schema of 'lookup' is no JSON Schema"):
        loaded("broken")
    assert loaded("declared", output_schema={"type": "string"}).tool["output_schema"] == {"type": "string"}
