"""How a small file is written: whole or not at all, whoever else writes it too, and through nothing that lies there."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

PART = ".part"


@contextlib.contextmanager
def written_whole(path: Path, *, prefix: str) -> Iterator[IO[bytes]]:
    """A new file that only this user may read, put in the place of `path` when the block ends without an error.

    It lies beside `path` under a name that nobody else has, which begins with `prefix`. Two that write at once leave
    one of their two files, and a pipe or a link that lies there is neither waited for nor followed.

    Raises:
        OSError: it cannot be written; nothing of it is left.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=prefix, suffix=PART)
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as opened:
            yield opened
        fresh.replace(path)
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
