"""Applies a model's patch to a text, or says why it does not fit; and shows what really changes, line by line.

A patch is parts of lines that stay (a space before them), go (``-``) and come (``+``); ``@@`` begins a part, and words
after it name a line above which the part does not begin.
"""

import difflib
import hashlib
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

END_OF_FILE = "*** End of File"
CONTEXT_LINES = 3
MOST_PARTS = 500
MOST_COMPARED = 1_000_000
"""Pairs of lines: where more would have to be compared, all old lines are shown as going and all new ones as coming."""
NO_END = "\\ the file ends here, without a line end"
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

    def applied(self, stands: Sequence[str], ending: str) -> list[str]:
        """What takes the place of `stands`: a line that stays is as the file has it, not as the patch spells it."""
        rest, made = iter(stands), []
        for sign, text in self.lines:
            line = text + ending if sign == "+" else next(rest)
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
    """`text` as `diff` changes it. Raises `PatchProblem` where a part of it is not in `text`, or changes nothing.

    A line that stays keeps its own end, also where they differ; one that comes ends as the file's first line does.
    """
    ending = "\r" if text.partition("\n")[0].endswith("\r") and "\n" in text else ""
    # The last line has no end; it gets one here and loses it below, so that it is a line like all others meanwhile.
    lines = (text + ending).split("\n")
    parts = _parts(diff)
    if len(parts) > MOST_PARTS:
        raise PatchProblem(f"the patch has more than {MOST_PARTS} parts")
    search = _Search([line.removesuffix("\r") for line in lines])
    made: list[str] = []
    at = 0
    for number, part in enumerate(parts, start=1):
        start = search.place(part, at, number)
        end = start + len(part.old)
        made += lines[at:start] + part.applied(lines[start:end], ending)
        at = end
    now = "\n".join([*made, *lines[at:]]).removesuffix(ending)
    if now == text:
        raise PatchProblem("the patch changes nothing")
    return now


def shown_change(before: str, after: str, path: str) -> str:
    """What changes, as a unified diff; empty only where nothing does.

    A line ends at a line feed and nowhere else. A carriage return before it is shown unless every line has one.
    """
    if all(text.count("\r") == text.count("\n") == text.count("\r\n") for text in (before, after)):
        before, after = before.replace("\r\n", "\n"), after.replace("\r\n", "\n")
    if before == after:
        return ""
    old, new = _ended_lines(before), _ended_lines(after)
    body = [row.removesuffix("\n") if row.endswith("\n") else f"{row}\n{NO_END}" for row in _compared(old, new)]
    return "\n".join([f"--- before {path}", f"+++ after {path}", *body])


def _ended_lines(text: str) -> list[str]:
    """Each with its end; a last one without an end has none."""
    rows = [f"{row}\n" for row in text.split("\n")]
    last = rows.pop().removesuffix("\n")
    return [*rows, last] if last else rows


def _compared(old: Sequence[str], new: Sequence[str]) -> Iterable[str]:
    """The rows of a unified diff; takes no longer for lines that are many and alike."""
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    tail = next((at for at in range(shorter - head) if old[-1 - at] != new[-1 - at]), shorter - head)
    first, after = max(0, head - CONTEXT_LINES), max(0, tail - CONTEXT_LINES)
    old, new = old[first : len(old) - after], new[first : len(new) - after]
    above, below = head - first, tail - after
    groups: Iterable[Sequence[tuple[str, int, int, int, int]]]
    if len(old) * len(new) > MOST_COMPARED:
        old_end, new_end = len(old) - below, len(new) - below
        groups = [
            [
                ("equal", 0, above, 0, above),
                ("replace", above, old_end, above, new_end),
                ("equal", old_end, len(old), new_end, len(new)),
            ]
        ]
    else:
        groups = difflib.SequenceMatcher(None, old, new).get_grouped_opcodes(CONTEXT_LINES)
    for group in groups:
        old_from, old_to, new_from, new_to = group[0][1], group[-1][2], group[0][3], group[-1][4]
        yield f"@@ -{_span(first, old_from, old_to)} +{_span(first, new_from, new_to)} @@\n"
        for what, old_at, old_end, new_at, new_end in group:
            if what == "equal":
                yield from (f" {row}" for row in old[old_at:old_end])
            else:
                yield from (f"-{row}" for row in old[old_at:old_end])
                yield from (f"+{row}" for row in new[new_at:new_end])


def _span(first: int, start: int, end: int) -> str:
    """Which lines, as a unified diff says it: the first and how many; of none, the line before."""
    if end - start == 1:
        return str(first + start + 1)
    return f"{first + start + (end > start)},{end - start}"


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


class _Search:
    """Finds parts among lines, in a time that grows with the text and not with how alike its lines are."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        # Spaces at the ends of lines are what a model gets wrong first; what stays is taken from the file all the same.
        self._texts = [_Joined(lines), _Joined([line.rstrip() for line in lines])]

    def place(self, part: _Part, at: int, number: int) -> int:
        """Where `part` begins, not above line `at`. Raises `PatchProblem`."""
        lines = self._lines
        for anchor in part.anchors:
            found = next((index for index in range(at, len(lines)) if lines[index].strip() == anchor), None)
            if found is None:
                raise PatchProblem(f"part {number} of the patch names a line that is not in the file")
            at = found + 1
        old = part.old
        if not old:
            if part.anchors and not part.at_end:
                return at
            # Lines that only come stand at the end, before the empty piece after the last line's end.
            return len(lines) - 1 if lines[-1] == "" else len(lines)
        if part.at_end:
            at = max(at, len(lines) - len(old) - 1)
        for text, wanted in zip(self._texts, (old, [line.rstrip() for line in old]), strict=True):
            if (start := text.find(wanted, at)) is not None:
                return start
        raise PatchProblem(f"part {number} of the patch does not stand in the file as it says")


class _Joined:
    """Lines as one text, in which several of them are looked for at once."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._text = "\n".join(["", *lines, ""])
        self._starts = list(accumulate((len(line) + 1 for line in lines), initial=0))

    def find(self, wanted: Sequence[str], at: int) -> int | None:
        """The first line from `at` on where they all stand one below the other."""
        if at >= len(self._starts):
            return None
        found = self._text.find("\n".join(["", *wanted, ""]), self._starts[at])
        return bisect_left(self._starts, found) if found >= 0 else None
