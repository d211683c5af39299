"""What a folder's consoles know of its runs: the newest of each, so that an older or copied file is never run.

It is a second opinion beside the ledgers. A run that is not known here was not made here. The list knows its own file's
number on the disk: in a folder that was copied or unpacked whole it knows nothing.
"""

import errno
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.ledger.beside import is_plain

logger = logging.getLogger(__name__)

FILE_NAME = ".known-runs"

MOST_STEPS = 50_000_000
"""Of SQLite's own machine, for one look at the list."""

_TABLE = (
    "CREATE TABLE IF NOT EXISTS known(nonce BLOB PRIMARY KEY, name TEXT NOT NULL, seq INTEGER NOT NULL, "
    "revision INTEGER NOT NULL, chain BLOB NOT NULL) STRICT"
)
_PLACE = "CREATE TABLE IF NOT EXISTS place(number TEXT NOT NULL) STRICT"
_OURS = {statement.replace("IF NOT EXISTS ", "") for statement in (_TABLE, _PLACE)}


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
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_TABLE)
            _settle(connection, path)
            connection.execute(
                "INSERT OR REPLACE INTO known(nonce, name, seq, revision, chain) VALUES(?, ?, ?, ?, ?)",
                (nonce, known.name, known.seq, known.revision, known.chain),
            )
            connection.execute("COMMIT")
    except (sqlite3.Error, OSError):
        logger.warning("The folder's list of known runs could not be written")


def forget(path: Path, nonce: bytes) -> None:
    """The run in the ledger at `path` is gone: its line goes too, out of the file's free pages as well."""
    if not path.with_name(FILE_NAME).is_file():
        return
    try:
        with _open(path.with_name(FILE_NAME), "rw") as connection:
            connection.execute("PRAGMA secure_delete = ON").fetchall()
            # No console gives a run a name that is no text, and SQLite would not take one.
            name = path.name.encode("utf-8", "replace").decode("utf-8")
            connection.execute("DELETE FROM known WHERE nonce = ? OR name = ?", (nonce, name))
    except sqlite3.Error:
        logger.warning("The folder's list of known runs could not be written")


def recall(path: Path, nonce: bytes) -> Known | None:
    """What is known of the run in the ledger at `path`; None when it was not made in this folder."""
    try:
        with _open(path.with_name(FILE_NAME), "ro") as connection:
            row = connection.execute(
                "SELECT name, seq, revision, chain FROM known JOIN place WHERE nonce = ? AND number = ?",
                (nonce, _number(path)),
            ).fetchone()
    except (sqlite3.Error, OSError):
        return None
    return None if row is None else Known(str(row[0]), int(row[1]), int(row[2]), bytes(row[3]))


def why_unknown(path: Path, nonce: bytes) -> str:
    """Why `recall` knows nothing of the ledger at `path`, or not under its name; in words for people."""
    listed = path.with_name(FILE_NAME)
    if not os.path.lexists(listed):
        return "its folder has no list of known runs"
    try:
        with _open(listed, "ro") as connection:
            if connection.execute("SELECT number FROM place").fetchall() != [(_number(path),)]:
                return "its folder's list of known runs was brought along from elsewhere"
            row = connection.execute("SELECT 1 FROM known WHERE nonce = ?", (nonce,)).fetchone()
    except (sqlite3.Error, OSError):
        return "its folder's list of known runs cannot be read"
    return "its folder knows nothing of it" if row is None else "its folder knows it by another name"


def _number(path: Path) -> str:
    """Which file the list of that ledger's folder is: a copy of it is another."""
    return str(path.with_name(FILE_NAME).stat().st_ino)


def _settle(connection: sqlite3.Connection, path: Path) -> None:
    """What a list from elsewhere says goes: it was brought along with runs that were not made here."""
    connection.execute(_PLACE)
    number = _number(path)
    if connection.execute("SELECT number FROM place").fetchall() != [(number,)]:
        connection.execute("DELETE FROM known")
        connection.execute("DELETE FROM place")
        connection.execute("INSERT INTO place(number) VALUES(?)", (number,))


@contextmanager
def _open(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    if path.exists() and not is_plain(path):
        raise OSError(errno.EINVAL, "not a plain file")
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=2.0)
    try:
        connection.execute("PRAGMA synchronous = FULL").fetchall()
        connection.execute("PRAGMA trusted_schema = OFF").fetchall()
        # A list that was brought along may be made of views that never end; what is read of ours is one row.
        connection.set_progress_handler(lambda: 1, MOST_STEPS)
        objects = connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL LIMIT 9").fetchall()
        if any(sql not in _OURS for (sql,) in objects):
            raise sqlite3.DatabaseError("not a list of known runs")
        yield connection
    finally:
        connection.close()
