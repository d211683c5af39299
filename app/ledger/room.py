"""Room in the write-ahead log before it is needed: what is written into bytes that are there is durable sooner.

A file that grows with each commit has the file system write its own journal at each sync, and wait for whatever other
programs have brought into that journal.
"""

import os
import shutil
import threading
from pathlib import Path

FIRST_BYTES = 4 * 1024 * 1024
MOST_BYTES = 32 * 1024 * 1024
PIECE_BYTES = 256 * 1024
"""So much at a time, so that a save never waits long for it."""

LEAST_FREE_BYTES = 256 * 1024 * 1024
"""On a disk with less room none is taken ahead."""

_ZEROES = bytes(PIECE_BYTES)


def wanted(used: int, there: int) -> int:
    """How long the log should be when about `used` bytes of `there` are in use: half of it is free, within bounds."""
    if 2 * used < there or there >= MOST_BYTES:
        return there
    return min(MOST_BYTES, max(FIRST_BYTES, 2 * used, 2 * there))


def make(log: Path, until: int, writing: threading.Lock) -> None:
    """Lengthen the log at `log` to `until` bytes with zeroes, which SQLite takes for nothing written.

    Raises:
        OSError: it could not be done; the log is as good as before.
    """
    if shutil.disk_usage(log.parent).free < LEAST_FREE_BYTES + until:
        return
    # SQLite holds no lock on this file, so that closing it takes none away.
    with log.open("r+b", buffering=0) as opened:
        while True:
            # IMPORTANT: the writer may lengthen it as well, and what it wrote must not be written over.
            with writing:
                there = opened.seek(0, os.SEEK_END)
                if there >= until:
                    break
                opened.write(_ZEROES[: until - there])
        os.fsync(opened.fileno())
