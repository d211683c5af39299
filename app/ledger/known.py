"""What a folder's consoles know of its runs: the newest of each, so that an older or copied file is never run.

It is a second opinion beside the ledgers. A run that is not known here was not made here.
"""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

logger = logging.getLogger(__name__)

FILE_NAME = ".known-runs"

_TABLE = (
    "CREATE TABLE IF NOT EXISTS known(nonce BLOB PRIMARY KEY, name TEXT NOT NULL, seq INTEGER NOT NULL, "
    "revision INTEGER NOT NULL, chain BLOB NOT NULL) STRICT"
)


@dataclass(frozen=True)
class Known:
    """The newest of one run when its owner wrote it down."""

    name: str
    """Of the ledger's file."""
    seq: int
    revision: int
    chain: bytes
    """Check value of event `seq`."""


def remember(path: Path, nonce: bytes, known: Known) -> None:
    """Write down the newest of the ledger at `path`. One that fails costs the run its being continued, nothing else."""
    try:
        with _open(path.with_name(FILE_NAME), "rwc") as connection:
            connection.execute(_TABLE)
            connection.execute(
                "INSERT OR REPLACE INTO known(nonce, name, seq, revision, chain) VALUES(?, ?, ?, ?, ?)",
                (nonce, known.name, known.seq, known.revision, known.chain),
            )
    except sqlite3.Error:
        logger.warning("The folder's list of known runs could not be written")


def forget(path: Path, nonce: bytes) -> None:
    """The run in the ledger at `path` is gone: its line goes too, out of the file's free pages as well."""
    if not path.with_name(FILE_NAME).is_file():
        return
    try:
        with _open(path.with_name(FILE_NAME), "rw") as connection:
            connection.execute("PRAGMA secure_delete = ON").fetchall()
            connection.execute("DELETE FROM known WHERE nonce = ? OR name = ?", (nonce, path.name))
    except sqlite3.Error:
        logger.warning("The folder's list of known runs could not be written")


def recall(path: Path, nonce: bytes) -> Known | None:
    """What is known of the run in the ledger at `path`; None when it was not made in this folder."""
    try:
        with _open(path.with_name(FILE_NAME), "ro") as connection:
            row = connection.execute(
                "SELECT name, seq, revision, chain FROM known WHERE nonce = ?", (nonce,)
            ).fetchone()
    except sqlite3.Error:
        return None
    return None if row is None else Known(str(row[0]), int(row[1]), int(row[2]), bytes(row[3]))


@contextmanager
def _open(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=2.0)
    try:
        connection.execute("PRAGMA synchronous = FULL").fetchall()
        connection.execute("PRAGMA trusted_schema = OFF").fetchall()
        yield connection
    finally:
        connection.close()
