"""Whether a ledger is whole: the chain, every check value, every stored byte, every checkpoint; in words for people."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from app.core.errors import LedgerProblem
from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    CallAnswered,
    CheckpointSaved,
    DecisionMade,
    Event,
    PictureTaken,
    Recorded,
)
from app.core.value import Json
from app.ledger.chain import manifest_fits
from app.ledger.checkpoints import Shape, manifest_digests
from app.ledger.lock import owner_of
from app.ledger.reader import Flag, LedgerReader

MOST_FINDINGS = 50

SHORT_BYTES, SHORT_AT_ONCE = 64 * 1024, 128
"""Stored bytes up to this are read together, so many at once; longer ones alone."""

_SHORT = (
    f"SELECT id, digest, CASE WHEN length(bytes) <= {SHORT_BYTES} THEN bytes END FROM blobs NOT INDEXED "
    f"WHERE id > ? ORDER BY id LIMIT {SHORT_AT_ONCE}"
)
_KINDS = f"SELECT seq, substr(type, 1, 64) FROM events NOT INDEXED WHERE seq > ? ORDER BY seq LIMIT {SHORT_AT_ONCE}"


@dataclass(frozen=True)
class VerifyReport:
    """What was found. `whole` only if nothing is missing, changed, damaged or out of order."""

    path: Path
    findings: tuple[str, ...]
    """What is wrong, worst first."""
    facts: tuple[str, ...]
    """What was counted, and what is worth knowing though nothing is wrong."""
    events: int
    blobs: int
    newest_revision: int
    chain: str
    """Check value (hex) of the last event."""
    nonce: bytes
    flags: frozenset[Flag]

    @property
    def whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def verify(
    path: Path,
    *,
    owned_here: bool = False,
    goes_on: Callable[[], bool] = lambda: True,
    shown: tuple[int, bytes] = (0, b""),
) -> VerifyReport:
    """Read all of the ledger at `path` and compare. `owned_here`: the caller holds its lock and has not opened it yet.

    `shown`: an event of it that is on a screen, by number and check value; another file in its place is a finding.

    Raises:
        LedgerProblem: it is not a ledger, or one that must not be read; or `goes_on` said no meanwhile.
    """
    owner = None if owned_here else owner_of(path)
    with LedgerReader(path, owner=owner) as reader:
        reader.break_off_unless(goes_on)
        return _Check(reader, goes_on, shown).report()


class _Check:
    """One pass over one ledger."""

    def __init__(self, reader: LedgerReader, goes_on: Callable[[], bool], shown: tuple[int, bytes]) -> None:
        self._reader = reader
        self._shown = shown
        self._goes_on = goes_on
        self._findings: list[str] = []
        self._facts: list[str] = []
        self._allowed: dict[str, str] = {}
        self._asked: dict[str, str] = {}
        self._holds: set[str] = set()
        self._used: set[str] = set()
        self._saved: dict[int, int] = {}
        self._named: set[bytes] = set()
        """Digests that the record names and that have not been met yet."""
        self._last: Recorded | None = None

    def report(self) -> VerifyReport:
        """Everything that can be said."""
        reader = self._reader
        for flag, begins in (("newer", "made by a newer"), ("older", "older than")):
            if flag in reader.flags:
                self._find(next(words for words in reader.notes if words.startswith(begins)))
        seq, value = self._shown
        if seq and reader.chain_at(seq) != value:
            self._find("another file lies there now than the one that was opened: what is shown was not checked")
        stored, newest = 0, 0
        try:
            self._database()
            self._journal()
            newest = self._checkpoints()
            stored = self._bytes()
        except (TypeError, ValueError, AttributeError, KeyError, OverflowError, RecursionError):
            self._find("the file is damaged: it holds values of a wrong kind")
        missing = len(self._named)
        if missing:
            self._find(f"{missing} pictures, texts or items that the record names are not there")
        last = self._last
        if "cut_off" in reader.flags:
            self._facts.append("the run was cut off: it has no end on record")
        seq = last.seq if last else 0
        self._facts.insert(0, f"{seq} events, {stored} pictures, texts and items, {newest} checkpoints")
        return VerifyReport(
            path=reader.path,
            findings=tuple(self._findings),
            facts=tuple(self._facts),
            events=seq,
            blobs=stored,
            newest_revision=newest,
            chain=reader.chain_at(seq).hex(),
            nonce=reader.nonce(),
            flags=reader.flags,
        )

    def _look_up(self) -> None:
        """Raises `LedgerProblem` once nobody waits for the report any more."""
        if not self._goes_on():
            raise LedgerProblem(f"the check was broken off: {self._reader.path}")

    def _find(self, words: str) -> None:
        if words not in self._findings and len(self._findings) < MOST_FINDINGS:
            self._findings.append(words)

    @property
    def _full(self) -> bool:
        """Whether so much is wrong that looking on tells nobody more."""
        return len(self._findings) >= MOST_FINDINGS

    def _database(self) -> None:
        """SQLite's own look at its pages."""
        for (words,) in self._reader.rows("PRAGMA integrity_check(10)") or [("it cannot be checked",)]:
            if words != "ok":
                self._find(f"the database is damaged: {words}")

    def _journal(self) -> None:
        # A text or picture inside an event's body that is not there ends the reading; only names of pictures are left.
        for recorded, kind in zip(self._reader.events(), self._kinds(), strict=False):
            self._look_up()
            if recorded.event.type != kind:
                self._find(f"event {recorded.seq} is listed as another kind than it is")
            self._last = recorded
            self._name(pictures_of(recorded.event))
            self._in_order(recorded)
        if self._last is None:
            self._find("there is no event on record")
        read = self._last.seq if self._last else 0
        there = self._reader.rows("SELECT count(*) FROM events NOT INDEXED")
        if "damaged" in self._reader.flags or not there or read != there[0][0]:
            self._find(f"the journal is whole up to event {read} only: {'; '.join(self._reader.notes)}")

    def _kinds(self) -> Iterator[str]:
        """As what each event is listed."""
        after = 0
        while rows := self._reader.rows(_KINDS, after):
            after = rows[-1][0]
            yield from (kind for _, kind in rows)

    def _name(self, digests: list[str]) -> None:
        self._named.update(digest_bytes(digest) for digest in digests)

    def _in_order(self, recorded: Recorded) -> None:
        """Every effect that was asked about has an earlier allow for the same thing, and each allow has one effect."""
        event = recorded.event
        match event:
            case AskRaised():
                self._asked[event.ask.ask_id] = event.ask.digest
                if event.ask.step is not None:
                    # Going on from a hold allows nothing.
                    self._holds.add(event.ask.ask_id)
            case DecisionMade():
                if event.decision.digest != self._asked.get(event.decision.ask_id):
                    self._find(f"event {recorded.seq}: decided about something else than was asked")
                if event.decision.allowed and event.decision.ask_id not in self._holds:
                    self._allowed[event.decision.ask_id] = event.decision.digest
            case ActionStarted() if event.ask_id is not None:
                if self._allowed.get(event.ask_id) != event.digest:
                    self._find(f"event {recorded.seq}: started without an earlier allow for the same action")
                elif event.ask_id in self._used:
                    self._find(f"event {recorded.seq}: one allow was used twice")
                else:
                    self._used.add(event.ask_id)
            case CheckpointSaved():
                self._saved[event.revision] = recorded.seq
            case _:
                pass

    def _bytes(self) -> int:
        """Compare all stored bytes, a bounded part at once, since together they may be larger than memory."""
        number = stored = 0
        while not self._full and (rows := self._reader.rows(_SHORT, number)):
            for number, digest, short in rows:
                self._look_up()
                data = short
                if data is None:
                    [(data,)] = self._reader.rows("SELECT bytes FROM blobs WHERE id = ?", number) or [(b"",)]
                if hashlib.sha256(data).digest() != digest:
                    self._find(f"the bytes on record for {digest.hex()[:12]}… were changed or damaged")
                self._named.discard(bytes(digest))
                stored += 1
        return stored

    def _checkpoints(self) -> int:
        """Each follows from the one before, belongs to its event and has its check value there."""
        shape, newest = Shape(), 0
        for revision, seq, _, body, attached, _ in self._reader.manifests():
            if self._full:
                break
            self._look_up()
            if revision != newest + 1:
                self._find(f"checkpoint {newest + 1} is missing")
            newest = revision
            if not manifest_fits(body, attached) or self._saved.pop(revision, None) != seq:
                self._find(f"checkpoint {revision} was changed or damaged")
                continue
            try:
                shape.add(body)
                self._name(manifest_digests(body))
            except (LedgerProblem, ValueError, TypeError) as problem:
                self._find(f"checkpoint {revision}: {problem}")
        if self._saved:
            self._find(f"the content of checkpoint {min(self._saved)} is missing")
        return newest


def digest_bytes(digest: str) -> bytes:
    """A digest as it is stored; of a name that is none, something that is nowhere stored."""
    try:
        return bytes.fromhex(digest)
    except ValueError:
        return digest.encode("utf-8", "replace")


def pictures_of(event: Event) -> list[str]:
    """Digests of the pictures that an event shows."""
    match event:
        case AskRaised():
            picture = event.ask.evidence.picture
        case ActionEnded() | PictureTaken():
            picture = event.picture
        case CallAnswered():
            return _pictures_in(event.output)
        case _:
            return []
    return [] if picture is None else [picture.digest]


def _pictures_in(output: Json) -> list[str]:
    if isinstance(output, dict):
        if len(output) == 1 and isinstance(digest := output.get("picture"), str):
            return [digest]
        return [found for value in output.values() for found in _pictures_in(value)]
    if isinstance(output, list):
        return [found for value in output for found in _pictures_in(value)]
    return []
