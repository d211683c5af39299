"""Tools that are looked up, here and at the service; and run files that do not fit together."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.core.events import AskRaised, CallAnswered, UserTextAdded
from app.core.own_tools_plan import ToolSearchPlan
from app.core.plan import RunPlan
from app.ledger.reader import LedgerReader
from app.rehearsal.asks import expected_asks
from app.rehearsal.scenario import load_scenario
from app.runner.session_ports import Environment
from app.runner.specs import FunctionSpec
from drivers.files.folder import Folder
from tests.unit.app.runner.programs.own_runs import run_with, sandboxed
from tests.unit.app.runner.programs.scripts import (
    CALLER,
    Item,
    call,
    message,
    outputs,
    played,
    program,
    raw,
    shop,
)


def search(query: Any, call_id: str = "t1") -> Item:
    return raw(
        type="tool_search_call",
        id=f"i_{call_id}",
        call_id=call_id,
        execution="client",
        status="completed",
        arguments={"query": query},
    )


def deferred(*names: str) -> list[Any]:
    return [
        FunctionSpec({**spec.tool, "defer_loading": True}, spec.execute) if spec.tool["name"] in names else spec
        for spec in shop("order_units", "get_demand")
        if isinstance(spec, FunctionSpec)
    ]


ORDER = {"sku": "a", "units": 1}


@pytest.mark.parametrize("stream", [False, True])
def test_a_search_of_the_console_is_asked_and_gives_what_may_be_called_then(folder: Path, stream: bool) -> None:
    tools = deferred("order_units")
    run = run_with(
        {"tool_search": ToolSearchPlan(execution="client")},
        [
            [call("order_units", "early", ORDER)],
            [search("order from the supplier")],
            [call("order_units", "late", ORDER)],
            [message()],
        ],
        folder,
        tools=tools,
        stream=stream,
    )
    assert run.ended.status == "finished"
    early, found, late = outputs(run)
    assert "is not loaded" in early["output"]
    assert found == {
        "type": "tool_search_output",
        "call_id": "t1",
        "execution": "client",
        "status": "completed",
        "tools": [tools[0].tool],
    }
    assert json.loads(late["output"])["ordered_units"] == 1
    searched, ordered = (event.ask for event in run.of(AskRaised))
    assert (searched.kind, searched.arguments) == ("tool_search", {"query": "order from the supplier"})
    assert searched.evidence.tools is not None
    assert searched.evidence.tools.names == ("order_units",)
    assert ordered.kind == "function_call"
    with LedgerReader.open(run.ledger_path) as reader:
        assert set(reader.checkpoint(1)["tools"]) >= {"order_units", "get_demand", "tool_search"}, "it can be resumed"
    names = [tool.get("name", tool["type"]) for tool in run.model.requests[0].body["tools"]]
    assert names == ["get_demand", "tool_search", "programmatic_tool_calling"]


def test_a_denied_search_gives_nothing_and_says_why(folder: Path) -> None:
    run = run_with(
        {"tool_search": ToolSearchPlan(execution="client")},
        [[search("order")], [message()]],
        folder,
        tools=deferred("order_units"),
        keys={"operator": {"default": "deny"}},
    )
    assert [item["tools"] for item in outputs(run)] == [[]]
    (told,) = run.of(UserTextAdded)
    assert told.text.startswith("The search for tools gave nothing.")
    assert [event.ok for event in run.of(CallAnswered)] == [False]


def test_a_search_at_the_service_loads_tools_for_a_later_program(folder: Path) -> None:
    tools = [
        FunctionSpec({**one.tool, "allowed_callers": ["programmatic"]}, one.execute) for one in deferred("order_units")
    ]
    at_service = {"execution": "server", "status": "completed", "call_id": None}
    run = run_with(
        {"tool_search": ToolSearchPlan()},
        [
            [
                raw(type="tool_search_call", id="t1", arguments={"paths": ["order_units"]}, **at_service),
                raw(type="tool_search_output", id="t2", tools=[tools[0].tool], **at_service),
            ],
            [program(), call("order_units", "c1", ORDER, caller=CALLER)],
            [message()],
        ],
        folder,
        tools=tools,
    )
    assert run.ended.status == "finished"
    (ordered,) = [item for item in outputs(run) if item["type"] == "function_call_output"]
    assert json.loads(ordered["output"])["ordered_units"] == 1
    declared = {tool.get("name", tool["type"]): tool for tool in run.model.requests[0].body["tools"]}
    assert declared["order_units"]["defer_loading"] is True
    assert declared["tool_search"] == {"type": "tool_search"}
    again = [item["type"] for item in run.model.requests[1].input[1:]]
    assert again == ["tool_search_call", "tool_search_output"]


@pytest.mark.parametrize(
    ("tools", "search", "why"),
    [
        (deferred("order_units"), None, "'order_units' is deferred, and there is no"),
        (deferred(), ToolSearchPlan(), "has nothing to look up"),
    ],
)
def test_tools_and_their_search_go_together(
    folder: Path, tools: list[Any], search: ToolSearchPlan | None, why: str
) -> None:
    run = run_with({"tool_search": search}, [[message()]], folder, tools=tools)
    assert run.ended.status == "failed"
    assert why in run.ended.reason


@pytest.mark.parametrize(
    ("tables", "why"),
    [
        (
            {
                "functions": [{"name": "a", "import": "m:a", "defer_loading": True}],
                "custom_tools": [{"name": "b", "import": "m:b"}],
            },
            "could never look it up",
        ),
        ({"functions": [{"name": "a", "import": "m:a", "defer_loading": True}]}, r"functions\[0\].*never look it up"),
        (
            {"functions": [{"name": "a", "import": "m:a", "allowed_callers": ["programmatic"]}]},
            r"functions\[0\].allowed_callers: programs need",
        ),
        ({"server_tools": [{"type": "programmatic"}]}, "can declare .*programmatic_tool_calling"),
        (
            {
                "tool_search": {"execution": "client"},
                "mcp": [{"server_label": "s", "server_url": "https://s.invalid", "defer_loading": True}],
            },
            "cannot search a server's tools",
        ),
        ({"patches": {"folder": "."}, "engine": "responses"}, "patches of files are offered"),
        ({"shell": {"allowed_callers": ["programmatic"]}}, "shell.allowed_callers: programs need"),
        ({"server_tools": [{"type": "shell"}]}, r"declare it as \[shell\]"),
        ({"server_tools": [{"type": "apply_patch"}]}, r"declare it as \[patches\]"),
        ({"server_tools": [{"type": "tool_search"}]}, r"declare it as \[tool_search\]"),
    ],
)
def test_a_run_file_that_cannot_be_says_why(tables: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        RunPlan.model_validate({"task": "t", **tables})


@pytest.mark.parametrize("stream", [False, True])
def test_the_demo_of_all_three_does_what_was_allowed_and_no_more(tmp_path: Path, stream: bool) -> None:
    shell = sandboxed(tmp_path)
    scenario = load_scenario("menu")
    for name, text in scenario.files.items():
        (tmp_path / name).write_text(text)

    def both(environment: Environment) -> None:
        environment.files = Folder(tmp_path)
        environment.shell = shell

    run = played(scenario, tmp_path, deferred("order_units"), stream=stream, opened=both)
    assert run.ended.status == "finished"
    assert (tmp_path / "menu.txt").read_text() == "Soup\nHaddock with beans\nCake\n"
    assert (tmp_path / "prices.txt").exists()
    asked = [(event.ask.kind, event.ask.member) for event in run.of(AskRaised)]
    assert asked == [(one.kind, one.member) for one in expected_asks(scenario)]
    looked = next(item for item in outputs(run) if item["type"] == "shell_call_output")
    assert [entry["stdout"].strip() for entry in looked["output"]] == [scenario.files["menu.txt"].strip(), "2"]
