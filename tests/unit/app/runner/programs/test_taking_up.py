"""A run of the own loop that stopped goes on, and is forked: what its model reads, and what the loop still knows."""

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.errors import UsageProblem
from app.core.events import AskRaised, SegmentStarted
from app.core.jobs import JobDelivered, JobEnded
from app.core.plan import RunPlan
from app.core.resuming import ResumeAnswer
from app.ledger.store import RunLedger
from app.rehearsal.scenario import Scenario
from app.runner.changed import tool_changes
from app.runner.forking import fork_at, forkable
from app.runner.programs.folding import ELSEWHERE
from app.runner.resuming import prepare, resumption
from app.runner.session import Session
from app.runner.specs import FunctionSpec
from app.runner.told import FORKED, RESUMED
from tests.unit.app.rehearsal.form_driver import PIXEL
from tests.unit.app.runner.harness import Run, run_scenario, serving, started
from tests.unit.app.runner.programs.scripts import CALLER, call, is_output, message, program, script, shop

ORDER = {"sku": "a", "units": 1}
JOB = {"sku": "WIDGET", "task_handle": "widget"}
Answering = Callable[[Any], Awaitable[Any]]


def tool(name: str, execute: Answering) -> FunctionSpec:
    (spec,) = shop(name)
    return FunctionSpec(spec.tool, execute)


class Stopping:
    """A tool that has the run stopped while it works, and gives back `output`."""

    def __init__(self, output: Any) -> None:
        self.output = output
        self.sessions: list[Session] = []

    async def __call__(self, arguments: Any) -> Any:
        self.sessions[0].request_stop("person")
        return self.output


def gone_on(first: Run, scenario: Scenario, served: Any, tools: list[Any], **more: Any) -> Run:
    ledger = RunLedger.open_owned(first.ledger_path, SystemClock())
    prepared = prepare(ledger, None)
    assert prepared.left.in_doubt == ()
    resumed = resumption(prepared, ResumeAnswer(), model="scripted-model", versions={}, by="scripted")
    return run_scenario(
        scenario,
        first.ledger_path.parent,
        ledger=ledger,
        served=served,
        functions=tools,
        resumption=resumed,
        header=prepared.left.started,
        plan=lambda _plan: prepared.plan,
        **more,
    )


def test_a_stored_conversation_goes_on_from_the_answer_that_the_service_keeps(tmp_path: Path) -> None:
    scenario = script(
        [program(), call("order_units", "c1", ORDER, caller=CALLER), call("order_units", "c2", ORDER, caller=CALLER)],
        [message()],
        programs=True,
        store=True,
    )
    stopping = Stopping("{}")
    tools = [tool("order_units", stopping)]
    with serving(scenario) as served:
        first = run_scenario(scenario, tmp_path, served=served, functions=tools, before=stopping.sessions.append)
        assert first.ended.status == "stopped"
        run = gone_on(first, scenario, served, tools)
    assert run.timeline.ended[-1].status == "finished"
    body = run.model.requests[-1].body
    assert body["previous_response_id"] == "resp_001"
    assert [item.get("call_id") for item in body["input"]] == ["c1", "c2", None]
    assert [item["caller"] for item in body["input"][:2]] == [CALLER, CALLER]
    assert body["input"][-1]["content"].startswith(RESUMED)
    assert [segment.number for segment in run.of(SegmentStarted)] == [1, 2]
    asked = [event.ask.ask_id for event in run.of(AskRaised)]
    assert len(asked) == len(set(asked))


def test_a_job_that_ended_before_the_stop_keeps_its_result_picture_and_all(tmp_path: Path) -> None:
    picture = f"data:image/png;base64,{base64.b64encode(_png()).decode()}"
    blocks = [{"type": "input_text", "text": "Look."}, {"type": "input_image", "image_url": picture}]
    scenario = script([call("lookup_price", "job", JOB, **{"async": True})], {"output": [message()], "repeat": 3})
    stopping = Stopping(blocks)
    with serving(scenario) as served:
        first = run_scenario(
            scenario,
            tmp_path,
            served=served,
            functions=[tool("lookup_price", stopping)],
            before=stopping.sessions.append,
        )
        assert [event.state for event in first.of(JobEnded)] == ["completed"]
        assert first.of(JobDelivered) == []
        run = gone_on(first, scenario, served, [tool("lookup_price", stopping)])
    (output,) = filter(is_output, run.model.requests[-1].input)
    assert output == {"type": "function_call_output", "call_id": "job", "output": blocks}
    assert len(run.of(JobDelivered)) == 1


def _png() -> bytes:
    return base64.b64decode(PIXEL.partition(",")[2])


def test_a_fork_answers_what_still_ran_and_no_handle_is_free_in_it(tmp_path: Path) -> None:
    again = call("lookup_price", "again", JOB, **{"async": True})
    scenario = script(
        [call("lookup_price", "job", JOB, **{"async": True}), call("order_units", "c1", ORDER)],
        [call("order_units", "go", {**ORDER, "units": 9})],
        {"output": [message()], "repeat": 2},
    )
    ready = asyncio.Event()

    async def slow(arguments: Any) -> str:
        await ready.wait()
        return "{}"

    async def go(arguments: Any) -> str:
        if arguments["units"] == 9:
            ready.set()
        return "{}"

    tools = [tool("lookup_price", slow), tool("order_units", go)]
    (tmp_path / "first").mkdir()
    first = run_scenario(scenario, tmp_path / "first", functions=tools)
    assert first.ended.status == "finished"
    source = forkable(first.ledger_path)
    plan = RunPlan(task="Do as you are told.", engine="programs")
    with pytest.raises(UsageProblem, match="uses tools that the plan has not: lookup_price, order_units"):
        fork_at(source, source.offer.boundaries[1].revision, plan, {}, "")
    made = fork_at(source, source.offer.boundaries[1].revision, plan, {"lookup_price": {}, "order_units": {}}, "")
    forked = script([again], {"output": [message()], "repeat": 2})
    (tmp_path / "fork").mkdir()
    header = started(plan).model_copy(update={"run_id": "20261130-0100-forked", "origin": made.origin})
    run = run_scenario(forked, tmp_path / "fork", functions=tools, fork=made.beginning, header=header)
    assert run.ended.status == "finished"
    told = {item["call_id"]: json.loads(item["output"]) for item in filter(is_output, run.model.requests[-1].input)}
    assert told["job"]["error"]["message"] == ELSEWHERE
    assert told["again"]["error"]["type"] == "handle_taken"
    assert FORKED in json.dumps(run.model.requests[0].input)


def test_an_approval_of_the_old_process_is_asked_again_before_anything_is_sent(tmp_path: Path) -> None:
    request = {"mcp_approval": "find_guest", "server": "guest_list", "arguments": {"name": "Park"}}
    server = {"label": "guest_list", "url": "https://guest-list.invalid/mcp", "allowed_tools": ["find_guest"]}
    found = {"mcp_call": "find_guest", "server": "guest_list", "output": "1 guest"}
    lost = {"output": [found, message()], "faults": [{"status": 500}]}
    scenario = script([program(), request], lost, {"output": [message()], "repeat": 2}, programs=True, mcp=[server])
    denying = script([message()], operator={"default": "deny"}).operator
    with serving(scenario) as served:
        first = run_scenario(scenario, tmp_path, served=served, functions=[])
        assert first.ended.status == "failed"
        ledger = RunLedger.open_owned(first.ledger_path, SystemClock())
        prepared = prepare(ledger, None)
        (doubt,) = prepared.left.in_doubt
        answer = ResumeAnswer(found={doubt.place: "not_done"})
        resumed = resumption(prepared, answer, model="scripted-model", versions={}, by="scripted")
        run = run_scenario(
            scenario.model_copy(update={"operator": denying}),
            tmp_path,
            ledger=ledger,
            served=served,
            functions=[],
            resumption=resumed,
            header=prepared.left.started,
            plan=lambda _plan: prepared.plan,
        )
    assert [event.ask.kind for event in run.of(AskRaised)] == ["mcp_approval", "mcp_approval"]
    answers = [item for item in run.model.requests[-1].input if item.get("type") == "mcp_approval_response"]
    assert [item["approve"] for item in answers] == [False]


def test_tools_that_are_not_what_they_were_are_named() -> None:
    plan = RunPlan.model_validate(
        {
            "task": "t",
            "server_tools": [{"type": "programmatic_tool_calling"}],
            "functions": [{"name": "a", "import": "m:a"}],
        }
    )
    names = ["a", "b", "wait_for_tasks", "programmatic_tool_calling"]
    assert tool_changes({"tools": names}, {"a": {}, "c": {}}, plan) == ["b is not there any more", "c is new"]
