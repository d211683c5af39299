"""Marks and notes that a reviewer sets on a saved run: in a file of their own, never in the evidence or beside it."""

import json
import os
import tempfile
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from pathlib import Path

from app.core.untrusted import shown

VERSION = 1
MOST_MARKS = 10_000
MOST_NOTE_CHARS = 4000
MOST_FILE_BYTES = 64 * 1024 * 1024


class MarkBook:
    """The marks of one run by the event they are set at, each with a note that may be empty.

    Changed in one thread; `write` may be called in another. What cannot be read counts as no marks, and says so.
    """

    def __init__(self, path: Path | None = None) -> None:
        """`path` None keeps them in memory only."""
        self.path = path
        self.problem = ""
        """Why marks could not be read or written, for people."""
        self._notes: dict[int, str] = {}
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []
        self._written = True
        if path is not None and os.path.exists(path):
            self._read(path)

    @property
    def seqs(self) -> list[int]:
        """The marked events, in order."""
        return sorted(self._notes)

    @property
    def unwritten(self) -> bool:
        """Whether something changed since the last time it was written."""
        return not self._written

    def note(self, seq: int) -> str | None:
        """The note of the mark at event `seq`; None where there is no mark."""
        return self._notes.get(seq)

    def put(self, seq: int, note: str = "") -> None:
        """Mark event `seq`, or give its mark another note."""
        if seq not in self._notes and len(self._notes) >= MOST_MARKS:
            self.problem = f"no more than {MOST_MARKS:,} marks"
        elif self._notes.get(seq) != note[:MOST_NOTE_CHARS]:
            self._change({**self._notes, seq: note[:MOST_NOTE_CHARS]})

    def remove(self, seq: int) -> None:
        """Take the mark at event `seq` away."""
        if seq in self._notes:
            self._change({at: note for at, note in self._notes.items() if at != seq})

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
        """Put them on the disk, whole or not at all; what goes wrong stands in `problem`."""
        if self.path is None:
            self._written = True
            return
        with self._lock:
            self._written, notes = True, self._notes
            body = {"version": VERSION, "marks": [{"seq": seq, "note": notes[seq]} for seq in sorted(notes)]}
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=".marks-")
                try:
                    with os.fdopen(handle, "w", encoding="ascii") as opened:
                        json.dump(body, opened)
                    Path(name).replace(self.path)
                except BaseException:
                    Path(name).unlink(missing_ok=True)
                    raise
            except OSError as error:
                self.problem = f"marks could not be kept ({error.strerror}): {self.path}"

    def _change(self, notes: dict[int, str]) -> None:
        self._notes, self._written = notes, False
        for listener in list(self._listeners):
            listener()

    def _read(self, path: Path) -> None:
        try:
            if path.stat().st_size > MOST_FILE_BYTES:
                raise ValueError("too large")
            body = json.loads(path.read_text(encoding="utf-8"))
            if body["version"] != VERSION:
                raise ValueError("of another version")
            marks = [(int(one["seq"]), str(one["note"])[:MOST_NOTE_CHARS]) for one in body["marks"][:MOST_MARKS]]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            self.problem = f"marks could not be read and are left as they lie: {shown(str(path))}"
            self.path = None
            return
        self._notes = dict(marks)
