"""Stored pictures on their way to the screen: only bytes that are safe to decode, or the reason why not."""

import threading
from collections import OrderedDict
from dataclasses import dataclass

from app.core.errors import LedgerProblem
from app.core.ports import Blobs
from app.ledger.pictures import Header, header, thumbnail, why_not_shown

HELD_BYTES = 24 * 1024 * 1024
"""Encoded pictures kept at hand for scrubbing."""


@dataclass(frozen=True)
class SafePicture:
    """Encoded bytes that may be decoded as exactly `header.media_type`, whatever their record claims."""

    data: bytes
    header: Header


@dataclass(frozen=True)
class Placeholder:
    """A picture that is not shown, and why."""

    reason: str


class Frames:
    """Pictures of one run by digest. Any thread; a view calls it beside its own, since bytes come from the disk."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs
        self._lock = threading.Lock()
        self._held: OrderedDict[str, SafePicture | Placeholder] = OrderedDict()
        self._held_bytes = 0

    def picture(self, digest: str) -> SafePicture | Placeholder:
        """The picture of that digest, or why it is not shown."""
        with self._lock:
            if (held := self._held.get(digest)) is not None:
                self._held.move_to_end(digest)
                return held
        found = self._load(digest)
        with self._lock:
            self._hold(digest, found)
        return found

    def thumbnail(self, digest: str) -> bytes | None:
        """A JPEG of at most 192 by 120 pixels, made now if none was stored; None for what is not shown."""
        if (stored := self._blobs.thumbnail(digest)) is not None:
            found = header(stored)
            return stored if found and found.media_type == "image/jpeg" and found.small_enough else None
        found_picture = self.picture(digest)
        return thumbnail(found_picture.data) if isinstance(found_picture, SafePicture) else None

    def _load(self, digest: str) -> SafePicture | Placeholder:
        try:
            data = self._blobs.blob(digest)
        except LedgerProblem as problem:
            return Placeholder(str(problem))
        reason, found = why_not_shown(data), header(data)
        if reason is not None or found is None:
            return Placeholder(reason or "not a picture")
        return SafePicture(data, found)

    def _hold(self, digest: str, found: SafePicture | Placeholder) -> None:
        if digest in self._held:
            return
        self._held[digest] = found
        self._held_bytes += _weight(found)
        while self._held_bytes > HELD_BYTES and len(self._held) > 1:
            _, dropped = self._held.popitem(last=False)
            self._held_bytes -= _weight(dropped)


def _weight(found: SafePicture | Placeholder) -> int:
    return len(found.data) if isinstance(found, SafePicture) else 100
