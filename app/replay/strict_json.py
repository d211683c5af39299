"""A JSON file from anybody, read within bounds: its large pictures stay in the file, the rest must be plain and small.

Refused are doubled keys, numbers that are not finite or endless, nesting without end, and whatever is not UTF-8.
"""

import json
import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.core.errors import LedgerProblem
from app.core.value import Json

MOST_TEXT_BYTES = 48 * 1024 * 1024
"""Everything but the pictures."""
MOST_PARTS = 1_500_000
"""Values in it: each takes about a hundred bytes of memory whatever it takes in the file."""
MOST_PICTURES = 20_000

_CHUNK_BYTES = 1024 * 1024
_OPENS = re.compile(rb'(?<!\\)"data:image/[a-z0-9.+-]{1,40};base64,')
_LONGEST_OPENING = 80
_MARK = "\x00span:"


@dataclass(frozen=True)
class Span:
    """A picture's base64 text where it lies in the file."""

    media_type: str
    offset: int
    """In bytes from the file's start."""
    length: int


@dataclass
class StrictJson:
    """What a file holds. A string that `span_of` knows stands for a picture that was left in the file."""

    value: Json
    spans: list[Span] = field(default_factory=list)

    def span_of(self, text: object) -> Span | None:
        """The picture that `text` stands for."""
        if not isinstance(text, str) or not text.startswith(_MARK):
            return None
        number = text.removeprefix(_MARK)
        return self.spans[int(number)] if number.isdecimal() and int(number) < len(self.spans) else None


def read_json(path: Path) -> StrictJson:
    """The value in the file at `path`.

    Raises:
        LedgerProblem: it cannot be read, or is refused; says why.
    """
    scan = _Scan()
    try:
        with path.open("rb") as opened:
            while chunk := opened.read(_CHUNK_BYTES):
                scan.feed(chunk)
        scan.end()
    except OSError as error:
        raise LedgerProblem(f"cannot be read ({error.strerror}): {path}") from error
    except _Refused as refused:
        raise LedgerProblem(f"refused: {refused}: {path}") from None
    try:
        text = bytes(scan.text).decode("utf-8")
        scan.text.clear()
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_integer
        )
    except UnicodeDecodeError:
        raise LedgerProblem(f"refused: not UTF-8 text: {path}") from None
    except RecursionError:
        raise LedgerProblem(f"refused: nested without end: {path}") from None
    except _Refused as refused:
        raise LedgerProblem(f"refused: {refused}: {path}") from None
    except ValueError as error:
        where = f" at character {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
        raise LedgerProblem(f"not JSON{where}: {path}") from None
    return StrictJson(value, scan.spans)


class _Refused(ValueError):
    """Words for what is wrong."""


class _Scan:
    """Takes a file in chunks and keeps all but the pictures. In valid JSON a quote before ``data:`` begins a string."""

    def __init__(self) -> None:
        self.text = bytearray()
        self.spans: list[Span] = []
        self._rest = b""
        self._at = 0
        """How far `_rest` has been taken."""
        self._offset = 0
        """Of `_rest` in the file."""
        self._inside: tuple[str, int] | None = None
        self._parts = 0

    def feed(self, chunk: bytes) -> None:
        self._rest = self._rest[self._at :] + chunk
        self._offset, self._at = self._offset + self._at, 0
        while self._picture_ends() if self._inside else self._picture_begins():
            if self._parts > MOST_PARTS:
                break
        if len(self.text) > MOST_TEXT_BYTES or self._parts > MOST_PARTS:
            raise _Refused("too large")

    def end(self) -> None:
        if self._inside is not None:
            raise _Refused("a picture without an end")
        self._keep(len(self._rest))

    def _picture_begins(self) -> bool:
        found = _OPENS.search(self._rest, self._at)
        if found is None:
            # A beginning may be cut in two by the end of the chunk.
            self._keep(max(self._at, len(self._rest) - _LONGEST_OPENING))
            return False
        kind = found.group().split(b":", 1)[1].split(b";", 1)[0].decode("ascii")
        self._keep(found.start() + 1)
        self._at = found.end()
        self._inside = (kind, self._offset + self._at)
        return True

    def _picture_ends(self) -> bool:
        assert self._inside is not None
        if len(self.spans) == MOST_PICTURES:
            raise _Refused("too many pictures")
        kind, start = self._inside
        end = self._rest.find(b'"', self._at)
        if end < 0:
            self._at = len(self._rest)
            return False
        self.text += json.dumps(f"{_MARK}{len(self.spans)}")[1:-1].encode("ascii")
        self.spans.append(Span(kind, start, self._offset + end - start))
        self._at, self._inside = end, None
        self._keep(end + 1)
        return True

    def _keep(self, upto: int) -> None:
        kept = self._rest[self._at : upto]
        self.text += kept
        self._parts += kept.count(b",") + kept.count(b"[") + kept.count(b"{")
        self._at = upto


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Refused("a key stands twice in one object")
    return found


def _constant(name: str) -> float:
    raise _Refused(f"{name} is not a number")


def _float(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise _Refused("a number is too large")
    return number


def _integer(text: str) -> int:
    if len(text) > 4000:
        raise _Refused("a number is too long")
    return int(text)
