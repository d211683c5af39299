"""A ledger that this process looks at is not written on in the same process: the one would break the other."""

import threading
from pathlib import Path

import pytest

from app.core.errors import LedgerProblem
from app.ledger import store
from app.ledger.lock import owner_of
from app.ledger.reader import LedgerReader
from app.ledger.shelf import summary_of
from app.ledger.store import RunLedger
from tests.unit.app.ledger.made_up import StandingClock, run_ended
from tests.unit.app.ledger.second import next_line, second_process


@pytest.fixture
def cut_off(path: Path) -> Path:
    """A run whose process was killed; its log lies beside it."""
    with second_process(path, "events", "3") as other:
        assert next_line(other) == "written"
        other.wait()
    return path


def test_while_it_is_looked_at_it_is_not_owned(cut_off: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LOOKERS_WAIT_SECS", 0.0)
    with LedgerReader.open(cut_off) as reader:
        with pytest.raises(LedgerProblem, match="being looked at in this program"):
            RunLedger.open_owned(cut_off, StandingClock())
        assert len(list(reader.events())) == 4
        assert owner_of(cut_off) is None
    with RunLedger.open_owned(cut_off, StandingClock()) as ledger:
        ledger.append(run_ended())
    assert summary_of(cut_off).status == "finished"


def test_a_reader_that_is_about_to_close_is_waited_for(cut_off: Path) -> None:
    reader = LedgerReader.open(cut_off)
    owned: list[int] = []

    def own() -> None:
        with RunLedger.open_owned(cut_off, StandingClock()) as ledger:
            owned.append(ledger.append(run_ended()).seq)

    thread = threading.Thread(target=own)
    thread.start()
    reader.close()
    reader.close()
    thread.join()
    assert owned == [5]
    assert summary_of(cut_off).status == "finished"


def test_a_file_that_is_no_ledger_leaves_no_reader_behind(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LOOKERS_WAIT_SECS", 0.0)
    path.write_bytes(b"no ledger")
    with pytest.raises(LedgerProblem):
        LedgerReader.open(path)
    with pytest.raises(LedgerProblem, match="not a Signalbox ledger"):
        RunLedger.open_owned(path, StandingClock())
