"""The same mixtures with crashes at any write: over all processes each call is answered once, and the truth is told."""

import contextlib
import json
import random
from pathlib import Path
from typing import Any

from app.clock import SystemClock
from app.core.errors import LedgerProblem, NotDurable
from app.core.events import RunResumed
from app.core.jobs import JobRegistered
from app.core.resuming import ResumeAnswer
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from app.runner.resuming import Prepared, prepare, resumption
from tests.unit.app.runner.harness import Run, run_scenario, serving, several_at_once
from tests.unit.app.runner.invariants import check_journal, check_timeline
from tests.unit.app.runner.programs.interleavings import Done, mixture, results_before_status, tools
from tests.unit.app.runner.programs.scripts import Item, is_output

SEEDS = 32
MOST_WRITES = 45
UNDONE = ("Nothing was done", "was not done", "Not executed")
DID = ("it was done", "Done, but")


class CrashingLedger(RunLedger):
    """After so many writes nothing reaches the disk any more, as if the process had died right then."""

    writes = 1_000_000

    def _commit(self, *args: Any) -> Any:
        self.writes -= 1
        if self.writes < 0:
            raise OSError("the process is gone")
        return super()._commit(*args)


def test_over_crashes_each_call_is_answered_exactly_once_and_told_the_truth(quick_path: Path) -> None:
    taken_up: list[int] = []

    def one(seed: int) -> None:
        folder = quick_path / str(seed)
        folder.mkdir()
        taken_up.append(_check(seed, folder))

    several_at_once(one, range(SEEDS))
    assert sum(count > 0 for count in taken_up) > SEEDS // 2
    assert sum(count > 1 for count in taken_up) > 2


def _check(seed: int, folder: Path) -> int:
    """Run, die, take up, until it is over; how often it was taken up."""
    dice = random.Random(seed)
    scenario, proposed = mixture(dice)
    log = Done()
    with serving(scenario) as served:

        def run(ledger: CrashingLedger, **more: Any) -> Run:
            ledger.writes = dice.randint(2, MOST_WRITES)
            return run_scenario(scenario, folder, functions=tools(dice, log), ledger=ledger, served=served, **more)

        last = run(_mortal(CrashingLedger.create(folder / "run.signalbox", SystemClock())))
        count = 0
        while True:
            ledger = _mortal(CrashingLedger.open_owned(last.ledger_path, SystemClock()))
            try:
                prepared = prepare(ledger, None)
            except LedgerProblem as problem:
                over = str(problem)
                ledger.close()
                break
            count += 1
            answer = _truthfully(prepared, log)
            resumed = resumption(prepared, answer, model="scripted-model", versions={}, by="scripted")
            header = prepared.left.started
            with contextlib.suppress(NotDurable):
                # Also what is written before the run goes on may be cut short.
                last = run(ledger, resumption=resumed, header=header, plan=lambda _plan, to=prepared.plan: to)
        assert "final message" in over, (seed, over)
        _hold(seed, last, proposed, log)
    return count


def _mortal(ledger: RunLedger) -> CrashingLedger:
    assert isinstance(ledger, CrashingLedger)
    return ledger


def _truthfully(prepared: Prepared, log: Done) -> ResumeAnswer:
    """A person who knows what was done."""
    return ResumeAnswer(
        found={one.place: "done" if one.arguments["sku"] in log.done else "not_done" for one in prepared.left.in_doubt}
    )


def _hold(seed: int, run: Run, proposed: dict[str, Any], log: Done) -> None:
    said: dict[str, Item] = {}
    for request in run.model.requests:
        for item in filter(is_output, request.input):
            assert said.setdefault(item["call_id"], item) == item, (seed, "an output was sent in two ways", item)
    items = run.model.requests[-1].input
    answered = list(filter(is_output, items))
    asked = {item["call_id"]: item for item in items if item.get("type") == "function_call"}
    assert sorted(item["call_id"] for item in answered) == sorted(asked), seed
    for item in answered:
        assert item.get("caller") == proposed[item["call_id"]].get("caller"), (seed, item)
        _true(seed, asked[item["call_id"]], item["output"], log)
    assert results_before_status(answered, proposed) == [], seed
    assert len(log.begun) == len(set(log.begun)), (seed, "something was done again")
    handles = [event.handle for event in run.of(JobRegistered)]
    assert len(handles) == len(set(handles)), seed
    assert verify(run.ledger_path).whole, seed
    if run.of(RunResumed):
        events = run.events
        check_journal(events if events[-1].type == "run_ended" else [*events, _an_end()], dropped=True)
        check_timeline(run.timeline)


def _an_end() -> Any:
    from app.core.events import RunEnded

    return RunEnded(status="finished", reason="")


def _true(seed: int, asked: Item, output: str, log: Done) -> None:
    """Nothing that was done is called undone, and the other way round."""
    if asked["name"] == "wait_for_tasks":
        return
    name = json.loads(asked["arguments"])["sku"]
    assert name not in log.done or not any(words in output for words in UNDONE), (seed, name, output)
    assert name in log.done or not any(words in output for words in DID), (seed, name, output)
