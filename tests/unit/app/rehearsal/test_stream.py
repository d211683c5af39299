"""A response is told as a stream from which the same response can be put together again."""

from typing import Any

import pytest

from app.rehearsal.stream import encode, events

TEXT = "A text of more than one piece, told in several."
MESSAGE = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "phase": "final_answer",
    "content": [{"type": "output_text", "text": TEXT, "annotations": []}],
}
CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "call_1",
    "name": "browser_click",
    "arguments": '{"target": "e1", "tab_id": null, "and": "more"}',
    "status": "completed",
}
COMPUTER = {"type": "computer_call", "id": "cu_1", "call_id": "call_2", "actions": [], "status": "completed"}
REASONING = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Think."}]}
MCP = {"type": "mcp_call", "id": "mcp_1", "arguments": "{}", "output": "20", "status": "completed"}
RESPONSE: dict[str, Any] = {"id": "resp_1", "status": "completed", "output": [REASONING, MESSAGE, CALL, COMPUTER, MCP]}


def test_every_item_is_added_once_and_done_once_in_order() -> None:
    told = events(RESPONSE)
    added = [event["output_index"] for event in told if event["type"] == "response.output_item.added"]
    done = [event["item"] for event in told if event["type"] == "response.output_item.done"]
    assert added == [0, 1, 2, 3, 4]
    assert done == RESPONSE["output"]
    assert [event["sequence_number"] for event in told] == list(range(len(told)))


def test_the_response_is_created_first_and_completed_last_under_one_id() -> None:
    told = events(RESPONSE)
    assert (told[0]["type"], told[0]["response"]["output"]) == ("response.created", [])
    assert told[-1] == {
        "type": "response.completed",
        "sequence_number": len(told) - 1,
        "response": RESPONSE,
    }
    assert {event["response"]["id"] for event in told if "response" in event} == {"resp_1"}


@pytest.mark.parametrize(
    ("kind", "whole"),
    [
        ("response.output_text.delta", TEXT),
        ("response.function_call_arguments.delta", CALL["arguments"]),
        ("response.reasoning_summary_text.delta", "Think."),
    ],
)
def test_the_pieces_make_the_whole(kind: str, whole: str) -> None:
    assert "".join(event["delta"] for event in events(RESPONSE) if event["type"] == kind) == whole


def test_an_unfinished_item_shows_nothing_of_what_comes() -> None:
    added = [event["item"] for event in events(RESPONSE) if event["type"] == "response.output_item.added"]
    assert added[1]["content"] == []
    assert added[2]["arguments"] == ""
    assert added[4]["output"] is None
    assert {item.get("status") for item in added} == {None, "in_progress"}


def test_an_event_is_one_line_of_data_whatever_the_text_holds() -> None:
    line = encode({"type": "x", "text": "a\nb\u2028c"})
    assert line.startswith(b"event: x\ndata: {")
    assert line.count(b"\n") == 3
