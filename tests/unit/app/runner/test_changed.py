"""What is otherwise than it was, in words; tools that are not the same end a resume before it begins."""

from pathlib import Path
from typing import Any

from app.core.plan import CodePlan, RunPlan
from app.core.resuming import Left, left_of
from app.ledger.reader import LedgerReader
from app.rehearsal.functions import DEMO_FUNCTIONS
from app.runner.changed import changes, declared, known_when_opened, tool_changes
from app.runner.resuming import plan_on_record
from app.runner.specs import FunctionSpec
from app.runner.told import NEW_BROWSER, NEW_CODE, opened_anew
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import run_scenario
from tests.unit.app.runner.scenes import MEMBERS, answer, scene

HOURS = FunctionSpec(*DEMO_FUNCTIONS["opening_hours"])


def saved(folder: Path) -> tuple[Left, dict[str, Any]]:
    """A run with the page and a function, and its newest boundary."""
    run = run_scenario(scene(answer(scenes.READ), answer(scenes.DONE), keys='functions = ["opening_hours"]'), folder)
    with LedgerReader.open(run.ledger_path) as reader:
        return left_of(reader.events()), reader.checkpoint(1)


def test_the_same_is_the_same_and_what_differs_is_named(tmp_path: Path) -> None:
    left, checkpoint = saved(tmp_path)
    plan = plan_on_record(left.plan)
    assert changes(left, plan, model=left.model, versions=left.versions) == ()
    assert tool_changes(checkpoint, declared(plan, [HOURS], MEMBERS), plan) == []
    assert plan.browser is not None
    other = plan.model_copy(update={"rules": (), "browser": plan.browser.model_copy(update={"viewport": (800, 600)})})
    said = changes(left, other, model="another", versions={**left.versions, "openai": "9"})
    assert said[0] == f"model: {left.model} before, another now"
    assert "rules: 1 before, 0 now, not the same" in said
    assert "browser.viewport: [1280, 800] before, [800, 600] now" in said


def test_each_way_in_which_tools_differ_is_named(tmp_path: Path) -> None:
    left, checkpoint = saved(tmp_path)
    plan = plan_on_record(left.plan)
    otherwise = FunctionSpec({**HOURS.tool, "description": "another"}, HOURS.execute)
    fewer = [member for member in MEMBERS if member != "click"]
    now = {**declared(plan, [otherwise], fewer), "new": {}}
    assert tool_changes(checkpoint, now, plan) == [
        "browser_click is not there any more",
        "new is new",
        "opening_hours is declared otherwise",
    ]


def test_tools_of_code_are_known_once_it_is_started_and_its_variables_are_gone() -> None:
    plan = RunPlan(task="x", code=CodePlan())
    assert known_when_opened(plan, "exec_py")
    assert not known_when_opened(RunPlan(task="x"), "exec_py")
    assert opened_anew(plan) == [NEW_CODE]
    assert NEW_BROWSER not in opened_anew(plan)
