"""Room in the write-ahead log: what was written stays, the log is read as before, and a full disk is left alone."""

import shutil
import threading
from pathlib import Path

import pytest

from app.ledger import room
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from tests.unit.app.ledger.made_up import StandingClock, run_ended, run_started
from tests.unit.app.ledger.second import next_line, second_process


def test_half_of_the_log_is_free_within_bounds() -> None:
    assert room.wanted(1, 0) == room.FIRST_BYTES
    assert room.wanted(room.FIRST_BYTES // 2 - 1, room.FIRST_BYTES) == room.FIRST_BYTES
    assert room.wanted(room.FIRST_BYTES // 2, room.FIRST_BYTES) == 2 * room.FIRST_BYTES
    assert room.wanted(10 * room.MOST_BYTES, room.FIRST_BYTES) == room.MOST_BYTES
    assert room.wanted(10 * room.MOST_BYTES, room.MOST_BYTES) == room.MOST_BYTES


def test_a_run_has_room_after_its_first_event_and_goes_on_in_it(path: Path) -> None:
    log = path.with_name(path.name + "-wal")
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        ledger._afterwork.close()
        assert log.stat().st_size == room.FIRST_BYTES
        ledger.append(run_ended())
        assert log.stat().st_size == room.FIRST_BYTES
        assert [recorded.seq for recorded in ledger.events()] == [1, 2]
    assert not log.exists()
    assert verify(path).whole


def test_nothing_is_written_over(tmp_path: Path) -> None:
    log = tmp_path / "log"
    for written in (b"", b"frames", b"x" * 700_001):
        log.write_bytes(written)
        room.make(log, 700_000, threading.Lock())
        assert log.read_bytes() == written.ljust(700_000, b"\0")


def test_a_disk_that_is_nearly_full_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"frames")
    monkeypatch.setattr(room, "LEAST_FREE_BYTES", shutil.disk_usage(tmp_path).total)
    room.make(log, 700_000, threading.Lock())
    assert log.read_bytes() == b"frames"


def test_a_log_with_room_is_taken_up_after_kill_9(path: Path) -> None:
    log = path.with_name(path.name + "-wal")
    with second_process(path, "saves") as other:
        seq = int(next_line(other))
        while log.stat().st_size < room.FIRST_BYTES:
            seq = int(next_line(other))
    with RunLedger.open_owned(path, StandingClock()) as ledger:
        assert len(list(ledger.events())) >= seq
        ledger.append(run_ended())
    assert verify(path).whole
