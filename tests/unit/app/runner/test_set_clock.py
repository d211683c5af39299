"""The clock on the wall is set back and forth by days while a run goes on: neither it nor its record suffers."""

import itertools
import time
from pathlib import Path

import pytest

from app.core.events import DecisionMade
from app.core.exporting import SUFFIXES, ExportOrder
from app.core.time_split import time_split
from app.export.write import export_run
from app.ledger.verify import verify
from app.rehearsal.scenario import load_scenario
from tests.unit.app.runner.harness import run_scenario
from tests.unit.app.runner.invariants import check

DAY_NS = 86_400_000_000_000


def test_a_run_whose_wall_clock_jumps_is_like_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jumps = itertools.cycle((0, 400 * DAY_NS, -3 * DAY_NS, 9 * DAY_NS))
    began = time.time_ns()
    monkeypatch.setattr("app.clock.time.time_ns", lambda: began + next(jumps))
    run = run_scenario(load_scenario("refusal"), tmp_path)
    monkeypatch.undo()
    check(run)
    assert run.ended.status == "finished", run.ended.reason
    walls = [recorded.wall_ms for recorded in run.timeline.events]
    assert max(walls) - min(walls) > 300 * DAY_NS // 1_000_000, "the clock did not jump"
    assert verify(run.ledger_path).whole
    split = time_split(run.timeline, run.timeline.last_seq)
    assert 0 < split.whole < 60_000
    assert split.whole >= split.model
    took = [run.timeline.elapsed.at(seq) for seq in range(1, run.timeline.last_seq + 1)]
    assert took == sorted(took)
    for kind, suffix in SUFFIXES.items():
        assert export_run(ExportOrder(run.ledger_path, kind, tmp_path / f"out{suffix}")).size_bytes > 0
    assert all(0 <= event.decision.waited_ms < 60_000 for event in run.of(DecisionMade))
