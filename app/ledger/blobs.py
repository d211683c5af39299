"""Bytes by content in a ledger file: pictures, long texts and checkpoint items, each once; and thumbnails."""

import hashlib
import sqlite3

from app.core.errors import LedgerProblem

PICTURES = frozenset({"image/png", "image/jpeg", "image/webp"})
"""The formats of pictures that are ever decoded."""


def put(connection: sqlite3.Connection, digest: str, media_type: str, data: bytes) -> bool:
    """Store `data` unless it is there. True when it was new."""
    cursor = connection.execute(
        "INSERT INTO blobs(digest, media_type, bytes) VALUES(?, ?, ?) ON CONFLICT DO NOTHING",
        (bytes.fromhex(digest), media_type, data),
    )
    return cursor.rowcount == 1


def get(connection: sqlite3.Connection, digest: str) -> bytes:
    """The bytes of `digest`, compared with it.

    Raises:
        LedgerProblem: they are not there, or are not what they were.
    """
    row = connection.execute("SELECT bytes FROM blobs WHERE digest = ?", (_key(digest),)).fetchone()
    if row is None:
        raise LedgerProblem(f"no bytes on record for {digest[:12]}…")
    data: object = row[0]
    if not isinstance(data, bytes) or hashlib.sha256(data).hexdigest() != digest:
        raise LedgerProblem(f"the bytes on record for {digest[:12]}… were changed or damaged")
    return data


def put_thumbnail(connection: sqlite3.Connection, digest: str, jpeg: bytes) -> None:
    """Store a picture's thumbnail unless there is one."""
    connection.execute(
        "INSERT INTO thumbs(digest, jpeg) VALUES(?, ?) ON CONFLICT DO NOTHING", (bytes.fromhex(digest), jpeg)
    )


def get_thumbnail(connection: sqlite3.Connection, digest: str) -> bytes | None:
    """A picture's thumbnail (JPEG), or None."""
    row = connection.execute("SELECT jpeg FROM thumbs WHERE digest = ?", (_key(digest),)).fetchone()
    return row[0] if row is not None and isinstance(row[0], bytes) else None


def _key(digest: str) -> bytes:
    try:
        return bytes.fromhex(digest)
    except ValueError:
        raise LedgerProblem("a digest in the record is not one") from None
