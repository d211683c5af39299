"""How a piece of code differs from the one that a person allowed last: which of its lines are new, and what is gone."""

from collections import Counter
from difflib import SequenceMatcher

from app.core.value import Frozen, Json, Text

CODE_KINDS = frozenset({"code", "script"})
"""Kinds of asks that are about code."""
CODE_KEYS = ("code", "source")
"""Arguments that are run as code."""

SHOWN_GONE = 8
SHOWN_CHARS = 200
MOST_PAIRS = 10_000
"""Where more equal lines stand on both sides, what lies between the first and the last difference counts as new."""


class CodeChange(Frozen):
    """Of one question about code, against the newest that was allowed by hand before it."""

    ask_id: str
    """The question that was allowed."""
    lines: tuple[tuple[int, int], ...] = ()
    """First and last, from 1, of each run of lines that are new or changed."""
    gone: tuple[Text, ...] = ()
    """Lines of before that are not there any more; the first of them, cut."""
    gone_lines: int = 0


def code_of(arguments: Json) -> str | None:
    """The text that would be run as code, if there is one."""
    if not isinstance(arguments, dict):
        return None
    return next((arguments[key] for key in CODE_KEYS if isinstance(arguments.get(key), str)), None)


def code_change(ask_id: str, before: str, now: str) -> CodeChange:
    """How `now` differs from `before`, by whole lines."""
    old, new = before.split("\n"), now.split("\n")
    first = _common(old, new)
    last = _common(old[first:][::-1], new[first:][::-1])
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    lines: list[tuple[int, int]] = []
    gone: list[str] = []
    for old_from, old_to, new_from, new_to in _differences(old, new):
        gone += old[old_from:old_to]
        if new_to > new_from:
            lines.append((first + new_from + 1, first + new_to))
    shown = tuple(line[:SHOWN_CHARS] for line in gone if line.strip())[:SHOWN_GONE]
    return CodeChange(ask_id=ask_id, lines=tuple(lines), gone=shown, gone_lines=len(gone))


def _common(old: list[str], new: list[str]) -> int:
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def _differences(old: list[str], new: list[str]) -> list[tuple[int, int, int, int]]:
    counted = Counter(new)
    if sum(counted[line] for line in old) > MOST_PAIRS:
        return [(0, len(old), 0, len(new))]
    matched = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(places[0], places[1], places[2], places[3]) for tag, *places in matched if tag != "equal"]
