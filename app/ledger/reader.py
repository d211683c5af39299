"""A ledger opened to be looked at: the journal, the pictures, the checkpoints, and what is wrong with the file."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

from app.core.errors import LedgerProblem
from app.core.events import Event, Recorded
from app.ledger import blobs, looking
from app.ledger.access import open_access
from app.ledger.bounds import ROWS_AT_ONCE, SHORT_CHARS, Allowance, on_calendar
from app.ledger.chain import fits, manifest_fits, start
from app.ledger.checkpoints import Shape
from app.ledger.codec import decode, event_from, event_of
from app.ledger.known import recall, why_unknown
from app.ledger.lock import newest_known, owner_of
from app.ledger.migrate import upgraded
from app.ledger.schema import FORMAT, READ_ERRORS

Flag = Literal["running", "cut_off", "damaged", "newer", "older", "copied"]
"""`running`: a console owns it now; `cut_off`: it has no end and no owner; `damaged`: a part cannot be read or was
changed; `newer`: made by a newer program; `older`: not the newest that its owner had made durable; `copied`: this
folder knows nothing of it, or knows it by another name."""

EventType = Literal[
    "run_started",
    "turn_answered",
    "ask_raised",
    "decision_made",
    "action_started",
    "action_ended",
    "call_answered",
    "request_sent",
    "run_ended",
]
"""The kinds that a list of runs asks for."""

STEPS_BETWEEN_LOOKS = 100_000
"""Of SQLite's own machine: some milliseconds."""

Row = tuple[int, int, int, str, bytes | None, bytes]

_EVENTS = (
    "SELECT seq, wall_ms, mono_ns, CASE WHEN length(body) <= ? THEN body END, "
    "CASE WHEN length(attached) < 64 THEN attached END, CASE WHEN length(chain) < 64 THEN chain END "
    "FROM events NOT INDEXED WHERE seq > ? ORDER BY seq LIMIT ?"
)
_OF_TYPES = (
    "SELECT seq, wall_ms, mono_ns, CASE WHEN length(body) <= ? THEN body END, NULL, NULL "
    "FROM events WHERE seq > ? AND type IN ({kinds}) ORDER BY seq LIMIT ?"
)
_LONG_EVENT = "SELECT body FROM events WHERE seq = ?"
_MANIFESTS = (
    "SELECT m.revision, m.seq, m.seq, CASE WHEN length(m.body) <= ? THEN m.body END, "
    "CASE WHEN length(e.attached) < 64 THEN e.attached END, x'' "
    "FROM manifests m LEFT JOIN events e ON e.seq = m.seq WHERE m.revision > ? ORDER BY m.revision LIMIT ?"
)
_LONG_MANIFEST = "SELECT body FROM manifests WHERE revision = ?"


class LedgerReader:
    """Reads one ledger from any thread, never writes. What cannot be read ends the reading and is named in `notes`."""

    def __init__(self, path: Path, *, owner: int | None) -> None:
        """Open it; `owner` is the process that owns it now, if one does. See `open`.

        Raises:
            LedgerProblem: it is not a ledger, or one that must not be read; says what it is.
        """
        self.path = path
        self._lock = threading.Lock()
        self._looks = owner is None
        if self._looks:
            looking.begin(path)
        try:
            self._access = open_access(path, live=owner is not None)
        except BaseException:
            self._looked()
            raise
        self.version = self._access.version
        self.allowance = Allowance()
        self.notes: list[str] = []
        """What is wrong with the file, for people."""
        self.elsewhere = ""
        """Of one that was not made here: why it counts as that, for people. Nothing is wrong with it."""
        self.newest_read: tuple[int, bytes] = (0, b"")
        """Number and check value of the newest event that `events` has handed out."""
        self._flags: set[Flag] = set()
        try:
            self._look(owner)
        except BaseException:
            self.close()
            raise

    @classmethod
    def open(cls, path: Path) -> "LedgerReader":
        """Open the ledger at `path`, whoever owns it. Raises `LedgerProblem`."""
        return cls(path, owner=owner_of(path))

    @property
    def flags(self) -> frozenset[Flag]:
        """What is known to be wrong so far; reading on may add `damaged`."""
        return frozenset(self._flags)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._access.close()
        self._looked()

    def _looked(self) -> None:
        if self._looks:
            self._looks = False
            looking.end(self.path)

    def __enter__(self) -> "LedgerReader":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def break_off_unless(self, goes_on: Callable[[], bool]) -> None:
        """From now on a long query ends as unreadable once `goes_on` says no: for a check that nobody waits for."""
        self._access.connection.set_progress_handler(lambda: not goes_on(), STEPS_BETWEEN_LOOKS)

    def last_seq(self) -> int:
        """Number of the newest event; 0 when there is none that can be found."""
        rows = self.rows("SELECT max(seq) FROM events")
        return int(rows[0][0] or 0) if rows else 0

    def events(self, after_seq: int = 0) -> Iterator[Recorded]:
        """The journal from the event after `after_seq`, each one compared with its check value.

        Ends before the first event that is missing, damaged, changed or unknown here; `flags` and `notes` say so.
        """
        previous = self.chain_at(after_seq)
        for row in self._each(_EVENTS, _LONG_EVENT, after_seq):
            seq, wall_ms, mono_ns, body, _, chain = row
            if seq != after_seq + 1 or not fits(previous, *row):
                self._lost(after_seq, "the next one was changed, damaged or taken out")
                return
            previous, after_seq = chain, seq
            if (event := self._event(seq, body)) is None:
                return
            self.newest_read = max(self.newest_read, (seq, chain))
            yield Recorded(seq, on_calendar(wall_ms), mono_ns, event)

    def count(self, event_type: str) -> int:
        """How many events of a type there are."""
        rows = self.rows("SELECT count(*) FROM events WHERE type = ?", event_type)
        return int(rows[0][0]) if rows else 0

    def of_types(self, *event_types: EventType) -> Iterator[Recorded]:
        """Events of some types only, in order and without comparing check values: for lists of runs."""
        kinds = ", ".join(f"'{kind}'" for kind in event_types)
        for seq, wall_ms, mono_ns, body, _, _ in self._each(_OF_TYPES.format(kinds=kinds), _LONG_EVENT, 0):
            if (event := self._event(seq, body)) is None:
                return
            yield Recorded(seq, on_calendar(wall_ms), mono_ns, event)

    def blob(self, digest: str) -> bytes:
        """The bytes of `digest`. Raises `LedgerProblem` when they are not there or not what they were."""
        try:
            with self._lock:
                return blobs.get(self._access.connection, digest)
        except READ_ERRORS as error:
            raise LedgerProblem(f"the bytes on record for {digest[:12]}… cannot be read ({error})") from error

    def thumbnail(self, digest: str) -> bytes | None:
        """A picture's stored thumbnail (JPEG), or None."""
        try:
            with self._lock:
                return blobs.get_thumbnail(self._access.connection, digest)
        except (*READ_ERRORS, LedgerProblem):
            return None

    def revisions(self) -> list[int]:
        """Numbers of the checkpoints on record, in order."""
        return [int(row[0]) for row in self.rows("SELECT revision FROM manifests ORDER BY revision")]

    def checkpoint(self, revision: int) -> dict[str, Any]:
        """The SDK checkpoint of that revision, equal to what was handed over.

        Raises:
            LedgerProblem: there is none, or it cannot be had whole.
        """
        shape, expected = Shape(), 0
        for number, _, _, body, attached, _ in self.manifests():
            if number > revision:
                break
            expected += 1
            if number != expected or not manifest_fits(body, attached):
                raise LedgerProblem(f"checkpoint {number} was changed or damaged: {self.path}")
            shape.add(body)
        if expected == 0 or expected != revision:
            raise LedgerProblem(f"no checkpoint {revision} on record: {self.path}")
        return shape.whole(self.blob)

    def latest_checkpoint(self) -> dict[str, Any] | None:
        """The newest checkpoint, or None before the first."""
        rows = self.rows("SELECT max(revision) FROM manifests")
        return None if not rows or rows[0][0] is None else self.checkpoint(int(rows[0][0]))

    def manifests(self) -> Iterator[Row]:
        """For this package: each checkpoint's revision, its event's number (twice), its manifest, the value there."""
        return self._each(_MANIFESTS, _LONG_MANIFEST, 0)

    def _each(self, several: str, alone: str, after: int) -> Iterator[Row]:
        """Rows in order of their first column, a bounded number at once; a long text comes alone."""
        while True:
            rows = self.rows(several, SHORT_CHARS, after, ROWS_AT_ONCE)
            for row in rows:
                after, text = row[0], row[3]
                if text is None:
                    text = next((found for (found,) in self.rows(alone, after)), None)
                yield (*row[:3], text, *row[4:])
            if len(rows) < ROWS_AT_ONCE:
                return

    def rows(self, statement: str, *values: object) -> list[Any]:
        """For this package: all rows of a query, or none and a note when the file does not give them."""
        try:
            with self._lock:
                return self._access.connection.execute(statement, values).fetchall()
        except READ_ERRORS as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY:
                self._flags.add("damaged")
            self._note(f"a part of the file cannot be read ({error})")
            return []

    def chain_at(self, seq: int) -> bytes:
        """The check value of event `seq`, or what the first one is built on; empty when it is not there."""
        if seq == 0:
            return start(self.nonce()) if self.nonce() else b""
        rows = self.rows("SELECT chain FROM events WHERE seq = ?", seq)
        return _bytes(rows)

    def nonce(self) -> bytes:
        """The file's own random number; empty when it cannot be read."""
        rows = self.rows("SELECT nonce FROM file LIMIT 2")
        return _bytes(rows) if len(rows) == 1 else b""

    def _event(self, seq: int, body: object) -> Event | None:
        """The event of a stored body; None, with a note, for one that cannot be read here."""
        try:
            if not isinstance(body, str):
                raise LedgerProblem("its text is not there")
            self.allowance.body(body)
            load = self.allowance.loading(self.blob)
            if self.version == FORMAT:
                return event_from(body, load)
            return event_of(upgraded(decode(body, load), self.version))
        except LedgerProblem as problem:
            if self.version > FORMAT:
                self._note(f"readable up to event {seq - 1} of {self.last_seq()}: the rest needs a newer Signalbox")
            else:
                self._lost(seq - 1, str(problem))
            return None

    def _look(self, owner: int | None) -> None:
        if self._access.cut:
            self._flags.add("damaged")
            self._note("the end of the file is missing")
        if self.version > FORMAT:
            self._flags.add("newer")
            self._note(f"made by a newer Signalbox (format {self.version}): to be looked at only")
        if owner is not None:
            self._flags.add("running")
            self._note(f"in use by process {owner} when it was read: what came later is not in it")
            return
        last = self.last_seq()
        if not self.rows("SELECT 1 FROM events WHERE type = 'run_ended' AND seq = ?", last):
            self._flags.add("cut_off")
        head = newest_known(self.path)
        if head is not None and head.seq > 0 and self.chain_at(head.seq).hex() != head.chain:
            self._older(head.seq, head.revision)
        known = recall(self.path, self.nonce())
        if known is None or known.name != self.path.name:
            self._flags.add("copied")
            self.elsewhere = f"not made here ({why_unknown(self.path, self.nonce())}): to be looked at only"
        elif self.chain_at(known.seq) != known.chain:
            self._older(known.seq, known.revision)

    def _older(self, seq: int, revision: int) -> None:
        self._flags.add("older")
        self._note(f"older than the newest known: event {seq}, checkpoint {revision} were on record")

    def _lost(self, last_good: int, why: str) -> None:
        self._flags.add("damaged")
        self._note(f"readable up to event {last_good} of {self.last_seq() or 'an unknown number'}: {why}")

    def _note(self, words: str) -> None:
        if words not in self.notes:
            self.notes.append(words)


def _bytes(rows: list[Any]) -> bytes:
    """The one value of a query, if it is bytes: a damaged file may hand over anything."""
    return rows[0][0] if rows and isinstance(rows[0][0], bytes) else b""
