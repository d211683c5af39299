"""How a ledger file is opened for reading in each state it may be in, without ever writing to it or beside it."""

import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from app.core.errors import LedgerProblem
from app.ledger.beside import is_plain, must_be_file
from app.ledger.schema import READ_ERRORS, check_schema, connect_to_read
from drivers.own_folder import OwnFolder

_MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100
_INDEX_HEADER_BYTES = 48


@dataclass
class Access:
    """An open way to read one ledger; `version` is the file's format number."""

    connection: sqlite3.Connection
    version: int
    cut: bool = False
    """The file is shorter than it says."""
    copy: OwnFolder | None = None

    def close(self) -> None:
        """Close it and remove the private copy, if one was needed."""
        self.connection.close()
        if self.copy is not None:
            self.copy.close()


def open_access(path: Path, *, live: bool) -> Access:
    """Open the ledger at `path`; `live` says that its owner is running.

    Raises:
        LedgerProblem: it is not a ledger, or one that must not be read.
    """
    try:
        return _opened(path, live=live)
    except OSError as error:
        # The folder went, or a file of it, while it was looked at.
        raise LedgerProblem(f"cannot be read ({error.strerror}): {path}") from error


def _opened(path: Path, *, live: bool) -> Access:
    must_be_file(path, "ledger")
    log, index = (path.with_name(path.name + end) for end in ("-wal", "-shm"))
    if log.is_symlink() or index.is_symlink():
        raise LedgerProblem(f"refused: the file beside it is a link: {path}")
    if live:
        # IMPORTANT: never open() a ledger that a connection of this process has open: closing any handle of a file
        # drops the process's locks on it, which SQLite relies on.
        return _checked(path, path, "mode=ro")
    _check_magic(path)
    if not log.exists() or log.stat().st_size == 0:
        return _checked(path, path, "mode=ro&immutable=1")
    if not is_plain(log):
        raise LedgerProblem(f"refused: the file beside it is no plain file: {log}")
    if is_plain(index) and _index_fits(index, log):
        # A run that was cut off: its log is read into memory and the index file stays as it lies.
        return _checked(path, path, "mode=ro&readonly_shm=1")
    # No index, or one that was being made: SQLite would have to write it.
    return _copied(path, log)


def _checked(path: Path, opened: Path, options: str, *, cut: bool = False) -> Access:
    try:
        connection = connect_to_read(opened, options=options, cut=cut)
    except sqlite3.Error as error:
        raise LedgerProblem(f"cannot be opened ({error}): {path}") from error
    try:
        return Access(connection, check_schema(connection, path), cut)
    except READ_ERRORS as error:
        connection.close()
        if not cut and getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT:
            return _checked(path, opened, options, cut=True)
        raise LedgerProblem(f"damaged beyond reading ({type(error).__name__}): {path}") from error
    except BaseException:
        connection.close()
        raise


def _index_fits(index: Path, log: Path) -> bool:
    """Whether the log's index file was whole when its owner died.

    With any other one SQLite tries for ten seconds before it gives up. The header stands twice at the beginning: a mark
    that it is made at byte 12, the log's salt at byte 32.
    """
    try:
        with index.open("rb") as opened:
            found = opened.read(2 * _INDEX_HEADER_BYTES)
        with log.open("rb") as opened:
            salt = opened.read(24)[16:]
    except OSError:
        return False
    first, second = found[:_INDEX_HEADER_BYTES], found[_INDEX_HEADER_BYTES:]
    return len(found) == 2 * _INDEX_HEADER_BYTES and first == second and first[12] == 1 and first[32:40] == salt


def _copied(path: Path, log: Path) -> Access:
    """Read a private copy, so that what SQLite writes beside it is not beside the evidence."""
    copy = OwnFolder("read")
    try:
        twin = copy.path / "ledger"
        shutil.copyfile(path, twin)
        shutil.copyfile(log, twin.with_name("ledger-wal"))
        access = _checked(path, twin, "mode=ro")
    except OSError as error:
        copy.close()
        raise LedgerProblem(f"cannot be copied for reading ({error.strerror}): {path}") from error
    except BaseException:
        copy.close()
        raise
    access.copy = copy
    return access


def _check_magic(path: Path) -> None:
    try:
        with path.open("rb") as opened:
            head = opened.read(_HEADER_BYTES)
    except OSError as error:
        raise LedgerProblem(f"cannot be read ({error.strerror}): {path}") from error
    if not head:
        raise LedgerProblem(f"not a Signalbox ledger: the file is empty: {path}")
    if not head.startswith(_MAGIC) or len(head) < _HEADER_BYTES:
        raise LedgerProblem(f"not a Signalbox ledger: {path}")
