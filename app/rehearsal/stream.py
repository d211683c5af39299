"""Tells a response object as the server-sent events in which the service would have streamed it."""

import json
from collections.abc import Iterator
from typing import Any, Literal

from app.rehearsal.responses import Wire

Ending = Literal["completed", "failed", "incomplete", "error"]

_PIECE_CHARACTERS = 24


def events(response: Wire, *, ending: Ending = "completed", message: str = "") -> list[Wire]:
    """All events in order, numbered. Every item is added, told and done, so that early execution can rely on it."""
    told = [
        {"type": "response.created", "response": _unfinished(response)},
        {"type": "response.in_progress", "response": _unfinished(response)},
    ]
    for index, item in enumerate(response["output"]):
        told += _item_events(item, index)
    told.append(_last(response, ending, message))
    return [{"type": event["type"], "sequence_number": number, **event} for number, event in enumerate(told)]


def encode(event: Wire) -> bytes:
    """One event as it goes over the wire."""
    return f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n".encode()


def ended(response: Wire, ending: Ending, message: str) -> Wire:
    """The response object with the status and the reason of its ending."""
    if ending == "completed":
        return response
    if ending == "incomplete":
        return {**response, "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    return {**response, "status": "failed", "error": {"code": "server_error", "message": message}}


def _last(response: Wire, ending: Ending, message: str) -> Wire:
    if ending == "error":
        return {"type": "error", "code": "server_error", "message": message, "param": None}
    return {"type": f"response.{ending}", "response": ended(response, ending, message)}


def _unfinished(response: Wire) -> Wire:
    return {**response, "status": "in_progress", "output": [], "usage": None}


def _item_events(item: Wire, index: int) -> Iterator[Wire]:
    kind = item["type"]
    yield {"type": "response.output_item.added", "output_index": index, "item": _unfinished_item(item)}
    place = {"item_id": item.get("id"), "output_index": index}
    if kind == "message":
        yield from _message_events(item, place)
    elif kind == "reasoning":
        yield from _reasoning_events(item, place)
    elif kind == "function_call":
        stem = "response.function_call_arguments"
        for piece in _pieces(item["arguments"]):
            yield {"type": f"{stem}.delta", **place, "delta": piece}
        yield {"type": f"{stem}.done", **place, "name": item["name"], "arguments": item["arguments"]}
    elif kind == "custom_tool_call":
        stem = "response.custom_tool_call_input"
        for piece in _pieces(item["input"]):
            yield {"type": f"{stem}.delta", **place, "delta": piece}
        yield {"type": f"{stem}.done", **place, "input": item["input"]}
    elif kind == "mcp_call":
        yield {"type": "response.mcp_call.in_progress", **place}
        yield {"type": "response.mcp_call_arguments.done", **place, "arguments": item["arguments"]}
        yield {"type": "response.mcp_call.completed", **place}
    yield {"type": "response.output_item.done", "output_index": index, "item": item}


def _unfinished_item(item: Wire) -> Wire:
    empty: dict[str, dict[str, Any]] = {
        "message": {"content": [], "status": "in_progress"},
        "reasoning": {"summary": []},
        "function_call": {"arguments": "", "status": "in_progress"},
        "custom_tool_call": {"input": ""},
        "mcp_call": {"output": None, "status": "in_progress"},
        "computer_call": {"status": "in_progress"},
    }
    return {**item, **empty.get(item["type"], {})}


def _message_events(item: Wire, place: Wire) -> Iterator[Wire]:
    for number, part in enumerate(item["content"]):
        at = {**place, "content_index": number}
        yield {"type": "response.content_part.added", **at, "part": {**part, "text": ""}}
        for piece in _pieces(part["text"]):
            yield {"type": "response.output_text.delta", **at, "delta": piece, "logprobs": []}
        yield {"type": "response.output_text.done", **at, "text": part["text"], "logprobs": []}
        yield {"type": "response.content_part.done", **at, "part": part}


def _reasoning_events(item: Wire, place: Wire) -> Iterator[Wire]:
    stem = "response.reasoning_summary"
    for number, part in enumerate(item["summary"]):
        at = {**place, "summary_index": number}
        yield {"type": f"{stem}_part.added", **at, "part": {**part, "text": ""}}
        for piece in _pieces(part["text"]):
            yield {"type": f"{stem}_text.delta", **at, "delta": piece}
        yield {"type": f"{stem}_text.done", **at, "text": part["text"]}
        yield {"type": f"{stem}_part.done", **at, "part": part}


def _pieces(text: str) -> list[str]:
    return [text[start : start + _PIECE_CHARACTERS] for start in range(0, len(text), _PIECE_CHARACTERS)]
