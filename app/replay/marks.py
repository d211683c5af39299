"""Marks and notes that a reviewer sets on a saved run: in a file of their own, never in the evidence or beside it."""

import contextlib
import json
import os
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from pathlib import Path

from app.core.errors import LedgerInUse, LedgerProblem
from app.core.untrusted import shown
from app.ledger.lock import OwnerLock
from app.whole_file import written_whole

VERSION = 1
MOST_MARKS = 10_000
MOST_NOTE_CHARS = 4000
MOST_FILE_BYTES = 64 * 1024 * 1024


class MarkBook:
    """The marks of one run by the event they are set at, each with a note that may be empty.

    Changed in one thread; `write` may be called in another. What cannot be read counts as no marks, and says so.
    Several windows may hold the book of one run: each writes what was changed in it, and leaves the rest as it lies.
    """

    def __init__(self, path: Path | None = None, run: Path | None = None) -> None:
        """`path` None keeps them in memory only. `run`: the record they are about; once it is gone none are kept."""
        self.path = path
        self._run = run
        self.problem = ""
        """Why marks could not be read or written, for people."""
        self._not_kept = ""
        self._notes: dict[int, str] = {}
        self._changes: dict[int, str | None] = {}
        """What was set (None: taken away) here since the file was written."""
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._listeners: list[Callable[[], None]] = []
        if path is not None and os.path.exists(path):
            self._notes = self._read(path) or {}

    @property
    def seqs(self) -> list[int]:
        """The marked events, in order."""
        return sorted(self._notes)

    @property
    def unwritten(self) -> bool:
        """Whether something changed since the last time it was written."""
        return bool(self._changes)

    def note(self, seq: int) -> str | None:
        """The note of the mark at event `seq`; None where there is no mark."""
        return self._notes.get(seq)

    def put(self, seq: int, note: str = "") -> None:
        """Mark event `seq`, or give its mark another note."""
        if seq not in self._notes and len(self._notes) >= MOST_MARKS:
            self.problem = f"no more than {MOST_MARKS:,} marks"
        elif self._notes.get(seq) != note[:MOST_NOTE_CHARS]:
            self._change({**self._notes, seq: note[:MOST_NOTE_CHARS]}, seq)

    def remove(self, seq: int) -> None:
        """Take the mark at event `seq` away."""
        if seq in self._notes:
            self._change({at: note for at, note in self._notes.items() if at != seq}, seq)

    def after(self, seq: int) -> int | None:
        """The next marked event."""
        seqs = self.seqs
        at = bisect_right(seqs, seq)
        return seqs[at] if at < len(seqs) else None

    def before(self, seq: int) -> int | None:
        """The marked event before."""
        seqs = self.seqs
        at = bisect_left(seqs, seq) - 1
        return seqs[at] if at >= 0 else None

    def listen(self, listener: Callable[[], None]) -> None:
        """`listener` is called after each change."""
        self._listeners.append(listener)

    def write(self) -> None:
        """Put what was changed on the disk, whole or not at all; what goes wrong stands in `problem`."""
        with self._writing:
            with self._lock:
                changes, self._changes = self._changes, {}
            if self.path is None or not changes:
                return
            if self._run_gone():
                return
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                with _alone_with(self.path):
                    self._merge(self.path, changes)
                if self._run_gone() and self.path is not None:
                    # Removed in this very moment: whoever did so had found no marks yet, or other ones.
                    self.path.unlink(missing_ok=True)
            except (OSError, LedgerInUse) as error:
                reason = error.strerror if isinstance(error, OSError) else "another console is writing them"
                self.problem = self._not_kept = f"marks could not be kept ({reason}): {shown(str(self.path))}"
                with self._lock:
                    self._changes = {**changes, **self._changes}
            else:
                self.problem = "" if self.problem == self._not_kept else self.problem

    def _run_gone(self) -> bool:
        """Whether the run was removed, which takes its marks along; says so."""
        if self._run is None or os.path.lexists(self._run):
            return False
        self.problem = f"marks are not kept: the run is not there any more: {shown(str(self._run))}"
        return True

    def _merge(self, path: Path, changes: dict[int, str | None]) -> None:
        """Write the file anew, with `changes` made to what lies there now."""
        there = self._read(path) if os.path.exists(path) else {}
        if there is None:
            return
        notes = {seq: note for seq, note in {**there, **changes}.items() if note is not None}
        body = {"version": VERSION, "marks": [{"seq": seq, "note": notes[seq]} for seq in sorted(notes)]}
        with written_whole(path, prefix=".marks-") as opened:
            opened.write(json.dumps(body).encode("ascii"))

    def _change(self, notes: dict[int, str], seq: int) -> None:
        with self._lock:
            self._notes = notes
            self._changes = {**self._changes, seq: notes.get(seq)}
        for listener in list(self._listeners):
            listener()

    def _read(self, path: Path) -> dict[int, str] | None:
        """What lies there; None, and nothing is ever written there, for what cannot be read."""
        try:
            if path.stat().st_size > MOST_FILE_BYTES:
                raise ValueError("too large")
            body = json.loads(path.read_text(encoding="utf-8"))
            if body["version"] != VERSION:
                raise ValueError("of another version")
            return {int(one["seq"]): str(one["note"])[:MOST_NOTE_CHARS] for one in body["marks"][:MOST_MARKS]}
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            self.problem = f"marks could not be read and are left as they lie: {shown(str(path))}"
            self.path = None
            return None


@contextlib.contextmanager
def _alone_with(path: Path) -> Iterator[None]:
    """No other console writes that file meanwhile. Raises `LedgerInUse` when one does so without an end."""
    lock: OwnerLock | None = None
    try:
        lock = OwnerLock.take(path)
    except LedgerInUse:
        raise
    except LedgerProblem:
        # A disk without locks: two consoles that write in the same instant are rarer than marks there.
        lock = None
    try:
        yield
    finally:
        if lock is not None:
            lock.release(remove=True)
