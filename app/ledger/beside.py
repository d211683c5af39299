"""The small files beside a ledger: only plain files are opened, and read up to a limit."""

import os
import stat
from pathlib import Path

AT_ONCE = getattr(os, "O_NONBLOCK", 0)
"""With it nothing is waited for where a pipe lies in a file's place."""

NOT_A_LINK = getattr(os, "O_NOFOLLOW", 0)
"""With it a link is an error: what it leads to was never meant."""


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
