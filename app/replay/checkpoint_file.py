"""A bare SDK checkpoint as a JSON file: checked field by field, its pictures read from the file when needed."""

import binascii
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.errors import LedgerProblem
from app.core.value import Json
from app.ledger.pictures import LARGEST_BYTES, Header, header, why_not_shown
from app.replay.strict_json import Span, read_json

VERSION = 1
"""The checkpoint version of the SDK that this program knows."""

FIELDS: dict[str, type | tuple[type, ...]] = {
    "version": int,
    "run_id": str,
    "revision": int,
    "phase": str,
    "max_steps": int,
    "consumed_requests": int,
    "tools": list,
    "output_override_names": list,
    "history": list,
    "attempted_call_ids": list,
    "returned_call_ids": list,
    "pending_items": list,
    "returned_outputs": list,
    "final_response": (dict, type(None)),
}
"""The fields of a checkpoint and what each holds."""

PHASES = ("boundary", "pending", "final")

_NO_NAME = re.compile(r"[/\\\x00-\x1f]|^\.|^$")
"""A run's id becomes part of a file's name elsewhere."""

_DATA_URL = re.compile(r"data:(image/[a-z0-9.+-]{1,40});base64,")


@dataclass(frozen=True)
class HeldPicture:
    """A picture of the file that may be shown; `digest` of its bytes, `header` as they say themselves."""

    digest: str
    header: Header


class CheckpointFile:
    """A checkpoint with each picture replaced by ``{"picture": digest}``, or by ``{"picture": None, "reason": …}``."""

    def __init__(self, path: Path) -> None:
        """Read and check it.

        Raises:
            LedgerProblem: it is no checkpoint, or is refused; says why.
        """
        self.path = path
        self.flags: set[str] = set()
        self.notes: list[str] = []
        self.pictures: dict[str, HeldPicture] = {}
        self._places: dict[str, Span | bytes] = {}
        self._found = read_json(path)
        try:
            checkpoint = self._kept(self._found.value)
        except RecursionError:
            raise LedgerProblem(f"refused: nested without end: {path}") from None
        self.checkpoint: dict[str, Any] = self._checked(checkpoint)

    def blob(self, digest: str) -> bytes:
        """A picture's bytes. Raises `LedgerProblem`."""
        place = self._places.get(digest)
        if place is None:
            raise LedgerProblem(f"no bytes on record for {digest[:12]}…")
        data = place if isinstance(place, bytes) else self._read(place)
        if data is None or hashlib.sha256(data).hexdigest() != digest:
            raise LedgerProblem(f"the file was changed while it was open: {self.path}")
        return data

    def thumbnail(self, digest: str) -> bytes | None:
        """None: there are none in such a file."""
        return None

    def _checked(self, found: Json) -> dict[str, Any]:
        if not isinstance(found, dict) or not {"version", "phase", "history"} <= found.keys():
            raise LedgerProblem(f"not an SDK checkpoint: {self.path}")
        version = found["version"]
        newer = isinstance(version, int) and not isinstance(version, bool) and version > VERSION
        if missing := sorted(FIELDS.keys() - found.keys()):
            raise LedgerProblem(f"not a whole SDK checkpoint: {', '.join(missing)} missing: {self.path}")
        for key, kind in FIELDS.items():
            if not isinstance(found[key], kind) or isinstance(found[key], bool):
                raise LedgerProblem(f"not an SDK checkpoint: {key} is of a wrong type: {self.path}")
        if newer:
            self.flags.add("newer")
            self.notes.append(f"made by a newer SDK (checkpoint version {version}): to be looked at only")
        elif version != VERSION or found.keys() != FIELDS.keys():
            raise LedgerProblem(f"not an SDK checkpoint of a version that is known here: {self.path}")
        if found["phase"] not in PHASES:
            raise LedgerProblem(f"not an SDK checkpoint: an unknown phase: {self.path}")
        if _NO_NAME.search(found["run_id"]) or len(found["run_id"]) > 200:
            raise LedgerProblem(f"refused: its run id is not a name: {self.path}")
        return found

    def _kept(self, value: Json) -> Json:
        if isinstance(value, str):
            return self._kept_text(value)
        if isinstance(value, list):
            return [self._kept(item) for item in value]
        if isinstance(value, dict):
            return {self._noted(key): self._kept(item) for key, item in value.items()}
        return value

    def _kept_text(self, value: str) -> Json:
        if (span := self._found.span_of(value)) is not None:
            return self._picture(span, self._read(span))
        if len(value) > 30 and (head := _DATA_URL.match(value)) is not None:
            data = _bytes_of(value[head.end() :].encode("utf-8", "replace"))
            return self._picture(data, data)
        return self._noted(value)

    def _noted(self, text: str) -> str:
        if not text.isascii() and "odd_text" not in self.flags:
            try:
                text.encode("utf-8")
            except UnicodeEncodeError:
                self.flags.add("odd_text")
                self.notes.append("holds text that is not valid Unicode, shown by its codes")
        return text

    def _picture(self, place: Span | bytes | None, data: bytes | None) -> Json:
        if data is None or place is None:
            too_large = isinstance(place, Span) and place.length > _longest_text()
            return {"picture": None, "reason": "a picture too large to show" if too_large else "a damaged picture"}
        reason, found = why_not_shown(data), header(data)
        if reason is not None or found is None:
            return {"picture": None, "reason": reason}
        digest = hashlib.sha256(data).hexdigest()
        self._places.setdefault(digest, place)
        self.pictures[digest] = HeldPicture(digest, found)
        return {"picture": digest}

    def _read(self, span: Span) -> bytes | None:
        if span.length > _longest_text():
            return None
        try:
            with self.path.open("rb") as opened:
                opened.seek(span.offset)
                return _bytes_of(opened.read(span.length))
        except OSError:
            return None


def _longest_text() -> int:
    return LARGEST_BYTES // 3 * 4 + 4


def _bytes_of(text: bytes) -> bytes | None:
    try:
        return binascii.a2b_base64(text, strict_mode=True)
    except ValueError:
        return None
