"""The SDK's newest checkpoint of a run, field by field, as it is handed on."""

import base64
import hashlib
import re
from collections.abc import Iterator
from typing import Any

from app.core.errors import LedgerProblem
from app.core.value import Json
from app.export.record import Record
from app.ledger.chain import manifest_fits
from app.ledger.checkpoints import Shape
from app.ledger.pictures import header
from app.ledger.reader import LedgerReader
from app.replay.checkpoint_file import CheckpointFile

_DATA_URL = re.compile(r"data:image/[a-z0-9.+-]{1,40};base64,")

Field = tuple[str, Json | Iterator[Json]]


class HandedOn:
    """Fields of one checkpoint in the SDK's order; lists come item by item, since together they may fill the memory."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._blobs = record.source.blobs
        self.problem = ""
        """Why there is none, or why it is not the newest."""
        self._shape = self._sound_shape() if isinstance(self._blobs, LedgerReader) else Shape()

    @property
    def there(self) -> bool:
        """Whether there is one."""
        return isinstance(self._blobs, CheckpointFile) or bool(self._shape.keys)

    def fields(self) -> Iterator[Field]:
        """Each field once, in order. A list must be read to its end before the next field is asked for."""
        if isinstance(self._blobs, CheckpointFile):
            fields: Iterator[Field] = iter(self._blobs.checkpoint.items())
        else:
            fields = self._shape.parts(self._blobs.blob)
        for key, value in fields:
            if isinstance(value, list):
                value = iter(value)
            yield key, (self._items(value) if isinstance(value, Iterator) else self._value(value))

    def _items(self, items: Iterator[Json]) -> Iterator[Json]:
        for item in items:
            yield self._value(item)
            self._record.tick(1)

    def _value(self, value: Json) -> Json:
        return self._record.redactor.value(self._pictures(value))

    def _sound_shape(self) -> Shape:
        """The newest checkpoint of which nothing is missing or changed."""
        assert isinstance(self._blobs, LedgerReader)
        shape, newest = Shape(), 0
        for revision, _, _, body, attached, _ in self._blobs.manifests():
            if revision != newest + 1 or not manifest_fits(body, attached):
                self.problem = f"checkpoint {newest + 1} was changed or damaged: the one before it is handed on"
                break
            try:
                shape.add(body)
            except LedgerProblem as problem:
                self.problem = f"checkpoint {revision}: {problem}: the one before it is handed on"
                break
            newest = revision
        try:
            for _, value in shape.parts(self._blobs.blob):
                for _ in value if isinstance(value, Iterator) else ():
                    self._record.tick(0)
        except LedgerProblem as problem:
            self.problem = f"no checkpoint is handed on: {problem}"
            return Shape()
        if not newest:
            self.problem = self.problem or "no checkpoint is on record"
        return shape

    def _pictures(self, value: Json) -> Json:
        if isinstance(value, str):
            return self._data_url(value) if value.startswith("data:image/") and self._record.cover.masks else value
        if isinstance(value, list):
            return [self._pictures(item) for item in value]
        if isinstance(value, dict):
            if isinstance(self._blobs, CheckpointFile) and value.keys() <= {"picture", "reason"} and value:
                return self._held(value)
            return {key: self._pictures(item) for key, item in value.items()}
        return value

    def _data_url(self, url: str) -> str:
        head = _DATA_URL.match(url)
        try:
            return self._covered(base64.b64decode(url[head.end() :] if head else "", validate=True))
        except ValueError:
            return "[a damaged picture]"

    def _held(self, found: dict[str, Any]) -> str:
        """A picture of a bare checkpoint, which stayed in the file until now."""
        digest = found.get("picture")
        if not isinstance(digest, str):
            return f"[{found.get('reason', 'no picture')}]"
        try:
            return self._covered(self._blobs.blob(digest))
        except LedgerProblem as problem:
            return f"[{problem}]"

    def _covered(self, data: bytes) -> str:
        if not self._record.cover.masks:
            kind = found.media_type if (found := header(data)) is not None else "image/png"
            return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"
        try:
            covered = self._record.cover.picture(data, self._record.pages.get(hashlib.sha256(data).hexdigest()))
        except LedgerProblem as problem:
            return f"[{problem}]"
        return f"data:{covered.media_type};base64,{base64.b64encode(covered.data).decode('ascii')}"
