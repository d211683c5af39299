"""What somebody has put beside a ledger: nobody waits for a pipe, follows a link, or asks a list that never ends."""

import errno
import fcntl
import os
import sqlite3
from pathlib import Path

import pytest

from app.core.errors import LedgerProblem
from app.ledger.beside import read_beside
from app.ledger.known import FILE_NAME
from app.ledger.lock import OwnerLock, newest_known, owner_of, side_file
from app.ledger.reader import LedgerReader
from app.ledger.removal import remove_run
from app.ledger.shelf import summary_of
from app.ledger.store import RunLedger
from app.ledger.verify import verify
from tests.unit.app.ledger.made_up import StandingClock, run_ended, run_started

pytestmark = [pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes by name"), pytest.mark.timeout(300)]

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT"


@pytest.fixture
def saved(path: Path) -> Path:
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        ledger.append(run_ended())
    return path


@pytest.mark.parametrize("name", ["run.signalbox-owner", "run.signalbox-wal", "run.signalbox-shm", FILE_NAME])
def test_a_pipe_in_a_file_s_place_is_not_waited_for(saved: Path, name: str) -> None:
    saved.with_name(name).unlink(missing_ok=True)
    if name.endswith("-shm"):
        saved.with_name(f"{saved.name}-wal").write_bytes(bytes(5000))
    os.mkfifo(saved.with_name(name))
    assert summary_of(saved).status == "finished"
    assert verify(saved).whole
    assert owner_of(saved) is None
    assert newest_known(saved) is None


def test_only_a_plain_file_of_bounded_length_is_read(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (file := tmp_path / "file").write_bytes(b"12345")
    assert read_beside(file, 5) == b"12345"
    for path, most in ((pipe, 5), (tmp_path / "zero", 5), (file, 4)):
        with pytest.raises(ValueError, match=r"plain|long"):
            read_beside(path, most)


def test_owning_a_run_writes_through_no_link(saved: Path, tmp_path: Path) -> None:
    (canary := tmp_path / "canary").write_text("x" * 600)
    side_file(saved).symlink_to(canary)
    with pytest.raises(LedgerProblem, match="cannot own"):
        OwnerLock.take(saved)
    with pytest.raises(LedgerProblem, match="cannot own"):
        remove_run(saved)
    assert canary.read_text() == "x" * 600


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EIO])
def test_where_no_lock_can_be_had_a_run_is_looked_at_and_never_owned(
    saved: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def flock(handle: int, operation: int) -> None:
        raise OSError(code, os.strerror(code))

    side_file(saved).touch()
    monkeypatch.setattr(fcntl, "flock", flock)
    assert summary_of(saved).status == "finished"
    with pytest.raises(LedgerProblem, match=f"cannot own the run: {os.strerror(code)}"):
        RunLedger.open_owned(saved, StandingClock())
    with pytest.raises(LedgerProblem, match="cannot own the run"):
        RunLedger.create(saved.with_name("other.signalbox"), StandingClock())


@pytest.mark.parametrize("kind", ["views", "triggers"])
def test_a_list_of_known_runs_that_is_none_of_ours_is_not_asked(saved: Path, kind: str) -> None:
    known = saved.with_name(FILE_NAME)
    known.unlink()
    with sqlite3.connect(known) as connection:
        if kind == "views":
            connection.execute(f"CREATE VIEW known AS {ENDLESS} x AS nonce, x AS name, 1 AS seq, 1 AS revision FROM n")
            connection.execute(f"CREATE VIEW place AS {ENDLESS} x AS number FROM n")
        else:
            connection.execute("CREATE TABLE known(nonce BLOB PRIMARY KEY, name TEXT)")
            endless = f"CREATE TRIGGER t AFTER INSERT ON known BEGIN SELECT count(*) FROM ({ENDLESS} x FROM n); END"
            connection.execute(endless)
    connection.close()
    with LedgerReader.open(saved) as reader:
        assert "copied" in reader.flags


def test_a_file_without_end_can_be_removed(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE VIEW file AS {ENDLESS} x AS nonce FROM n WHERE x < 0")
    connection.close()
    remove_run(path)
    assert not path.exists()
