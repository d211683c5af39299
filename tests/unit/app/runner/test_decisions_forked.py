"""A decisions run is forked right before any of its requests, with what its observation would have carried."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.errors import LedgerProblem, UsageProblem
from app.core.events import RequestSent, RunEnded, RunStarted, SegmentStarted
from app.core.plan import RunPlan
from app.core.resuming import ResumeAnswer
from app.ledger.store import RunLedger
from app.runner.carrying import FORKED, NEW_BROWSER
from app.runner.forking import Fork, fork_at, forkable
from app.runner.resuming import prepare
from app.runner.told import RESUMED
from tests.unit.app.runner.choosing import BOOKED, choosing, run_choosing
from tests.unit.app.runner.harness import Run, started
from tests.unit.app.runner.invariants import check
from tests.unit.app.runner.test_decisions_resumed import PRESSED, TYPED, go_on, observed

PLAN = RunPlan.model_validate(
    {"task": "Book a table for Ada Park.", "engine": "decisions", "browser": {"start_url": "http://127.0.0.1/"}}
)


def saved(tmp_path: Path) -> Run:
    folder = tmp_path / "first"
    folder.mkdir()
    return run_choosing(choosing(*BOOKED), folder)


def forked(folder: Path, made: Fork, *steps: str) -> Run:
    folder.mkdir()
    header = started(PLAN).model_copy(update={"run_id": "20261130-0100-forked", "origin": made.origin})
    return run_choosing(choosing(*steps), folder, fork=made.beginning, header=header)


def test_a_fork_goes_its_own_way_from_before_a_request(tmp_path: Path) -> None:
    first = saved(tmp_path)
    before = hashlib.sha256(first.ledger_path.read_bytes()).hexdigest()
    source = forkable(first.ledger_path)
    boundaries = source.offer.boundaries
    assert [(one.revision, one.words) for one in boundaries] == [
        (1, "from the task alone"),
        (2, "after turn 1 · Type text"),
        (3, "after turn 2 · Click on a page element"),
    ]
    assert [len(one.after) for one in boundaries] == [2, 1, 0]
    made = fork_at(source, 2, PLAN, {}, boundaries[1].warning)
    run = forked(tmp_path / "fork", made, "press-reserve-table", "done")
    check(run)
    assert run.ended.verification == "unverified"
    then, later = observed(run)
    assert then.index(FORKED) < then.index(NEW_BROWSER) < then.index(f"Last completed action: {TYPED}")
    assert FORKED not in later
    for seen in (then, later):
        assert "may still stand: Click on a page element (done)." in seen
    assert f"Last completed action: {PRESSED}" in later
    assert [request.turn for request in run.of(RequestSent)] == [1, 2]
    assert run.of(RunStarted)[0].origin == made.origin
    assert made.origin.revision == 2
    (segment,) = run.of(SegmentStarted)
    assert segment.carried == made.beginning.carried
    assert hashlib.sha256(first.ledger_path.read_bytes()).hexdigest() == before, "the saved run is only read"


def test_a_fork_that_is_resumed_still_knows_what_it_took_along(tmp_path: Path) -> None:
    source = forkable(saved(tmp_path).ledger_path)
    run = forked(tmp_path / "fork", fork_at(source, 3, PLAN, {}, "Mind the step."), "refuse = true")
    again = go_on(run.ledger_path, choosing("done"), ResumeAnswer(note="And the door."))
    assert isinstance(again.events[-1], RunEnded)
    (seen,) = observed(again)
    assert f"Last completed action: {PRESSED}" in seen
    assert seen.index(RESUMED) < seen.index("Mind the step.") < seen.index("And the door.")


def test_used_up_steps_are_no_hindrance(tmp_path: Path) -> None:
    folder = tmp_path / "first"
    folder.mkdir()
    first = run_choosing(choosing("type-name", "press-reserve-table", keys="max_steps = 2"), folder)
    made = fork_at(forkable(first.ledger_path), 2, PLAN, {}, "")
    run = forked(tmp_path / "fork", made, "press-reserve-table", "done")
    assert run.ended.verification == "unverified"
    assert [member for member, _ in run.did] == ["click"]


def test_what_cannot_be_forked_is_refused_with_its_reason(tmp_path: Path) -> None:
    source = forkable(saved(tmp_path).ledger_path)
    with pytest.raises(UsageProblem, match="revision 4 is no boundary to fork from; there are: 1, 2, 3"):
        fork_at(source, 4, PLAN, {}, "")
    with pytest.raises(UsageProblem, match="another engine than the run: responses"):
        fork_at(source, 1, RunPlan(task="Book a table."), {}, "")


@pytest.mark.parametrize("engine", ["decisions", "responses"])
def test_a_fork_cut_off_before_it_began_is_not_resumed_without_its_origin(engine: str, tmp_path: Path) -> None:
    made = fork_at(forkable(saved(tmp_path).ledger_path), 2, PLAN, {}, "")
    header: Any = started(PLAN).model_copy(update={"engine": engine, "origin": made.origin})
    with RunLedger.create(tmp_path / "cut.signalbox", SystemClock()) as ledger:
        ledger.append(header)
    with (
        RunLedger.open_owned(tmp_path / "cut.signalbox", SystemClock()) as ledger,
        pytest.raises(LedgerProblem, match="cut off before it began; fork the saved run again"),
    ):
        prepare(ledger, None)
