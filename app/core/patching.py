"""Applies a model's patch to a text, or says why it does not fit; and shows what really changes, line by line.

A patch is parts of lines that stay (a space before them), go (``-``) and come (``+``); ``@@`` begins a part, and words
after it name a line above which the part does not begin.
"""

import difflib
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

END_OF_FILE = "*** End of File"
CONTEXT_LINES = 3
_NUMBERS = re.compile(r"^-\d+(,\d+)? \+\d+(,\d+)? @@")


class PatchProblem(ValueError):
    """The patch does not fit; the text says why, for the model and for people. Nothing was changed."""


@dataclass
class _Part:
    anchors: list[str] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)
    """Each with its sign: a space, ``-`` or ``+``."""
    at_end: bool = False

    @property
    def old(self) -> list[str]:
        """What must stand in the file."""
        return [text for sign, text in self.lines if sign != "+"]

    def applied(self, stands: Sequence[str]) -> list[str]:
        """What takes the place of `stands`: a line that stays is as the file has it, not as the patch spells it."""
        rest, made = iter(stands), []
        for sign, text in self.lines:
            line = text if sign == "+" else next(rest)
            if sign != "-":
                made.append(line)
        return made


def created(diff: str) -> str:
    """The text of a file that `diff` creates: each of its lines comes. Raises `PatchProblem`."""
    lines = _lines(diff)
    for number, line in enumerate(lines, start=1):
        if not line.startswith("+"):
            raise PatchProblem(f"line {number} of the patch does not begin with +, as each line of a new file does")
    return "".join(f"{line[1:]}\n" for line in lines)


def updated(text: str, diff: str) -> str:
    """`text` as `diff` changes it. Raises `PatchProblem` where a part of it is not in `text`, or changes nothing."""
    ending = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").split("\n")
    made: list[str] = []
    at = 0
    for number, part in enumerate(_parts(diff), start=1):
        start = _place(lines, part, at, number)
        end = start + len(part.old)
        made += lines[at:start] + part.applied(lines[start:end])
        at = end
    now = ending.join([*made, *lines[at:]])
    if now == text:
        raise PatchProblem("the patch changes nothing")
    return now


def shown_change(before: str, after: str, path: str) -> str:
    """What changes, as a unified diff; empty where nothing does."""
    old, new = before.splitlines(), after.splitlines()
    return "\n".join(difflib.unified_diff(old, new, f"before {path}", f"after {path}", lineterm="", n=CONTEXT_LINES))


def counts(change: str) -> tuple[int, int]:
    """How many lines come and go in a unified diff."""
    body = change.split("\n")[2:]
    return sum(line.startswith("+") for line in body), sum(line.startswith("-") for line in body)


def digest(data: bytes | None) -> str:
    """SHA-256 (hex) of a file's bytes; empty for a file that is not there."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _lines(diff: str) -> list[str]:
    lines = diff.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _parts(diff: str) -> list[_Part]:
    parts: list[_Part] = []
    begun = False
    for number, line in enumerate(_lines(diff), start=1):
        if line.startswith("@@"):
            words = line[2:].strip()
            if begun or not parts:
                parts.append(_Part())
            begun = False
            if words and not _NUMBERS.match(words):
                parts[-1].anchors.append(words.removesuffix("@@").strip())
            continue
        if not parts:
            parts.append(_Part())
        part, begun = parts[-1], True
        if line == END_OF_FILE:
            part.at_end = True
        elif line[:1] in ("", " ", "-", "+"):
            part.lines.append((line[:1] or " ", line[1:]))
        else:
            raise PatchProblem(f"line {number} of the patch begins with none of space, +, - and @@")
    return [part for part in parts if part.lines]


def _place(lines: Sequence[str], part: _Part, at: int, number: int) -> int:
    """Where `part` begins in `lines`, not above `at`."""
    for anchor in part.anchors:
        found = next((index for index in range(at, len(lines)) if lines[index].strip() == anchor), None)
        if found is None:
            raise PatchProblem(f"part {number} of the patch names a line that is not in the file")
        at = found + 1
    if not part.old:
        if part.anchors and not part.at_end:
            return at
        # Lines that only come stand at the end, before the empty piece after the last line's end.
        return len(lines) - 1 if lines and lines[-1] == "" else len(lines)
    starts = range(at, len(lines) - len(part.old) + 1)
    if part.at_end:
        starts = range(max(at, len(lines) - len(part.old) - 1), len(lines) - len(part.old) + 1)
    wanted = part.old
    for start in starts:
        if list(lines[start : start + len(wanted)]) == wanted:
            return start
    # Spaces at the ends of lines are what a model gets wrong first; what stays is taken from the file all the same.
    bare = [line.rstrip() for line in wanted]
    for start in starts:
        if [line.rstrip() for line in lines[start : start + len(bare)]] == bare:
            return start
    raise PatchProblem(f"part {number} of the patch does not stand in the file as it says")
