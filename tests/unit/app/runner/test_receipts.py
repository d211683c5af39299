"""What the SDK says it began and finished where a run stops, beside the journal's three words for each call."""

from pathlib import Path

import pytest

from app.core.events import ActionEnded
from app.core.settle import settle
from app.rehearsal.functions import DEMO_FUNCTIONS
from app.runner.specs import FunctionSpec
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import Run, SeenDriver, run_scenario
from tests.unit.app.runner.scenes import answer, fault, scene

HOURS = FunctionSpec(*DEMO_FUNCTIONS["opening_hours"])


class BreaksInTyping(SeenDriver):
    """The name is typed, and then the driver fails."""

    async def type(self, args: object) -> str:
        await super().type(args)
        raise ConnectionError("lost")


def words(run: Run) -> dict[str, str]:
    """Call id to its word, for every call that anything is known of."""
    return {call.call_id: call.outcome for call in settle(run.timeline.events)}


def test_an_effect_of_which_nobody_knows_was_begun_and_the_record_says_the_word(tmp_path: Path) -> None:
    scenario = scene(answer(scenes.READ), answer(scenes.TYPE_NAME, scenes.RESERVE))
    run = run_scenario(scenario, tmp_path, make_driver=BreaksInTyping)
    assert run.ended.status == "needs_reconciling"
    assert run.ended.attempted == ("call_001_01", "call_002_01")
    # The SDK has an output for it, "Browser action failed.", which says nothing of what was done.
    assert run.ended.completed == ("call_001_01", "call_002_01")
    assert words(run)["call_002_01"] == "may_have_happened"
    assert words(run)["call_002_02"] == "not_done"


def test_a_function_that_fails_was_begun_and_not_finished(tmp_path: Path) -> None:
    async def failing(arguments: dict[str, object]) -> str:
        raise ConnectionError("lost")

    calls = (answer(scenes.READ), answer(scenes.OPENING_HOURS, scenes.TYPE_NAME))
    scenario = scene(*calls, keys='functions = ["opening_hours"]')
    run = run_scenario(scenario, tmp_path, functions=[FunctionSpec(HOURS.tool, failing)])
    assert run.ended.status == "needs_reconciling"
    assert (run.ended.attempted, run.ended.completed) == (("call_001_01", "call_002_01"), ("call_001_01",))
    assert words(run)["call_002_01"] == "may_have_happened"
    assert words(run)["call_002_02"] == "not_done", "nothing of it had begun"
    assert run.did == []


@pytest.mark.parametrize("broken", ["status = 500", 'ends = "failed"', "malformed = true"])
def test_what_was_done_before_the_service_failed_has_its_output_and_its_word(tmp_path: Path, broken: str) -> None:
    scenario = scene(answer(scenes.READ), answer(scenes.TYPE_NAME), fault(broken))
    run = run_scenario(scenario, tmp_path)
    assert run.ended.status == "failed"
    assert run.ended.attempted == run.ended.completed == ("call_001_01", "call_002_01")
    assert words(run)["call_002_01"] == "done"
    assert [event.outcome for event in run.of(ActionEnded)][-1] == "done"


def test_a_run_that_came_to_its_final_message_needs_no_receipts(tmp_path: Path) -> None:
    run = run_scenario(scene(answer(scenes.READ), answer(scenes.DONE)), tmp_path)
    assert (run.ended.attempted, run.ended.completed) == ((), ())
