"""What two requests tell is compared without what varies by itself; refs are found by role, label and place."""

import json
from typing import Any

import pytest

from app.rehearsal.told import comparable, difference, elements, from_the_world, reports, with_refs


def read(*named: tuple[str, str, str], text: str = "Book a table", **more: Any) -> dict[str, Any]:
    listed = [{"ref": ref, "role": role, "label": label} for ref, role, label in named]
    report = {"version": 1, "text": text, "elements": listed, "omitted": []}
    said = {"ok": True, "state": {"tabs": [], "observation": more}, "result": report}
    parts = [{"type": "input_text", "text": json.dumps(said)}]
    return {"type": "function_call_output", "call_id": "c1", "output": parts}


ONE = read(("e1", "button", "Save"), ("e2", "button", "Save"), ("e3", "textbox", "Name"))


def test_each_element_is_named_by_role_label_and_place() -> None:
    (report,) = reports([{"role": "user", "content": "x"}, ONE, {"type": "function_call_output", "output": "{"}])
    assert dict(elements(report)) == {
        "e1": ("button", "Save", 1),
        "e2": ("button", "Save", 2),
        "e3": ("textbox", "Name", 1),
    }


def test_what_varies_by_itself_is_no_difference() -> None:
    other = read(("e7", "button", "Save"), ("e8", "button", "Save"), ("e9", "textbox", "Name"), sequence=9)
    assert difference(comparable(ONE, str), comparable(other, str)) is None


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (read(("e1", "button", "Save"), ("e2", "button", "Pay"), ("e3", "textbox", "Name")), "Save then, Pay now"),
        (read(("e1", "button", "Save")), "3 then, 1 now"),
        (
            read(("e1", "button", "Save"), ("e2", "button", "Save"), ("e3", "textbox", "Name"), text="Sold out"),
            "Sold out",
        ),
    ],
)
def test_a_difference_says_where_and_what(other: dict[str, Any], words: str) -> None:
    found = difference(comparable(ONE, str), comparable(other, str), "input")
    assert found is not None
    assert found.startswith("input.output[0].text.result.")
    assert words in found


def test_long_values_are_told_from_where_they_differ_as_they_are() -> None:
    found = difference("a" * 500 + "old\u202e", "a" * 500 + "new")
    assert found is not None
    assert "old\u202e then" in found
    assert len(found) < 200


def test_only_the_world_is_compared_and_addresses_in_one_form() -> None:
    said = [{"type": "function_call"}, {"role": "assistant", "content": "x"}, {"type": "reasoning"}]
    assert from_the_world([*said, ONE, {"role": "user", "content": "y"}]) == [ONE, {"role": "user", "content": "y"}]
    assert comparable({"image_url": "data:image/png;base64,AAAA"}, str) == {"image_url": "(a picture)"}
    assert comparable("http://b/1", lambda text: text.replace("//b", "//a")) == "http://a/1"


def test_refs_are_replaced_where_refs_stand_and_nowhere_else() -> None:
    found = with_refs(
        {"target": "e1", "text": "e1", "values": ["e1"], "path": ["e1", {"ref": "e1"}]}, lambda _ref: "e9"
    )
    assert found == {"target": "e9", "text": "e1", "values": ["e1"], "path": ["e9", {"ref": "e9"}]}
