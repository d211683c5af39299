"""What the folder's list knows decides whether a run may be continued, and a run that it does not know says why."""

import shutil
from pathlib import Path

import pytest

from app.core.errors import LedgerProblem
from app.ledger.known import FILE_NAME
from app.ledger.reader import LedgerReader
from app.ledger.shelf import list_runs
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from tests.helpers.log_watch import LogWatch
from tests.unit.app.ledger.made_up import Click, StandingClock, run_started


def count(reader: LedgerReader) -> int:
    return sum(1 for _ in reader.events())


def closed_run(path: Path, *, then: int = 0) -> RunLedger:
    """A run that was closed in order, and continued by so many clicks."""
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
    if then:
        with RunLedger.open_owned(path, StandingClock()) as ledger:
            for number in range(then):
                ledger.append(Click(number).asked)
    return ledger


def test_an_older_copy_in_place_of_the_newest_is_never_continued(path: Path, tmp_path: Path) -> None:
    closed_run(path)
    older = shutil.copy(path, tmp_path / "older")
    with RunLedger.open_owned(path, StandingClock()) as ledger:
        ledger.append(Click(1).asked)
    shutil.copy(older, path)
    with LedgerReader.open(path) as reader:
        assert reader.flags == {"older", "cut_off"}
        assert count(reader) == 1
    with pytest.raises(LedgerProblem, match="older than the newest known: event 2"):
        RunLedger.open_owned(path, StandingClock())


@pytest.mark.parametrize("place", ["another.signalbox", "elsewhere/run.signalbox"])
def test_a_copy_is_looked_at_and_never_continued(path: Path, tmp_path: Path, place: str) -> None:
    closed_run(path, then=3)
    copy = tmp_path / place
    copy.parent.mkdir(exist_ok=True)
    shutil.copy(path, copy)
    with LedgerReader.open(copy) as reader:
        assert reader.flags == {"copied", "cut_off"}
        assert count(reader) == 4
        why = "knows it by another name" if copy.parent == path.parent else "has no list of known runs"
        assert reader.elsewhere == f"not made here (its folder {why}): to be looked at only"
    assert [run.notes for run in list_runs(copy.parent) if run.path == copy] == [(reader.elsewhere,)]
    assert verify(copy).whole
    with pytest.raises(LedgerProblem, match="not made here"):
        RunLedger.open_owned(copy, StandingClock())
    with RunLedger.open_owned(path, StandingClock()) as ledger:
        assert len(list(ledger.events())) == 4


def test_a_folder_that_was_brought_along_whole_is_looked_at_and_never_continued(path: Path, tmp_path: Path) -> None:
    closed_run(path, then=3)
    brought = tmp_path / "brought along"
    shutil.copytree(path.parent, brought, ignore=shutil.ignore_patterns(brought.name))
    copy = brought / path.name
    with LedgerReader.open(copy) as reader:
        assert "its folder's list of known runs was brought along from elsewhere" in reader.elsewhere
    closed_run(own := brought / "own.signalbox")
    with LedgerReader.open(copy) as reader:
        assert reader.flags == {"copied", "cut_off"}
        assert "its folder knows nothing of it" in reader.elsewhere
    with pytest.raises(LedgerProblem, match="not made here"):
        RunLedger.open_owned(copy, StandingClock())
    with RunLedger.open_owned(own, StandingClock()) as ledger:
        assert len(list(ledger.events())) == 1
    moved = path.parent.rename(path.parent.with_name("moved"))
    with RunLedger.open_owned(moved / path.name, StandingClock()):
        pass


def test_a_list_of_known_runs_that_is_damaged_costs_only_the_continuing(path: Path, expected_log: LogWatch) -> None:
    closed_run(path)
    (path.parent / FILE_NAME).write_bytes(b"rubbish" * 100)
    with LedgerReader.open(path) as reader:
        assert reader.flags == {"copied", "cut_off"}
        assert "its folder's list of known runs cannot be read" in reader.elsewhere
    with pytest.raises(LedgerProblem, match="not made here"):
        RunLedger.open_owned(path, StandingClock())
    expected_log("list of known runs could not be written")
    closed_run(path.with_name("run-2.signalbox"))
