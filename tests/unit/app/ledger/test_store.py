"""What is appended is on disk, comes back equal, and is never written twice or out of order."""

import os
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import LedgerInUse, LedgerProblem, NotDurable
from app.core.events import CheckpointSaved, FailureSeen, Recorded
from app.core.evidence import Blob
from app.ledger.lock import side_file
from app.ledger.reader import LedgerReader
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from tests.helpers.log_watch import LogWatch
from tests.unit.app.ledger.made_up import Click, SdkRun, StandingClock, data_url, png, run_ended, run_started


def test_events_come_back_equal_and_in_order(ledger: RunLedger) -> None:
    written = [ledger.append(event) for event in [run_started(), *Click(1).steps(), run_ended()]]
    assert list(ledger.events()) == written
    assert [recorded.seq for recorded in written] == list(range(1, 8))
    assert list(ledger.events(after_seq=5)) == written[5:]


def test_a_listener_gets_what_is_already_on_disk(ledger: RunLedger, path: Path) -> None:
    seen: list[Recorded] = []
    on_disk: list[int] = []

    def listen(recorded: Recorded) -> None:
        seen.append(recorded)
        with LedgerReader.open(path) as reader:
            on_disk.append(reader.last_seq())

    ledger.subscribe(listen)
    ledger.append(run_started())
    ledger.append(run_ended())
    assert seen == list(ledger.events())
    assert on_disk == [1, 2]


def test_a_listener_that_fails_breaks_nothing(ledger: RunLedger, expected_log: LogWatch) -> None:
    expected_log("A listener of the journal failed")
    seen: list[int] = []

    def fail(recorded: Recorded) -> None:
        raise RuntimeError

    ledger.subscribe(fail)
    ledger.subscribe(lambda recorded: seen.append(recorded.seq))
    ledger.append(run_started())
    assert seen == [1]


def test_listeners_hear_in_order_when_one_of_them_appends(ledger: RunLedger) -> None:
    heard: list[tuple[str, int]] = []

    def first(recorded: Recorded) -> None:
        heard.append(("first", recorded.seq))
        if recorded.seq == 1:
            ledger.append(run_ended())

    ledger.subscribe(first)
    ledger.subscribe(lambda recorded: heard.append(("second", recorded.seq)))
    ledger.append(run_started())
    assert heard == [("first", 1), ("second", 1), ("first", 2), ("second", 2)]


def test_a_picture_is_stored_once_and_read_from_another_thread(ledger: RunLedger) -> None:
    blob = Blob(png(1), "image/png")
    ledger.append(run_started())
    ledger.append(Click(1, blob).asked, [blob])
    ledger.append(Click(2, blob).asked, [blob])
    read: list[bytes] = []
    thread = threading.Thread(target=lambda: read.append(ledger.blob(blob.digest)))
    thread.start()
    thread.join()
    assert read == [blob.data]
    with pytest.raises(LedgerProblem):
        ledger.blob("00" * 32)


def test_thumbnails_are_stored_beside_their_pictures(path: Path) -> None:
    blobs = [Blob(png(seed), "image/png") for seed in range(3)]
    broken = Blob(b"not a picture", "image/png")
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        for number, blob in enumerate([*blobs, broken]):
            ledger.append(Click(number, blob).asked, [blob])
    with LedgerReader.open(path) as reader:
        thumbs = [reader.thumbnail(blob.digest) for blob in blobs]
        assert all(thumb is not None and thumb.startswith(b"\xff\xd8") for thumb in thumbs)
        assert reader.thumbnail(broken.digest) is None


def test_a_closed_ledger_is_one_file_and_whole(path: Path) -> None:
    run = SdkRun()
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        for checkpoint in run.step():
            ledger.save_checkpoint(checkpoint)
        ledger.append(run_ended())
    assert list(path.parent.glob("run*")) == [path]
    assert verify(path).whole
    ledger.close()
    with pytest.raises(NotDurable):
        ledger.append(run_ended())
    with pytest.raises(LedgerProblem):
        ledger.blob("00" * 32)


def test_checkpoints_come_back_equal_while_written_and_after(path: Path) -> None:
    run, handed_over = SdkRun(), []
    with RunLedger.create(path, StandingClock()) as ledger:
        for _ in range(5):
            for checkpoint in run.step():
                handed_over.append(checkpoint)
                recorded = ledger.save_checkpoint(checkpoint)
                assert isinstance(recorded.event, CheckpointSaved)
                assert recorded.event.revision == checkpoint["revision"]
        assert ledger.revisions() == [checkpoint["revision"] for checkpoint in handed_over]
        assert ledger.latest_checkpoint() == handed_over[-1]
    with LedgerReader.open(path) as reader:
        assert [reader.checkpoint(number) for number in reader.revisions()] == handed_over
        with pytest.raises(LedgerProblem):
            reader.checkpoint(len(handed_over) + 1)


def test_odd_text_and_huge_numbers_survive(ledger: RunLedger) -> None:
    checkpoint = SdkRun().checkpoint("boundary")
    checkpoint["history"] += [
        {"role": "user", "content": "\ud800 \x00 \ud83d\ude00 😀"},
        {"\udfff": 10**5000, "$text": {"$text": "x"}},
        {"image_url": data_url(b"x" * 9000)[:-1] + "\n"},
    ]
    ledger.save_checkpoint(checkpoint)
    assert ledger.latest_checkpoint() == checkpoint


@pytest.mark.parametrize("revision", [0, 1, 3, "2", None, 2.5])
def test_a_revision_that_is_not_the_next_is_refused(ledger: RunLedger, revision: Any) -> None:
    run = SdkRun()
    ledger.save_checkpoint(run.checkpoint("boundary"))
    wrong = run.checkpoint("boundary")
    right = dict(wrong)
    wrong["revision"] = revision
    with pytest.raises(NotDurable):
        ledger.save_checkpoint(wrong)
    ledger.save_checkpoint(right)
    assert ledger.revisions() == [1, 2]


@pytest.mark.parametrize("change", [{"run_id": "another"}, {"phase": "invented"}, {"history": [object()]}])
def test_what_is_not_the_run_s_checkpoint_is_refused(ledger: RunLedger, change: dict[str, Any]) -> None:
    run = SdkRun()
    ledger.save_checkpoint(run.checkpoint("boundary"))
    with pytest.raises(NotDurable):
        ledger.save_checkpoint({**run.checkpoint("boundary"), **change})
    assert ledger.revisions() == [1]


def test_content_that_is_not_json_leaves_the_ledger_usable(ledger: RunLedger) -> None:
    picture = "p" * 5000
    failure = FailureSeen(where="a", error="b", detail=picture)
    with pytest.raises(NotDurable, match="not JSON"):
        ledger.append(run_started().model_copy(update={"plan": {"a": picture, "b": object()}}))
    ledger.append(failure)
    assert [recorded.event for recorded in ledger.events()] == [failure]


def test_a_run_goes_on_where_it_ended(path: Path) -> None:
    clock, run = StandingClock(), SdkRun()
    with RunLedger.create(path, clock) as ledger:
        ledger.append(run_started())
        for checkpoint in run.step():
            ledger.save_checkpoint(checkpoint)
    with RunLedger.open_owned(path, clock) as ledger:
        newest = ledger.latest_checkpoint()
        assert newest == checkpoint
        for checkpoint in run.step():
            recorded = ledger.save_checkpoint(checkpoint)
    assert recorded.seq == 11
    with LedgerReader.open(path) as reader:
        assert reader.latest_checkpoint() == checkpoint
        assert reader.revisions() == list(range(1, 11))
    assert verify(path).whole


def test_a_ledger_is_never_written_over(ledger: RunLedger, path: Path) -> None:
    with pytest.raises(LedgerInUse):
        RunLedger.create(path, StandingClock())
    ledger.append(run_started())
    ledger.close()
    with pytest.raises(LedgerProblem, match="already"):
        RunLedger.create(path, StandingClock())
    with RunLedger.open_owned(path, StandingClock()) as again:
        assert len(list(again.events())) == 1
    assert not side_file(path).exists()


def test_a_damaged_ledger_is_not_continued(path: Path) -> None:
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
    data = path.read_bytes()
    path.write_bytes(data.replace(b"Book a table", b"Book a fable"))
    before = path.read_bytes()
    with pytest.raises(LedgerProblem, match="not continued"):
        RunLedger.open_owned(path, StandingClock())
    assert path.read_bytes() == before
    assert list(path.parent.glob("run*")) == [path]


def test_nothing_can_be_opened_where_nothing_is(tmp_path: Path) -> None:
    with pytest.raises(LedgerProblem, match="no such"):
        RunLedger.open_owned(tmp_path / "none.signalbox", StandingClock())
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerProblem, match="no run can be recorded"):
        RunLedger.create(tmp_path / "file" / "run.signalbox", StandingClock())


def test_a_run_does_not_begin_on_a_nearly_full_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.ledger.birth.LEAST_FREE_BYTES", 1 << 60)
    with pytest.raises(LedgerProblem, match="MB free"):
        RunLedger.create(path, StandingClock())
    assert list(path.parent.iterdir()) == []


def test_of_a_run_that_could_not_begin_nothing_is_left(path: Path) -> None:
    in_the_way = path.with_name(path.name + "-wal")
    in_the_way.mkdir()
    with pytest.raises(NotDurable, match="no run can be recorded"):
        RunLedger.create(path, StandingClock())
    assert list(path.parent.iterdir()) == [in_the_way]


def test_a_file_that_another_program_locks_is_named_and_final(ledger: RunLedger, path: Path) -> None:
    ledger.append(run_started())
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(NotDurable, match="database is locked"):
        ledger.append(run_ended())
    other.execute("ROLLBACK")
    other.close()
    with pytest.raises(NotDurable, match="database is locked"):
        ledger.append(run_ended())


def test_a_second_writer_that_got_past_the_lock_cannot_go_on(ledger: RunLedger, path: Path) -> None:
    ledger.append(run_started())
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("INSERT INTO events SELECT 2, wall_ms, mono_ns, type, body, attached, chain FROM events")
    other.close()
    with pytest.raises(NotDurable, match="UNIQUE"):
        ledger.append(run_ended())


def test_a_checkpoint_before_that_cannot_be_read_stops_the_saves(path: Path) -> None:
    run = SdkRun()
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        for checkpoint in run.step():
            ledger.save_checkpoint(checkpoint)
    with RunLedger.open_owned(path, StandingClock()) as ledger:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("DELETE FROM blobs")
        other.close()
        with pytest.raises(NotDurable, match="cannot be read"):
            ledger.save_checkpoint(run.checkpoint("boundary"))


def test_a_side_file_that_cannot_be_written_stops_nothing(ledger: RunLedger, expected_log: LogWatch) -> None:
    expected_log("side file of the ledger could not be written")
    handle = ledger._lock._handle
    ledger._lock._handle = os.open(os.devnull, os.O_RDONLY)
    ledger.append(run_started())
    os.close(ledger._lock._handle)
    ledger._lock._handle = handle
    assert len(list(ledger.events())) == 1


def test_a_close_that_cannot_fold_leaves_everything_beside_the_file(path: Path) -> None:
    ledger = RunLedger.create(path, StandingClock())
    ledger.append(run_started())
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN IMMEDIATE")
    ledger.close()
    assert side_file(path).exists()
    reader.close()
    with RunLedger.open_owned(path, StandingClock()) as again:
        assert len(list(again.events())) == 1


def test_leaving_the_block_twice_is_harmless(ledger: RunLedger) -> None:
    ledger.append(run_started())
    ledger.close()
    ledger.close()
