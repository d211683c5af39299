"""What is checked is what is shown: a file that takes the place of the opened one is told apart from it."""

import shutil
from pathlib import Path

import pytest

from app.ledger.store import RunLedger
from app.replay.reading import begin_reading
from tests.unit.app.ledger.made_up import Click, StandingClock, run_ended, run_started


def saved(path: Path, clicks: int) -> Path:
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        for number in range(clicks):
            for event in Click(number).steps():
                ledger.append(event)
        ledger.append(run_ended())
    return path


@pytest.mark.parametrize("put", [shutil.move, shutil.copyfile], ids=["replaced", "written over"])
def test_another_whole_run_in_the_place_of_the_one_that_is_shown_is_a_finding(tmp_path: Path, put: object) -> None:
    one, other = saved(tmp_path / "one.signalbox", 2), saved(tmp_path / "other.signalbox", 2)
    reading = begin_reading(one)
    try:
        assert reading.check().whole
        assert callable(put)
        put(other, one)
        checked = reading.check()
    finally:
        reading.close()
    assert not checked.whole
    assert "another file lies there now" in checked.findings[0]
    fresh = begin_reading(one)
    assert fresh.check().findings == ()
    fresh.close()


def test_a_run_that_went_on_while_it_is_shown_is_the_same_run(tmp_path: Path) -> None:
    path = tmp_path / "run.signalbox"
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        reading = begin_reading(path)
        ledger.append(run_ended())
    assert reading.check().whole
    reading.close()
