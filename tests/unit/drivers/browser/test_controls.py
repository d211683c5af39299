"""A page script's answer in the SDK's form: what stands in its columns belongs together, or nothing is told."""

import json
from typing import Any

import pytest

from drivers.browser.controls import unpack
from drivers.errors import PageStuck

KINDS = {"button": "button", "searchbox": "textbox", "checkbox": "checkbox", "combobox": "combobox"}


def answer(labels: list[str], **more: Any) -> str:
    head = {"kinds": KINDS, "omit": [], "held": [], "runs": [], "places": ""} | more
    return "\n".join([json.dumps(head), more.pop("boxes", "[]"), *labels])


def test_columns_become_controls() -> None:
    held = [None, True, {"value": "v", "options": [{"label": "o", "value": "v", "selected": True}]}, "typed"]
    boxes = json.dumps([10, 5, 1000, 205] * 4 + [-25, 700, 0, -5])
    found = unpack(
        answer(["A", "B", "C", "D", "E"], runs=[7, 2, 3, 1, 12, 2], places="ABCDB", held=held, boxes=boxes), roles=True
    )
    option = {"label": "o", "value": "v", "selected": True}
    assert found["elements"] == [
        {"ref": "e7", "role": "button", "label": "A", "true_role": "button"},
        {"ref": "e8", "role": "textbox", "label": "B", "true_role": "searchbox"},
        {"ref": "e3", "role": "checkbox", "label": "C", "true_role": "checkbox", "checked": True},
        {"ref": "e12", "role": "combobox", "label": "D", "true_role": "combobox", "value": "v", "options": [option]},
        {"ref": "e13", "role": "textbox", "label": "E", "true_role": "searchbox", "value": "typed"},
    ]
    assert list(found["placed"].boxes) == ["e7", "e8", "e3", "e12", "e13"]
    assert found["placed"].boxes["e12"] == (1.0, 0.5, 100.0, 20.5)
    assert found["placed"].boxes["e13"] == (-1.5, 70.5, 100.0, 20.0), "told by how it differs from the field before"


def test_what_is_too_long_is_cut_and_told() -> None:
    long = "ü" * 300
    held = [long, {"options": [{"label": long, "value": long}]}]
    found = unpack(answer([long, "B"], runs=[1, 2], places="BD", held=held), roles=False)
    field, box = found["elements"]
    assert set(found["omit"]) == {"name_limit", "value"}
    assert len(field["label"].encode()) <= 256
    assert field["label"].endswith("…")
    assert len(field["value"].encode()) <= 512
    assert len(box["options"][0]["label"].encode()) <= 256


@pytest.mark.parametrize("labels", [["A"], ["A", "B", "C"], []])
def test_columns_of_unequal_length_are_refused(labels: list[str]) -> None:
    with pytest.raises(PageStuck):
        unpack(answer(labels, runs=[1, 2], places="AA"), roles=False)


def test_a_refusal_has_no_columns() -> None:
    assert unpack(json.dumps({"refused": "gone", "next": 4}), roles=False) == {"refused": "gone", "next": 4}
