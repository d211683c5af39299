"""Removes a run from this machine: its ledger and everything beside it, never one that somebody owns."""

import contextlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.core.errors import LedgerProblem
from app.ledger.known import forget
from app.ledger.lock import OwnerLock, side_file
from app.ledger.schema import READ_ERRORS, SUFFIX, check_schema, connect_to_read

PICTURES = ".pictures"
"""After a run's name: the folder of pictures that a demo without a display leaves."""


@dataclass(frozen=True)
class Removed:
    """What was removed."""

    path: Path
    files: int
    size_bytes: int


def files_of(path: Path, folders: Sequence[Path] = ()) -> list[Path]:
    """Everything that belongs to the run in the ledger at `path`, the ledger itself last.

    `folders`: those of its own elsewhere, where there are such; a link to a folder is none.
    """
    named = [one for one in path.parent.iterdir() if one.name.startswith(f"{path.name}-")]
    beside = [one for one in named if one.suffix != SUFFIX and not one.is_dir()]
    own = [one for one in (path.with_suffix(PICTURES), *folders) if one.is_dir() and not one.is_symlink()]
    return [*own, *sorted(beside), path]


def size_of(path: Path, folders: Sequence[Path] = ()) -> int:
    """Bytes of all of them on the disk."""
    total = 0
    for one in files_of(path, folders):
        for file in one.rglob("*") if one.is_dir() else (one,):
            with contextlib.suppress(OSError):
                total += file.lstat().st_size
    return total


def remove_run(path: Path, folders: Sequence[Path] = ()) -> Removed:
    """Remove the run in the ledger at `path`; it cannot be got back. An unreadable one goes all the same.

    What is cut short (a crash, a file that cannot be deleted) leaves the ledger itself, so that the run stays on the
    list and can be removed again.

    Raises:
        LedgerInUse: somebody owns it; names the process. Nothing was removed.
        LedgerProblem: there is no such run, or a file cannot be removed; names it.
    """
    if path.suffix != SUFFIX or not (path.is_file() or path.is_symlink()):
        raise LedgerProblem(f"no such run: {path}")
    if path.is_symlink():
        raise LedgerProblem(f"a link to a run is not removed: {path}")
    size = size_of(path, folders)
    lock = OwnerLock.take(path)
    try:
        count, nonce = 0, _nonce(path)
        own = side_file(path)
        for one in files_of(path, folders):
            if one != own:
                _remove(one)
                count += 1
        forget(path, nonce)
    finally:
        # The lock's own file goes last: until then nobody else can begin to write.
        lock.release(remove=not path.exists() or lock.left_behind is None)
    return Removed(path, count, size)


def _remove(one: Path) -> None:
    try:
        if one.is_dir():
            shutil.rmtree(one)
        else:
            one.unlink(missing_ok=True)
    except OSError as error:
        raise LedgerProblem(f"cannot be removed ({error.strerror}): {one}") from error


def _nonce(path: Path) -> bytes:
    """By which the folder's list knows the run; empty for a file that is no ledger."""
    try:
        with contextlib.closing(connect_to_read(path, options="mode=ro&immutable=1")) as connection:
            check_schema(connection, path)
            rows = connection.execute("SELECT nonce FROM file LIMIT 1").fetchall()
    except (*READ_ERRORS, OSError, LedgerProblem):
        return b""
    return rows[0][0] if rows and isinstance(rows[0][0], bytes) else b""
