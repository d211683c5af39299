"""SDK checkpoints as small manifests: what changed since the one before, with each item stored once by content.

A manifest is ``{"keys": [...], "values": {key: slot}, "lists": {key: [kept, [slot, ...]]}}``. A slot is the digest of a
blob, or a list around a value that is short enough to stand in the manifest. What is not mentioned is as it was before.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from app.core.errors import LedgerProblem
from app.core.value import Json
from app.ledger.codec import Encoder, Load, Store, decode, digests_in

INLINE_CHARS = 120
"""An encoded value up to this long stands in the manifest itself; its digest would be no shorter."""

ITEM = "application/json"
"""Media type of a stored item."""

Slot = str | list[Json]


def kept_prefix(old: list[Json], new: list[Json]) -> int:
    """How many first items are equal in both. The SDK's copies share their strings, so equal ones compare at once."""
    count = min(len(old), len(new))
    # Slices, also of the whole: making them fetches all items; comparing cold ones one by one takes half as long again.
    if old[:count] == new[:count]:
        return count
    return next(index for index in range(count) if old[index] != new[index])


@dataclass(frozen=True)
class Difference:
    """How a checkpoint differs from the one before, and what the next one will be compared with."""

    manifest: str
    whole: dict[str, Any]
    """Equal to the checkpoint; its lists are our own, so that a caller's later append cannot pass for what is on
    record. Its items are the newest ones, which the processor still has at hand."""
    added: dict[str, list[Json]]
    """By key, what stands behind the kept part of each list."""


class ManifestWriter:
    """Knows the newest checkpoint of one ledger and writes the next one as its difference."""

    def __init__(self, encoder: Encoder, newest: dict[str, Any] | None = None) -> None:
        self._encoder = encoder
        self._newest: dict[str, Any] = newest or {}

    @property
    def newest(self) -> dict[str, Any]:
        """The checkpoint that was accepted last; empty before the first."""
        return self._newest

    def difference(self, checkpoint: dict[str, Any], store: Store) -> Difference:
        """What `checkpoint` changes; new items go to `store`. Nothing is remembered until `accept`."""
        before = self._newest
        written: dict[str, Any] = {}
        if list(checkpoint) != list(before):
            written["keys"] = json.loads(self._encoder.text(list(checkpoint), store))
        values: dict[str, Slot] = {}
        lists: dict[str, list[Any]] = {}
        whole: dict[str, Any] = {}
        added: dict[str, list[Json]] = {}
        for key, value in checkpoint.items():
            old = before.get(key)
            whole[key] = value
            if isinstance(value, list):
                kept = kept_prefix(old, value) if isinstance(old, list) else 0
                added[key] = value[kept:]
                if isinstance(old, list) and kept == len(value) == len(old):
                    # To copy a list of texts touches each of them, which to compare it did not.
                    whole[key] = old if kept and isinstance(old[0], str) else list(value)
                else:
                    whole[key] = list(value)
                    lists[key] = [kept, [self._slot(item, store) for item in added[key]]]
            elif key not in before or isinstance(old, list) or old != value:
                values[key] = self._slot(value, store)
        if values:
            written["values"] = values
        if lists:
            written["lists"] = lists
        return Difference(json.dumps(written, ensure_ascii=True, separators=(",", ":")), whole, added)

    def accept(self, saved: Difference) -> dict[str, Any]:
        """It is durable: the next one is written as the difference from it. Returns the one before."""
        before, self._newest = self._newest, saved.whole
        return before

    def _slot(self, value: Json, store: Store) -> Slot:
        text = self._encoder.text(value, store)
        if len(text) <= INLINE_CHARS:
            return [json.loads(text)]
        data = text.encode("ascii")
        store(data, ITEM)
        return hashlib.sha256(data).hexdigest()


@dataclass
class Shape:
    """A checkpoint before its items are loaded: the sum of the manifests up to it."""

    keys: list[str] = field(default_factory=list)
    values: dict[str, Slot] = field(default_factory=dict)
    lists: dict[str, list[Slot]] = field(default_factory=dict)

    def add(self, manifest: str) -> None:
        """Become the next checkpoint.

        Raises:
            LedgerProblem: the manifest does not fit the one before.
        """
        try:
            found = json.loads(manifest)
            if "keys" in found:
                self.keys = [str(key) for key in decode(json.dumps(found["keys"]), _nothing)]
            for key, slot in found.get("values", {}).items():
                self.values[key] = slot
                self.lists.pop(key, None)
            for key, (kept, slots) in found.get("lists", {}).items():
                old = self.lists.get(key, [])
                if not 0 <= kept <= len(old):
                    raise ValueError("it keeps more than there was")
                self.lists[key] = old[:kept] + slots
                self.values.pop(key, None)
        except (ValueError, TypeError, AttributeError) as error:
            raise LedgerProblem("a checkpoint's manifest does not follow from the one before") from error

    def whole(self, load: Load) -> dict[str, Any]:
        """The checkpoint, equal to what was handed over."""
        return {key: self._value(key, load) for key in self.keys}

    def parts(self, load: Load) -> Iterator[tuple[str, Json | Iterator[Json]]]:
        """The same field by field, each list item by item: together they may be larger than memory."""
        for key in self.keys:
            if key in self.values:
                yield key, _filled(self.values[key], load)
            else:
                yield key, (_filled(slot, load) for slot in self.lists.get(key, []))

    def _value(self, key: str, load: Load) -> Json:
        if key in self.values:
            return _filled(self.values[key], load)
        if key in self.lists:
            return [_filled(slot, load) for slot in self.lists[key]]
        raise LedgerProblem("a checkpoint's manifest lacks a field")


def _filled(slot: Slot, load: Load) -> Json:
    if isinstance(slot, str):
        return decode(load(slot).decode("ascii"), load)
    return decode(json.dumps(slot), load)[0]


def _nothing(digest: str) -> bytes:
    raise LedgerProblem("a checkpoint's field names are not in its manifest")


def manifest_digests(manifest: str) -> list[str]:
    """Digests that a manifest names: its items, and what its short values name themselves."""
    found = json.loads(manifest)
    slots = [*found.get("values", {}).values(), *(slot for _, new in found.get("lists", {}).values() for slot in new)]
    named = [slot for slot in slots if isinstance(slot, str)]
    return named + [digest for slot in slots if not isinstance(slot, str) for digest in digests_in(json.dumps(slot))]
