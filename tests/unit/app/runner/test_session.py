"""Whole runs: what the model is told, what is on record, in which order."""

from pathlib import Path

from app.core.events import RunEnded
from app.rehearsal.scenario import load_scenario
from tests.unit.app.runner.harness import run_scenario


def test_booking_runs_to_its_final_message(tmp_path: Path) -> None:
    run = run_scenario(load_scenario("booking"), tmp_path)
    assert run.model.problems == []
    ended = run.events[-1]
    assert isinstance(ended, RunEnded)
    assert ended.status == "finished", ended
    assert [booking.name for booking in run.site.bookings] == ["Ada Park"]
