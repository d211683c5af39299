"""Where a decisions run can be held beside what every run has: at each answer, "done" too, and at what is told."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.ask import Ask
from app.core.breakpoint import BreakpointPlan
from app.core.decision import Answer
from app.core.events import ActionEnded, AskRaised, OutcomeChecked, RequestSent
from app.core.plan import RunPlan
from app.core.step import Stage
from app.rehearsal.operator_inbox import OperatorInbox
from app.rehearsal.operator_script import ScriptedOperator
from app.rehearsal.scenario import Scenario
from tests.unit.app.runner import own_choices
from tests.unit.app.runner.choosing import BOOKED, RESERVED, choosing, own, run_choosing, with_options
from tests.unit.app.runner.harness import Run
from tests.unit.app.runner.invariants import check
from tests.unit.app.runner.test_holding import NobodyIsShown

TEXTS = 'texts = { Name = "Ada Park" }'


def noting(*stages: Stage) -> Any:
    """The plan with a breakpoint that notes every point of those stages."""
    noted = BreakpointPlan(stages=stages, log_only=True)
    return lambda plan: plan.model_copy(update={"breakpoints": (noted,)})


def holds(run: Run) -> list[Ask]:
    return [event.ask for event in run.of(AskRaised) if event.ask.step is not None]


def test_every_answer_is_held_before_anything_follows_from_it_and_done_too(tmp_path: Path) -> None:
    scenario = choosing("done", *BOOKED, choosing=f"{TEXTS}\n{RESERVED}")
    run = run_choosing(scenario, tmp_path, plan=noting("answer"))
    check(run)
    assert run.ended.verification == "verified"
    said = [ask.arguments["chosen"] for ask in holds(run)]
    assert said == ["done", *BOOKED]
    assert holds(run)[0].arguments["description"] == "The task is complete"
    held_seqs = [at for at, event in enumerate(run.events) if isinstance(event, AskRaised) and event.ask.step]
    checks = [at for at, event in enumerate(run.events) if isinstance(event, OutcomeChecked)]
    looked = [at for at, event in enumerate(run.events) if event.type == "page_read"]
    assert held_seqs[0] < next(at for at in looked if at > held_seqs[0]) < checks[0], "held before the fresh look"
    assert held_seqs[-1] < checks[-1]


@pytest.mark.parametrize(
    ("steps", "keys", "chosen"),
    [
        (("type-name", "done"), "", ["type-name", "done"]),
        (("type-name", "refuse = true"), "", ["type-name", ""]),
        (("type-name", "press-reserve-table"), "max_steps = 2", ["type-name", "press-reserve-table"]),
    ],
    ids=["unverified", "refused", "step limit"],
)
def test_the_last_answer_is_held_whatever_the_run_comes_to(
    steps: tuple[str, ...], keys: str, chosen: list[str], tmp_path: Path
) -> None:
    run = run_choosing(choosing(*steps, keys=keys), tmp_path, plan=noting("answer"))
    check(run)
    assert [ask.arguments["chosen"] for ask in holds(run)] == chosen
    assert [ask.member for ask in holds(run)] == ["choice-1", "choice-2"]


def test_what_the_next_observation_will_say_is_held_before_it_is_observed(tmp_path: Path) -> None:
    run = run_choosing(choosing(*BOOKED), tmp_path, plan=noting("output", "request"))
    check(run)
    outputs = [ask for ask in holds(run) if ask.step is not None and ask.step.stage == "output"]
    assert [(ask.source, ask.member, ask.call_id) for ask in outputs] == [
        ("decisions", "type", "choice-1"),
        ("decisions", "click", "choice-2"),
    ]
    observed = [event.offer.observation for event in run.of(RequestSent) if event.offer is not None]
    for ask, after in zip(outputs, observed[1:], strict=True):
        assert ask.arguments["ok"] is True
        assert ask.arguments["output"] in str(after)
    kinds = [event.type for event in run.events if event.type in ("ask_raised", "action_ended", "request_sent")]
    assert "action_ended" in kinds
    assert [e for e in run.of(ActionEnded) if e.outcome == "may_have_happened"] == []


class StopsAtAHold(OperatorInbox):
    """Allows everything by the script, and presses Stop at the first hold."""

    async def hold(self, ask: Ask) -> Answer:
        if ask.step is not None:
            return Answer(verdict="stop", by="person", shown_digest=ask.digest)
        return await super().hold(ask)


def with_breakpoint(
    inbox: type[OperatorInbox],
    scenario: Scenario,
    plan: BreakpointPlan,
    change: Callable[[RunPlan], RunPlan] = lambda whole: whole,
) -> Any:
    """Options of a run with that inbox and breakpoint."""
    return {
        "inbox": inbox(ScriptedOperator(scenario.operator)),
        "plan": lambda whole: change(whole).model_copy(update={"breakpoints": (plan,)}),
    }


@pytest.mark.parametrize("verify", [None, {"text": "Your table is reserved"}], ids=["no check", "a check"])
def test_a_stop_at_the_answer_done_takes_the_claim_for_no_end(verify: Any, tmp_path: Path) -> None:
    scenario = choosing(*BOOKED)
    third = BreakpointPlan(stages=("answer",), nth=3)
    more = with_breakpoint(StopsAtAHold, scenario, third, change=with_options(verify=verify))
    run = run_choosing(scenario, tmp_path, **more)
    check(run)
    assert (run.ended.status, run.ended.verification) == ("stopped", "")
    assert run.of(OutcomeChecked) == []
    assert run.ended.completed == BOOKED[:2]


@pytest.mark.parametrize(("stage", "nth"), [("request", 2), ("answer", 1), ("answer", 3), ("output", 1)])
def test_a_hold_that_nobody_can_be_shown_ends_the_run_in_words(tmp_path: Path, stage: Stage, nth: int) -> None:
    scenario = choosing(*BOOKED, choosing=f"{TEXTS}\n{RESERVED}")
    more = with_breakpoint(NobodyIsShown, scenario, BreakpointPlan(stages=(stage,), nth=nth))
    run = run_choosing(scenario, tmp_path, **more)
    assert (run.ended.status, run.session.problem) == ("failed", None)
    assert "held here, and going on was denied" in run.ended.reason
    held = next(at for at, one in enumerate(run.events) if isinstance(one, AskRaised) and one.ask.step is not None)
    assert not {one.type for one in run.events[held + 1 :]} & {"action_started", "request_sent", "outcome_checked"}


def test_an_own_executor_is_held_like_a_member(tmp_path: Path) -> None:
    own_choices.PRESSED.clear()
    plan = noting("answer", "output")
    run = run_choosing(choosing("a", "done"), tmp_path, plan=lambda whole: plan(own("candidates")(whole)))
    own_choices.PRESSED.clear()
    stages = [ask.step.stage for ask in holds(run) if ask.step is not None]
    assert stages == ["answer", "output", "answer"]
