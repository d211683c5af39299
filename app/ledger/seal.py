"""The seal of a run: a keyed check value beside the ledger, which nobody without the key can make anew.

The chain shows damage and careless edits; whoever computes all of it again leaves no trace in it. The seal names the
chain's last value, so that a rewritten ledger no longer fits its seal.
"""

import hashlib
import hmac
import json
import os
import re
from pathlib import Path

from app.core.errors import LedgerProblem
from app.core.sealed import SealFound
from app.core.value import canonical_json
from app.ledger.beside import read_beside
from app.ledger.bounds import on_calendar
from app.ledger.chain import start
from app.ledger.reader import LedgerReader
from app.ledger.verify import VerifyReport, verify
from app.whole_file import written_whole

SUFFIX = "-seal"
"""Of the side file, after the ledger's whole name."""

VERSION = 1
LONGEST_FILE_BYTES = 4096

_KEY_NAME = re.compile(r"[0-9a-f]{16}")

CANNOT_TELL = "sealed with a key that is not on this machine: cannot tell whether it was altered"


def key_id(key: bytes) -> str:
    """A name for a key that tells nothing about it."""
    return hashlib.sha256(b"signalbox seal key" + key).hexdigest()[:16]


def seal_run(path: Path, key: bytes, *, wall_ms: int) -> None:
    """Seal the run in the ledger at `path` as it is now.

    Raises:
        LedgerProblem: it is in use, has no end, is not whole, or the seal cannot be written.
    """
    report = verify(path)
    if not report.whole:
        raise LedgerProblem(f"cannot be sealed: {report.findings[0]}: {path}")
    for flag, words in (("running", "it is in use"), ("cut_off", "its end is not on record")):
        if flag in report.flags:
            raise LedgerProblem(f"cannot be sealed: {words}: {path}")
    sealed = {
        "version": VERSION,
        "key_id": key_id(key),
        "sealed_wall_ms": wall_ms,
        "events": report.events,
        "revision": report.newest_revision,
        "chain": report.chain,
        "file": start(report.nonce).hex(),
    }
    _write(path, {**sealed, "seal": _value(key, sealed)})


def check_seal(report: VerifyReport, key: bytes | None) -> SealFound:
    """Hold the ledger of `report` against its seal. `key` is this machine's, if it has one.

    Raises:
        LedgerProblem: the ledger cannot be read any more.
    """
    try:
        found = _read(report.path)
    except (OSError, ValueError, TypeError, RecursionError):
        return SealFound("altered", "sealed and altered: the seal itself is damaged")
    if found is None:
        return SealFound("not_sealed", "not sealed")
    name, wall_ms = _named(found)
    if key is None or name != key_id(key):
        return SealFound("cannot_tell", CANNOT_TELL, name, wall_ms)
    said = str(found.pop("seal", "")).encode("utf-8", "replace")
    if not hmac.compare_digest(said, _value(key, found).encode("ascii")):
        return SealFound("altered", "sealed and altered: the seal itself was changed", name, wall_ms)
    events, chain = int(str(found["events"])), str(found["chain"])
    with LedgerReader.open(report.path) as reader:
        fits = found["file"] == start(reader.nonce()).hex() and reader.chain_at(events).hex() == chain
    if not fits or not report.whole:
        return SealFound("altered", "sealed and altered: the record is not the one that was sealed", name, wall_ms)
    if report.events > events:
        words = f"sealed and whole up to event {events}; what was written later is not sealed"
        return SealFound("partly", words, name, wall_ms)
    return SealFound("whole", "sealed and whole", name, wall_ms)


def _named(found: dict[str, object]) -> tuple[str, int]:
    """The key and the time that a seal names: nothing that anybody may have written there but those."""
    name, wall_ms = found.get("key_id"), found.get("sealed_wall_ms")
    plain = isinstance(name, str) and _KEY_NAME.fullmatch(name) is not None
    return (str(name) if plain else ""), on_calendar(wall_ms)


def _value(key: bytes, sealed: dict[str, object]) -> str:
    return hmac.new(key, b"signalbox seal" + canonical_json(sealed), hashlib.sha256).hexdigest()


def _read(path: Path) -> dict[str, object] | None:
    try:
        data = read_beside(path.with_name(path.name + SUFFIX), LONGEST_FILE_BYTES)
    except FileNotFoundError:
        return None
    found = json.loads(data)
    if not isinstance(found, dict) or found.get("version") != VERSION:
        raise ValueError("not a seal of this version")
    return found


def _write(path: Path, sealed: dict[str, object]) -> None:
    side = path.with_name(path.name + SUFFIX)
    try:
        with written_whole(side, prefix=f"{side.name}-") as opened:
            opened.write(canonical_json(sealed))
            opened.flush()
            os.fsync(opened.fileno())
    except OSError as error:
        raise LedgerProblem(f"the seal cannot be written ({error.strerror}): {side}") from error
