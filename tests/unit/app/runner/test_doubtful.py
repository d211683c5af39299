"""An action that its driver refused is not done; one that broke off may have happened, and is never repeated."""

from pathlib import Path
from typing import Any

import pytest

from app.core.events import ActionEnded, AskRaised
from drivers.errors import BrowserError, NotDone
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import SeenComputer, SeenDriver, run_scenario
from tests.unit.app.runner.invariants import check
from tests.unit.app.runner.scenes import answer, batch, scene
from tests.unit.app.runner.told import state_of, user_texts

FORM_THEN_CLICK = (answer(scenes.READ), answer(scenes.RESERVE), answer(scenes.DONE))
THREE_ACTIONS = (
    answer(batch(scenes.CLICK_NAME, scenes.TYPE_TEXT, scenes.CLICK_RESERVE)),
    answer(scenes.DONE),
)


class StaleDriver(SeenDriver):
    """The element is gone by the time of the action."""

    async def click(self, args: Any) -> str:
        raise NotDone("The element is not as it was shown.")


class GoneDriver(SeenDriver):
    """The element is gone by the time of the question."""

    async def expect(self, target: str) -> Any:
        raise NotDone("There is no such element any more.")


class HalfDriver(SeenDriver):
    """The click happens and then the driver fails, in one way or another."""

    error: Exception = BrowserError("The page did not answer.")

    async def click(self, args: Any) -> str:
        await super().click(args)
        raise self.error


class BrokenHalfDriver(HalfDriver):
    error = RuntimeError("the pipe broke")


def test_a_stale_target_is_not_done_and_the_run_goes_on(tmp_path: Path) -> None:
    run = run_scenario(scene(*FORM_THEN_CLICK), tmp_path, make_driver=StaleDriver)
    check(run)
    assert run.ended.status == "finished"
    assert [event.outcome for event in run.of(ActionEnded)] == ["done", "not_done"]
    assert "not as it was shown" in run.outputs_sent()["call_002_01"][0]["text"]
    assert state_of(run, "call_002_01") == "not_done"


def test_a_target_that_is_gone_before_the_question_raises_no_question(tmp_path: Path) -> None:
    run = run_scenario(scene(*FORM_THEN_CLICK), tmp_path, make_driver=GoneDriver)
    check(run)
    assert run.ended.status == "finished"
    assert run.of(AskRaised) == []
    assert "no such element" in run.outputs_sent()["call_002_01"][0]["text"]


@pytest.mark.parametrize("make_driver", [HalfDriver, BrokenHalfDriver])
def test_an_error_in_the_middle_of_an_effect_may_have_happened_and_is_never_repeated(
    tmp_path: Path, make_driver: type[SeenDriver]
) -> None:
    scenario = scene(
        answer(scenes.READ),
        answer(scenes.TYPE_NAME),
        answer(scenes.RESERVE, scenes.READ),
        answer(scenes.RESERVE),
    )
    run = run_scenario(scenario, tmp_path, make_driver=make_driver)
    check(run)
    assert run.ended.status == "needs_reconciling"
    assert [member for member, _ in run.did] == ["type", "click"]
    assert len(run.site.bookings) == 1
    assert len(run.model.requests) == 3
    assert state_of(run, "call_003_01") == "may_have_happened"
    assert run.timeline.failures[0].where == "browser.click"


class HalfComputer(SeenComputer):
    """Typing fails after some letters."""

    async def type(self, action: Any) -> None:
        await super().type(action)
        raise RuntimeError("the pipe broke")


class StaleComputer(SeenComputer):
    """What was shown under the pointer is not there any more at the second action."""

    async def type(self, action: Any) -> None:
        raise NotDone("The page has changed.")


def test_an_error_in_the_middle_of_a_batch_may_have_happened(tmp_path: Path) -> None:
    run = run_scenario(scene(*THREE_ACTIONS, keys="computer = true"), tmp_path, make_computer=HalfComputer)
    check(run)
    assert run.ended.status == "needs_reconciling"
    assert [member for member, _ in run.did] == ["click", "type"]
    assert state_of(run, "call_001_01") == "may_have_happened"


def test_an_action_of_a_batch_that_the_driver_refuses_is_told_and_the_run_goes_on(tmp_path: Path) -> None:
    run = run_scenario(scene(*THREE_ACTIONS, keys="computer = true"), tmp_path, make_computer=StaleComputer)
    check(run)
    assert run.ended.status == "finished"
    assert [member for member, _ in run.did] == ["click"]
    assert "Action 2 of 3" in user_texts(run, 2)[-1]
    assert "The page has changed." in user_texts(run, 2)[-1]
    assert state_of(run, "call_001_01") == "partly_done"
