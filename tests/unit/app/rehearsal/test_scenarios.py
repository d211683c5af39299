"""Each scenario that comes with the program, on the bare SDK over real HTTP, to its real outcome on the site."""

import json

import pytest

from app.rehearsal.outcome import check_outcome
from app.rehearsal.scenario import list_scenarios, load_scenario
from tests.unit.app.rehearsal.bare_run import run_bare, served

JSON: dict[str, bool] = {}
STREAM = {"stream": True}
EAGER = {"stream": True, "eager": True}


def test_the_demo_s_scenarios_are_there() -> None:
    assert {"booking", "refusal", "mixed", "two-calls"} <= set(list_scenarios())


@pytest.mark.parametrize("name", list_scenarios())
def test_every_scenario_file_is_valid_and_named_as_its_file(name: str) -> None:
    assert load_scenario(name).name == name


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("booking", JSON),
        ("booking", STREAM),
        ("booking", EAGER),
        ("refusal", JSON),
        ("refusal", EAGER),
        ("mixed", JSON),
        ("mixed", STREAM),
        ("two-calls", JSON),
        ("two-calls", EAGER),
    ],
)
async def test_a_scenario_reaches_its_outcome(name: str, mode: dict[str, bool]) -> None:
    scenario = load_scenario(name)
    with served(scenario) as (model, site, model_url, site_url):
        run = await run_bare(scenario, model_url, site_url, **mode)
        outcome = check_outcome(scenario, site, claim=run.text)
    assert model.problems == []
    assert outcome.ok, outcome.facts
    assert run.text.startswith(scenario.check.claim)
    assert len(model.requests) == len(scenario.answers)


@pytest.mark.parametrize(("name", "mode"), [("booking", EAGER), ("booking", JSON), ("mixed", STREAM)])
async def test_a_scenario_runs_with_a_ledger(name: str, mode: dict[str, bool]) -> None:
    scenario = load_scenario(name)
    with served(scenario) as (_, site, model_url, site_url):
        run = await run_bare(scenario, model_url, site_url, ledger=True, **mode)
        outcome = check_outcome(scenario, site, claim=run.text)
    assert outcome.ok, outcome.facts
    assert run.checkpoints[-1]["phase"] == "final"
    assert run.checkpoints[-1]["consumed_requests"] == len(scenario.answers)


async def test_the_booking_demo_asks_about_each_action_and_the_protected_read() -> None:
    scenario = load_scenario("booking")
    with served(scenario) as (_, _, model_url, site_url):
        run = await run_bare(scenario, model_url, site_url)
    assert run.asked == [
        "navigation navigate",
        "browser_action navigate",
        "browser_action type",
        "browser_action select_option",
        "browser_action select_option",
        "browser_action click",
        "protected_read get_page_text",
    ]


async def test_the_model_is_told_why_its_click_was_denied() -> None:
    scenario = load_scenario("refusal")
    with served(scenario) as (model, _, model_url, site_url):
        await run_bare(scenario, model_url, site_url)
    told = json.dumps(model.requests[4].input[-1])
    assert "Choose 20:00 instead" in told
    assert model.requests[4].input[-1]["type"] == "function_call_output"


async def test_the_mixed_scenario_asks_every_kind() -> None:
    scenario = load_scenario("mixed")
    with served(scenario) as (model, _, model_url, site_url):
        run = await run_bare(scenario, model_url, site_url)
    assert {ask.split()[0] for ask in run.asked} == {
        "navigation",
        "browser_action",
        "mcp_approval",
        "computer_action",
        "safety_checks",
    }
    approvals = [item for item in model.requests[-1].input if item.get("type") == "mcp_approval_response"]
    assert [item["approve"] for item in approvals] == [True, False]


async def test_an_operator_who_denies_everything_leaves_nothing_booked() -> None:
    scenario = load_scenario("booking")
    denying = scenario.model_copy(update={"operator": scenario.operator.model_copy(update={"default": "deny"})})
    with served(denying) as (model, site, model_url, site_url):
        run = await run_bare(denying, model_url, site_url)
        outcome = check_outcome(denying, site, claim=run.text)
    assert run.text.startswith("A step was not allowed")
    assert outcome.facts[0] == "no booking was saved"
    assert not outcome.ok
    assert model.problems == []


async def test_a_stream_tells_items_parts_and_deltas_in_order() -> None:
    scenario = load_scenario("booking")
    with served(scenario) as (_, _, model_url, site_url):
        run = await run_bare(scenario, model_url, site_url, stream=True)
    first = run.event_types[: run.event_types.index("response.completed") + 1]
    assert first[:2] == ["response.created", "response.in_progress"]
    assert [kind for kind in first if kind.endswith("output_item.done")] == ["response.output_item.done"] * 3
    assert first.index("response.content_part.added") < first.index("response.output_text.delta")
    assert "response.function_call_arguments.delta" in first
    assert "response.reasoning_summary_text.delta" in first
