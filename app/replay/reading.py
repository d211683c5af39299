"""A saved run being read: its first events are there at once, the rest comes in parts, then all of it is checked."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from app.core.errors import LedgerProblem
from app.core.events import Recorded, RunStarted
from app.core.ports import Blobs
from app.ledger.beside import must_be_file
from app.ledger.reader import LedgerReader
from app.ledger.verify import VerifyReport, verify
from app.replay.checkpoint_file import CheckpointFile
from app.replay.imported import imported_events

MOST_EVENTS = 100_000
"""A longer journal is shown up to here."""

FIRST_EVENTS = 256
"""So many are read before anything is shown."""

KEY_CHARS = 32

_CHECKPOINT_NOTE = "an SDK checkpoint, not a Signalbox ledger: nothing proves it, and its times are not on record"


@dataclass(frozen=True)
class Checked:
    """What a look at all of a ledger found. `whole` only if nothing is missing, changed, damaged or out of order."""

    whole: bool
    findings: tuple[str, ...]
    """What is wrong, worst first; outside text may be in it."""


class Reading:
    """Reads one saved run, each event compared with its check value as it is read. Used by one thread at a time.

    Until `ended`, nobody knows whether the rest can be read; what `flags` and `notes` say may grow until then.
    """

    def __init__(self, path: Path, source: "LedgerReader | CheckpointFile") -> None:
        self.path = path
        self.blobs: Blobs = source
        self.ended = False
        self.title = path.stem
        self.report: VerifyReport | None = None
        """What the check of all of it found, once there was one."""
        self._source = source
        self._read = 0
        self._flags: set[str] = set()
        self._notes: list[str] = []
        self._records = self._of_ledger(source) if isinstance(source, LedgerReader) else self._of_checkpoint(source)
        self.total = 0
        """How many events there seem to be."""
        self.first = self.more(FIRST_EVENTS)
        if self.first and isinstance(started := self.first[0].event, RunStarted):
            self.title = started.run_id
        self.total = max(self._read, source.last_seq() if isinstance(source, LedgerReader) and not self.ended else 0)

    @property
    def read(self) -> int:
        """How many events have been read."""
        return self._read

    @property
    def flags(self) -> frozenset[str]:
        """Any of `running`, `cut_off`, `damaged`, `newer`, `older`, `copied`, `foreign`, `odd_text`, `long`."""
        return frozenset(self._flags | set(self._source.flags))

    @property
    def notes(self) -> tuple[str, ...]:
        """What is wrong or unusual about it, for people."""
        if isinstance(self._source, LedgerReader):
            said = (*self._source.notes, *self._notes)
            return (*said, self._source.elsewhere) if self._source.elsewhere else said
        return (_CHECKPOINT_NOTE, *self._source.notes, *self._notes)

    @property
    def key(self) -> str:
        """A name for what belongs to this run elsewhere: the same for a copy of its ledger."""
        if isinstance(self._source, LedgerReader) and (nonce := self._source.nonce()):
            return nonce.hex()[:KEY_CHARS]
        return hashlib.sha256(str(self.path.absolute()).encode("utf-8", "surrogatepass")).hexdigest()[:KEY_CHARS]

    @property
    def can_be_checked(self) -> bool:
        """Whether there is anything to check it by, and nobody is writing it."""
        return isinstance(self._source, LedgerReader) and "running" not in self.flags

    def more(self, count: int) -> list[Recorded]:
        """The next `count` events; fewer, and then none, at the end."""
        records = list(islice(self._records, count))
        self._read += len(records)
        if len(records) < count and not self.ended:
            self.ended = True
        return records

    def check(self, goes_on: Callable[[], bool] = lambda: True) -> Checked:
        """Read all of the ledger again, pictures too, and compare; seconds for a large one.

        Raises:
            LedgerProblem: it cannot be opened any more, or `goes_on` said no.
        """
        assert isinstance(self._source, LedgerReader)
        self.report = report = verify(self.path, goes_on=goes_on, shown=self._source.newest_read)
        return Checked(report.whole, report.findings)

    def close(self) -> None:
        """Let go of the file."""
        if isinstance(self._source, LedgerReader):
            self._source.close()

    def _of_ledger(self, reader: LedgerReader) -> Iterator[Recorded]:
        """The events up to a limit; one of memory too, for a ledger that was not made here."""
        for count, recorded in enumerate(reader.events()):
            too_much = "copied" in reader.flags and reader.allowance.spent
            if count == MOST_EVENTS or too_much:
                self._say_long(count)
                return
            yield recorded

    def _of_checkpoint(self, opened: CheckpointFile) -> Iterator[Recorded]:
        self._flags.add("foreign")
        self.title = str(opened.checkpoint["run_id"])
        if opened.checkpoint["phase"] != "final":
            self._flags.add("cut_off")
        events, whole = imported_events(opened)
        if not whole:
            self._say_long(len(events))
        yield from events

    def _say_long(self, count: int) -> None:
        self._flags.add("long")
        self._notes.append(f"only the first {count} events are shown")


def begin_reading(path: Path) -> Reading:
    """Open the file at `path` and read its first events.

    Raises:
        LedgerProblem: it is neither a ledger nor a checkpoint, or is refused; says what it is.
    """
    must_be_file(path)
    if path.suffix.lower() == ".json":
        return Reading(path, CheckpointFile(path))
    reader = LedgerReader.open(path)
    try:
        reading = Reading(path, reader)
        if not reading.first:
            raise LedgerProblem("; ".join([*reading.notes, f"nothing can be read of it: {path}"]))
    except BaseException:
        reader.close()
        raise
    return reading
