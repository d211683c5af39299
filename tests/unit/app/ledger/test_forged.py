"""A file that was made to keep its reader busy is refused or given up on, whatever else it holds."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from app.core.errors import LedgerProblem
from app.core.evidence import Blob
from app.ledger.bounds import LATEST_MS
from app.ledger.chain import link, start
from app.ledger.reader import LedgerReader
from app.ledger.schema import MOST_OBJECTS
from app.ledger.shelf import summary_of
from app.ledger.store import RunLedger
from app.ledger.verify import MOST_FINDINGS, verify
from tests.unit.app.ledger.made_up import Click, StandingClock, png, run_ended, run_started


@pytest.fixture
def saved(path: Path) -> Path:
    with RunLedger.create(path, StandingClock()) as ledger:
        ledger.append(run_started())
        blob = Blob(png(1, width=60, height=40), "image/png")
        for event in Click(1, blob).steps():
            ledger.append(event, [blob])
        ledger.append(run_ended())
    return path


def edit(path: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def test_a_newer_format_that_computes_what_is_read_is_refused(saved: Path) -> None:
    edit(saved, "PRAGMA user_version = 2", "ALTER TABLE events ADD COLUMN extra TEXT AS (hex(zeroblob(100000000)))")
    with pytest.raises(LedgerProblem, match="computes"):
        LedgerReader.open(saved)


def test_more_objects_than_are_looked_at_are_refused(saved: Path) -> None:
    with contextlib.closing(sqlite3.connect(saved, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        for number in range(MOST_OBJECTS):
            row = ("index", f"sqlite_autoindex_blobs_{number + 2}", "blobs", number + 9)
            connection.execute("INSERT INTO sqlite_schema(type, name, tbl_name, rootpage) VALUES(?, ?, ?, ?)", row)
    with pytest.raises(LedgerProblem, match="more than"):
        LedgerReader.open(saved)


def test_verify_gives_up_where_everything_is_wrong(saved: Path) -> None:
    rows = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 300) SELECT"
    edit(saved, f"INSERT INTO blobs(digest, media_type, bytes) {rows} randomblob(32), 't', x'00' FROM n")
    report = verify(saved)
    assert len(report.findings) == MOST_FINDINGS
    assert report.blobs < 300


@pytest.mark.parametrize("wall_ms", [2**63 - 1, -(2**63), LATEST_MS], ids=["huge", "negative", "the year 9999"])
def test_a_time_that_no_calendar_has_is_not_on_record(saved: Path, wall_ms: int) -> None:
    """Whoever computes the chain anew may write any time; the list of runs and the window have to name it."""
    with contextlib.closing(sqlite3.connect(saved, isolation_level=None)) as connection:
        rows = connection.execute("SELECT seq, mono_ns, body, attached FROM events ORDER BY seq").fetchall()
        chain = start(connection.execute("SELECT nonce FROM file").fetchone()[0])
        for seq, mono_ns, body, attached in rows:
            chain = link(chain, seq, wall_ms, mono_ns, body, attached)
            connection.execute("UPDATE events SET wall_ms = ?, chain = ? WHERE seq = ?", (wall_ms, chain, seq))
    assert summary_of(saved).started_wall_ms == 0
    with LedgerReader.open(saved) as reader:
        assert {recorded.wall_ms for recorded in reader.events()} == {0}
        assert "damaged" not in reader.flags
