"""Which ledgers this process has open only to look at: while one is, nothing of the same process may write to it.

A reader of a run that nobody owns opens it in ways that a writer beside it in the same process breaks: it may take the
log's index for unchangeable, and closing its handles drops the locks that the writer relies on.
"""

import threading
from collections import Counter
from pathlib import Path

_open: Counter[Path] = Counter()
_changed = threading.Condition()


def begin(path: Path) -> None:
    """One more reader of the ledger at `path`."""
    with _changed:
        _open[path.absolute()] += 1


def end(path: Path) -> None:
    """One reader less."""
    with _changed:
        _open[path.absolute()] -= 1
        if not _open[path.absolute()]:
            del _open[path.absolute()]
        _changed.notify_all()


def nobody_looks(path: Path, wait_secs: float) -> bool:
    """Wait until no reader has the ledger at `path` open; whether that is so."""
    with _changed:
        return _changed.wait_for(lambda: path.absolute() not in _open, wait_secs)
