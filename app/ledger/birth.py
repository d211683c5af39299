"""How a ledger's file comes into being: all at once, so that no name ever stands for half a ledger."""

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from app.core.errors import LedgerProblem, NotDurable
from app.ledger.schema import connect_to_write, create_tables

LEAST_FREE_BYTES = 16 * 1024 * 1024
"""A run does not begin on a disk with less room: it could end at any picture."""


def prepare_folder(folder: Path) -> None:
    """Make the folder, and see that there is room.

    Raises:
        LedgerProblem: it cannot be made, or the disk is nearly full.
    """
    try:
        # A run holds whatever stood on a screen: the folder is its owner's alone.
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise LedgerProblem(f"no run can be recorded ({error.strerror}): {folder}") from error
    if free < LEAST_FREE_BYTES:
        raise LedgerProblem(f"no run can be recorded (only {free // 1_000_000} MB free): {folder}")


def begin_file(path: Path, nonce: bytes) -> None:
    """An empty ledger at `path`, whose lock the caller holds. It is made beside and renamed when it is whole.

    Raises:
        LedgerProblem: there is one already.
        NotDurable: it did not reach the disk; nothing is left of it.
    """
    if path.exists():
        raise LedgerProblem(f"there is already a run on record: {path}")
    fresh, in_place = path.with_name(path.name + "-new"), False
    try:
        fresh.unlink(missing_ok=True)
        os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with closing(connect_to_write(fresh)) as connection:
            create_tables(connection, nonce)
        fresh.rename(path)
        in_place = True
        _sync_folder(path.parent)
    except (sqlite3.Error, OSError) as error:
        take_back(path if in_place else fresh)
        raise NotDurable(f"no run can be recorded ({error}): {path}") from error


def take_back(path: Path) -> None:
    """Nothing is left of a ledger that has just been made here and holds nothing: it would stand in the list."""
    for end in ("-wal", "-shm", ""):
        with suppress(OSError):
            path.with_name(path.name + end).unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make the new file's name durable; Windows has no such call and needs none."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
