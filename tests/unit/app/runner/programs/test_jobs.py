"""Background jobs: asked before they start, delivered once on their own calls, results before the status of a wait."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    Recorded,
)
from app.core.jobs import JobCancelWanted, JobDelivered, JobEnded, JobRegistered
from app.core.plan import LimitsPlan, RunPlan
from app.core.programs_plan import JobsPlan
from app.core.settle import settle
from app.rehearsal.scenario import load_scenario
from app.runner.programs.tools import WAIT_DECLARATION
from app.runner.session import Session
from app.runner.specs import FunctionSpec
from tests.unit.app.runner.programs.scripts import call, message, outputs, played, raw, script, sent, shop

ASYNC = {"async": True}
PARIS = {"city": "Paris"}
WIDGET = {"sku": "WIDGET", "task_handle": "widget_price_1"}
GADGET = {"sku": "GADGET", "task_handle": "gadget_price_1"}
BOTH = {"task_handles": ["widget_price_1", "gadget_price_1"]}

Execute = Callable[[dict[str, Any]], Awaitable[str]]


def tool(name: str, execute: Execute, *, reads_only: bool = False) -> FunctionSpec:
    """One of the shop's tools with another function behind it."""
    (spec,) = shop(name)
    return FunctionSpec(spec.tool, execute, reads_only=reads_only)


async def at_once(arguments: dict[str, Any]) -> str:
    return json.dumps({"task_handle": arguments["task_handle"], "price_cents": 1})


def test_the_guide_s_weather_is_looked_up_in_the_background(tmp_path: Path) -> None:
    scenario = load_scenario("weather")
    run = played(scenario, tmp_path, shop("get_weather"))
    assert run.ended.final_text == "In Paris it is 22 °C and clear, says the demo weather snapshot."
    first, second = (request.body for request in run.model.requests)
    (declared,) = first["tools"]
    assert (declared["name"], declared["async"], declared["strict"]) == ("get_weather", True, True)
    assert first["input"] == [{"role": "user", "content": scenario.task}]
    snapshot = {"city": "Paris", "temperature_c": 22, "condition": "Clear", "source": "demo weather snapshot"}
    output = {"type": "function_call_output", "call_id": "call_001_01", "output": json.dumps(snapshot)}
    assert second == {**first, "input": [output], "previous_response_id": "resp_001"}
    (ask,) = (event.ask for event in run.of(AskRaised))
    assert ask.background
    assert run.types().index("decision_made") < run.types().index("action_started")


@pytest.mark.parametrize("stream", [False, True])
def test_the_guide_s_two_prices_come_before_the_status_of_the_wait(tmp_path: Path, stream: bool) -> None:
    run = played(load_scenario("prices"), tmp_path, shop("lookup_price"), stream=stream)
    assert run.ended.status == "finished"
    assert len(run.model.requests) == 2
    assert run.model.requests[0].body["tools"][1] == WAIT_DECLARATION
    widget, gadget, status = (
        '{"task_handle":"widget_price_1","price_cents":1200,"currency":"USD"}',
        '{"task_handle":"gadget_price_1","price_cents":1500,"currency":"USD"}',
        {"status": "completed", "completed_task_handles": ["widget_price_1", "gadget_price_1"]},
    )
    items = sent(run, 2)
    assert [item["call_id"] for item in items] == ["call_001_01", "call_001_02", "call_001_03"]
    assert [item["output"] for item in items[:2]] == [widget, gadget]
    assert json.loads(items[2]["output"]) == status
    registered = [(event.call_id, event.handle) for event in run.of(JobRegistered)]
    assert registered == [("call_001_01", "widget_price_1"), ("call_001_02", "gadget_price_1")]


def test_a_result_comes_once_on_a_later_request_and_the_model_went_on_meanwhile(tmp_path: Path) -> None:
    ready = asyncio.Event()

    async def slow(arguments: dict[str, Any]) -> str:
        await ready.wait()
        return "{}"

    async def quick(arguments: dict[str, Any]) -> str:
        if arguments["units"] == 2:
            ready.set()
        return "{}"

    scenario = script(
        [call("get_weather", "job", PARIS, **ASYNC), call("order_units", "c1", {"sku": "a", "units": 1})],
        [call("order_units", "c2", {"sku": "a", "units": 2})],
        {"output": [message("It is clear.")], "repeat": 2},
    )
    run = played(scenario, tmp_path, [tool("get_weather", slow), tool("order_units", quick)])
    assert run.ended.status == "finished"
    assert [item["call_id"] for item in sent(run, 2) if item.get("type") == "function_call_output"] == ["c1"]
    assert [item["call_id"] for item in outputs(run)].count("job") == 1
    assert len(run.of(JobDelivered)) == 1


def test_a_handle_is_never_free_again(tmp_path: Path) -> None:
    scenario = script(
        [
            call("lookup_price", "j1", WIDGET, **ASYNC),
            call("wait_for_tasks", "w1", {"task_handles": [WIDGET["task_handle"]]}),
        ],
        [call("lookup_price", "j2", WIDGET, **ASYNC)],
        [call("lookup_price", "j3", {**WIDGET, "task_handle": ""}, **ASYNC)],
        {"output": [message()], "repeat": 2},
    )
    run = played(scenario, tmp_path, [tool("lookup_price", at_once)])
    told = {item["call_id"]: json.loads(item["output"]) for item in outputs(run)}
    assert told["j2"]["error"]["type"] == "handle_taken"
    assert told["j3"]["error"]["type"] == "invalid_arguments"
    assert [event.call_id for event in run.of(ActionStarted)] == ["j1", "w1"]


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"task_handles": []}, "takes a list"),
        ({"task_handles": ["widget_price_1", "widget_price_1"]}, "each handle once"),
        ({"task_handles": ["nobody"]}, "no such task: nobody"),
        ({"task_handles": "widget_price_1"}, "takes a list"),
        ("not json", "takes a list"),
    ],
)
def test_a_wait_for_what_is_no_task_says_so(tmp_path: Path, arguments: Any, kind: str) -> None:
    scenario = script(
        [call("lookup_price", "j1", WIDGET, **ASYNC), call("wait_for_tasks", "w", arguments)],
        {"output": [message()], "repeat": 2},
    )
    run = played(scenario, tmp_path, [tool("lookup_price", at_once)])
    told = {item["call_id"]: item["output"] for item in outputs(run)}
    assert kind in told["w"]
    assert run.ended.status == "finished"


def test_a_denied_job_never_starts_and_a_wait_for_it_tells_that(tmp_path: Path) -> None:
    scenario = load_scenario("prices").model_copy(
        update={
            "operator": script(
                [message()],
                operator={"default": "allow", "answers": [{"arguments": "WIDGET", "answer": "deny"}]},
            ).operator
        }
    )
    run = played(scenario, tmp_path, [tool("lookup_price", at_once)])
    told = [json.loads(item["output"]) for item in outputs(run)]
    assert told[0]["error"]["type"] == "not_approved"
    assert told[2] == {
        "status": "completed",
        "completed_task_handles": ["gadget_price_1"],
        "failed_task_handles": ["widget_price_1"],
    }
    assert [event.state for event in run.of(JobEnded)] == ["denied", "completed"]
    assert [event.call_id for event in run.of(ActionStarted)] == ["call_001_02", "call_001_03"]


@pytest.mark.parametrize(("reads_only", "status"), [(False, "needs_reconciling"), (True, "finished")])
def test_a_job_that_fails_is_told_and_its_effect_is_never_called_done(
    tmp_path: Path, reads_only: bool, status: str
) -> None:
    async def broken(arguments: dict[str, Any]) -> str:
        raise OSError("password=hunter2")

    scenario = script([call("get_weather", "j", PARIS, **ASYNC)], [message("I could not.")])
    run = played(scenario, tmp_path, [tool("get_weather", broken, reads_only=reads_only)])
    (output,) = outputs(run)
    assert json.loads(output["output"])["error"]["type"] == "failed"
    assert "hunter2" not in output["output"]
    assert (run.ended.status, run.ended.final_text) == (status, "I could not.")
    word = "not_done" if reads_only else "may_have_happened"
    assert [event.outcome for event in run.of(ActionEnded)] == [word]


def test_jobs_beyond_the_limit_are_answered_and_not_started(tmp_path: Path) -> None:
    ready = asyncio.Event()

    async def slow(arguments: dict[str, Any]) -> str:
        await ready.wait()
        return "{}"

    async def go(arguments: dict[str, Any]) -> str:
        ready.set()
        return "{}"

    scenario = script(
        [call("lookup_price", "j1", WIDGET, **ASYNC), call("lookup_price", "j2", GADGET, **ASYNC)],
        [call("order_units", "go", {"sku": "a", "units": 1})],
        {"output": [message()], "repeat": 2},
    )
    run = played(
        scenario,
        tmp_path,
        [tool("lookup_price", slow), tool("order_units", go)],
        plan=lambda plan: plan.model_copy(update={"jobs": JobsPlan(most_running=1)}),
    )
    told = {item["call_id"]: json.loads(item["output"]) for item in outputs(run)}
    assert told["j2"]["error"]["type"] == "too_many"
    assert run.ended.status == "finished"


class Endless:
    """A job that tells when it has begun, and ends only by being ended."""

    def __init__(self, then: Callable[[], None]) -> None:
        self._then = then

    async def __call__(self, arguments: dict[str, Any]) -> str:
        self._then()
        await asyncio.Event().wait()
        return ""


def test_a_person_ends_a_job_and_the_model_is_told_that_it_may_have_happened(tmp_path: Path) -> None:
    sessions: list[Session] = []
    endless = Endless(lambda: sessions[0].by_hand.cancel_job("j"))
    scenario = script([call("get_weather", "j", PARIS, **ASYNC)], [message("Never mind.")])
    run = played(scenario, tmp_path, [tool("get_weather", endless)], before=sessions.append)
    (output,) = outputs(run)
    error = json.loads(output["output"])["error"]
    assert error["type"] == "cancelled"
    assert "may have happened" in error["message"]
    assert [event.state for event in run.of(JobEnded)] == ["cancelled"]
    assert len(run.of(JobCancelWanted)) == 1
    assert run.ended.status == "needs_reconciling"
    assert run.ended.final_text == "Never mind."


def test_a_job_that_outlives_a_stop_is_cut_off_and_may_have_happened(tmp_path: Path) -> None:
    sessions: list[Session] = []
    endless = Endless(lambda: sessions[0].request_stop("person"))
    scenario = script([call("get_weather", "j", PARIS, **ASYNC)], [message()])
    run = played(scenario, tmp_path, [tool("get_weather", endless)], before=sessions.append, plan=_drained_soon)
    assert run.ended.status == "needs_reconciling"
    assert [event.state for event in run.of(JobEnded)] == ["cut_off"]
    assert [event.outcome for event in run.of(ActionEnded)] == ["may_have_happened"]
    assert len(run.model.requests) == 1


def test_a_job_runs_out_after_the_last_step_and_is_never_delivered(tmp_path: Path) -> None:
    scenario = script([call("lookup_price", "j", WIDGET, **ASYNC)], [message()], max_steps=1)
    run = played(scenario, tmp_path, [tool("lookup_price", at_once)])
    assert run.ended.status == "failed"
    assert run.of(ActionStarted) == []
    assert run.of(JobDelivered) == []


def test_after_a_crash_a_job_that_had_begun_may_have_happened(tmp_path: Path) -> None:
    run = played(load_scenario("weather"), tmp_path, [tool("get_weather", at_paris)])
    whole: list[Recorded] = list(run.timeline.events)
    for cut in range(1, len(whole)):
        left = {one.call_id: one.outcome for one in settle(whole[:cut])}
        kinds = {recorded.event.type for recorded in whole[:cut]}
        begun, ended = "action_started" in kinds, "action_ended" in kinds
        expected = "done" if ended else "may_have_happened" if begun else "not_done"
        assert left.get("call_001_01", "not_done") == expected, cut


async def at_paris(arguments: dict[str, Any]) -> str:
    return "{}"


def test_a_custom_tool_runs_in_the_background_too(tmp_path: Path) -> None:
    from app.runner.specs import CustomToolSpec

    (spec,) = shop("post_note")

    async def post(text: str) -> str:
        return "Posted."

    item = raw(type="custom_tool_call", id="x", call_id="n", name="post_note", input="hello", **ASYNC)
    run = played(
        script([item, message("I post it.")], [message("Posted.")]),
        tmp_path,
        [CustomToolSpec({**spec.tool, **ASYNC}, post)],
    )
    assert outputs(run) == [{"type": "custom_tool_call_output", "call_id": "n", "output": "Posted."}]
    assert run.ended.final_text == "Posted."


def _drained_soon(plan: RunPlan) -> RunPlan:
    return plan.model_copy(update={"limits": LimitsPlan(drain_secs=0.2)})
