"""Every option that a run file can set is on the wire as it says: real client, real HTTP, the scripted model."""

import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.core.events import ActionStarted, AskRaised, DecisionMade, RunStarted
from app.core.faults import plan_of_values
from app.core.plan import RunPlan
from app.core.service_plan import ClientPlan
from app.rehearsal.functions import DEMO_FUNCTIONS
from app.rehearsal.scenario import Scenario
from app.runner.specs import FunctionSpec
from tests.unit.app.runner import scenes
from tests.unit.app.runner.choosing import choosing, run_choosing
from tests.unit.app.runner.harness import Run, run_scenario
from tests.unit.app.runner.invariants import check
from tests.unit.app.runner.scenes import answer, deny, scene

SEARCHED = """raw = { type = "web_search_call", id = "ws_1", status = "completed", \
action = { type = "search", query = "trains", queries = ["trains"] } }"""
FOUND = 'raw = { type = "file_search_call", id = "fs_1", status = "completed", queries = ["hours"] }'
COUNTED = """raw = { type = "code_interpreter_call", id = "ci_1", status = "completed", container_id = "cntr_1", \
code = "1 + 1", outputs = [{ type = "logs", logs = "2" }] }"""
DRAWN = 'raw = { type = "image_generation_call", id = "ig_1", status = "completed", result = "aGk=" }'
FETCHED = """raw = { type = "mcp_call", id = "mcp_1", server_label = "notes", name = "list_notes", arguments = "{}", \
output = "none", status = "completed" }"""
SHORTENED = 'raw = { type = "compaction", id = "cmp_1", encrypted_content = "sealed" }'
FETCH_ASKED = 'mcp_approval = "add_note"\nserver = "notes"\narguments = { text = "x" }'
SCREENSHOT = 'browser = "screenshot"'
HOURS = FunctionSpec(*DEMO_FUNCTIONS["opening_hours"])


def with_tables(text: str) -> Callable[[RunPlan], RunPlan]:
    """Plan changer: the tables of a run file put over what the scenario says, checked like a run file."""
    given = tomllib.loads(text)

    def changed(plan: RunPlan) -> RunPlan:
        return plan_of_values({**plan.model_dump(mode="json", by_alias=True, exclude_none=True), **given})

    return changed


def played(folder: Path, scenario: Scenario, tables: str, **more: Any) -> Run:
    run = run_scenario(scenario, folder, plan=with_tables(tables), **more)
    check(run)
    assert run.model.problems == []
    return run


def finished(folder: Path, scenario: Scenario, tables: str, **more: Any) -> Run:
    run = played(folder, scenario, tables, **more)
    assert run.ended.status == "finished", run.ended.reason
    return run


REQUEST = """
store = true
[request]
parallel_tool_calls = false
max_tool_calls = 4
max_output_tokens = 4000
reasoning = { effort = "low", summary = "auto" }
text = { verbosity = "low" }
temperature = 0.5
top_p = 0.9
top_logprobs = 3
truncation = "disabled"
include = ["web_search_call.action.sources"]
metadata = { desk = "three" }
service_tier = "flex"
prompt_cache_key = "desk-three"
prompt_cache_retention = "24h"
safety_identifier = "person-1"
user = "u"
"""


def test_every_field_of_the_request_table_is_sent_as_it_stands_and_with_every_request(tmp_path: Path) -> None:
    run = finished(tmp_path, scene(answer(scenes.READ), answer(scenes.DONE)), REQUEST)
    expected = tomllib.loads(REQUEST)["request"]
    expected["include"] = [*expected["include"], "reasoning.encrypted_content"]
    first, second = (request.body for request in run.model.requests)
    for body in (first, second):
        assert {key: body[key] for key in expected} == expected
        assert body["store"] is True
    own = {"model", "input", "tools", "stream", "store"}
    assert set(first) == set(expected) | own, "something is sent that nobody wrote"


def test_what_a_run_file_leaves_out_is_not_sent(tmp_path: Path) -> None:
    run = finished(tmp_path, scene(answer(scenes.DONE)), "")
    assert set(run.model.requests[0].body) == {"model", "input", "tools", "stream", "store", "include"}
    assert run.model.requests[0].body["store"] is False


def test_client_options_are_on_the_wire_and_no_secret_of_them_on_record(tmp_path: Path) -> None:
    tables = '[client]\norganization = "org-1"\nproject = "proj-1"\ndefault_headers = { X-Desk = "sesame" }\n'
    tables += 'default_query = { desk = "barley" }'
    run = finished(tmp_path, scene(answer(scenes.DONE)), tables)
    headers = run.model.requests[0].headers
    sent = (headers["openai-organization"], headers["openai-project"], headers["x-desk"])
    assert sent == ("org-1", "proj-1", "sesame")
    assert run.model.requests[0].query == "desk=barley"
    assert "sesame" not in str(run.events[0])
    assert "barley" not in str(run.events[0])
    assert "X-Desk" in str(run.events[0])


def test_a_key_against_repetition_goes_with_the_first_request_alone(tmp_path: Path) -> None:
    """With the same key a service would answer every turn with its first answer."""
    tables = '[client]\ndefault_headers = { Idempotency-Key = "desk-three" }'
    run = finished(tmp_path, scene(answer(scenes.READ), answer(scenes.READ), answer(scenes.DONE)), tables)
    first, *later = [request.headers.get("idempotency-key") for request in run.model.requests]
    assert first == "desk-three"
    assert len({*later, first}) == 3


def test_a_server_behind_a_tunnel_is_declared_by_its_id(tmp_path: Path) -> None:
    tables = '[[mcp]]\nserver_label = "notes"\ntunnel_id = "tunnel_1"'
    run = finished(tmp_path, scene(answer(scenes.DONE)), tables)
    [declared] = [tool for tool in run.model.requests[0].body["tools"] if tool["type"] == "mcp"]
    assert (declared["tunnel_id"], "server_url" in declared) == ("tunnel_1", False)


MCP = '[[mcp]]\nserver_label = "notes"\nserver_url = "https://notes.invalid/mcp"\n'
ALLOWED = "{ type = 'allowed_tools', mode = 'auto', tools = [{ type = 'function', name = 'browser_read_page' }] }"


@pytest.mark.parametrize(
    ("choice", "tables"),
    [
        ("'auto'", ""),
        ("'none'", ""),
        ("'required'", "server_tools = [{ type = 'web_search' }]\n"),
        ("{ type = 'web_search_preview' }", "server_tools = [{ type = 'web_search_preview' }]\n"),
        ("{ type = 'mcp', server_label = 'notes' }", MCP),
        (ALLOWED, ""),
    ],
)
def test_a_tool_choice_is_sent_with_every_request(tmp_path: Path, choice: str, tables: str) -> None:
    scenario = scene(answer(scenes.DONE))
    head, _, servers = tables.partition("[[mcp]]")
    text = f"{head}\n[request]\ntool_choice = {choice}\n" + (f"[[mcp]]{servers}" if servers else "")
    run = finished(tmp_path, scenario, text)
    assert run.model.requests[0].body["tool_choice"] == tomllib.loads(f"x = {choice}")["x"]


def test_a_call_that_the_tool_choice_leaves_out_ends_the_run_before_anything_is_asked(tmp_path: Path) -> None:
    scenario = scene(answer(scenes.TYPE_NAME.replace('{ role = "textbox", label = "Name" }', '"e1"')))
    run = played(tmp_path, scenario, f"[request]\ntool_choice = {ALLOWED}")
    assert run.ended.status == "failed"
    assert run.ended.reason == "the model's answer named a tool that was not offered"
    assert (run.of(AskRaised), run.did) == ([], [])


SERVER_TOOLS = {
    "web_search": (
        SEARCHED,
        "type = 'web_search', search_context_size = 'low', filters = { allowed_domains = ['a.b'] }",
    ),
    "file_search": (FOUND, "type = 'file_search', vector_store_ids = ['vs_1'], max_num_results = 3"),
    "code_interpreter": (COUNTED, "type = 'code_interpreter', container = { type = 'auto', memory_limit = '1g' }"),
    "image_generation": (DRAWN, "type = 'image_generation', quality = 'low', size = '1024x1024'"),
}


@pytest.mark.parametrize("kind", list(SERVER_TOOLS))
@pytest.mark.parametrize("eager", [False, True])
def test_a_tool_of_the_service_is_declared_and_what_it_did_goes_back(tmp_path: Path, kind: str, eager: bool) -> None:
    """Each beside a local call, which with any server tool waits until the answer is complete."""
    item, declared = SERVER_TOOLS[kind]
    scenario = scene(answer(item, scenes.READ), answer(scenes.DONE))
    tables = f"store = true\nserver_tools = [{{ {declared} }}]\n[streaming]\neager = {str(eager).lower()}"
    run = finished(tmp_path, scenario, tables)
    body = run.model.requests[1].body
    assert body["tools"][-1] == tomllib.loads(f"x = {{ {declared} }}")["x"]
    (replayed,) = (one for one in body["input"] if one.get("type") == f"{kind}_call")
    raw = tomllib.loads(item)["raw"]
    assert {key: replayed[key] for key in raw} == raw
    assert run.of(AskRaised) == []


def test_a_tool_of_the_service_that_failed_ends_the_run_before_any_local_effect(tmp_path: Path) -> None:
    failed = SEARCHED.replace("completed", "failed")
    scenario = scene(answer(scenes.READ), answer(failed, scenes.TYPE_NAME))
    run = played(tmp_path, scenario, "server_tools = [{ type = 'web_search' }]\n[streaming]\neager = true")
    assert run.ended.status == "failed"
    assert "a server's tool did not complete" in run.ended.reason
    assert run.did == []


FILTERS = {
    "always": ("'always'", True),
    "never": ("'never'", False),
    "never all": ("{ never = {} }", False),
    "always all": ("{ always = {} }", True),
    "never by name": ("{ never = { tool_names = ['add_note'] } }", False),
    "never another": ("{ never = { tool_names = ['list_notes'] } }", True),
    "always by name": ("{ always = { tool_names = ['add_note'] } }", True),
    "always another": ("{ always = { tool_names = ['list_notes'] } }", False),
    "both": ("{ always = { tool_names = ['add_note'] }, never = { tool_names = ['list_notes'] } }", True),
    "read only": ("{ never = { read_only = true } }", None),
}


@pytest.mark.parametrize("name", list(FILTERS))
def test_every_approval_filter_is_declared_and_held_to(tmp_path: Path, name: str) -> None:
    """`add_note` asks where the filter says so; where it says the contrary, asking is a fault of the service."""
    policy, asks = FILTERS[name]
    scenario = scene(answer(FETCH_ASKED), answer(scenes.DONE))
    run = played(tmp_path, scenario, f"{MCP}require_approval = {policy}\nallowed_tools = ['add_note']")
    (declared,) = (tool for tool in run.model.requests[0].body["tools"] if tool["type"] == "mcp")
    assert declared["require_approval"] == tomllib.loads(f"x = {policy}")["x"]
    assert declared["allowed_tools"] == ["add_note"]
    assert "headers" not in declared
    asked = [event.ask.member for event in run.of(AskRaised)]
    if asks is False:
        assert run.ended.reason == "a server's tool asked for an approval that it must not need"
        assert asked == []
    else:
        # What only the service can judge is asked when the service asks.
        assert (run.ended.status, asked) == ("finished", ["add_note"])


@pytest.mark.parametrize(
    ("policy", "may"), [("'never'", True), ("{ never = { read_only = true } }", True), ("'always'", False)]
)
def test_a_server_s_call_without_approval_stands_only_where_the_filter_lets_it(
    tmp_path: Path, policy: str, may: bool
) -> None:
    scenario = scene(answer(FETCHED, scenes.DONE))
    run = played(
        tmp_path, scenario, f"{MCP}require_approval = {policy}\nallowed_tools = {{ tool_names = ['list_notes'] }}"
    )
    assert run.ended.status == ("finished" if may else "failed"), run.ended.reason
    assert run.of(AskRaised) == []


def test_a_tool_that_allowed_tools_leaves_out_ends_the_run(tmp_path: Path) -> None:
    run = played(tmp_path, scene(answer(FETCHED, scenes.DONE)), f"{MCP}require_approval = 'never'\nallowed_tools = []")
    assert run.ended.reason == "the model's answer named a server's tool that is not allowed"


def test_native_context_management_is_declared_and_a_compaction_goes_back_unchanged(tmp_path: Path) -> None:
    scenario = scene(answer(SHORTENED, scenes.READ), answer(scenes.DONE))
    tables = '[request]\ncontext_management = [{ type = "compaction", compact_threshold = 20000 }]'
    run = finished(tmp_path, scenario, tables)
    body = run.model.requests[1].body
    assert body["context_management"] == [{"type": "compaction", "compact_threshold": 20000}]
    assert {"type": "compaction", "id": "cmp_1", "encrypted_content": "sealed"} in body["input"]
    assert "truncation" not in body


def test_a_context_budget_leaves_the_oldest_pictures_out_and_says_so_to_the_model(tmp_path: Path) -> None:
    scenario = scene(*(answer(SCREENSHOT) for _ in range(4)), answer(scenes.DONE))
    run = finished(tmp_path, scenario, "[context_budget]\nmax_input_images = 2\nkeep_recent_screenshots = 2")
    last = run.model.requests[-1].body
    assert last["truncation"] == "disabled"
    calls = [item["call_id"] for item in last["input"] if item.get("type") == "function_call"]
    assert calls == ["call_003_01", "call_004_01"]
    assert "call_001_01" in str(last["input"][0])


EARLY_SCENE = scene(
    answer(scenes.OPENING_HOURS, scenes.READ), answer(scenes.DONE), keys='functions = ["opening_hours"]'
)


def early(tmp_path: Path, tables: str, **more: Any) -> Run:
    declared = '[[functions]]\nname = "opening_hours"\nimport = "app.rehearsal.functions:DEMO_FUNCTIONS"\n'

    def changed(plan: RunPlan) -> RunPlan:
        # The function comes from the test's own environment: named for the check, and not loaded twice.
        return with_tables(f"{tables}\n{declared}")(plan).model_copy(update={"functions": ()})

    run = run_scenario(more.pop("scenario", EARLY_SCENE), tmp_path, plan=changed, functions=[HOURS], **more)
    check(run)
    assert run.ended.status == "finished", run.ended.reason
    return run


EAGER = "[streaming]\neager = true\n"


@pytest.mark.parametrize(
    ("policy", "started"),
    [
        ("", ["opening_hours", "read_page"]),
        ("early_execution = { functions = ['opening_hours'] }", ["opening_hours"]),
        ("early_execution = { functions = ['browser_read_page'] }", []),
        ("early_execution = {}", []),
        ("early_execution = { functions = ['opening_hours', 'browser_read_page'] }", ["opening_hours", "read_page"]),
    ],
)
def test_only_the_listed_calls_run_before_the_answer_is_complete(
    tmp_path: Path, policy: str, started: list[str]
) -> None:
    """The first call that is not listed holds back all that come after it."""
    run = early(tmp_path, EAGER + policy)
    before = run.events[: run.types().index("turn_answered")]
    assert [event.member for event in before if isinstance(event, ActionStarted)] == started
    assert [event.member for event in run.of(ActionStarted)] == ["opening_hours", "read_page"]


@pytest.mark.parametrize("window", [1, 3])
def test_in_a_run_on_record_each_call_has_its_turn_however_many_may_run_at_once(tmp_path: Path, window: int) -> None:
    """`max_concurrent_calls` is handed on and changes neither what is asked when nor what is sent."""
    days = ("Monday", "Tuesday", "Sunday")
    calls = [f'function = "opening_hours"\narguments = {{ day = "{day}" }}' for day in days]
    scenario = scene(answer(*calls), answer(scenes.DONE), keys='functions = ["opening_hours"]')
    tables = f"{EAGER}max_concurrent_calls = {window}"
    run = run_scenario(scenario, tmp_path, plan=with_tables(tables), functions=[replace(HOURS, independent=True)])
    check(run)
    assert run.ended.status == "finished", run.ended.reason
    order = ["ask_raised", "decision_made", "action_started", "action_ended"]
    assert [kind for kind in run.types() if kind in order] == order * 3
    sent = [item for item in run.model.requests[1].body["input"] if "call_id" in item]
    ids = [f"call_001_{number:02}" for number in (1, 2, 3)]
    assert [item["call_id"] for item in sent] == ids * 2
    assert [item["output"].split(":")[0] for item in sent[3:]] == list(days)
    assert run.of(RunStarted)[0].plan["streaming"]["max_concurrent_calls"] == window


@pytest.mark.parametrize("verdict", ["allow", "deny"])
def test_an_early_call_that_is_denied_waits_and_is_asked_again_and_an_allowed_one_is_asked_for_itself(
    tmp_path: Path, verdict: str
) -> None:
    scenario = scene(
        answer(scenes.OPENING_HOURS, scenes.READ),
        answer(scenes.DONE),
        keys='functions = ["opening_hours"]',
        operator=deny("early_call", verdict=verdict),
    )
    tables = f'{EAGER}before_early_call = "ask"'
    run = early(tmp_path, tables, scenario=scenario)
    kinds = [event.ask.kind for event in run.of(AskRaised)]
    answered = run.types().index("turn_answered")
    first = [event.ask.kind for event in run.events[:answered] if isinstance(event, AskRaised)]
    if verdict == "allow":
        assert kinds == first == ["early_call", "function_call", "early_call"]
    else:
        assert (kinds, first) == (["early_call", "function_call"], ["early_call"])
    assert run.of(AskRaised)[0].ask.on_deny == "waits_for_whole_answer"
    assert len(run.of(DecisionMade)) == len(kinds)
    assert [event.member for event in run.of(ActionStarted)] == ["opening_hours", "read_page"]


@pytest.mark.parametrize(("retries", "status"), [(0, "failed"), (1, "finished")])
def test_a_decisions_run_repeats_a_request_as_often_as_its_client_may(
    tmp_path: Path, retries: int, status: str
) -> None:
    """A run on the Responses API repeats none; there the key is refused."""
    busy = "choose = 'done'\n[[decisions.faults]]\nstatus = 429\nheaders = { retry-after-ms = '1' }"
    scenario = choosing(busy)

    def changed(plan: RunPlan) -> RunPlan:
        return plan.model_copy(update={"client": ClientPlan(max_retries=retries)})

    run = run_choosing(scenario, tmp_path, plan=changed)
    assert run.ended.status == status
    assert [request.retry for request in run.model.requests] == list(range(retries + 1))
