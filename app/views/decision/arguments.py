"""Arguments exactly and in full: a JSON value as entries that can be read back; small ones lines, big ones blocks."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from app.core.code_change import CODE_KEYS
from app.core.untrusted import size_of
from app.core.value import Json
from app.views.widgets.text_flow import Line, Outside, Run, Stop, Words

INLINE_CHARS = 300
"""A longer text gets a block of its own with its size."""
TREE_ENTRIES = 60
"""A list or object with more inside is shown as one JSON text, paged."""
WHOLE_ENTRIES = 300
"""Most rows of one card."""
TREE_DEPTH = 6
_KEY_CELLS = 24

EntryKind = Literal["text", "literal", "json", "object", "list"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the tree. `text` is what is shown: a text's own letters, or JSON for everything else."""

    depth: int
    key: str | None
    """None for the items of a list and for the whole."""
    kind: EntryKind
    text: str
    count: int = 0
    """How many entries a container has; they follow at ``depth + 1``."""
    is_code: bool = False
    """Code stands in a block of its own, with line numbers, however short it is."""

    @property
    def is_big(self) -> bool:
        """Whether it needs a block of its own."""
        if self.kind == "json" or self.is_code:
            return True
        return self.kind == "text" and (len(self.text) > INLINE_CHARS or "\n" in self.text)


def entries_of(value: Json) -> list[Entry]:
    """`value` as rows, top to bottom. An object at the top gives its members without a row of its own.

    Raises:
        TypeError: for what is not JSON.
    """
    if isinstance(value, dict) and 0 < len(value) <= TREE_ENTRIES:
        entries = [entry for key, member in value.items() for entry in _entries(key, member, 0)]
        if len(entries) <= WHOLE_ENTRIES:
            return entries
    return list(_entries(None, value, 0))


def with_code(entries: list[Entry]) -> list[Entry]:
    """The same, with the text that will be run as code marked as such."""
    return [
        replace(entry, is_code=entry.kind == "text" and entry.depth == 0 and entry.key in CODE_KEYS)
        for entry in entries
    ]


def value_of(entries: list[Entry]) -> Json:
    """The JSON value that `entries_of` made `entries` from: what the card really shows."""
    if len(entries) == 0:
        raise ValueError("nothing is shown")
    if entries[0].key is None:
        value, rest = _read(entries, 0)
    else:
        value, rest = _read_members(entries, 0, len(entries), 0)
    if rest != len(entries):
        raise ValueError("rows are left over")
    return value


def lines_of(entries: list[Entry]) -> list[Line]:
    """The lines of the small entries; a big one leaves a line that says where it stands."""
    width = min(max((len(entry.key) for entry in entries if entry.key), default=0), _KEY_CELLS) + 2
    return [_line(entry, width, "Arguments" if at == 0 else "") for at, entry in enumerate(entries)]


def lead_of(entry: Entry) -> tuple[Run, ...]:
    """What stands before a big value's size."""
    key = (Outside(entry.key, tone="dim"),) if entry.key is not None else (Words("value", "dim", "small"),)
    if entry.kind != "json":
        return key
    return (*key, Words("  " + _count_words(json.loads(entry.text)), "dim", "small"))


def duplicate_keys(raw: str) -> list[str]:
    """Keys that stand more than once in one object of the model's own JSON text; the last one counts."""
    doubled: dict[str, None] = {}

    def look(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                doubled[key] = None
            seen.add(key)
        return dict(pairs)

    try:
        json.loads(raw, object_pairs_hook=look)
    except (ValueError, RecursionError):
        return []
    return list(doubled)


def raw_differs(raw: str, arguments: Json) -> bool:
    """Whether the model's own text says something else than what will run."""
    try:
        return bool(json.loads(raw) != arguments)
    except (ValueError, RecursionError):
        return True


def endpoints(value: Json) -> tuple[str, str] | None:
    """First and last item of a long list as JSON, so that a path's ends are seen without paging."""
    if isinstance(value, dict):
        lists = [member for member in value.values() if isinstance(member, list) and len(member) > TREE_ENTRIES]
        value = lists[0] if len(lists) == 1 else None
    if not isinstance(value, list) or len(value) < 2:
        return None
    return _json(value[0]), _json(value[-1])


def _entries(key: str | None, value: Json, depth: int) -> Iterator[Entry]:
    if isinstance(value, str):
        yield Entry(depth, key, "text", value)
    elif isinstance(value, dict | list) and value:
        if depth >= TREE_DEPTH or _is_large(value):
            yield Entry(depth, key, "json", _json(value))
            return
        yield Entry(depth, key, "object" if isinstance(value, dict) else "list", "", len(value))
        members = value.items() if isinstance(value, dict) else ((None, item) for item in value)
        for name, member in members:
            if name is not None and type(name) is not str:
                raise TypeError("a key is not text")
            yield from _entries(name, member, depth + 1)
    else:
        yield Entry(depth, key, "literal", _json(value))


def _read(entries: list[Entry], at: int) -> tuple[Json, int]:
    entry = entries[at]
    if entry.kind == "text":
        return entry.text, at + 1
    if entry.kind in ("literal", "json"):
        return json.loads(entry.text), at + 1
    if entry.kind == "object":
        return _read_members(entries, at + 1, entry.count, entry.depth + 1)
    items = []
    at += 1
    for _ in range(entry.count):
        item, at = _read(entries, at)
        items.append(item)
    return items, at


def _read_members(entries: list[Entry], at: int, most: int, depth: int) -> tuple[dict[str, Json], int]:
    members: dict[str, Json] = {}
    while at < len(entries) and len(members) < most and entries[at].depth == depth:
        key = entries[at].key
        if key is None or key in members:
            raise ValueError("a key is missing or shown twice")
        members[key], at = _read(entries, at)
    return members, at


def _line(entry: Entry, key_cells: int, label: str) -> Line:
    runs: list[Run] = []
    if entry.key is not None:
        runs += [Outside(entry.key, tone="dim"), Stop(key_cells)]
    elif entry.depth:
        runs += [Words("– ", "dim")]
    if entry.is_big:
        size = size_of(entry.text)
        runs.append(Words(f"in full below: {size.words}", "dim", "small"))
        if entry.kind == "json":
            value = json.loads(entry.text)
            runs.append(Words(" · " + _count_words(value), "dim", "small"))
            if (ends := endpoints(value)) is not None:
                runs += [Words(" · first ", "dim", "small"), Outside(ends[0][:INLINE_CHARS])]
                runs += [Words(" · last ", "dim", "small"), Outside(ends[1][:INLINE_CHARS])]
    elif entry.kind == "text":
        runs += [Words('"', "dim", "outside"), Outside(entry.text), Words('"', "dim", "outside")]
    elif entry.kind == "literal":
        runs.append(Outside(entry.text))
    else:
        runs.append(Words(f"{entry.kind} of {entry.count:,}", "dim", "small"))
    return Line(tuple(runs), label=label, indent=2 * entry.depth)


def _count_words(value: Json) -> str:
    noun = "object" if isinstance(value, dict) else "list"
    return f"{noun} of {len(value):,}"


def _is_large(value: Json) -> bool:
    """Whether more than `TREE_ENTRIES` rows would come of it; stops counting there."""
    left, found = [value], 0
    while left:
        item = left.pop()
        if isinstance(item, (dict, list)):
            if len(item) > TREE_ENTRIES:
                return True
            left.extend(item.values() if isinstance(item, dict) else item)
        found += 1
        if found > TREE_ENTRIES + 1:
            return True
    return False


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
