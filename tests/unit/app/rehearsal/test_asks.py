"""The asks worked out from a scenario file are those that the SDK's runner really raises."""

import pytest

from app.rehearsal.asks import expected_asks
from app.rehearsal.scenario import load_scenario
from tests.unit.app.rehearsal.bare_run import run_bare, served


@pytest.mark.parametrize("name", ["booking", "refusal", "mixed", "two-calls"])
async def test_expected_asks_are_those_of_a_run(name: str) -> None:
    scenario = load_scenario(name)
    with served(scenario) as (_, _, model_url, site_url):
        run = await run_bare(scenario, model_url, site_url)
    # The bare SDK asks nobody before a function.
    expected = [f"{ask.kind} {ask.member}" for ask in expected_asks(scenario) if ask.kind != "function_call"]
    assert run.asked == expected


def test_a_denied_first_step_leaves_no_more_asks() -> None:
    scenario = load_scenario("booking")
    denying = scenario.model_copy(update={"operator": scenario.operator.model_copy(update={"default": "deny"})})
    assert expected_asks(denying) == [("navigation", "navigate")]
