"""A private folder that goes with its process: at its end, or, where that was killed, when the next one is made."""

import contextlib
import os
import shutil
import stat
import sys
import tempfile
import weakref
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_PREFIX = "signalbox-"
_HELD = "held"


class OwnFolder:
    """Held as long as this process lives, however it ends. On Windows what a killed process has left stays."""

    def __init__(self, what: str) -> None:
        """Make it, and remove those that processes that were killed have left. `what` is a part of its name."""
        sweep()
        self.path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{what}-"))
        self._ended = weakref.finalize(self, _remove, self.path, _hold(self.path))

    def close(self) -> None:
        """Remove it with all that is in it."""
        self._ended()


def _hold(folder: Path) -> int:
    making = folder / f"{_HELD}.new"
    held = os.open(making, os.O_RDWR | os.O_CREAT, 0o600)
    if sys.platform != "win32":
        fcntl.flock(held, fcntl.LOCK_EX)
        # By this name it can be found only now, when nobody else can hold it any more.
        making.rename(folder / _HELD)
    return held


def _remove(folder: Path, held: int) -> None:
    if sys.platform == "win32":
        # An open file cannot be removed there.
        os.close(held)
        _emptied(folder)
    else:
        _emptied(folder)
        os.close(held)


def _emptied(folder: Path) -> None:
    """The mark goes last: while somebody else still writes there, the next sweep can tell it by that."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            elif entry.name != _HELD:
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)
        if set(os.listdir(folder)) <= {_HELD}:
            shutil.rmtree(folder, ignore_errors=True)


def sweep() -> None:
    """Remove the folders that nobody holds: neither their age nor their name says that, only the lock in them."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIX):
                with contextlib.suppress(OSError):
                    _sweep_one(entry)


if sys.platform != "win32":

    def _sweep_one(entry: os.DirEntry[str]) -> None:
        found = entry.stat(follow_symlinks=False)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            return
        held = os.open(Path(entry.path, _HELD), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _emptied(Path(entry.path))
        finally:
            os.close(held)
