"""One element of a page read as a row: its role, its name, and the state it was in."""

from typing import Any

from app.views.inspector.rows import Row
from app.views.widgets.text_flow import Outside, Run, Words

_OPTIONS = 3


def element_row(element: dict[str, Any]) -> Row:
    """The row; choosing it is about the element as it was reported."""
    label, value, options = element.get("label"), element.get("value"), element.get("options")
    runs: list[Run] = [Outside(str(label) if label is not None else "")]
    if isinstance(value, str):
        runs += [Words("  "), Outside(value, quoted=True, tone="dim")]
    if "checked" in element:
        runs.append(Words("  ticked" if element["checked"] else "  not ticked", "dim"))
    if isinstance(options, list) and options:
        named = [option.get("label", "") for option in options if isinstance(option, dict)]
        runs.append(Words(f"  {len(named):,} option{'' if len(named) == 1 else 's'}:", "dim"))
        for name in named[:_OPTIONS]:
            runs += [Words(" "), Outside(str(name), tone="dim")]
    role = element.get("role")
    tone: Any = "accent" if role == "button" else "dim"
    word = role if isinstance(role, str) and role.isascii() and role.isalpha() else "element"
    return Row(word, tone, tuple(runs), _ref(element), element)


def _ref(element: dict[str, Any]) -> str:
    ref = element.get("ref")
    return ref if isinstance(ref, str) and ref.isascii() and ref.isprintable() and len(ref) <= 16 else ""
