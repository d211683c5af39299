"""Leaves given texts out of everything that is handed on, in the spellings in which they can be found there."""

import base64
import json
import re
import unicodedata
from collections.abc import Iterable
from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel

from app.core.events import Recorded
from app.core.evidence import Picture
from app.core.value import Json

REDACTED = "[redacted]"

_DIGESTS = frozenset({"digest", "shown_digest"})
"""Of arguments: whoever knows most of a text could find out the rest by computing it."""
_OPAQUE = frozenset({"encrypted_content"})
"""What only the service can read may hold anything."""
_KEPT = frozenset({"type", "ask_id"})
_UNSEEN = "[\u00ad\u200b-\u200f\u2060\ufeff]*"
_BLANK = r"(?:\s|\u00a0|%20|%0[ad]|\+|\\+[nrt]|\\+u00a0|&nbsp;|&#(?:32|160|xa0);)+"
_DATA_URL = re.compile(r"data:image/[a-z0-9.+-]{1,40};base64,[A-Za-z0-9+/=]*\Z")

_CODE = r"[A-Za-z0-9+/_-]"
LEAST_CORE_CHARS = 6
"""A shorter one would be found by chance in any picture or digest."""

LONGEST_INT_BITS = 8192
"""Python writes no decimal number of more than 4,300 digits."""

T = TypeVar("T", bound=BaseModel)


class Redactor:
    """Finds each text whatever its case, percent-encoded, escaped as in JSON or HTML, broken over lines, or with
    characters that cannot be seen in between; and, of texts that are not very short, inside base64 as they are
    written, in small and in capital letters. Without any text it changes nothing.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        wanted = sorted({text.strip() for text in texts} - {""}, key=len, reverse=True)
        self.count = len(wanted)
        self._pattern = re.compile("|".join(_spellings(text) for text in wanted), re.IGNORECASE) if wanted else None

    def text(self, value: str) -> str:
        """`value` with each of the texts replaced. A picture's data stays: what it shows is not text."""
        if self._pattern is None or (len(value) > 30 and _DATA_URL.match(value)):
            return value
        return self._pattern.sub(REDACTED, value)

    def value(self, value: Json) -> Json:
        """The same for all texts of a JSON value, keys included."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list | tuple):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {
                self.text(key): REDACTED if key in _OPAQUE and item else self.value(item) for key, item in value.items()
            }
        if isinstance(value, int | float) and not isinstance(value, bool):
            # Numbers of thousands of digits are handed on in hexadecimal.
            written = (
                hex(value) if isinstance(value, int) and value.bit_length() > LONGEST_INT_BITS else json.dumps(value)
            )
            return REDACTED if self.text(written) != written else value
        return value

    def recorded(self, recorded: Recorded) -> Recorded:
        """The same for an event: all but the words of the file format itself."""
        if self._pattern is None:
            return recorded
        return Recorded(recorded.seq, recorded.wall_ms, recorded.mono_ns, self._model(recorded.event))

    def _model(self, model: T) -> T:
        changes: dict[str, Any] = {}
        for name, field in type(model).model_fields.items():
            old = getattr(model, name)
            if name in _DIGESTS:
                new: Any = old if isinstance(model, Picture) else ""
            elif name in _KEPT or _only_words(field.annotation):
                continue
            else:
                new = self._part(old)
            if new is not old:
                changes[name] = new
        return model.model_copy(update=changes) if changes else model

    def _part(self, value: Any) -> Any:
        if isinstance(value, BaseModel):
            return self._model(value)
        if isinstance(value, tuple):
            return tuple(self._part(item) for item in value)
        if isinstance(value, dict) and any(isinstance(item, BaseModel) for item in value.values()):
            return {self.text(key): self._part(item) for key, item in value.items()}
        if isinstance(value, bool | int | float):
            return value
        return self.value(value)


def _only_words(annotation: Any) -> bool:
    """Whether a field can hold nothing but constants of the file format."""
    if get_origin(annotation) is Literal:
        return True
    parts = [part for part in get_args(annotation) if part not in (type(None), Ellipsis)]
    return bool(parts) and all(_only_words(part) for part in parts)


def _spellings(text: str) -> str:
    """A pattern for `text`, character by character, so that spellings may be mixed."""
    words = unicodedata.normalize("NFC", text).split()
    plain = _BLANK.join(_UNSEEN.join(_character(character) for character in word) for word in words)
    inside = {core for written in (text, text.lower(), text.upper()) for core in _inside_base64(written)}
    return "|".join([plain, *(f"(?-i:{_CODE}?{core}{_CODE}?=*)" for core in sorted(inside))])


def _inside_base64(text: str) -> list[str]:
    """What `text` looks like within something longer that is written in base64, wherever it begins there."""
    data = text.encode("utf-8", "surrogatepass")
    found = []
    for before in range(3):
        written = base64.b64encode(bytes(before) + data).decode("ascii")
        # Letters that also hold bits of what stands before or after differ from case to case.
        core = written[-(-before * 8 // 6) : (before + len(data)) * 8 // 6]
        if len(core) >= LEAST_CORE_CHARS:
            found.append(re.escape(core).replace(r"\+", r"[+\-]").replace("/", "[/_]"))
    return found


def _character(character: str) -> str:
    spellings = {re.escape(character), re.escape(unicodedata.normalize("NFD", character))}
    spellings.add("".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass")))
    units = character.encode("utf-16-be", "surrogatepass")
    spellings.add("".join(rf"\\+u{units[at : at + 2].hex()}" for at in range(0, len(units), 2)))
    spellings.add(rf"&#(?:{ord(character)}|x{ord(character):x});")
    named = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}.get(character)
    if named:
        spellings.add(named)
    if character in '"\\/':
        spellings.add(r"\\+" + re.escape(character))
    return f"(?:{'|'.join(sorted(spellings, key=len, reverse=True))})"
