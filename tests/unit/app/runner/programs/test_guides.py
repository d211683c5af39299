"""What the two guides say beside their examples: which tools, who calls them, what comes back and when."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from app.core.events import ActionStarted, AskRaised
from app.core.jobs import JobDelivered, JobRegistered
from app.core.plan import McpPlan, RunPlan
from app.core.programs_plan import PROGRAMMATIC
from app.rehearsal.scenario import load_scenario
from app.runner.specs import CustomToolSpec, FunctionSpec, ToolSpec
from tests.unit.app.runner.programs.scripts import (
    CALLER,
    Item,
    call,
    message,
    outputs,
    played,
    program,
    program_output,
    raw,
    script,
    sent,
    shop,
)

BOTH = ["direct", "programmatic"]
GRAMMAR = {"type": "grammar", "syntax": "lark", "definition": 'start: "up" | "down"'}
PARIS = {"city": "Paris"}


def plain(spec: ToolSpec) -> FunctionSpec:
    """A function of the shop."""
    assert isinstance(spec, FunctionSpec)
    return spec


def custom(**more: Any) -> CustomToolSpec:
    (spec,) = shop("post_note")
    assert isinstance(spec, CustomToolSpec)
    return CustomToolSpec({**spec.tool, **more}, spec.execute)


def note(call_id: str, text: str, **more: Any) -> Item:
    return raw(type="custom_tool_call", id=f"i_{call_id}", call_id=call_id, name="post_note", input=text, **more)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", ["inventory", "restock", "weather", "prices"])
def test_each_demo_of_the_own_loop_plays_streamed_and_in_one_piece(tmp_path: Path, name: str, stream: bool) -> None:
    scenario = load_scenario(name)
    run = played(scenario, tmp_path, shop(*scenario.functions), stream=stream)
    assert run.ended.status == "finished", run.ended
    assert run.model.problems == []
    assert all(request.body.get("stream", False) is stream for request in run.model.requests)


def test_a_grammar_is_declared_as_it_is_and_a_program_may_call_a_custom_tool(tmp_path: Path) -> None:
    tool = custom(format=GRAMMAR, allowed_callers=BOTH)
    operator = {"default": "allow", "answers": [{"arguments": "down", "answer": "deny"}]}
    scenario = script(
        [program(), note("n1", "up", caller=CALLER), note("n2", "down", caller=CALLER)],
        [program_output("{}"), message()],
        programs=True,
        operator=operator,
    )
    run = played(scenario, tmp_path, [tool])
    assert run.model.requests[0].body["tools"][0] == tool.tool
    posted, refused = outputs(run)
    assert posted == {
        "type": "custom_tool_call_output",
        "call_id": "n1",
        "output": "Posted: 2 characters.",
        "caller": CALLER,
    }
    assert json.loads(refused["output"])["error"]["type"] == "not_approved"
    assert refused["caller"] == CALLER
    assert [(event.ask.kind, event.ask.program) for event in run.of(AskRaised)] == [
        ("custom_call", "call_prog_123")
    ] * 2


def test_an_approval_of_a_server_s_tool_pauses_a_program(tmp_path: Path) -> None:
    request = {"mcp_approval": "find_guest", "server": "guest_list", "arguments": {"name": "Park"}}
    found = {"mcp_call": "find_guest", "server": "guest_list", "output": "1 guest"}
    server = McpPlan(
        server_label="guest_list", server_url="https://guest-list.invalid/mcp", allowed_callers=("programmatic",)
    )
    scenario = script([program(), request], [found, program_output('"1 guest"'), message()], programs=True)
    run = played(scenario, tmp_path, [], plan=lambda plan: plan.model_copy(update={"mcp": (server,)}))
    assert run.ended.status == "finished"
    declared = next(tool for tool in run.model.requests[0].body["tools"] if tool["type"] == "mcp")
    assert (declared["allowed_callers"], declared["require_approval"]) == (["programmatic"], "always")
    kinds = [item.get("type", "user") for item in sent(run, 2)]
    assert kinds == ["user", "program", "mcp_approval_request", "mcp_approval_response"]
    assert sent(run, 2)[-1]["approve"] is True


def test_a_tool_of_the_service_that_a_program_calls_is_its_own_affair(tmp_path: Path) -> None:
    tools = (
        {"type": PROGRAMMATIC},
        {"type": "code_interpreter", "container": {"type": "auto"}, "allowed_callers": ["programmatic"]},
    )
    interpreted = raw(
        type="code_interpreter_call",
        id="ci_1",
        code="1 + 1",
        container_id="cntr_1",
        outputs=[],
        status="completed",
        caller=CALLER,
    )
    scenario = script([program(), interpreted], [program_output("2"), message()], programs=True)
    run = played(scenario, tmp_path, [], plan=lambda plan: plan.model_copy(update={"server_tools": tools}))
    assert run.ended.status == "finished"
    assert run.of(AskRaised) == []
    assert run.model.requests[0].body["tools"] == list(tools)
    assert sent(run, 2)[2] == interpreted["raw"]


def test_instructions_and_tools_go_with_every_request(tmp_path: Path) -> None:
    told = "<tool_orchestration>Use Programmatic Tool Calling for stock alone.</tool_orchestration>"
    scenario = script(
        [program(), call("get_demand", "c1", {"sku": "a"}, caller=CALLER)],
        [program_output("{}")],
        [message()],
        programs=True,
        store=True,
        instructions=told,
    )
    run = played(scenario, tmp_path, shop("get_demand"))
    bodies = [request.body for request in run.model.requests]
    assert [body["instructions"] for body in bodies] == [told] * 3
    assert all(body["tools"] == bodies[0]["tools"] for body in bodies)


def test_an_async_tool_that_is_called_without_the_mark_is_waited_for(tmp_path: Path) -> None:
    scenario = script([call("get_weather", "c1", PARIS)], [message()])
    run = played(scenario, tmp_path, shop("get_weather"))
    assert [item["call_id"] for item in sent(run, 2) if item.get("type") == "function_call_output"] == ["c1"]
    assert run.of(JobRegistered) == []


def test_a_wait_in_a_later_answer_waits_for_its_tasks_alone_and_not_again_for_what_has_come(tmp_path: Path) -> None:
    """One task goes on through the wait for the other; its output comes later, by itself."""
    last = asyncio.Event()
    names = {"a": {"sku": "A", "task_handle": "a"}, "b": {"sku": "B", "task_handle": "b"}}

    async def price(arguments: Any) -> str:
        if arguments["sku"] == "B":
            await last.wait()
        return json.dumps({"sku": arguments["sku"]})

    async def order(arguments: Any) -> str:
        if arguments["units"] == 9:
            last.set()
        return "{}"

    specs = [plain(spec) for spec in shop("lookup_price", "order_units")]
    tools = [FunctionSpec(spec.tool, execute) for spec, execute in zip(specs, (price, order), strict=True)]
    scenario = script(
        [
            call("lookup_price", "j1", names["a"], **{"async": True}),
            call("lookup_price", "j2", names["b"], **{"async": True}),
            call("order_units", "c1", {"sku": "x", "units": 1}),
        ],
        [call("wait_for_tasks", "w1", {"task_handles": ["a"]})],
        [call("wait_for_tasks", "w2", {"task_handles": ["a"]}), call("order_units", "c2", {"sku": "x", "units": 9})],
        {"output": [message()], "repeat": 3},
    )
    run = played(scenario, tmp_path, tools)
    assert run.ended.status == "finished"
    order_of = [item["call_id"] for item in outputs(run)]
    assert order_of.index("j1") < order_of.index("w1") < order_of.index("w2")
    assert order_of.index("w2") < order_of.index("j2"), "nobody waited for it, and it came all the same"
    assert sorted(event.call_id for event in run.of(JobDelivered)) == ["j1", "j2"]
    assert order_of.count("j1") == 1
    assert {event.call_id for event in run.of(ActionStarted)} >= {"j1", "j2", "w1", "w2"}


@pytest.mark.parametrize(
    ("tables", "why"),
    [
        (
            {"functions": [{"name": "a", "import": "m:a", "async": True, "allowed_callers": BOTH}]},
            "no program can call",
        ),
        ({"functions": [{"name": "a", "import": "m:a", "async": True, "allowed_callers": []}]}, "nobody could call it"),
        ({"custom_tools": [{"name": "a", "import": "m:a", "allowed_callers": BOTH}]}, "programs need"),
    ],
)
def test_callers_that_cannot_be_are_refused_with_their_reason(tables: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        RunPlan.model_validate({"task": "t", **tables})
