"""Arguments that do not fit a function's declaration reach neither a person nor the function; the model reads why."""

from pathlib import Path
from typing import Any

import pytest
from openai import pydantic_responses_function_tool
from pydantic import BaseModel, field_validator

from app.core.events import ActionEnded, ActionStarted, AskRaised
from app.core.programs_plan import FunctionPlan
from app.runner.functions import MISFIT, load_function
from app.runner.specs import FunctionSpec
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import Run, run_scenario
from tests.unit.app.runner.invariants import check
from tests.unit.app.runner.scenes import answer, scene


class Lookup(BaseModel):
    """Look up a reference."""

    reference: str
    nights: int = 1

    @field_validator("reference")
    @classmethod
    def _ours(cls, reference: str) -> str:
        if not reference.startswith("HT-"):
            raise ValueError("is none of ours")
        return reference


CALLED: list[Lookup] = []


async def _lookup(given: Lookup) -> str:
    CALLED.append(given)
    return f"{given.reference} for {given.nights}"


lookup = (pydantic_responses_function_tool(Lookup, name="lookup"), _lookup)
PLAN = FunctionPlan.model_validate({"name": "lookup", "import": f"{__name__}:lookup"})


@pytest.fixture
def called() -> list[Lookup]:
    CALLED.clear()
    return CALLED


def ran(folder: Path, arguments: str, spec: FunctionSpec | None = None) -> Run:
    scenario = scene(answer(f'function = "lookup"\narguments = {arguments}'), answer(scenes.DONE))
    run = run_scenario(scenario, folder, functions=[spec or load_function(PLAN)])
    check(run)
    assert run.ended.status == "finished", run.ended.reason
    return run


def test_a_function_declared_by_a_pydantic_model_is_called_with_one(tmp_path: Path, called: list[Lookup]) -> None:
    run = ran(tmp_path, '{ reference = "HT-3", nights = 2 }')
    assert called == [Lookup(reference="HT-3", nights=2)]
    assert run.outputs_sent() == {"call_001_01": "HT-3 for 2"}
    (declared,) = [tool for tool in run.model.requests[0].body["tools"] if tool.get("name") == "lookup"]
    assert declared["parameters"]["properties"].keys() == {"reference", "nights"}
    assert [event.ask.arguments for event in run.of(AskRaised)] == [{"reference": "HT-3", "nights": 2}]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("{ nights = 2 }", "reference is missing"),
        ('{ reference = "HT-3", nights = "two" }', "nights must be a whole number"),
        ('{ reference = "HT-3", nights = 1, when = 1 }', "when is no key of it"),
    ],
)
def test_what_the_declaration_refuses_is_not_even_asked(
    tmp_path: Path, called: list[Lookup], arguments: str, words: str
) -> None:
    run = ran(tmp_path, arguments)
    assert words in run.outputs_sent()["call_001_01"]
    assert run.outputs_sent()["call_001_01"].startswith(MISFIT)
    assert (run.of(AskRaised), run.of(ActionStarted), called) == ([], [], [])
    call = run.timeline.call("call_001_01")
    assert call is not None
    assert call.state_at(run.timeline.last_seq) == "not_done"


def test_what_only_the_model_s_own_check_refuses_is_not_done(tmp_path: Path, called: list[Lookup]) -> None:
    run = ran(tmp_path, '{ reference = "XX-3", nights = 1 }')
    assert run.outputs_sent()["call_001_01"] == f"{MISFIT}: reference: Value error, is none of ours."
    assert [event.outcome for event in run.of(ActionEnded)] == ["not_done"]
    assert called == []


def test_a_declaration_that_is_no_schema_lets_no_call_through(tmp_path: Path) -> None:
    async def never(arguments: dict[str, Any]) -> str:
        raise AssertionError("it ran")

    tool = {"type": "function", "name": "lookup", "strict": False, "parameters": {"type": "objekt"}}
    run = ran(tmp_path, "{}", FunctionSpec(tool, never))
    assert "cannot be applied" in run.outputs_sent()["call_001_01"]
    assert run.of(AskRaised) == []
