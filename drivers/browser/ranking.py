"""How ``find`` orders what it found: stated rules, no model."""

from __future__ import annotations

import re
from typing import Any

SHOWN = 20
LINES = 20

_WORD = re.compile(r"\w+", re.UNICODE)
_KINDS = {
    "button": {"button", "btn"}, "link": {"link", "anchor"}, "textbox": {"field", "input", "textbox", "box", "text"},
    "searchbox": {"search", "field", "input", "box"}, "combobox": {"dropdown", "select", "combobox", "menu", "list"},
    "checkbox": {"checkbox", "check", "tick", "box"}, "radio": {"radio", "option"}, "slider": {"slider", "range"},
    "listbox": {"list", "listbox", "select"}, "tab": {"tab"}, "menuitem": {"menu", "item"},
}  # fmt: skip
_IDLE = {"the", "a", "an", "of", "for", "to", "in", "on", "with", "and", "that", "this", "is"}


def words(text: str) -> list[str]:
    """The words of a text, folded."""
    return _WORD.findall(text.casefold())


def score(query: str, element: dict[str, Any]) -> float:
    """0 for no fit. In falling order: the same name; a name that begins with the query, holds it, holds its words.

    A word that names the kind of control ("button", "field") counts a little and is never needed. A value or an
    option that holds a word counts less than a name.
    """
    label = " ".join(words(element["label"]))
    role = element.get("true_role", element["role"])
    kind_words = _KINDS.get(role, set()) | {role}
    asked = [w for w in words(query) if w not in _IDLE] or words(query)
    named = [w for w in asked if w not in kind_words]
    kind = 0.5 if len(named) < len(asked) else 0.0
    if not named:
        return kind
    phrase = " ".join(named)
    if label == phrase:
        return 10 + kind
    if label.startswith(phrase):
        return 8 + kind
    if phrase in label:
        return 6 + kind
    if len(phrase) > 3 and phrase.replace(" ", "") in label.replace(" ", ""):
        return 5 + kind  # "email" for "E-mail"
    own = set(label.split())
    near = [
        w
        for w in named
        if w in own or any(len(w) > 3 and (o.startswith(w) or (w.startswith(o) and len(o) > 3)) for o in own)
    ]
    extra = " ".join([element.get("value", ""), *(o["label"] for o in element.get("options", []))]).casefold()
    beside = [w for w in named if w not in near and w in extra]
    fit = (4 * len(near) + 2 * len(beside)) / len(named)
    return fit + kind if fit >= 2 else 0.0


def rank(query: str, elements: list[dict[str, Any]], text: str) -> tuple[list[dict[str, Any]], str]:
    """The best elements, best first (equal ones in page order), and the lines of text that hold a word of the query."""
    scored = [(score(query, e), e) for e in elements]
    best = [e for s, e in sorted((p for p in scored if p[0] > 0), key=lambda p: -p[0])][:SHOWN]
    asked = {w for w in words(query) if w not in _IDLE}
    folded = query.casefold().strip()
    lines = [(line, folded in line.casefold(), len(asked & set(words(line)))) for line in text.splitlines()]
    needed = max(1, (len(asked) + 1) // 2)
    kept = [line for line, whole, hits in lines if whole or (asked and hits >= needed)][:LINES]
    return best, "\n".join(kept)
