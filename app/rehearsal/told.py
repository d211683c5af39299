"""What a request tells the model of the world, in a form in which two runs can be compared; and the refs in it."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from app.core.value import Json

SAID_BY_THE_MODEL = frozenset(
    (
        "function_call",
        "computer_call",
        "custom_tool_call",
        "mcp_call",
        "mcp_approval_request",
        "mcp_list_tools",
        "reasoning",
        "program",
    )
)
_VARIES = frozenset({"ref", "observation", "id"})
"""Numbers that a driver gives out, and what the page did meanwhile: they differ from run to run."""
_TYPED = frozenset({"text", "value", "values", "url", "query", "key", "keys", "script", "code"})
"""Arguments in which a word that looks like a ref is none."""
_SHOWN_CHARS = 60


class Named(NamedTuple):
    """An element as a person would name it; `nth` among those of one read that are named alike."""

    role: str
    label: str
    nth: int


def from_the_world(items: Sequence[Json]) -> list[Mapping[str, Any]]:
    """Those of the input's items that the model did not say itself."""
    told = []
    for item in items:
        if not isinstance(item, Mapping) or item.get("type") in SAID_BY_THE_MODEL or item.get("role") == "assistant":
            continue
        told.append(item)
    return told


def comparable(value: Json, place: Callable[[str], str]) -> Json:
    """`value` without what differs from run to run; `place` puts addresses of both runs into one form."""
    if isinstance(value, str):
        if value.startswith("data:image/"):
            return "(a picture)"
        try:
            report = json.loads(value) if value[:1] in "{[" else None
        except (ValueError, RecursionError):
            report = None
        return place(value) if report is None else comparable(report, place)
    if isinstance(value, list):
        return [comparable(item, place) for item in value]
    if isinstance(value, Mapping):
        return {key: comparable(item, place) for key, item in value.items() if key not in _VARIES and item is not None}
    return value


def difference(saved: Json, live: Json, path: str = "") -> str | None:
    """Where two comparable values first differ, in words, or None."""
    if type(saved) is type(live) and isinstance(saved, dict):
        for key in [*saved, *(key for key in live if key not in saved)]:
            found = difference(saved.get(key), live.get(key), f"{path}.{key}" if path else key)
            if found is not None:
                return found
        return None
    if isinstance(saved, list) and isinstance(live, list):
        for index, (one, other) in enumerate(zip(saved, live, strict=False)):
            if (found := difference(one, other, f"{path}[{index}]")) is not None:
                return found
        return None if len(saved) == len(live) else f"{path}: {len(saved)} then, {len(live)} now"
    return None if saved == live else f"{path}: {_short(saved, live)} then, {_short(live, saved)} now"


def reports(items: Sequence[Json]) -> Iterator[Mapping[str, Any]]:
    """Everything in outputs that names elements by ref."""
    for item in items:
        if not isinstance(item, Mapping) or item.get("type") != "function_call_output":
            continue
        output = item.get("output")
        parts = output if isinstance(output, list) else [{"text": output}]
        for part in parts:
            text = part.get("text") if isinstance(part, Mapping) else None
            try:
                report = json.loads(text) if isinstance(text, str) and text[:1] == "{" else None
            except (ValueError, RecursionError):
                continue
            result = report.get("result") if isinstance(report, Mapping) else None
            if isinstance(result, Mapping):
                yield result


def elements(report: Mapping[str, Any]) -> Iterator[tuple[str, Named]]:
    """Each ref of a report with the element's name."""
    counts: dict[tuple[str, str], int] = {}
    for kind in ("elements", "scopes"):
        listed = report.get(kind)
        for element in listed if isinstance(listed, list) else ():
            if not isinstance(element, Mapping) or not isinstance(element.get("ref"), str):
                continue
            named = (str(element.get("role") or kind), " ".join(str(element.get("label")).split()))
            counts[named] = counts.get(named, 0) + 1
            yield element["ref"], Named(*named, counts[named])


def with_refs(value: Json, ref_now: Callable[[str], str], key: str = "") -> Json:
    """A call's arguments with each ref replaced by `ref_now`, which may raise for one that is not there."""
    if isinstance(value, str):
        return value if key in _TYPED else ref_now(value)
    if isinstance(value, list):
        return [with_refs(item, ref_now, key) for item in value]
    if isinstance(value, dict):
        return {name: with_refs(item, ref_now, name) for name, item in value.items()}
    return value


def _short(value: Json, other: Json) -> str:
    """The value from shortly before where both begin to differ. Outside text: whoever says it makes it harmless."""
    text, beside = (one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in (value, other))
    same = next((at for at, pair in enumerate(zip(text, beside, strict=False)) if pair[0] != pair[1]), 0)
    begin = max(0, same - 20)
    part = text[begin : begin + _SHOWN_CHARS]
    return f"{'…' if begin else ''}{part or 'nothing'}{'…' if begin + len(part) < len(text) else ''}"
