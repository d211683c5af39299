"""One owner a run: an operating-system lock on a side file, held for life, that also says who owns and what is newest.

The file's existence means nothing; only the lock does, and it goes with the process that held it.
"""

import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from app.core.errors import LedgerInUse, LedgerProblem
from app.ledger.beside import AT_ONCE, NOT_A_LINK

_RECORD_BYTES = 512
_TRIES = 5
_PAUSE_SECS = 0.02
"""Somebody who only looks whether a run is owned holds the lock for an instant."""

if sys.platform == "win32":
    import msvcrt

    # Windows locks keep others from reading what they cover, so the lock lies far beyond the record.
    _LOCK_AT = 1 << 30

    def _take(handle: int) -> bool:
        os.lseek(handle, _LOCK_AT, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _drop(handle: int) -> None:
        os.lseek(handle, _LOCK_AT, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _take(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _drop(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


@dataclass(frozen=True)
class Head:
    """The newest thing that an owner knows to be durable."""

    pid: int
    seq: int = 0
    revision: int = 0
    chain: str = ""
    """Check value (hex) of event `seq`."""


def side_file(path: Path) -> Path:
    """Where the lock of the ledger at `path` lies."""
    return path.with_name(path.name + "-owner")


class OwnerLock:
    """Held from `take` to `release`; no other process (nor this one a second time) owns the run meanwhile."""

    def __init__(self, path: Path, handle: int) -> None:
        self._path = path
        self._handle = handle
        self.left_behind = _read(handle)
        """What the owner before wrote last; None when it closed in order or there was none."""
        self.note(self.left_behind or Head(os.getpid()))

    @classmethod
    def take(cls, path: Path) -> "OwnerLock":
        """Become the owner of the ledger at `path`.

        Raises:
            LedgerInUse: another console owns it; names the process.
            LedgerProblem: the folder takes no file.
        """
        side = side_file(path)
        for tries in range(_TRIES):
            if tries:
                time.sleep(_PAUSE_SECS)
            try:
                handle = os.open(side, os.O_RDWR | os.O_CREAT | AT_ONCE | NOT_A_LINK, 0o600)
            except OSError as error:
                raise LedgerProblem(f"cannot own the run: {error.strerror}: {side}") from error
            try:
                # A disk of the network may have no locks at all: then nobody can own a run there.
                if _take(handle) and _same_file(handle, side):
                    return cls(path, handle)
            except OSError as error:
                os.close(handle)
                raise LedgerProblem(f"cannot own the run: {error.strerror}: {side}") from error
            holder = _read(handle)
            os.close(handle)
        raise LedgerInUse(f"in use by process {holder.pid if holder else 'unknown'}: {path}")

    def note(self, head: Head) -> None:
        """Write down what is durable now. Not synced: it has to outlive this process, not the machine."""
        said = {"pid": os.getpid(), "seq": head.seq, "revision": head.revision, "chain": head.chain}
        record = json.dumps(said).encode("ascii")
        os.lseek(self._handle, 0, os.SEEK_SET)
        os.write(self._handle, record.ljust(_RECORD_BYTES - 1) + b"\n")

    def release(self, *, remove: bool) -> None:
        """Stop owning. `remove` the side file when all it says is in the ledger itself."""
        if self._handle < 0:
            return
        handle, self._handle = self._handle, -1
        if remove and sys.platform != "win32":
            side_file(self._path).unlink(missing_ok=True)
        _drop(handle)
        os.close(handle)
        if remove and sys.platform == "win32":
            side_file(self._path).unlink(missing_ok=True)


def owner_of(path: Path) -> int | None:
    """The process that owns the ledger at `path` now, or None. 0 when it is owned by somebody who left no number.

    Where no lock can be had nobody can own a run, so that nobody does.
    """
    try:
        handle = os.open(side_file(path), AT_ONCE | (os.O_RDONLY if sys.platform != "win32" else os.O_RDWR))
    except OSError:
        return None
    try:
        if _take(handle):
            _drop(handle)
            return None
        head = _read(handle)
        return head.pid if head else 0
    except OSError:
        return None
    finally:
        os.close(handle)


def newest_known(path: Path) -> Head | None:
    """What the last owner wrote down beside the ledger at `path`; None when it closed in order."""
    try:
        handle = os.open(side_file(path), os.O_RDONLY | AT_ONCE)
    except OSError:
        return None
    try:
        return _read(handle)
    finally:
        os.close(handle)


def _read(handle: int) -> Head | None:
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        found = json.loads(os.read(handle, _RECORD_BYTES))
        return Head(int(found["pid"]), int(found["seq"]), int(found["revision"]), str(found["chain"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _same_file(handle: int, side: Path) -> bool:
    """Whether the locked file is still the one of that name: an owner that closes in order removes it."""
    try:
        return os.path.samestat(os.fstat(handle), side.stat())
    except FileNotFoundError:
        return False
