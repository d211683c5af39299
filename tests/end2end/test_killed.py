"""kill -9 with a question open, then a fresh start: the record says what became of it, and nothing is repeated."""

import signal
import subprocess
import sys
import time
from pathlib import Path

from app.core.errors import LedgerProblem
from app.core.moment import Moment
from app.core.timeline import Timeline
from app.ledger.reader import LedgerReader
from app.ledger.shelf import RunSummary, list_runs
from app.ledger.verify import verify
from tests.end2end.program import environment

PATIENCE_SECS = 300.0
LOOK_EVERY_SECS = 0.05


def test_killed_with_a_card_open(tmp_path: Path) -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "app", "demo"],
        env=environment(tmp_path),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=Path(__file__).parents[2],
    )
    try:
        _wait_for_a_held_ask(tmp_path / "runs", program)
        [running] = list_runs(tmp_path / "runs")
        assert running.status == "running"
        assert running.owner == program.pid
    finally:
        program.send_signal(signal.SIGKILL)
        program.wait()
    first, second = _only_run(tmp_path), _only_run(tmp_path)
    assert first == second, "looking changes nothing"
    assert first.status == "cut_off"
    assert first.denied == 0
    [call] = first.uncertain
    assert call.outcome == "not_done"
    assert call.words == "no decision was made, nothing was done"
    assert verify(first.path).whole


def _only_run(home: Path) -> RunSummary:
    [run] = list_runs(home / "runs")
    return run


def _wait_for_a_held_ask(runs: Path, program: subprocess.Popen[bytes]) -> None:
    """Until the program has an ask on record that no rule has answered."""
    end = time.monotonic() + PATIENCE_SECS
    while time.monotonic() < end:
        assert program.poll() is None, "the program ended by itself"
        if _asks_a_person(runs):
            return
        time.sleep(LOOK_EVERY_SECS)
    raise AssertionError("no question was ever asked")


def _asks_a_person(runs: Path) -> bool:
    for path in runs.glob("*.signalbox"):
        try:
            with LedgerReader.open(path) as reader:
                timeline = Timeline()
                for recorded in reader.events():
                    timeline.apply(recorded)
        except LedgerProblem:
            # It is being made at this moment.
            return False
        if any(record.ask.kind != "navigation" for record in Moment(timeline).open_asks):
            return True
    return False
