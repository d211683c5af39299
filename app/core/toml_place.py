"""Finds the line of a TOML file that a key path such as ``answers[3].output[1].x`` was written on."""

import re
from collections.abc import Sequence

Place = Sequence[str | int]

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"^\s*([A-Za-z0-9_-]+|\"[^\"]*\")\s*(?:=|\.)")

_PLACED = re.compile(r"^(?:engine decisions: )?([a-z_]+(?:\[\d+\]|\.[a-z_]+)*): (.+)$", re.DOTALL)


def key_path(place: Place) -> str:
    """The path as people write it: ``answers[2].output[0].browser``."""
    path = ""
    for step in place:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    return path or "the file"


def placed(message: str) -> tuple[tuple[str | int, ...], str]:
    """The place that a complaint about the whole file names at its beginning (``mcp[1].headers: …``), and its words."""
    found = _PLACED.match(message)
    if found is None:
        return (), message
    steps = re.findall(r"([a-z_]+)|\[(\d+)\]", found[1])
    return tuple(int(number) if number else name for name, number in steps), found[2]


def line_of(text: str, place: Place) -> int | None:
    """The 1-based line of the longest known beginning of `place`, or None when not even its table is there.

    A key inside an inline table is found at the line of the outermost key that holds it.
    """
    best: tuple[int, int] | None = None
    wanted = tuple(place)
    for line, path in _lines_with_paths(text):
        if path == wanted[: len(path)] and (best is None or len(path) > best[0]):
            best = (len(path), line)
    return best[1] if best else None


def _lines_with_paths(text: str) -> list[tuple[int, tuple[str | int, ...]]]:
    counts: dict[tuple[str | int, ...], int] = {}
    table: tuple[str | int, ...] = ()
    found: list[tuple[int, tuple[str | int, ...]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = _table(header[2], repeated=header[1] == "[[", counts=counts)
            found.append((number, table))
        elif key := _KEY.match(line):
            found.append((number, (*table, key[1].strip('"'))))
    return found


def _table(name: str, *, repeated: bool, counts: dict[tuple[str | int, ...], int]) -> tuple[str | int, ...]:
    path: tuple[str | int, ...] = ()
    names = [part.strip().strip('"') for part in name.split(".")]
    for index, part in enumerate(names):
        path = (*path, part)
        if index == len(names) - 1 and repeated:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path
