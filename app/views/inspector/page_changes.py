"""The differences between two page reads as rows: what came, went or changed, first elements, then text."""

from typing import Any

from app.core.read_diff import ElementChange, ReadDiff, TextChange, What
from app.views.inspector.element_row import element_row
from app.views.inspector.rows import Row
from app.views.theme import Tone
from app.views.widgets.text_flow import Outside, Run, Words

MOST_TEXT_CHARS = 500
_TONES: dict[What, Tone] = {"new": "clear", "gone": "danger", "changed": "hold"}


def change_rows(diff: ReadDiff) -> list[Row]:
    """One row a difference; one that says so when there is none, or when another page was read."""
    rows = []
    if diff.other_page:
        rows.append(Row("another page", "hold", (Words("was read before this one", "dim"),)))
    rows += [_element(change) for change in diff.elements]
    rows += [_text(change) for change in diff.texts]
    return rows or [Row("nothing changed", "dim", (Words("since the read before", "dim"),))]


def _element(change: ElementChange) -> Row:
    row = element_row(change.element)
    # Of a changed one the room is needed for what it was.
    role: list[Run] = [Words(row.word, row.tone), Words("  ")] if change.before is None else []
    runs: list[Run] = [*role, *row.runs]
    if change.before is not None:
        runs += _was(change.before, change.element)
    # What is gone cannot be marked on the picture.
    return Row(change.what, _TONES[change.what], tuple(runs), row.right, change.element if row.right else None)


def _was(before: dict[str, Any], now: dict[str, Any]) -> list[Run]:
    runs: list[Run] = []
    for key in sorted((before.keys() | now.keys()) - {"ref"}):
        if before.get(key) == now.get(key):
            continue
        if key == "checked":
            runs.append(Words("  was ticked" if before.get(key) else "  was not ticked", "hold"))
        elif key == "value":
            runs += [Words("  was ", "hold"), Outside(str(before.get(key) or ""), quoted=True, tone="dim")]
        else:
            runs += [Words("  other ", "hold"), Outside(key, tone="hold")]
    return runs


def _text(change: TextChange) -> Row:
    more = (Words("…", "dim"),) if len(change.text) > MOST_TEXT_CHARS else ()
    text = Outside(change.text[:MOST_TEXT_CHARS])
    return Row(change.what, _TONES[change.what], (Words("text  ", "dim"), text, *more))
