"""The journal of one run on disk: what is appended is durable before the call returns, and nothing is ever changed."""

import contextlib
import hashlib
import logging
import os
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.errors import LedgerProblem, NotDurable
from app.core.events import CheckpointSaved, Event, Recorded
from app.core.evidence import Blob
from app.core.ports import Clock
from app.ledger import blobs, looking
from app.ledger.afterwork import Afterwork
from app.ledger.beside import must_be_file
from app.ledger.birth import begin_file, prepare_folder, take_back
from app.ledger.chain import NONCE_BYTES, link, manifest_value, start
from app.ledger.checkpoints import Difference, ManifestWriter
from app.ledger.codec import Encoder, event_text
from app.ledger.known import Known, remember
from app.ledger.lock import Head, OwnerLock
from app.ledger.reader import LedgerReader
from app.ledger.schema import connect_to_write
from app.ledger.verify import verify

logger = logging.getLogger(__name__)

LOOKERS_WAIT_SECS = 5.0
"""How long a reader in this process may take to let go of a ledger that is to be written on."""

_CONTENT_ERRORS = (TypeError, ValueError, KeyError, RecursionError)


@dataclass(frozen=True)
class _Line:
    """One event on its way to disk, with the bytes it names and the checkpoint it stands for."""

    recorded: Recorded
    body: str
    stored: dict[str, tuple[str, bytes]]
    saved: Difference | None = None


class RunLedger:
    """Owns one run's file from `create` or `open_owned` to `close`.

    Events and checkpoints are written from one thread; bytes and events may be read from any. After a write that did
    not reach the disk nothing is written any more: a disk that lost data once is not trusted with a second try.
    """

    def __init__(self, path: Path, clock: Clock, lock: OwnerLock, connection: sqlite3.Connection) -> None:
        """Use `create` or `open_owned`."""
        self.path = path
        self._clock = clock
        self._lock = lock
        self._connection = connection
        self._writing = threading.Lock()
        self._reading = threading.Lock()
        self._reader: LedgerReader | None = None
        self._afterwork = Afterwork(path, self._writing)
        self._listeners: list[Callable[[Recorded], None]] = []
        self._untold: deque[Recorded] = deque()
        self._encoder = Encoder()
        self._failed: str | None = None
        self._closed = False
        self._riding: list[_Line] = []
        """Events that go to disk with the next one that is waited for."""
        self._head = Head(os.getpid())
        self._nonce = b""
        self._manifests: ManifestWriter | None = None
        self._old: dict[str, Any] | None = None
        """The checkpoint before the newest, until somebody has time to free it."""

    @classmethod
    def create(cls, path: Path, clock: Clock, *, limit_bytes: int | None = None) -> "RunLedger":
        """Begin a new ledger, which must not exist yet, and own it. It never grows beyond `limit_bytes`.

        Raises:
            LedgerInUse: somebody else is creating it.
            LedgerProblem: it exists, or the folder cannot be written to.
        """
        prepare_folder(path.parent)
        lock = OwnerLock.take(path)
        nonce = os.urandom(NONCE_BYTES)
        try:
            begin_file(path, nonce)
            try:
                connection = connect_to_write(path, limit_bytes=limit_bytes)
            except BaseException:
                take_back(path)
                raise
        except sqlite3.Error as error:
            lock.release(remove=True)
            raise NotDurable(f"no run can be recorded ({error}): {path}") from error
        except BaseException:
            lock.release(remove=lock.left_behind is None)
            raise
        ledger = cls(path, clock, lock, connection)
        ledger._nonce = nonce
        ledger._head = Head(os.getpid(), chain=start(nonce).hex())
        ledger._remember()
        ledger._manifests = ManifestWriter(ledger._encoder)
        return ledger

    @classmethod
    def open_owned(cls, path: Path, clock: Clock) -> "RunLedger":
        """Own an existing ledger, to write on where it ends. All of it is checked first.

        Raises:
            LedgerInUse: another console owns it; names the process.
            LedgerProblem: it is not whole, not the newest, or not of this format: it may be looked at only.
        """
        must_be_file(path, "ledger")
        if not looking.nobody_looks(path, LOOKERS_WAIT_SECS):
            raise LedgerProblem(f"it is being looked at in this program, so that it cannot be written to: {path}")
        lock = OwnerLock.take(path)
        try:
            if not looking.nobody_looks(path, 0):
                raise LedgerProblem(f"it is being looked at in this program, so that it cannot be written to: {path}")
            report = verify(path, owned_here=True)
            if not report.whole:
                raise LedgerProblem(f"may be looked at but not continued: {report.findings[0]}: {path}")
            if "copied" in report.flags:
                raise LedgerProblem(f"may be looked at but not continued: not made here under this name: {path}")
            connection = connect_to_write(path)
        except sqlite3.Error as error:
            lock.release(remove=lock.left_behind is None)
            raise LedgerProblem(f"cannot be continued ({error}): {path}") from error
        except BaseException:
            lock.release(remove=lock.left_behind is None)
            raise
        ledger = cls(path, clock, lock, connection)
        ledger._nonce = report.nonce
        ledger._head = Head(os.getpid(), report.events, report.newest_revision, report.chain)
        return ledger

    def close(self) -> None:
        """Leave one whole file behind and stop owning it."""
        if self._closed:
            return
        self._write_riding()
        self._closed = True
        self._afterwork.close()
        with self._reading:
            if self._reader is not None:
                self._reader.close()
        folded = False
        with self._writing:
            if self._failed is None:
                folded = self._finish()
                self._remember()
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
        self._lock.release(remove=folded)

    def __enter__(self) -> "RunLedger":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, event: Event, blobs: Sequence[Blob] = ()) -> Recorded:
        """See `ports.Journal.append`."""
        return self._record(event, {blob.digest: (blob.media_type, blob.data) for blob in blobs})

    def append_soon(self, event: Event, blobs: Sequence[Blob] = ()) -> Recorded:
        """See `ports.Journal.append_soon`."""
        return self._record(event, {blob.digest: (blob.media_type, blob.data) for blob in blobs}, soon=True)

    def save_checkpoint(self, checkpoint: dict[str, Any]) -> Recorded:
        """See `ports.Journal.save_checkpoint`. A revision that is not the next one is refused: none is left out or
        given twice.
        """
        if self._failed is not None:
            raise NotDurable(self._failed)
        started_ns = self._clock.mono_ns()
        stored: dict[str, tuple[str, bytes]] = {}
        try:
            manifests = self._continued()
        except LedgerProblem as problem:
            raise NotDurable(f"the checkpoint before cannot be read: {problem}") from problem
        newest = self._head.revision
        try:
            revision = checkpoint["revision"]
            if revision != newest + 1 or checkpoint["run_id"] != manifests.newest.get("run_id", checkpoint["run_id"]):
                raise NotDurable(f"checkpoint {revision} does not follow checkpoint {newest}: {self.path}")
            saved = manifests.difference(checkpoint, lambda data, kind: _keep(stored, data, kind))
            event = CheckpointSaved(
                revision=revision,
                phase=checkpoint["phase"],
                consumed_requests=checkpoint["consumed_requests"],
                attempted_call_ids=tuple(saved.added["attempted_call_ids"]),
                returned_call_ids=tuple(saved.added["returned_call_ids"]),
                save_ms=(self._clock.mono_ns() - started_ns) / 1e6,
            )
        except _CONTENT_ERRORS as error:
            self._encoder.forget()
            raise NotDurable(f"not a checkpoint of the SDK ({type(error).__name__}): {self.path}") from error
        return self._record(event, stored, saved)

    def subscribe(self, listener: Callable[[Recorded], None]) -> None:
        """See `ports.Journal.subscribe`."""
        self._listeners.append(listener)

    def blob(self, digest: str) -> bytes:
        """See `ports.Blobs.blob`."""
        return self._read().blob(digest)

    def thumbnail(self, digest: str) -> bytes | None:
        """See `ports.Blobs.thumbnail`; None until it is made, shortly after the picture was stored."""
        return self._afterwork.thumbnail(digest) or self._read().thumbnail(digest)

    def events(self, after_seq: int = 0) -> Iterator[Recorded]:
        """The journal so far, from the event after `after_seq`."""
        return self._read().events(after_seq)

    def checkpoint(self, revision: int) -> dict[str, Any]:
        """The SDK checkpoint of that revision, equal to what was handed over. Raises `LedgerProblem`."""
        return self._read().checkpoint(revision)

    def latest_checkpoint(self) -> dict[str, Any] | None:
        """The newest checkpoint, or None before the first."""
        return self._read().latest_checkpoint()

    def revisions(self) -> list[int]:
        """Numbers of the checkpoints on record, in order."""
        return self._read().revisions()

    def _record(
        self,
        event: Event,
        stored: dict[str, tuple[str, bytes]],
        saved: Difference | None = None,
        *,
        soon: bool = False,
    ) -> Recorded:
        with self._writing:
            if self._failed is not None or self._closed:
                raise NotDurable(self._failed or f"the ledger is closed: {self.path}")
            seq = self._head.seq + len(self._riding) + 1
            recorded = Recorded(seq, self._clock.wall_ms(), self._clock.mono_ns(), event)
            try:
                body = event_text(event, self._encoder, lambda data, kind: _keep(stored, data, kind))
            except _CONTENT_ERRORS as error:
                self._encoder.forget()
                raise NotDurable(f"{self._words(recorded)} holds what is not JSON ({type(error).__name__})") from error
            lines = [*self._riding, _Line(recorded, body, stored, saved)]
            if soon:
                self._riding = lines
                return recorded
            written = self._write(lines)
        self._after(written)
        return recorded

    def _write_riding(self) -> None:
        """Write what rides although nothing follows it."""
        with self._writing:
            if self._failed is not None or self._closed or not self._riding:
                return
            try:
                written = self._write(self._riding)
            except NotDurable:
                logger.exception("The last events of the run were not written")
                return
        self._after(written)

    def _write(self, lines: "list[_Line]") -> "list[tuple[_Line, list[str]]]":
        """Make `lines` durable together. Returns each with the digests that were new."""
        last = lines[-1]
        try:
            thumbs = self._afterwork.made()
            news, chain = self._commit(lines, thumbs)
        except (sqlite3.Error, OSError, MemoryError, *_CONTENT_ERRORS) as error:
            self._abandon()
            self._failed = f"{self._words(last.recorded)} did not reach the disk ({type(error).__name__}: {error})"
            raise NotDurable(self._failed) from error
        self._riding = []
        revision = self._head.revision
        if last.saved is not None:
            revision = last.saved.whole["revision"]
            self._old = self._continued().accept(last.saved)
        self._head = Head(self._head.pid, last.recorded.seq, revision, chain.hex())
        self._afterwork.stored(thumbs)
        return list(zip(lines, news, strict=True))

    def _commit(self, lines: "list[_Line]", thumbs: dict[str, bytes]) -> tuple[list[list[str]], bytes]:
        """One transaction, one sync. Returns the digests that were new with each event, and the last check value."""
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        for digest, jpeg in thumbs.items():
            blobs.put_thumbnail(connection, digest, jpeg)
        news = []
        chain = bytes.fromhex(self._head.chain)
        for line in lines:
            recorded, event, saved = line.recorded, line.recorded.event, line.saved
            news.append(
                [digest for digest, (kind, data) in line.stored.items() if blobs.put(connection, digest, kind, data)]
            )
            attached: bytes | None = None
            if saved is not None:
                attached = manifest_value(saved.manifest)
                connection.execute(
                    "INSERT INTO manifests(revision, seq, body) VALUES(?, ?, ?)",
                    (saved.whole["revision"], recorded.seq, saved.manifest),
                )
            chain = link(chain, recorded.seq, recorded.wall_ms, recorded.mono_ns, line.body, attached)
            connection.execute(
                "INSERT INTO events(seq, wall_ms, mono_ns, type, body, attached, chain) VALUES(?, ?, ?, ?, ?, ?, ?)",
                (recorded.seq, recorded.wall_ms, recorded.mono_ns, event.type, line.body, attached, chain),
            )
        connection.execute("COMMIT")
        return news, chain

    def _after(self, written: "list[tuple[_Line, list[str]]]") -> None:
        try:
            self._lock.note(self._head)
        except OSError:
            logger.warning("The side file of the ledger could not be written")
        for line, new in written:
            self._afterwork.wrote(sum(len(line.stored[digest][1]) for digest in new))
            for digest in new:
                kind, data = line.stored[digest]
                if kind in blobs.PICTURES:
                    self._afterwork.picture(digest, data)
        for line, _ in written:
            self._tell(line.recorded)
        if self._old is not None:
            old, self._old = self._old, None
            self._afterwork.let_go(old)

    def _tell(self, recorded: Recorded) -> None:
        """All listeners hear of one event before any hears of the next, also when one of them appends."""
        self._untold.append(recorded)
        if len(self._untold) > 1:
            return
        while self._untold:
            for listener in self._listeners:
                try:
                    listener(self._untold[0])
                except Exception:
                    logger.exception("A listener of the journal failed")
            self._untold.popleft()

    def _abandon(self) -> None:
        self._encoder.forget()
        with contextlib.suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _words(self, recorded: Recorded) -> str:
        head = self._head
        last = f"last on record: event {head.seq}, checkpoint {head.revision}"
        return f"{self.path}: event {recorded.seq} ({recorded.event.type}; {last})"

    def _continued(self) -> ManifestWriter:
        """What the next checkpoint is compared with; read back once after `open_owned`."""
        if self._manifests is None:
            self._manifests = ManifestWriter(self._encoder, self.latest_checkpoint())
        return self._manifests

    def _remember(self) -> None:
        head = self._head
        remember(self.path, self._nonce, Known(self.path.name, head.seq, head.revision, bytes.fromhex(head.chain)))

    def _read(self) -> LedgerReader:
        with self._reading:
            if self._closed:
                raise LedgerProblem(f"the ledger is closed: {self.path}")
            if self._reader is None:
                self._reader = LedgerReader(self.path, owner=os.getpid())
            return self._reader

    def _finish(self) -> bool:
        """Store the last thumbnails and fold the log into the file. True when the file says it all."""
        try:
            if thumbs := self._afterwork.made():
                self._connection.execute("BEGIN IMMEDIATE")
                for digest, jpeg in thumbs.items():
                    blobs.put_thumbnail(self._connection, digest, jpeg)
                self._connection.execute("COMMIT")
            (busy, _, _) = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error:
            logger.exception("The ledger was not folded into one file; it is whole with the files beside it")
            return False
        return not busy


def _keep(stored: dict[str, tuple[str, bytes]], data: bytes, media_type: str) -> None:
    stored.setdefault(hashlib.sha256(data).hexdigest(), (media_type, data))
