"""Opens anything that was saved, to be looked at and nothing else: a ledger, or a bare SDK checkpoint as JSON."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from app.core.events import Recorded
from app.core.ports import Blobs
from app.core.timeline import Timeline
from app.replay.reading import begin_reading

AT_ONCE = 4096


@dataclass
class ReplaySource:
    """One saved run, all of it read. Nothing is ever done from here: no driver, no network, no other file."""

    path: Path
    events: Sequence[Recorded]
    blobs: Blobs
    title: str
    """The run's id; outside text for an imported record."""
    flags: frozenset[str]
    """Any of `running`, `cut_off`, `damaged`, `newer`, `older`, `copied`, `foreign`, `odd_text`, `long`."""
    notes: tuple[str, ...]
    """What is wrong or unusual about it, for people."""
    close: Callable[[], None] = field(repr=False)
    """Let go of the file."""
    read_only: Literal[True] = True

    def timeline(self) -> Timeline:
        """The fold of its events."""
        folded = Timeline()
        folded.cut_off = "cut_off" in self.flags
        for recorded in self.events:
            folded.apply(recorded)
        return folded


def open_source(path: Path) -> ReplaySource:
    """Open the file at `path` and read all of it.

    Raises:
        LedgerProblem: it is neither a ledger nor a checkpoint, or is refused; says what it is.
    """
    reading = begin_reading(path)
    try:
        events = list(reading.first)
        while more := reading.more(AT_ONCE):
            events += more
    except BaseException:
        reading.close()
        raise
    return ReplaySource(path, tuple(events), reading.blobs, reading.title, reading.flags, reading.notes, reading.close)
