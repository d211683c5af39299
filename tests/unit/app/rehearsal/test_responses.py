"""Compact outputs become whole wire items, filled in from what the request declares and holds."""

import json
from typing import Any

import pytest

from app.rehearsal.items import (
    BrowserItem,
    ComputerItem,
    FunctionItem,
    MessageItem,
    RawItem,
    ReasoningItem,
    SafetyCheckEntry,
)
from app.rehearsal.references import NotThere, Seen
from app.rehearsal.responses import PICTURE_TOKENS, input_tokens_of, usage_counters, wire_items
from tests.unit.app.rehearsal.seen_body import call, element, picture_output, read_output

SELECT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "target": {"type": "string"},
        "tab_id": {"type": ["string", "null"]},
        "kind": {"anyOf": [{"type": "null"}, {"type": "string"}]},
    },
}
TOOLS: list[dict[str, Any]] = [
    {"type": "function", "name": "browser_click", "parameters": SELECT},
    {"type": "function", "name": "lookup"},
    {"type": "computer"},
]


def seen(*items: dict[str, Any], tools: list[dict[str, Any]] = TOOLS) -> Seen:
    return Seen({"input": list(items), "tools": tools}, site="http://127.0.0.1:1")


def test_arguments_that_may_be_null_are_sent_as_null() -> None:
    item = BrowserItem(browser="click", arguments={"target": {"role": "button", "label": "Go"}})
    (wire,) = wire_items([item], seen(call("c"), read_output("c", [element("e4", "button", "Go")])), number=3)
    assert (wire["id"], wire["call_id"], wire["name"]) == ("fc_003_01", "call_003_01", "browser_click")
    assert json.loads(wire["arguments"]) == {"target": "e4", "tab_id": None, "kind": None}


def test_what_may_not_be_null_is_left_out_as_written() -> None:
    (wire,) = wire_items([BrowserItem(browser="click")], seen(), number=1)
    assert json.loads(wire["arguments"]) == {"tab_id": None, "kind": None}


@pytest.mark.parametrize(
    ("item", "missing"),
    [
        (BrowserItem(browser="zoom"), "output 2: tool 'browser_zoom' is not declared"),
        (FunctionItem(function="gone"), "output 2: tool 'gone' is not declared"),
        (MessageItem(message="{{seen:x}}"), "output 2: nothing that the run has read fits 'x'"),
    ],
)
def test_what_cannot_be_filled_in_names_the_output(item: Any, missing: str) -> None:
    with pytest.raises(NotThere, match=missing):
        wire_items([MessageItem(message="First."), item], seen(), number=1)


def test_a_computer_call_has_places_and_checks() -> None:
    item = ComputerItem(
        computer=({"type": "click", "at": [0.5, 0.5], "button": "left"},),
        safety=(SafetyCheckEntry(code="c", message="Careful."),),
    )
    (wire,) = wire_items([item], seen(picture_output("c", 200, 100)), number=2)
    assert wire["actions"] == [{"type": "click", "button": "left", "x": 100, "y": 50}]
    assert wire["pending_safety_checks"] == [{"id": "sc_002_01_1", "code": "c", "message": "Careful."}]
    with pytest.raises(NotThere, match="the computer tool is not declared"):
        wire_items([item], seen(tools=[]), number=2)


def test_a_raw_item_is_sent_as_it_stands() -> None:
    raw = {"type": "program", "target": {"role": "button", "label": "Go"}, "at": "{{site}}"}
    assert wire_items([RawItem(raw=raw)], seen(), number=1) == [{**raw, "at": "http://127.0.0.1:1"}]


def test_a_reasoning_item_without_words_has_no_summary() -> None:
    bare, told = wire_items([ReasoningItem(reasoning=""), ReasoningItem(reasoning="So.")], seen(), number=1)
    assert bare["summary"] == []
    assert told["summary"] == [{"type": "summary_text", "text": "So."}]
    assert bare["id"] != told["id"]


def test_usage_grows_with_text_and_with_pictures_at_a_flat_price() -> None:
    small = {"input": [{"role": "user", "content": "Hello"}]}
    large = {"input": [{"role": "user", "content": "Hello" * 100}]}
    pictured = {"input": [picture_output("c", 300, 300)]}
    assert input_tokens_of(small) < input_tokens_of(large) < PICTURE_TOKENS < input_tokens_of(pictured)
    counted = usage_counters(large, [{"text": "x" * 400}], reasoning=True, cached=10_000)
    assert counted["input_tokens_details"]["cached_tokens"] == counted["input_tokens"]
    assert 0 < counted["output_tokens_details"]["reasoning_tokens"] < counted["output_tokens"]
