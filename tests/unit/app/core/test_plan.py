"""A run file as it is understood: what contradicts itself is refused, and no secret of it is recorded."""

import json
import re
from typing import Any

import pytest
from pydantic import ValidationError

from app.core.plan import McpPlan, RunPlan


def plan(**tables: Any) -> RunPlan:
    return RunPlan.model_validate({"task": "t", **tables})


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({"task": " \n"}, "say what the run is to do"),
        ({"computer": {}}, "add a \\[browser\\] table"),
        ({"browser": {"members": ["read_page"], "additional_members": ["hover_at"]}}, "not both"),
        ({"browser": {"members": ["clik"]}}, "no browser member 'clik'"),
        ({"browser": {"confirm_reads": ["read_pages"]}}, "no browser member 'read_pages'"),
        ({"streaming": {"eager": True, "stream": False}}, "streaming.eager: it needs streaming.stream"),
        ({"max_steps": 0}, "greater than or equal to 1"),
        ({"mcp": [{"server_label": "a"}]}, "give server_url or connector_id"),
        ({"mcp": [{"server_label": "a", "connector_id": "c"}] * 2}, "mcp: 'a' is named twice"),
        ({"functions": [{"name": "f", "import": "a:b"}] * 2}, "functions: 'f' is named twice"),
        ({"server_tools": [{"name": "x"}]}, "needs a type"),
        ({"server_tools": [{"type": "mcp"}]}, "server_tools\\[0\\]: declare it as \\[\\[mcp\\]\\]"),
        ({"server_tools": [{"type": "shell"}]}, "cannot run 'shell'"),
        ({"server_tools": [{"type": "computer"}]}, "needs a \\[computer\\] table"),
        ({"server_tools": [{"type": "file_search"}]}, "file_search needs vector_store_ids"),
        ({"server_tools": [{"type": "image_generation"}]}, "needs store = true"),
        ({"request": {"tool_choice": "required"}}, "request.tool_choice: required can never end"),
        ({"request": {"tool_choice": {"type": "function", "name": "f"}}}, "always function can never end"),
        ({"request": {"tool_choice": {"type": "file_search"}}}, "declares no tool 'file_search'"),
        ({"request": {"tool_choice": {"type": "mcp", "server_label": "a"}}}, "no MCP server 'a'"),
        (
            {"request": {"tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function"}]}}},
            "this run has no function None",
        ),
        ({"request": {"truncation": "auto"}, "context_budget": {}}, "context_budget: it cannot go with"),
        ({"request": {"conversation": "c"}}, "conversation"),
        ({"streaming": {"before_early_call": "ask"}}, "before_early_call: it needs streaming.eager"),
        ({"streaming": {"eager": True, "early_execution": {"functions": ["f"]}}}, "no function 'f'"),
        ({"streaming": {"eager": True, "early_execution": {"computer": True}}}, "needs a \\[computer\\] table"),
        ({"client": {"max_retries": 2}}, "client.max_retries: a run on the Responses API"),
        ({"mcp": [{"server_label": "a", "connector_id": "c", "require_approval": "no"}]}, "require_approval"),
        ({"mcp": [{"server_label": "a", "connector_id": "c", "require_approval": {}}]}, "give always or never"),
        ({"function_servers": [{"name": "a b", "command": ["x"]}]}, "name"),
        ({"function_servers": [{"name": "a", "command": []}]}, "command"),
        ({"function_servers": [{"name": "a", "command": ["x"]}] * 2}, "function_servers: 'a' is named twice"),
        ({"functions": [{"name": "f", "import": "my_tools"}]}, "write package.module:name"),
        ({"engine": "shell"}, "engine"),
        ({"rules": [{"verdict": "perhaps"}]}, "verdict"),
        ({"browser": {"viewport": [1280]}}, "viewport"),
    ],
)
def test_what_contradicts_itself_is_refused_in_words(tables: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        plan(**tables)


def test_no_secret_is_on_record_and_all_of_it_is_sent() -> None:
    secret = "sesame"
    given = plan(
        mcp=[
            {
                "server_label": "a",
                "server_url": f"https://{secret}@mcp.test/x?token={secret}",
                "authorization": secret,
                "headers": {"X-Key": secret},
            }
        ],
        server_tools=[
            {"type": "code_interpreter", "container": {"network": {"domain_secrets": [{"value": secret}]}}},
        ],
    )
    assert secret not in json.dumps(given.on_record())
    assert given.on_record()["mcp"][0]["server_url"] == "https://(not recorded)@mcp.test/x?(not recorded)"
    declared = given.mcp[0].declaration()
    assert json.dumps(declared).count(secret) == 4
    assert declared["type"] == "mcp"
    assert "connector_id" not in declared


def test_a_plan_without_secrets_is_recorded_as_it_is() -> None:
    given = plan(mcp=[{"server_label": "a", "server_url": "https://mcp.test/x"}])
    record = given.on_record()
    assert record["mcp"][0]["server_url"] == "https://mcp.test/x"
    assert record["mcp"][0]["authorization"] is None
    assert RunPlan.model_validate(record) == given


def test_approval_is_required_unless_the_run_file_says_otherwise() -> None:
    assert McpPlan(server_label="a", server_url="https://a.test/").declaration()["require_approval"] == "always"


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({"browser": {"remote": {"via": "cdp", "address": "far.example:9222"}}}, "has to begin with https://"),
        ({"browser": {"remote": {"via": "cdp", "address": "wss://ada:sesame@far.example"}}}, "no name, password"),
        ({"browser": {"remote": {"via": "cdp", "address": "wss://far.example/?token=sesame"}}}, "no name, password"),
        ({"browser": {"remote": {"via": "cdp", "address": "vnc://far.example"}}}, "has to begin with https://"),
        ({"browser": {"remote": {"via": "cdp", "address": "wss://a.example", "secret_as": "cookie"}}}, "it is bearer"),
        ({"browser": {"sandbox": False, "remote": {"via": "cdp", "address": "wss://a.example"}}}, "started here"),
        ({"computer": {"target": "remote"}}, "goes with a table remote"),
        ({"computer": {"target": "virtual", "remote": {"address": "vnc://a.example"}}}, "goes with a table remote"),
        ({"computer": {"target": "remote", "remote": {"address": "https://a.example"}}}, "has to begin with vnc://"),
        (
            {
                "computer": {"target": "virtual"},
                "browser": {"headless": False, "remote": {"via": "cdp", "address": "wss://a.example"}},
            },
            "cannot be browser.remote",
        ),
    ],
)
def test_what_is_elsewhere_is_said_whole_and_without_a_secret(tables: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(words)):
        plan(**tables)
