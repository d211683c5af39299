"""What a context budget leaves out of each request, on the wire: the oldest first, never more than is needed."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from app.core.plan import ContextBudgetPlan, RunPlan
from app.runner.specs import FunctionSpec
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import Run, run_scenario
from tests.unit.app.runner.invariants import check
from tests.unit.app.runner.scenes import answer, scene

SCREENSHOT = 'browser = "screenshot"'
LOOKUP = 'function = "lookup"\narguments = {}'
TOOL = {"type": "function", "name": "lookup", "parameters": {"type": "object"}}
MOST_BYTES = 12_000


async def long_words(arguments: dict[str, Any]) -> str:
    return "é" * 1000


def ran(folder: Path, budget: ContextBudgetPlan, *calls: str) -> Run:
    def bounded(plan: RunPlan) -> RunPlan:
        return plan.model_copy(update={"context_budget": budget})

    scenario = scene(*map(answer, calls), answer(scenes.DONE))
    run = run_scenario(scenario, folder, plan=bounded, functions=[FunctionSpec(TOOL, long_words)])
    check(run)
    return run


def sent(run: Run) -> list[list[str]]:
    """The ids of the calls with their outputs, of each request."""
    bodies = [request.body["input"] for request in run.model.requests]
    return [[item["call_id"] for item in body if item.get("type", "").endswith("_call_output")] for body in bodies]


def test_bytes_the_oldest_go_first_the_newest_is_always_sent_and_what_went_stays_out(tmp_path: Path) -> None:
    """A function's result is no page and no picture: nothing but its age protects what the model has just asked for."""
    run = ran(tmp_path, ContextBudgetPlan(max_input_bytes=MOST_BYTES), *[LOOKUP] * 12)
    assert run.ended.status == "finished", run.ended.reason
    calls = [f"call_{number:03}_01" for number in range(1, 13)]
    for number, ids in enumerate(sent(run)):
        assert ids == calls[number - len(ids) : number], "not the newest ones"
    sizes = [
        len(json.dumps(request.body["input"], ensure_ascii=False, separators=(",", ":")).encode())
        for request in run.model.requests
    ]
    assert max(sizes) <= MOST_BYTES
    assert max(sizes) > MOST_BYTES * 0.75, "more was left out than was needed"
    left_out = [number - len(ids) for number, ids in enumerate(sent(run))]
    assert left_out == sorted(left_out)
    assert any(before == after > 0 for before, after in pairwise(left_out)), "a request begins anew each time"
    receipts = json.loads(
        run.model.requests[-1].body["input"][0]["content"].partition("receipts: ")[2].split("]")[0] + "]"
    )
    assert [one["call_id"] for one in receipts] == calls[: left_out[-1]]


def test_pictures_calls_without_one_stay(tmp_path: Path) -> None:
    budget = ContextBudgetPlan(max_input_images=1, keep_recent_screenshots=1)
    run = ran(tmp_path, budget, SCREENSHOT, LOOKUP, SCREENSHOT, LOOKUP)
    assert sent(run)[-1] == ["call_002_01", "call_003_01", "call_004_01"]


@pytest.mark.parametrize(("most", "requests"), [(20, 0), (100, 1)])
def test_what_cannot_be_made_small_enough_is_not_sent_and_the_words_say_so(
    tmp_path: Path, most: int, requests: int
) -> None:
    run = ran(tmp_path, ContextBudgetPlan(max_input_bytes=most), LOOKUP, LOOKUP)
    assert run.ended.status == "failed"
    assert run.ended.reason.startswith("the conversation has outgrown the context budget of the run file")
    assert len(run.model.requests) == requests
