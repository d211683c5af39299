"""Values as they lie in a ledger: ASCII JSON, with long texts and pictures kept apart by digest. Nothing is ever lost.

An object with one key that begins with ``$`` is a form of ours: ``$text`` and ``$data`` name blobs; ``$join``,
``$int``, ``$float`` and ``$pairs`` carry what JSON would refuse or change.
"""

import base64
import binascii
import contextlib
import hashlib
import json
import math
import re
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from app.core.errors import LedgerProblem
from app.core.events import EVENT, Event
from app.core.value import Json

LONG_TEXT_CHARS = 4096
"""A text longer than this is a blob of its own, stored once however often it occurs."""

LONGEST_PLAIN_INT_BITS = 8192
"""Python refuses to read decimal numbers of more than 4,300 digits."""

REMEMBERED_TEXTS = 32

_SPLIT_PAIR = re.compile("(?<=[\ud800-\udbff])(?=[\udc00-\udfff])")
_DATA_URL = re.compile(r"data:image/[a-z0-9.+-]{1,40};base64,")
_HAS_FORM = '{"$'

Store = Callable[[bytes, str], None]
"""Takes bytes and their media type, to be stored by content before what names them."""

Load = Callable[[str], bytes]
"""The bytes of a digest. Raises `LedgerProblem` when they are missing or changed."""


class Encoder:
    """Writes values for one ledger.

    The SDK hands over the same string objects again and again: the newest long ones are held and hashed once.
    """

    def __init__(self) -> None:
        self._seen: OrderedDict[int, tuple[str, Json]] = OrderedDict()

    def forget(self) -> None:
        """Drop what is remembered: after a write that failed, it may name bytes that are not there."""
        self._seen.clear()

    def text(self, value: Json, store: Store) -> str:
        """`value` as one line of ASCII JSON.

        Raises:
            TypeError: for what is not JSON at all.
        """
        return json.dumps(self._plain(value, store), ensure_ascii=True, separators=(",", ":"), allow_nan=False)

    def _plain(self, value: Json, store: Store) -> Json:
        if isinstance(value, str):
            return value if len(value) <= LONG_TEXT_CHARS and value.isascii() else self._text(value, store)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            return value if value.bit_length() <= LONGEST_PLAIN_INT_BITS else {"$int": hex(value)}
        if isinstance(value, float):
            return value if math.isfinite(value) else {"$float": repr(value)}
        if isinstance(value, list | tuple):
            return [self._plain(item, store) for item in value]
        if isinstance(value, dict):
            return self._object(value, store)
        raise TypeError(f"{type(value).__name__} is not a JSON value")

    def _object(self, value: dict[Any, Any], store: Store) -> Json:
        plain_keys = True
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"a key of type {type(key).__name__} is not JSON")
            if not key.isascii() and _SPLIT_PAIR.search(key):
                plain_keys = False
        if not plain_keys or (len(value) == 1 and next(iter(value)).startswith("$")):
            return {"$pairs": [[_joined(key), self._plain(item, store)] for key, item in value.items()]}
        return {key: self._plain(item, store) for key, item in value.items()}

    def _text(self, value: str, store: Store) -> Json:
        if len(value) <= LONG_TEXT_CHARS:
            return _joined(value)
        if (seen := self._seen.get(id(value))) is not None:
            self._seen.move_to_end(id(value))
            return seen[1]
        form = self._picture(value, store) or self._long(value, store)
        # Holding the string keeps its id from being given to another.
        self._seen[id(value)] = (value, form)
        if len(self._seen) > REMEMBERED_TEXTS:
            self._seen.popitem(last=False)
        return form

    def _picture(self, value: str, store: Store) -> Json:
        head = _DATA_URL.match(value)
        if head is None:
            return None
        try:
            data = binascii.a2b_base64(value[head.end() :], strict_mode=True)
        except ValueError:
            return None
        # Only what comes back letter for letter may be kept as bytes.
        if binascii.b2a_base64(data, newline=False).decode("ascii") != value[head.end() :]:
            return None
        store(data, head.group()[len("data:") : -len(";base64,")])
        return {"$data": [head.group(), hashlib.sha256(data).hexdigest()]}

    def _long(self, value: str, store: Store) -> Json:
        data = value.encode("utf-8", "surrogatepass")
        store(data, "text/plain")
        return {"$text": hashlib.sha256(data).hexdigest()}


def _joined(value: str) -> Json:
    """A text whose two halves of a surrogate pair stand apart would be read back as one letter."""
    if value.isascii() or not (parts := _SPLIT_PAIR.split(value))[1:]:
        return value
    return {"$join": parts}


def decode(text: str, load: Load) -> Json:
    """What `Encoder.text` was given.

    Raises:
        LedgerProblem: it is not what an encoder writes, or names bytes that are not there.
    """
    try:
        if _HAS_FORM not in text:
            return json.loads(text)
        return json.loads(text, object_hook=lambda found: _resolved(found, load))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise LedgerProblem(f"a stored value cannot be read ({type(error).__name__})") from error


def _resolved(found: dict[str, Any], load: Load) -> Json:
    if len(found) != 1:
        return found
    ((key, held),) = found.items()
    if not key.startswith("$"):
        return found
    match key:
        case "$text":
            return load(_named(held)).decode("utf-8", "surrogatepass")
        case "$data":
            head, digest = held
            return head + base64.b64encode(load(_named(digest))).decode("ascii")
        case "$join":
            return "".join(held)
        case "$int":
            return int(held, 16)
        case "$float":
            return float(held)
        case "$pairs":
            return dict(held)
        case _:
            raise ValueError("unknown form")


def _named(digest: object) -> str:
    if not isinstance(digest, str):
        raise TypeError("not a digest")
    return digest


def digests_in(text: str) -> list[str]:
    """The digests that an encoded value names, without loading anything."""
    if _HAS_FORM not in text:
        return []
    found: list[str] = []

    def note(value: dict[str, Any]) -> dict[str, Any]:
        if len(value) == 1:
            if isinstance(held := value.get("$text"), str):
                found.append(held)
            elif isinstance(held := value.get("$data"), list) and len(held) == 2:
                found.append(held[1])
        return value

    json.loads(text, object_hook=note)
    return found


def event_text(event: Event, encoder: Encoder, store: Store) -> str:
    """An event's body as it is stored."""
    return encoder.text(event.model_dump(), store)


def event_from(text: str, load: Load) -> Event:
    """The event that `event_text` wrote.

    Raises:
        LedgerProblem: it is no event of this format, or names bytes that are not there.
    """
    if _HAS_FORM not in text:
        # Three times as fast; what this reader refuses (lone surrogates, deep nesting) the other one takes.
        with contextlib.suppress(ValueError):
            return EVENT.validate_json(text)
    return event_of(decode(text, load))


def event_of(body: Json) -> Event:
    """The event of a decoded body.

    Raises:
        LedgerProblem: it is no event of this format.
    """
    try:
        return EVENT.validate_python(body)
    except ValueError as error:
        raise LedgerProblem("a stored event has not the shape of its kind") from error
