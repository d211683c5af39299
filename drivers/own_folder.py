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

_HELD = "held"


class OwnFolder:
    """Held as long as this process lives, however it ends. On Windows what a killed process has left stays."""

    def __init__(self, prefix: str) -> None:
        """Make it, and remove what processes that were killed have left under the same prefix."""
        with contextlib.suppress(OSError):
            _sweep(prefix)
        self.path = Path(tempfile.mkdtemp(prefix=prefix))
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
    os.close(held)
    shutil.rmtree(folder, ignore_errors=True)


def _sweep(prefix: str) -> None:
    if sys.platform == "win32":
        return
    for entry in os.scandir(tempfile.gettempdir()):
        if not entry.name.startswith(prefix):
            continue
        with contextlib.suppress(OSError):
            found = entry.stat(follow_symlinks=False)
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
                continue
            with Path(entry.path, _HELD).open("rb") as held:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(entry.path, ignore_errors=True)
