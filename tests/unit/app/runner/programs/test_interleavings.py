"""Any mixture of direct calls, programs' calls, jobs, waits and denials: each call answered once, on its own call."""

import random
from pathlib import Path

from app.core.events import ActionEnded, ActionStarted, AskRaised, DecisionMade
from app.core.jobs import JobDelivered
from app.ledger.verify import verify
from tests.unit.app.runner.harness import Run, several_at_once
from tests.unit.app.runner.programs.interleavings import Done, mixture, results_before_status, tools
from tests.unit.app.runner.programs.scripts import outputs, played

SEEDS = 24


def test_each_call_is_answered_exactly_once_whatever_comes_when(tmp_path: Path) -> None:
    def one(seed: int) -> None:
        folder = tmp_path / str(seed)
        folder.mkdir()
        _check(seed, folder)

    several_at_once(one, range(SEEDS))


def _check(seed: int, folder: Path) -> None:
    dice = random.Random(seed)
    scenario, proposed = mixture(dice)
    run = played(scenario, folder, tools(dice, Done()), stream=bool(seed % 2))
    assert run.ended.status == "finished", (seed, run.ended)
    answered = outputs(run)
    assert sorted(item["call_id"] for item in answered) == sorted(proposed), seed
    for item in answered:
        assert item.get("caller") == proposed[item["call_id"]].get("caller"), (seed, item)
    assert results_before_status(answered, proposed) == [], seed
    _only_allowed_calls_ran(seed, run)
    jobs = {call_id for call_id, raw in proposed.items() if raw.get("async")}
    delivered = [event.call_id for event in run.of(JobDelivered)]
    assert len(delivered) == len(set(delivered)), seed
    assert set(delivered) <= jobs, seed
    assert verify(run.ledger_path).whole, seed


def _only_allowed_calls_ran(seed: int, run: Run) -> None:
    asked = {event.ask.ask_id: event.ask for event in run.of(AskRaised)}
    allowed = {asked[e.decision.ask_id].call_id for e in run.of(DecisionMade) if e.decision.allowed}
    started = [event.call_id for event in run.of(ActionStarted) if not event.reads_only]
    assert sorted(started) == sorted(allowed), seed
    assert {event.outcome for event in run.of(ActionEnded)} <= {"done"}, seed
