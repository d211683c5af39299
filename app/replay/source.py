"""Opens anything that was saved, to be looked at and nothing else: a ledger, or a bare SDK checkpoint as JSON."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Literal

from app.core.errors import LedgerProblem
from app.core.events import Recorded, RunStarted
from app.core.ports import Blobs
from app.ledger.reader import LedgerReader
from app.replay.checkpoint_file import CheckpointFile
from app.replay.imported import imported_events

MOST_EVENTS = 100_000
"""A longer journal is shown up to here."""

_SQLITE = b"SQLite format 3\x00"


@dataclass
class ReplaySource:
    """One saved run. Nothing is ever done from here: no driver, no network, no other file."""

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


def open_source(path: Path) -> ReplaySource:
    """Open the file at `path`.

    Raises:
        LedgerProblem: it is neither a ledger nor a checkpoint, or is refused; says what it is.
    """
    if not path.is_file():
        raise LedgerProblem(f"no such file: {path}")
    if path.suffix.lower() == ".json":
        return _checkpoint(path)
    return _ledger(path)


def _ledger(path: Path) -> ReplaySource:
    reader = LedgerReader.open(path)
    try:
        events = tuple(_bounded(reader))
        flags: set[str] = set(reader.flags)
        notes = list(reader.notes)
        if len(events) == MOST_EVENTS or _too_much(reader):
            flags.add("long")
            notes.append(f"only the first {len(events)} events are shown")
        if not events:
            raise LedgerProblem("; ".join([*notes, f"nothing can be read of it: {path}"]))
        first = events[0].event
        title = first.run_id if isinstance(first, RunStarted) else path.stem
        return ReplaySource(path, events, reader, title, frozenset(flags), tuple(notes), reader.close)
    except BaseException:
        reader.close()
        raise


def _bounded(reader: LedgerReader) -> Iterator[Recorded]:
    """The events up to a limit; one of memory too, for a ledger that was not made here."""
    for recorded in islice(reader.events(), MOST_EVENTS):
        if _too_much(reader):
            return
        yield recorded


def _too_much(reader: LedgerReader) -> bool:
    return "copied" in reader.flags and reader.allowance.spent


def _checkpoint(path: Path) -> ReplaySource:
    opened = CheckpointFile(path)
    events, whole = imported_events(opened)
    flags = {"foreign", *opened.flags}
    notes = ["an SDK checkpoint, not a Signalbox ledger: nothing proves it, and its times are not on record"]
    notes += opened.notes
    if opened.checkpoint["phase"] != "final":
        flags.add("cut_off")
    if not whole:
        flags.add("long")
        notes.append(f"only the first {len(events)} events are shown")
    return ReplaySource(
        path, events, opened, str(opened.checkpoint["run_id"]), frozenset(flags), tuple(notes), lambda: None
    )
