"""Programs that the service runs: what is on the wire, field for field, and what becomes of their calls."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.core.events import ActionEnded, AskRaised, CallAnswered, DecisionMade
from app.core.plan import BrowserPlan
from app.rehearsal.scenario import load_scenario
from app.runner.specs import FunctionSpec
from tests.unit.app.runner.programs.scripts import (
    CALLER,
    CODE,
    call,
    message,
    outputs,
    played,
    program,
    program_output,
    raw,
    script,
    shop,
)

LOOKUPS = ("get_inventory", "get_demand")
SKU = {"sku": "sku_123"}
RESULT = '{"sku":"sku_123","available_units":42,"requested_units":31,"shortage_units":0}'

INVENTORY_CALL = {
    "type": "function_call",
    "id": "id_call_inventory_123",
    "call_id": "call_inventory_123",
    "name": "get_inventory",
    "arguments": '{"sku": "sku_123"}',
    "caller": CALLER,
}
DEMAND_CALL = INVENTORY_CALL | {"id": "id_call_demand_123", "call_id": "call_demand_123", "name": "get_demand"}
PROGRAM_ITEM = {
    "type": "program",
    "id": "id_call_prog_123",
    "call_id": "call_prog_123",
    "code": CODE,
    "fingerprint": "opaque_replay_state",
}
REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "sealed"}
BOTH_OUTPUTS = [
    {
        "type": "function_call_output",
        "call_id": "call_inventory_123",
        "output": '{"sku": "sku_123", "available_units": 42}',
        "caller": CALLER,
    },
    {
        "type": "function_call_output",
        "call_id": "call_demand_123",
        "output": '{"sku": "sku_123", "requested_units": 31}',
        "caller": CALLER,
    },
]


def guide(**keys: Any) -> Any:
    return script(
        [
            raw(**REASONING),
            program(),
            call("get_inventory", "call_inventory_123", SKU, caller=CALLER),
            call("get_demand", "call_demand_123", SKU, caller=CALLER),
        ],
        [program_output(RESULT)],
        [message("Nothing is short.")],
        task="Compare inventory with demand for sku_123.",
        programs=True,
        **keys,
    )


@pytest.mark.parametrize("stream", [False, True])
def test_the_guide_s_comparison_is_on_the_wire_field_for_field(tmp_path: Path, stream: bool) -> None:
    run = played(guide(), tmp_path, shop(*LOOKUPS), stream=stream)
    assert run.ended.status == "finished"
    assert run.ended.final_text == "Nothing is short."
    first, second, third = run.model.requests
    task = {"role": "user", "content": "Compare inventory with demand for sku_123."}
    answered = [task, REASONING, PROGRAM_ITEM, INVENTORY_CALL, DEMAND_CALL, *BOTH_OUTPUTS]
    ended = {"type": "program_output", "id": "out_call_prog_123", "call_id": "call_prog_123", "result": RESULT}
    assert [request.input for request in (first, second, third)] == [
        [task],
        answered,
        [*answered, ended | {"status": "completed"}],
    ]
    declared = [spec.tool for spec in shop(*LOOKUPS)]
    for request in (first, second, third):
        fixed = {key: value for key, value in request.body.items() if key not in ("input", "stream")}
        assert fixed == {
            "model": "scripted-model",
            "store": False,
            "tools": [*declared, {"type": "programmatic_tool_calling"}],
            "include": ["reasoning.encrypted_content"],
        }
        assert request.body.get("stream", False) is stream


def test_with_stored_answers_only_what_is_new_is_sent(tmp_path: Path) -> None:
    run = played(guide(store=True), tmp_path, shop(*LOOKUPS))
    assert run.ended.status == "finished"
    bodies = [request.body for request in run.model.requests]
    assert [body.get("previous_response_id") for body in bodies] == [None, "resp_001", "resp_002"]
    assert [body["input"] for body in bodies[1:]] == [BOTH_OUTPUTS, []]
    assert all(body["store"] is True and "include" not in body and body["tools"] for body in bodies)


def test_a_caller_goes_back_as_it_came_with_fields_that_nobody_knows(tmp_path: Path) -> None:
    odd = {**CALLER, "depth": [1, {"lane": None}]}
    scenario = script(
        [program(), call("get_demand", "c1", SKU, caller=odd)],
        [call("get_demand", "c2", SKU, caller=CALLER)],
        [program_output("{}"), message()],
        programs=True,
    )
    run = played(scenario, tmp_path, shop("get_demand"))
    assert [item["caller"] for item in outputs(run)] == [odd, CALLER]


def test_a_program_s_calls_are_asked_exactly_like_direct_ones(tmp_path: Path) -> None:
    both = script(
        [program(), call("order_units", "by_program", {"sku": "a", "units": 1}, caller=CALLER)],
        [program_output("{}"), call("order_units", "direct", {"sku": "a", "units": 1})],
        [message()],
        programs=True,
    )
    run = played(both, tmp_path, shop("order_units"))
    nested, direct = (event.ask for event in run.of(AskRaised))
    own = {"ask_id", "call_id", "turn", "program", "habit"}
    assert nested.model_dump(exclude=own) == direct.model_dump(exclude=own)
    assert (nested.program, direct.program) == ("call_prog_123", None)
    assert [event.outcome for event in run.of(ActionEnded)] == ["done", "done"]


def test_an_early_denial_stops_its_branch_only(tmp_path: Path) -> None:
    scenario = load_scenario("restock")
    run = played(scenario, tmp_path, shop(*scenario.functions))
    assert run.ended.status == "finished"
    denied = [event.decision for event in run.of(DecisionMade) if not event.decision.allowed]
    assert len(denied) == 1
    refused, ordered = [item for item in outputs(run) if "caller" in item][-2:]
    told = json.loads(refused["output"])["error"]
    assert told["type"] == "not_approved"
    assert "Not from this supplier." in told["message"]
    assert json.loads(ordered["output"]) == {"sku": "sku_789", "ordered_units": 12}


def odd_inventory(result: str) -> FunctionSpec:
    async def execute(arguments: Any) -> str:
        return result

    (spec,) = shop("get_inventory")
    return FunctionSpec(spec.tool, execute)


@pytest.mark.parametrize(
    ("result", "wrong"),
    [
        ("forty-two", "it is no JSON"),
        ('{"sku": "sku_123"}', "$ lacks 'available_units'"),
        ('{"sku": "sku_123", "available_units": "secret"}', "$.available_units is against 'type'"),
    ],
)
def test_a_result_against_its_schema_is_a_structured_failure(tmp_path: Path, result: str, wrong: str) -> None:
    scenario = script(
        [program(), call("get_inventory", "c1", SKU, caller=CALLER)],
        [program_output("{}"), message()],
        programs=True,
    )
    run = played(scenario, tmp_path, [odd_inventory(result)])
    (output,) = outputs(run)
    error = json.loads(output["output"])["error"]
    assert error["type"] == "invalid_output"
    assert wrong in error["message"]
    assert "secret" not in output["output"]
    assert [event.outcome for event in run.of(ActionEnded)] == ["done"]
    assert [event.ok for event in run.of(CallAnswered)] == [False]
    assert run.ended.status == "finished"


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        (call("get_inventory", "c1", SKU), "not_available"),
        (call("get_inventory", "c1", "[]", caller=CALLER), "invalid_arguments"),
        (call("get_inventory", "c1", {"sku": 3}, caller=CALLER), "invalid_arguments"),
        (call("get_inventory", "c1", {}, caller=CALLER), "invalid_arguments"),
        (call("get_inventory", "c1", SKU, caller=CALLER, **{"async": True}), "not_available"),
        (call("get_inventory", "c1", SKU, caller=CALLER, status="incomplete"), "invalid_arguments"),
    ],
)
def test_a_call_that_may_not_be_is_answered_and_asks_nobody(tmp_path: Path, item: Any, kind: str) -> None:
    run = played(script([program(), item], [message()], programs=True), tmp_path, shop("get_inventory"))
    (output,) = outputs(run)
    assert json.loads(output["output"])["error"]["type"] == kind
    assert run.of(AskRaised) == []
    assert run.of(ActionEnded) == []


def test_a_program_uses_the_browser_and_its_denied_branch_leaves_the_other(tmp_path: Path) -> None:
    other = {"type": "program", "caller_id": "p2"}
    click = {"target": "e1", "tab_id": None}
    scenario = script(
        [
            program(),
            program("p2"),
            call("browser_click", "c1", click, caller=CALLER),
            call("browser_get_page_text", "c2", {"tab_id": None}, caller=CALLER),
            call("browser_get_page_text", "c3", {"tab_id": None}, caller=other),
        ],
        [message()],
        programs=True,
        members=["click", "get_page_text"],
        operator={"default": "deny"},
    )

    def with_callers(plan: Any) -> Any:
        browser = BrowserPlan.model_validate(plan.browser.model_dump() | {"allowed_callers": ("programmatic",)})
        return plan.model_copy(update={"browser": browser})

    run = played(scenario, tmp_path, [], plan=with_callers)
    told = [json.loads(item["output"])["ok"] for item in outputs(run)]
    assert told == [False, False, True], run.ended
    assert [item["caller"] for item in outputs(run)] == [CALLER, CALLER, other]
    assert run.did == []
