"""What a page read says that the one before it did not: elements that came, went or changed, and text."""

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from app.core.events import PageRead
from app.core.timeline import Timeline

MOST_SENTENCES = 2000
"""Of a longer text only the beginning is compared."""

_SENTENCE = re.compile(r"[^\n.!?]+(?:[.!?]+|\n|$)")

What = Literal["new", "gone", "changed"]


@dataclass(frozen=True)
class ElementChange:
    """One element that differs; `element` as the read that has it reported it, the newer one where both have it."""

    what: What
    element: dict[str, Any]
    before: dict[str, Any] | None = None
    """Of a changed one, as it was."""


@dataclass(frozen=True)
class TextChange:
    """A run of sentences that came or went. Outside text."""

    what: Literal["new", "gone"]
    text: str


@dataclass(frozen=True)
class ReadDiff:
    """What differs. `other_page`: the address is another one, so that nearly everything will."""

    elements: tuple[ElementChange, ...]
    texts: tuple[TextChange, ...]
    other_page: bool

    @property
    def count(self) -> int:
        """How many differences there are."""
        return len(self.elements) + len(self.texts)


def previous_read(timeline: Timeline, seq: int) -> PageRead | None:
    """The read before the newest one at event `seq`, of the same kind and tab; None when there is none."""
    count = timeline.reads.count(seq)
    if not count:
        return None
    newest = timeline.reads[count - 1]
    for index in range(count - 2, -1, -1):
        earlier = timeline.reads[index]
        if (earlier.tab_id, earlier.member) == (newest.tab_id, newest.member):
            return earlier
    return None


def read_diff(old: PageRead, new: PageRead) -> ReadDiff:
    """How `new` differs from `old`, in the order of the page."""
    return ReadDiff(
        elements=tuple(_elements(_listed(old.report), _listed(new.report))),
        texts=tuple(_texts(_text(old.report), _text(new.report))),
        other_page=old.url != new.url,
    )


def _listed(report: Any) -> dict[tuple[str, str, int], dict[str, Any]]:
    """Elements by role, label and which of several of that name: refs are given anew with every document."""
    found: dict[tuple[str, str, int], dict[str, Any]] = {}
    seen: Counter[tuple[str, str]] = Counter()
    elements = report.get("elements") if isinstance(report, dict) else None
    for element in elements if isinstance(elements, list) else []:
        if isinstance(element, dict):
            name = (str(element.get("role")), str(element.get("label")))
            found[(*name, seen[name])] = element
            seen[name] += 1
    return found


def _elements(
    old: dict[tuple[str, str, int], dict[str, Any]], new: dict[tuple[str, str, int], dict[str, Any]]
) -> list[ElementChange]:
    changes = []
    for key, element in new.items():
        before = old.get(key)
        if before is None:
            changes.append(ElementChange("new", element))
        elif _state(before) != _state(element):
            changes.append(ElementChange("changed", element, before))
    changes += [ElementChange("gone", element) for key, element in old.items() if key not in new]
    return changes


def _state(element: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in element.items() if key != "ref"}


def _text(report: Any) -> list[str]:
    text = report.get("text") if isinstance(report, dict) else None
    if not isinstance(text, str):
        return []
    return [found.group().strip() for found in _SENTENCE.finditer(text) if found.group().strip()][:MOST_SENTENCES]


def _texts(old: list[str], new: list[str]) -> list[TextChange]:
    changes = []
    for tag, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if old_to > old_from:
            changes.append(TextChange("gone", " ".join(old[old_from:old_to])))
        if new_to > new_from:
            changes.append(TextChange("new", " ".join(new[new_from:new_to])))
    return changes
