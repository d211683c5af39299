"""The page scripts, read once from ``resources/page`` and put together for injection."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

_PARTS = (
    "guard.js", "dom.js", "rules.js", "marks.js", "names.js", "boxes.js", "private.js", "controls.js", "scopes.js",
    "walk.js", "aim.js", "form.js", "lists.js",
)  # fmt: skip


@cache
def first() -> str:
    """What each document's world has before the document's own scripts run; a part of the bundle as well."""
    return (files("resources") / "page" / _PARTS[0]).read_text(encoding="utf-8")


@cache
def bundle() -> str:
    """All page scripts as one text; evaluating it twice in the same world changes nothing."""
    folder = files("resources") / "page"
    return "\n".join((folder / part).read_text(encoding="utf-8") for part in _PARTS)
