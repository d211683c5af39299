"""A file that is damaged, cut, stale, foreign or newer is read as far as it is true, and says what it is."""

import os
import shutil
import sqlite3
import sys
from pathlib import Path

import pytest

from app.core.errors import LedgerProblem
from app.core.evidence import Blob
from app.ledger.known import recall, remember
from app.ledger.reader import LedgerReader
from app.ledger.removal import remove_run
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from tests.unit.app.ledger.made_up import Click, SdkRun, StandingClock, png, run_ended, run_started
from tests.unit.app.ledger.second import next_line, second_process

STEPS = 12


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of some pictures and checkpoints."""
    path = tmp_path_factory.mktemp("original") / "run.signalbox"
    run = SdkRun(picture_bytes=20_000)
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        for number in range(STEPS):
            blob = Blob(png(number, width=60, height=40), "image/png")
            for event in Click(number, blob).steps():
                ledger.append(event, [blob])
            for checkpoint in run.step():
                ledger.save_checkpoint(checkpoint)
        ledger.append(run_ended())
    return path


@pytest.fixture
def saved(original: Path, path: Path) -> Path:
    """A copy of it, known in its folder, to do anything with."""
    shutil.copy(original, path)
    with LedgerReader.open(original) as reader:
        nonce = reader.nonce()
    known = recall(original, nonce)
    assert known is not None
    remember(path, nonce, known)
    return path


@pytest.fixture
def cut_off(path: Path) -> Path:
    """A run whose process was killed, its log still beside it."""
    with second_process(path, "events", "13") as other:
        assert next_line(other) == "written"
        other.wait()
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text elsewhere")
def test_a_name_that_is_no_text_is_a_name_all_the_same(saved: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(saved.parent) + b"/caf\xe9 #?%41.signalbox"))
    shutil.copy(saved, odd)
    with LedgerReader.open(odd) as reader:
        assert len(list(reader.events())) == reader.last_seq()
        assert "copied" in reader.flags
    assert verify(odd).whole
    remove_run(odd)
    assert [one for one in saved.parent.iterdir() if one.suffix == ".signalbox"] == [saved]


def edit(path: Path, *statements: str) -> None:
    """Change the file as another program could."""
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def count(reader: LedgerReader) -> int:
    return sum(1 for _ in reader.events())


def test_a_whole_run_has_no_flags(saved: Path) -> None:
    with LedgerReader.open(saved) as reader:
        assert count(reader) == STEPS * 10 + 2
        assert (reader.flags, reader.notes) == (frozenset(), [])


def test_reading_leaves_no_trace(saved: Path) -> None:
    saved.chmod(0o400)
    before = saved.stat()
    with LedgerReader.open(saved) as reader:
        count(reader)
        assert list(saved.parent.glob("run*")) == [saved]
    after = saved.stat()
    assert (after.st_mtime_ns, after.st_size) == (before.st_mtime_ns, before.st_size)


def test_a_run_that_was_cut_off_is_read_with_its_log(cut_off: Path) -> None:
    names = sorted(cut_off.parent.iterdir())
    index = cut_off.with_name(cut_off.name + "-shm").read_bytes()
    with LedgerReader.open(cut_off) as reader:
        assert count(reader) == 14
        assert reader.flags == {"cut_off"}
    assert sorted(cut_off.parent.iterdir()) == names
    assert cut_off.with_name(cut_off.name + "-shm").read_bytes() == index


def test_a_copy_with_its_log_alone_is_read_too(cut_off: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "run.signalbox"
    copy.parent.mkdir()
    shutil.copy(cut_off, copy)
    shutil.copy(cut_off.with_name(cut_off.name + "-wal"), copy.with_name(copy.name + "-wal"))
    names = sorted(copy.parent.iterdir())
    with LedgerReader.open(copy) as reader:
        assert count(reader) == 14
    assert sorted(copy.parent.iterdir()) == names


def test_a_run_that_lost_its_log_is_known_to_be_older(cut_off: Path) -> None:
    cut_off.with_name(cut_off.name + "-wal").unlink()
    with LedgerReader.open(cut_off) as reader:
        assert "older" in reader.flags
        assert reader.notes == ["older than the newest known: event 14, checkpoint 0 were on record"]
    with pytest.raises(LedgerProblem, match="not continued: older"):
        RunLedger.open_owned(cut_off, StandingClock())


def test_a_log_of_another_run_is_noticed(saved: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.signalbox"
    with second_process(other, "events", "23") as process:
        assert next_line(process) == "written"
        process.wait()
    shutil.copy(other.with_name(other.name + "-wal"), saved.with_name(saved.name + "-wal"))
    before = saved.read_bytes()
    with LedgerReader.open(saved) as reader:
        assert count(reader) == 0
        assert "damaged" in reader.flags
    assert not verify_whole(saved)
    assert saved.read_bytes() == before


def verify_whole(path: Path) -> bool:
    try:
        return verify(path).whole
    except LedgerProblem:
        return False


def test_a_running_run_is_read_while_it_is_written(ledger: RunLedger, path: Path) -> None:
    ledger.append(run_started())
    with LedgerReader.open(path) as reader:
        assert reader.flags == {"running"}
        assert count(reader) == 1
        for event in Click(1).steps():
            ledger.append(event)
        assert count(reader) == 6
        assert [recorded.seq for recorded in reader.events(after_seq=4)] == [5, 6]


@pytest.mark.parametrize(
    ("edited", "last_good"),
    [
        ("UPDATE events SET body = replace(body, 'call_3', 'call_4') WHERE seq = 40", 39),
        ("UPDATE events SET wall_ms = wall_ms + 1 WHERE seq = 2", 1),
        ("UPDATE events SET chain = x'00' WHERE seq = 100", 99),
        ("UPDATE events SET attached = NULL WHERE seq = 7", 6),
        ("DELETE FROM events WHERE seq = 50", 49),
        ("UPDATE events SET seq = 0 WHERE seq = 1", 0),
        ("UPDATE events SET body = '{}' WHERE seq = 121", 120),
    ],
)
def test_a_changed_journal_is_read_up_to_the_change(saved: Path, edited: str, last_good: int) -> None:
    edit(saved, edited)
    with LedgerReader.open(saved) as reader:
        assert count(reader) == last_good
        assert "damaged" in reader.flags
        assert f"readable up to event {last_good} of" in reader.notes[0]


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.9])
def test_a_truncated_file_is_read_up_to_the_last_whole_record(saved: Path, keep: float) -> None:
    data = saved.read_bytes()
    saved.write_bytes(data[: int(len(data) * keep)])
    with LedgerReader.open(saved) as reader:
        whole = list(reader.events())
        assert "damaged" in reader.flags
        assert reader.notes
        assert [recorded.seq for recorded in whole] == list(range(1, len(whole) + 1))
    assert not verify_whole(saved)


def test_flipped_bytes_are_never_shown_as_true(saved: Path) -> None:
    with LedgerReader.open(saved) as reader:
        events = list(reader.events())
        pictures = {digest.hex(): reader.blob(digest.hex()) for (digest,) in reader.rows("SELECT digest FROM blobs")}
    data = saved.read_bytes()
    for place in range(101, len(data), len(data) // 200):
        flipped = bytearray(data)
        flipped[place] ^= 0x10
        saved.write_bytes(flipped)
        try:
            with LedgerReader.open(saved) as reader:
                found = list(reader.events())
                assert found == events[: len(found)]
                assert len(found) == len(events) or "damaged" in reader.flags
                for digest, picture in pictures.items():
                    assert still(reader, digest) in (picture, None)
        except LedgerProblem:
            continue
        assert saved.read_bytes() == flipped


def still(reader: LedgerReader, digest: str) -> bytes | None:
    try:
        return reader.blob(digest)
    except LedgerProblem:
        return None


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "empty"), (b"\x07" * 100, "not a Signalbox ledger"), (b"hello\n" * 50, "not a Signalbox ledger")],
)
def test_what_is_no_ledger_is_named(path: Path, content: bytes, words: str) -> None:
    path.write_bytes(content)
    with pytest.raises(LedgerProblem, match=words):
        LedgerReader.open(path)


def test_another_program_s_database_is_named(path: Path) -> None:
    edit(path, "CREATE TABLE events(seq)")
    with pytest.raises(LedgerProblem, match="another program"):
        LedgerReader.open(path)
    path.unlink()
    with pytest.raises(LedgerProblem, match="no such"):
        LedgerReader.open(path)
    path.mkdir()
    with pytest.raises(LedgerProblem, match="not a file, but a folder"):
        LedgerReader.open(path)


ENDLESS = (
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x AS revision, 1 AS seq, '' AS body FROM n"
)


@pytest.mark.parametrize(
    "statements",
    [
        ("DROP TABLE manifests", f"CREATE VIEW manifests AS {ENDLESS}"),
        (f"CREATE VIEW extra AS {ENDLESS}",),
        ("CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM blobs; END",),
        ("CREATE VIRTUAL TABLE extra USING fts5(words)",),
        ("CREATE TABLE extra(a)",),
        ("DROP INDEX events_by_type",),
        ("ALTER TABLE events ADD COLUMN extra TEXT",),
        ("PRAGMA user_version = 0",),
    ],
)
def test_a_file_that_signalbox_did_not_write_is_refused(saved: Path, statements: tuple[str, ...]) -> None:
    edit(saved, *statements)
    with pytest.raises(LedgerProblem, match="refused"):
        LedgerReader.open(saved)


def test_a_newer_format_is_shown_and_never_continued(saved: Path) -> None:
    edit(saved, "PRAGMA user_version = 2", "ALTER TABLE events ADD COLUMN extra TEXT")
    with LedgerReader.open(saved) as reader:
        assert count(reader) == STEPS * 10 + 2
        assert reader.flags == {"newer"}
    with pytest.raises(LedgerProblem, match="newer"):
        RunLedger.open_owned(saved, StandingClock())


def test_a_newer_format_without_our_tables_is_refused_kindly(saved: Path) -> None:
    edit(saved, "PRAGMA user_version = 3", "DROP TABLE events")
    with pytest.raises(LedgerProblem, match="newer Signalbox"):
        LedgerReader.open(saved)


@pytest.mark.parametrize("end", ["-wal", "-shm"])
def test_a_link_beside_the_file_is_not_followed(saved: Path, tmp_path: Path, end: str) -> None:
    (tmp_path / "canary").write_text("x")
    saved.with_name(saved.name + end).symlink_to(tmp_path / "canary")
    with pytest.raises(LedgerProblem, match="link"):
        LedgerReader.open(saved)


def test_a_name_with_odd_letters_is_opened(saved: Path) -> None:
    renamed = saved.rename(saved.with_name("a?b#c%20 d&mode=rwc.signalbox"))
    with LedgerReader.open(renamed) as reader:
        assert count(reader) == STEPS * 10 + 2


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("DELETE FROM manifests WHERE revision = 3", "checkpoint 3"),
        ("UPDATE manifests SET body = replace(body, '1', '2') WHERE revision = 4", "checkpoint 4 was changed"),
        ("DELETE FROM manifests WHERE revision = 60", "checkpoint 60 is missing"),
        ("UPDATE blobs SET bytes = zeroblob(10) WHERE id = 5", "changed or damaged"),
        ("DELETE FROM blobs WHERE media_type = 'image/png'", "not there"),
        ("DELETE FROM blobs WHERE media_type = 'application/json'", "not there"),
        ("UPDATE events SET type = 'run_ended' WHERE seq = 5", "another kind"),
        ("DELETE FROM events WHERE seq > 60", "checkpoint"),
        ("DELETE FROM events", "no event"),
    ],
)
def test_verify_finds_each_change(saved: Path, statement: str, words: str) -> None:
    assert verify(saved).whole
    edit(saved, statement)
    report = verify(saved)
    assert not report.whole
    assert any(words in finding for finding in report.findings), report.findings


def test_verify_counts_and_says_that_a_run_was_cut_off(saved: Path, tmp_path: Path) -> None:
    report = verify(saved)
    assert (report.events, report.newest_revision) == (STEPS * 10 + 2, STEPS * 5)
    assert report.facts[0].startswith(f"{STEPS * 10 + 2} events, ")
    other = tmp_path / "other.signalbox"
    with RunLedger.create(other, StandingClock()) as ledger:
        ledger.append(run_started())
    assert verify(other).whole
    assert "cut off" in verify(other).facts[1]


def test_verify_holds_effects_against_their_allows(path: Path) -> None:
    click, denied = Click(1), Click(2, verdict="deny")
    with RunLedger.create(path, StandingClock()) as ledger:
        for event in [run_started(), click.started, *click.steps(), click.started, *denied.steps()]:
            ledger.append(event)
        ledger.append(Click(3).asked)
        ledger.append(Click(3, digest="0" * 64).decided)
    assert list(verify(path).findings) == [
        "event 2: started without an earlier allow for the same action",
        "event 8: one allow was used twice",
        "event 12: started without an earlier allow for the same action",
        "event 15: decided about something else than was asked",
    ]
