"""A removed run is gone with everything beside it; one in use, and everything of another run, stays."""

import sqlite3
from pathlib import Path

import pytest

from app.core.errors import LedgerInUse, LedgerProblem
from app.core.events import UserTextAdded
from app.core.evidence import Blob
from app.ledger.known import recall
from app.ledger.reader import LedgerReader
from app.ledger.removal import files_of, remove_run, size_of
from app.ledger.store import RunLedger
from tests.unit.app.ledger.made_up import Click, SdkRun, StandingClock, png, run_ended, run_started
from tests.unit.app.ledger.second import next_line, second_process

CANARY = "correct-horse-battery-staple"


def save(path: Path, *, closed: bool = True) -> RunLedger:
    ledger = RunLedger.create(path, StandingClock())
    ledger.append(run_started())
    blob = Blob(png(1) + CANARY.encode(), "image/png")
    for event in Click(1, blob).steps():
        ledger.append(event, [blob])
    ledger.append(UserTextAdded(text=CANARY + "x" * 9000))
    ledger.save_checkpoint(SdkRun().checkpoint("boundary", [{"content": CANARY}]))
    if closed:
        ledger.append(run_ended())
        ledger.close()
    return ledger


def holding(folder: Path, words: str) -> list[Path]:
    """Files in which the words stand anywhere, pages that are free included."""
    return [one for one in folder.rglob("*") if one.is_file() and words.encode() in one.read_bytes()]


def test_nothing_of_a_removed_run_is_left(tmp_path: Path) -> None:
    path, other = tmp_path / "run.signalbox", tmp_path / "run.signalbox-like.signalbox"
    save(path)
    save(other)
    with LedgerReader.open(path) as reader:
        nonce = reader.nonce()
    for end in ("-masks", "-seal", "-notes"):
        path.with_name(path.name + end).write_text(CANARY)
    pictures = tmp_path / "run.pictures"
    pictures.mkdir()
    (pictures / "1.png").write_text(CANARY)
    whole, files = size_of(path), len(files_of(path))
    assert holding(tmp_path, CANARY)
    assert recall(path, nonce) is not None
    removed = remove_run(path)
    assert (removed.files, removed.size_bytes) == (files, whole)
    assert {one.name for one in tmp_path.iterdir()} == {other.name, ".known-runs"}
    assert holding(tmp_path, CANARY) == [other]
    assert recall(path, nonce) is None
    assert nonce not in (tmp_path / ".known-runs").read_bytes()


def test_a_run_in_use_stays_whole(tmp_path: Path) -> None:
    path = tmp_path / "run.signalbox"
    ledger = save(path, closed=False)
    with pytest.raises(LedgerInUse, match="in use by process"):
        remove_run(path)
    ledger.append(run_ended())
    ledger.close()
    remove_run(path)
    assert not path.exists()


def test_a_run_that_was_killed_goes_with_its_log(tmp_path: Path) -> None:
    path = tmp_path / "run.signalbox"
    with second_process(path, "events", "7") as process:
        assert next_line(process) == "written"
        process.wait()
    assert path.with_name(path.name + "-wal").exists()
    remove_run(path)
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(path.name)] == []


def test_a_file_that_is_damaged_can_be_removed(tmp_path: Path) -> None:
    path = tmp_path / "run.signalbox"
    path.write_bytes(b"not a ledger")
    remove_run(path)
    assert list(tmp_path.iterdir()) == []


def test_only_runs_are_removed(tmp_path: Path) -> None:
    save(tmp_path / "run.signalbox")
    text = tmp_path / "text.txt"
    text.write_text("x")
    (tmp_path / "link.signalbox").symlink_to(tmp_path / "run.signalbox")
    for path in (text, tmp_path / "nowhere.signalbox", tmp_path / "link.signalbox", tmp_path):
        with pytest.raises(LedgerProblem):
            remove_run(path)
    assert text.exists()
    assert (tmp_path / "run.signalbox").exists()
    assert sqlite3.connect(tmp_path / ".known-runs").execute("SELECT count(*) FROM known").fetchone() == (1,)
