"""The controls of a page script's answer: from how they are handed over to the SDK's fields and sizes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from drivers.errors import PageStuck

LABEL_BYTES = 256
VALUE_BYTES = 512
SURE = 64
"""Characters that fit in any case, whatever script they are in."""

Box = tuple[float, float, float, float]
Element = dict[str, Any]


class Placed:
    """Where controls stand: told in one line of JSON numbers, which is looked at only when somebody asks.

    Each control's four numbers are tenths of a pixel beyond those of the control of its role before it.
    """

    def __init__(self, runs: Sequence[int] = (), places: str = "", line: str = "[]") -> None:
        self._runs = runs
        self._places = places
        self._line = line

    @property
    def boxes(self) -> dict[str, Box]:
        """Left edge, upper edge, width and height in CSS pixels, by ref."""
        steps = zip(*[iter(json.loads(self._line))] * 4, strict=True)
        at: dict[str, tuple[int, int, int, int]] = {}
        boxes: dict[str, Box] = {}
        for number, role, (right, down, wider, taller) in zip(_numbers(self._runs), self._places, steps, strict=True):
            left, top, width, height = at.get(role, (0, 0, 0, 0))
            at[role] = left, top, width, height = left + right, top + down, width + wider, height + taller
            boxes[f"e{number}"] = (left / 10, top / 10, width / 10, height / 10)
        return boxes


def unpack(answer: str, *, roles: bool) -> dict[str, Any]:
    """A page script's answer with its controls in the SDK's form, and where they stand.

    Its first line is JSON, its second the controls' places, and each further one a label: lines of text cost a fraction
    of what lists in JSON do. What had to be cut is told by a code.

    *roles*: whether each control's role on the page stays beside the SDK's.
    """
    head, *rest = answer.split("\n")
    found: dict[str, Any] = json.loads(head)
    if rest:
        found["elements"] = _elements(found, rest[1:], roles=roles)
        found["placed"] = Placed(found["runs"], found["places"], rest[0])
    return found


def _elements(found: dict[str, Any], labels: list[str], *, roles: bool) -> list[Element]:
    omit: set[str] = set()
    numbers = _numbers(found["runs"])
    if not len(numbers) == len(labels) == len(found["places"]):
        raise PageStuck("A page script's answer does not fit together.")
    letters = {chr(65 + place): kind for place, kind in enumerate(found["kinds"].items())}
    kinds = [letters[letter] for letter in found["places"]]
    out: list[Element] = [
        {"ref": f"e{number}", "role": kind, "label": label if len(label) <= SURE else _label(label, omit)}
        for number, (_, kind), label in zip(numbers, kinds, labels, strict=True)
    ]
    holders = [element for element in out if element["role"] != "button"]
    for element, held in zip(holders, found["held"], strict=True):
        _hold(element, held, omit)
    if roles:
        for element, (role, _) in zip(out, kinds, strict=True):
            element["true_role"] = role
    found["omit"].extend(omit)
    return out


def _numbers(runs: Sequence[int]) -> list[int]:
    """Of refs: the page script tells the first of a run and how many there are."""
    each = zip(runs[::2], runs[1::2], strict=True)
    return [number for first, count in each for number in range(first, first + count)]


def clip(text: str, limit: int) -> str:
    """Cut to *limit* UTF-8 bytes at a character's edge."""
    encoded = text.encode("utf-8", errors="replace")
    return text if len(encoded) <= limit else encoded[: limit - 3].decode("utf-8", errors="ignore") + "…"


def _label(label: str, omit: set[str]) -> str:
    cut = clip(label, LABEL_BYTES)
    if cut != label:
        omit.add("name_limit")
    return cut


def _hold(element: Element, held: bool | str | dict[str, Any] | None, omit: set[str]) -> None:
    """What a control holds: false or true, a value, ``{value, options}``, or nothing that may be told."""
    if isinstance(held, str):
        element["value"] = _value(held, omit)
    elif isinstance(held, bool):
        element["checked"] = held
    elif held is not None:
        if "value" in held:
            element["value"] = _value(held["value"], omit)
        element["options"] = [_option(option, omit) for option in held["options"]]


def _value(value: str, omit: set[str]) -> str:
    if len(value) <= SURE:
        return value
    cut = clip(value, VALUE_BYTES)
    if cut != value:
        omit.add("value")
    return cut


def _option(option: dict[str, Any], omit: set[str]) -> dict[str, Any]:
    out: dict[str, Any] = {"label": _label(option["label"], omit), "value": _value(option["value"], omit)}
    if "selected" in option:
        out["selected"] = option["selected"]
    return out
