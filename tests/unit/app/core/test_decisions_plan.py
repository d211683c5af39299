"""A run file of a decisions run: what it may say, and what the SDK's decisions runner cannot take."""

from typing import Any

import pytest
from pydantic import ValidationError

from app.core.decisions_plan import CandidatePlan
from app.core.plan import RunPlan

BARE: dict[str, Any] = {"task": "Book.", "engine": "decisions", "browser": {}}


def refused(**given: Any) -> str:
    with pytest.raises(ValidationError) as wrong:
        RunPlan.model_validate({**BARE, **given})
    return "\n".join(error["msg"] for error in wrong.value.errors())


def test_a_browser_is_enough() -> None:
    plan = RunPlan.model_validate(BARE)
    assert plan.choosing.page
    assert RunPlan.model_validate(plan.on_record()) == plan, "what is on record can be run again"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"streaming": {"stream": True}}, "streaming: an answer comes whole; leave the table out"),
        ({"streaming": {"eager": True}}, "streaming: an answer comes whole; leave the table out"),
        ({"streaming": {"max_concurrent_calls": 1}}, "streaming: an answer comes whole"),
        ({"context_budget": {}}, "context_budget: each request holds the task and one observation only"),
        ({"instructions": "Be quick."}, "instructions: put them into the task"),
        ({"store": True}, "store: the service stores no decisions"),
        ({"computer": {}}, "computer: an action is chosen from candidates"),
        ({"code": {}}, "code: name your own candidates"),
        ({"functions": [{"name": "f", "import": "m:f"}]}, "functions: name your own candidates"),
        ({"function_servers": [{"name": "a", "command": ["x"]}]}, "function_servers: name your own candidates"),
        ({"custom_tools": [{"name": "x", "import": "m:f"}]}, "custom_tools: name your own candidates"),
        ({"request": {"service_tier": "flex"}}, "request: the service takes a task, a model and"),
        ({"mcp": [{"server_label": "a", "server_url": "https://a.test"}]}, "mcp: servers cannot be called"),
        ({"server_tools": [{"type": "web_search"}]}, "server_tools: tools of the service cannot be called"),
        ({"browser": None}, "add a [browser] table"),
        ({"browser": {"confirm_reads": ["read_page"]}}, "browser.confirm_reads"),
        ({"browser": {"additional_members": ["set_checked"]}}, "browser.additional_members"),
        ({"browser": {"members": ["click", "screenshot"]}}, "'screenshot' is no action that can be offered"),
        ({"decisions": {"page": False}}, "decisions.page is off and there are no other candidates"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(given: dict[str, Any], words: str) -> None:
    assert words in refused(**given)


def test_the_table_needs_the_engine() -> None:
    assert 'needs engine = "decisions"' in refused(engine="responses", decisions={})


TARGET = {"target": {"role": "r", "label": "l"}}
CANDIDATE = {
    "id": "a",
    "description": "Press A",
    "member": "click",
    "arguments": TARGET,
}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"id": " "}, "needs an id and a description"),
        ({"id": "done"}, "the one that says that the task is complete"),
        ({"member": "screenshot"}, "'screenshot' cannot be a candidate"),
        ({"member": "run_script"}, "'run_script' cannot be a candidate"),
        ({"arguments": {}}, "click needs target"),
        ({"arguments": {"url": "https://a.test/"}}, "click takes no url"),
        ({"member": "new_tab", "arguments": {"tab_id": "t1"}}, "new_tab takes no tab_id"),
        ({"member": "key", "arguments": {"keys": []}}, "keys is a list of texts"),
        ({"member": "scroll", "arguments": {"direction": "in", "amount": 3}}, "direction is up, down, left or right"),
        ({"member": "scroll", "arguments": {"direction": "up", "amount": -3}}, "amount is a whole number from 0"),
        ({"member": "navigate", "arguments": {"url": 7}}, "url is text"),
        ({"member": "set_checked", "arguments": {**TARGET, "checked": 1}}, "checked is true or false"),
        ({"arguments": {"target": "e7"}}, "target is a table of role and label"),
        ({"arguments": {"target": {"role": "r", "label": "l", "nth": 0}}}, "target is a table of role and label"),
    ],
)
def test_a_candidate_must_be_one(changes: dict[str, Any], words: str) -> None:
    assert words in refused(decisions={"candidates": [{**CANDIDATE, **changes}]})


def test_candidates_have_ids_of_their_own_and_are_at_most_254() -> None:
    assert "name 'a' twice" in refused(decisions={"candidates": [CANDIDATE, CANDIDATE]})
    many = [{**CANDIDATE, "id": f"c{n}"} for n in range(255)]
    assert "at most 255 candidates" in refused(decisions={"candidates": many})
    RunPlan.model_validate({**BARE, "decisions": {"candidates": many[1:]}})
    assert "import or candidates" in refused(decisions={"candidates": [CANDIDATE], "import": "m:c"})


@pytest.mark.parametrize(
    ("member", "arguments", "full"),
    [
        ("type", {"text": "x"}, {"tab_id": None, "target": None, "text": "x"}),
        ("new_tab", {}, {"url": None}),
        ("close_tab", {"tab_id": "t2"}, {"tab_id": "t2"}),
        ("key", {"keys": ["Enter"]}, {"tab_id": None, "keys": ["Enter"]}),
    ],
)
def test_what_may_be_left_out_is_filled_in(member: str, arguments: dict[str, Any], full: dict[str, Any]) -> None:
    plan = CandidatePlan.model_validate({**CANDIDATE, "member": member, "arguments": arguments})
    assert plan.full_arguments() == full


def test_a_check_states_something() -> None:
    assert "say what is to be checked" in refused(decisions={"verify": {}})
    assert "say what is to be checked" in refused(decisions={"verify": {"text": "  "}})


@pytest.mark.parametrize("path", ["module", "module:", ":name", "a:b:c"])
def test_an_import_path_names_module_and_name(path: str) -> None:
    assert "write package.module:name" in refused(decisions={"import": path})


def test_own_python_needs_no_browser_unless_the_check_looks_at_a_page() -> None:
    own = {"import": "m:c", "observe": "m:o"}
    RunPlan.model_validate({**BARE, "browser": None, "decisions": own})
    assert "add a [browser] table" in refused(browser=None, decisions={**own, "verify": {"text": "Done"}})
    assert "add a [browser] table" in refused(browser=None, decisions={"import": "m:c"})
