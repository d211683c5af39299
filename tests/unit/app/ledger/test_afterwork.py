"""Work after a save never gets in the way of a save, and what fails of it is logged and done without."""

import sqlite3
import sys
import threading
import weakref
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from app.core.evidence import Blob
from app.ledger import afterwork, room
from app.ledger.afterwork import Afterwork
from app.ledger.store import RunLedger
from tests.helpers.log_watch import LogWatch
from tests.unit.app.ledger.made_up import SdkRun, StandingClock, png, run_started


def frames_in_log(path: Path) -> int:
    """How many pages the log holds that are in use, by the header of its index (sqlite.org/walformat.html, 2.1)."""
    header = path.with_name(path.name + "-shm").read_bytes()[:20]
    return int.from_bytes(header[16:20], sys.byteorder)


def test_the_log_is_folded_into_the_file_while_a_run_writes(
    path: Path, ledger: RunLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(afterwork, "FOLD_AT_BYTES", 300_000)
    run = SdkRun(picture_bytes=60_000)
    before = path.stat().st_size
    for _ in range(40):
        for checkpoint in run.step():
            ledger.save_checkpoint(checkpoint)
    ledger._afterwork.close()
    assert path.stat().st_size > before + 500_000
    assert ledger.latest_checkpoint() == checkpoint


def test_a_log_that_is_wholly_folded_begins_anew(path: Path, ledger: RunLedger) -> None:
    run = SdkRun(picture_bytes=60_000)
    frames = []
    for _ in range(6):
        for checkpoint in run.step():
            ledger.save_checkpoint(checkpoint)
        ledger._afterwork.wrote(afterwork.FOLD_AT_BYTES)
        ledger._afterwork.close()
        # Not how long the log is: the thread lengthens it ahead, sooner or later.
        frames.append(frames_in_log(path))
    assert frames[-1] < 2 * frames[0], frames


def test_a_log_begins_anew_under_a_run_that_never_pauses(path: Path, ledger: RunLedger) -> None:
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as beside:

        class WriterWaits:
            """The writer's lock: whoever has it may fold what was written in the last moment, too."""

            def __enter__(self) -> None:
                beside.execute("ROLLBACK")

            def __exit__(self, *_: object) -> None:
                """The writer goes on."""

        work = Afterwork(path, cast(threading.Lock, WriterWaits()))
        work._room = room.MOST_BYTES  # there is as much as there will be
        frames = []
        for _ in range(6):
            ledger.append(run_started())
            # As long as somebody reads the run as it was then, what comes after is not folded.
            beside.execute("BEGIN")
            beside.execute("SELECT count(*) FROM events").fetchall()
            ledger.append(run_started())
            work.wrote(afterwork.FOLD_AT_BYTES)
            work.close()
            frames.append(frames_in_log(path))
    assert frames[-1] <= frames[1]


def test_a_log_that_is_too_long_makes_the_writer_wait(
    path: Path, ledger: RunLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(afterwork, "LONGEST_LOG_BYTES", 0)
    ledger.append(run_started())
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM events").fetchall()
    ledger.append(run_started())
    writing = threading.Lock()
    work = Afterwork(path, writing)
    with writing:
        work.wrote(afterwork.FOLD_AT_BYTES)
        work.wrote(afterwork.FOLD_AT_BYTES)
    work.close()
    reader.close()
    assert len(list(ledger.events())) == 2


def test_a_fold_that_fails_is_logged(tmp_path: Path, expected_log: LogWatch) -> None:
    expected_log("could not be folded")
    work = Afterwork(tmp_path / "nowhere" / "run.signalbox", threading.Lock())
    work.wrote(afterwork.FOLD_AT_BYTES)
    work.close()


def test_a_picture_too_many_goes_without_a_thumbnail(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(afterwork, "MOST_WAITING", 2)
    started, go_on = threading.Event(), threading.Event()

    def slowly(data: bytes) -> bytes | None:
        started.set()
        go_on.wait()
        return data

    monkeypatch.setattr(afterwork, "thumbnail", slowly)
    work = Afterwork(path, threading.Lock())
    work.picture("first", b"1")
    started.wait()
    for name in ("second", "third", "fourth", "fifth"):
        work.picture(name, b"2")
    work.wrote(afterwork.FOLD_AT_BYTES)
    go_on.set()
    work.close()
    assert set(work.made()) == {"first", "second", "third"}
    work.stored(work.made())
    assert work.made() == {}
    assert work.thumbnail("first") is None


def test_a_job_that_fails_does_not_end_the_thread(
    path: Path, monkeypatch: pytest.MonkeyPatch, expected_log: LogWatch
) -> None:
    expected_log("Work after a save failed")

    def fails(data: bytes) -> bytes | None:
        if data == b"bad":
            raise RuntimeError
        return data

    monkeypatch.setattr(afterwork, "thumbnail", fails)
    work = Afterwork(path, threading.Lock())
    work.picture("bad", b"bad")
    work.picture("good", b"good")
    work.close()
    assert work.made() == {"good": b"good"}


def test_a_thumbnail_is_there_before_it_is_in_the_file(path: Path) -> None:
    blob = Blob(png(1), "image/png")
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started(), [blob])
        ledger._afterwork.close()
        made = ledger.thumbnail(blob.digest)
        assert made is not None
        ledger.append(run_started())
        assert ledger._afterwork.made() == {}
        assert ledger.thumbnail(blob.digest) == made


class _Item:
    """Says when it goes."""


def test_a_history_that_is_let_go_is_freed_beside_the_writer(path: Path) -> None:
    count, gone, all_gone = 3 * afterwork.FREED_AT_ONCE + 1, [0], threading.Event()

    def one_gone() -> None:
        gone[0] += 1
        if gone[0] == count:
            all_gone.set()

    items = [_Item() for _ in range(count)]
    for item in items:
        weakref.finalize(item, one_gone).atexit = False
    work = Afterwork(path, threading.Lock())
    try:
        work.let_go({"revision": 1, "history": items, "attempted_call_ids": ["c"] * count})
        del item, items
        assert all_gone.wait(60)
    finally:
        work.close()


def test_a_history_that_is_let_go_at_the_end_keeps_nobody_waiting(path: Path) -> None:
    work = Afterwork(path, threading.Lock())
    for _ in range(2 * afterwork.MOST_OLD):
        work.let_go({"history": [{} for _ in range(100 * afterwork.FREED_AT_ONCE)]})
    assert len(work._old) <= afterwork.MOST_OLD
    work.close()
    assert not work._old
