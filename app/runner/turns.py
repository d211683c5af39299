"""A model's answer as the journal keeps it: its calls, its words, its cost."""

import json
from collections.abc import Mapping
from typing import Any

from openai.types.responses import Response

from app.core.events import ProposedCall, TurnAnswered
from app.core.value import Json

BROWSER_PREFIX = "browser_"


def turn_answered(response: Response, turn: int, *, final: bool, browser_names: frozenset[str]) -> TurnAnswered:
    """The event for `response`, the answer to request `turn`."""
    items = [item.to_dict() for item in response.output]
    usage = response.usage
    return TurnAnswered(
        turn=turn,
        response_id=response.id,
        calls=tuple(call for item in items if (call := _call(item, browser_names)) is not None),
        messages=tuple(text for item in items for text in _texts(item)),
        final=final,
        input_tokens=usage.input_tokens if usage else 0,
        output_tokens=usage.output_tokens if usage else 0,
        total_tokens=usage.total_tokens if usage else 0,
        items=items,
    )


def server_outputs(response: Response) -> list[tuple[str, str]]:
    """What tools at the service gave back, by the approval request that let each run."""
    return [
        (item.approval_request_id, item.output or "")
        for item in response.output
        if item.type == "mcp_call" and item.approval_request_id
    ]


def json_or_text(text: str) -> Json:
    """The JSON value that `text` spells, or `text` itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _call(item: Mapping[str, Any], browser_names: frozenset[str]) -> ProposedCall | None:
    kind = item.get("type")
    if kind == "function_call":
        raw, name = item["arguments"], item["name"]
        is_browser = name in browser_names
        return ProposedCall(
            call_id=item["call_id"],
            source="browser" if is_browser else "functions",
            member=name.removeprefix(BROWSER_PREFIX) if is_browser else name,
            arguments=json_or_text(raw),
            raw_arguments=raw,
        )
    if kind == "computer_call":
        actions = item.get("actions") or [item.get("action")]
        return ProposedCall(call_id=item["call_id"], source="computer", member="computer", arguments=actions)
    if kind == "mcp_approval_request":
        return ProposedCall(
            call_id=item["id"],
            source="mcp",
            member=item["name"],
            arguments=json_or_text(item["arguments"]),
            raw_arguments=item["arguments"],
        )
    return None


def _texts(item: Mapping[str, Any]) -> list[str]:
    if item.get("type") != "message":
        return []
    parts = item.get("content") or []
    return [part.get("text") or part.get("refusal") or "" for part in parts if isinstance(part, Mapping)]
