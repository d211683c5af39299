"""What is opened of a ledger and beside it: plain files only. The small ones beside it are read up to a limit."""

import os
import stat
from pathlib import Path

from app.core.errors import LedgerProblem

AT_ONCE = getattr(os, "O_NONBLOCK", 0)
"""With it nothing is waited for where a pipe lies in a file's place."""

NOT_A_LINK = getattr(os, "O_NOFOLLOW", 0)
"""With it a link is an error: what it leads to was never meant."""


_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def must_be_file(path: Path, what: str = "file") -> None:
    """Look, and open nothing: whoever opens a pipe waits for somebody to write into it.

    Raises:
        LedgerProblem: what lies at `path`, a link followed, is no plain file; says what it is.
    """
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise LedgerProblem(f"no such {what}: {path}") from None
    except OSError as error:
        raise LedgerProblem(f"cannot be read ({error.strerror}): {path}") from error
    if not stat.S_ISREG(mode):
        raise LedgerProblem(f"not a file, but {_KINDS.get(stat.S_IFMT(mode), 'something else')}: {path}")


def is_plain(path: Path) -> bool:
    """Whether a plain file lies there: a pipe would keep whoever opens it waiting, a link lead elsewhere."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def read_beside(path: Path, most_bytes: int) -> bytes:
    """All of it.

    Raises:
        FileNotFoundError: there is none.
        OSError: it cannot be read.
        ValueError: it is no plain file, or longer than `most_bytes`.
    """
    handle = os.open(path, os.O_RDONLY | AT_ONCE)
    with os.fdopen(handle, "rb") as opened:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("not a plain file")
        data = opened.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise ValueError("too long")
    return data
