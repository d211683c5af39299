"""The shape of a ledger file: its tables, its two numbers, how it is opened, and what makes it a stranger's."""

import os
import sqlite3
from pathlib import Path
from urllib.parse import quote

from app.core.errors import LedgerProblem
from app.ledger.beside import must_be_file

APPLICATION_ID = 0x5347_424F
"""``SGBO`` in the SQLite header; ``file`` and we know a ledger by it."""

FORMAT = 1
"""SQLite's ``user_version`` of the files this program writes. A change adds one converter in ``migrate``."""

SUFFIX = ".signalbox"

READ_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged file may raise; SQLite's own words about it may hold the damaged bytes."""

LONGEST_VALUE_BYTES = 64 * 1024 * 1024
"""No text or picture in a ledger is longer; a reader refuses it before it is in memory."""

LOG_BYTES_KEPT = 32 * 1024 * 1024
"""The write-ahead log is cut to this when it begins anew."""

TABLES = {
    "file": "CREATE TABLE file(nonce BLOB NOT NULL) STRICT",
    "events": (
        "CREATE TABLE events(seq INTEGER PRIMARY KEY, wall_ms INTEGER NOT NULL, mono_ns INTEGER NOT NULL, "
        "type TEXT NOT NULL, body TEXT NOT NULL, attached BLOB, chain BLOB NOT NULL) STRICT"
    ),
    "events_by_type": "CREATE INDEX events_by_type ON events(type, seq)",
    "blobs": (
        "CREATE TABLE blobs(id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, media_type TEXT NOT NULL, "
        "bytes BLOB NOT NULL) STRICT"
    ),
    "thumbs": "CREATE TABLE thumbs(digest BLOB PRIMARY KEY, jpeg BLOB NOT NULL) STRICT, WITHOUT ROWID",
    "manifests": (
        "CREATE TABLE manifests(revision INTEGER PRIMARY KEY, seq INTEGER NOT NULL, body TEXT NOT NULL) STRICT"
    ),
}
"""Every object of the file by name, letter for letter as SQLite keeps it."""


MOST_OBJECTS = 100
"""Of a file's tables and indexes; ours are a handful."""

_COMPUTED = (
    "SELECT 1 FROM sqlite_schema AS s, pragma_table_xinfo(s.name) AS c WHERE s.type = 'table' AND c.hidden > 1 LIMIT 1"
)
"""A generated column: reading one row of it may take for ever."""


def has_our_mark(path: Path) -> bool:
    """Whether a file's first bytes say that it is a database of ours; its content may still be refused."""
    try:
        must_be_file(path)
        with path.open("rb") as file:
            head = file.read(72)
    except (OSError, LedgerProblem):
        return False
    return head.startswith(b"SQLite format 3\0") and int.from_bytes(head[68:72]) == APPLICATION_ID


def connect_to_write(path: Path, *, limit_bytes: int | None = None) -> sqlite3.Connection:
    """The one writing connection of a run.

    Checkpoints of the write-ahead log are made by hand, so that none of their syncs falls into a save.
    """
    connection = sqlite3.connect(path, isolation_level=None, timeout=1.0, check_same_thread=False)
    try:
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "fullfsync = ON",
            "checkpoint_fullfsync = ON",
            "wal_autocheckpoint = 0",
            f"journal_size_limit = {LOG_BYTES_KEPT}",
            "trusted_schema = OFF",
            "cell_size_check = ON",
        ):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        if limit_bytes is not None:
            (page_bytes,) = connection.execute("PRAGMA page_size").fetchone()
            connection.execute(f"PRAGMA max_page_count = {max(1, limit_bytes // page_bytes)}").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path, *, options: str, cut: bool = False) -> sqlite3.Connection:
    """A connection that cannot write. `options` are SQLite's URI options, such as ``mode=ro&immutable=1``.

    `cut`: the file is shorter than it says; what is there of it is read all the same.
    """
    # A name on the disk is bytes; not all of them are text.
    uri = f"file:{quote(os.fsencode(path.absolute()))}?{options}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=1.0, check_same_thread=False)
    connection.text_factory = _text
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE_BYTES)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        if cut:
            # The one setting with which SQLite opens a file that lost its end; nothing is written in any case.
            connection.execute("PRAGMA writable_schema = ON").fetchall()
        for pragma in ("query_only = ON", "trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _text(data: bytes) -> str:
    """Damaged text is text all the same: its check value tells."""
    return data.decode("utf-8", "replace")


def create_tables(connection: sqlite3.Connection, nonce: bytes) -> None:
    """Make an empty database a ledger, in one transaction, and have that in the file itself."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    for statement in TABLES.values():
        connection.execute(statement)
    connection.execute("INSERT INTO file(nonce) VALUES(?)", (nonce,))
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def check_schema(connection: sqlite3.Connection, path: Path) -> int:
    """The file's format number, after making sure that the file holds our tables and nothing that could act by itself.

    A view may never end and a trigger may change what is read: both are refused before any query on data.

    Raises:
        LedgerProblem: it is not a ledger, or not one that only Signalbox has written.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise LedgerProblem(f"not a Signalbox ledger, but another program's SQLite database: {path}")
    rows = connection.execute(f"SELECT type, name, sql FROM sqlite_schema LIMIT {MOST_OBJECTS}").fetchall()
    if len(rows) == MOST_OBJECTS:
        raise LedgerProblem(f"refused: the file holds more than Signalbox ever writes: {path}")
    for kind, _, sql in rows:
        if kind not in ("table", "index") or (sql or "").upper().startswith("CREATE VIRTUAL"):
            raise LedgerProblem(f"refused: the file holds a {kind} that Signalbox never writes: {path}")
    found = {name: sql for _, name, sql in rows if not name.startswith("sqlite_")}
    if version > FORMAT:
        if "events" not in found or "blobs" not in found:
            raise LedgerProblem(f"made by a newer Signalbox (format {version}) that this one cannot read: {path}")
        if connection.execute(_COMPUTED).fetchone() is not None:
            raise LedgerProblem(f"refused: the file computes what is read from it: {path}")
        return int(version)
    if version < 1 or found != TABLES:
        raise LedgerProblem(f"refused: the tables are not the ones that Signalbox writes: {path}")
    return int(version)
