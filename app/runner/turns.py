"""A model's answer as the journal keeps it: its calls, its words, its cost."""

import json
from collections.abc import Mapping
from typing import Any

from openai.types.responses import Response

from app.core.events import ProposedCall, TurnAnswered
from app.core.value import Json, canonical_json

BROWSER_PREFIX = "browser_"


def turn_answered(response: Response, turn: int, *, final: bool, browser_names: frozenset[str]) -> TurnAnswered:
    """The event for `response`, the answer to request `turn`, whose items the SDK has checked."""
    body: dict[str, Json] = {
        "id": response.id,
        "output": [item.to_dict(warnings=False) for item in response.output],
        "usage": response.usage.to_dict() if response.usage else None,
    }
    return _event(body, turn, final=final, browser_names=browser_names)


def turn_rejected(received: Json, turn: int, *, browser_names: frozenset[str]) -> TurnAnswered:
    """The event for an answer that the SDK did not accept, as far as it can be read; nothing of it ran."""
    return _event(received if isinstance(received, dict) else {}, turn, final=False, browser_names=browser_names)


def _event(body: Mapping[str, Json], turn: int, *, final: bool, browser_names: frozenset[str]) -> TurnAnswered:
    output, usage = body.get("output"), body.get("usage")
    items = output if isinstance(output, list) else []
    counters = usage if isinstance(usage, dict) else {}
    known = [item for item in items if isinstance(item, Mapping)]
    return TurnAnswered(
        turn=turn,
        response_id=_text(body.get("id")),
        calls=tuple(call for item in known if (call := _call(item, browser_names)) is not None),
        messages=tuple(text for item in known for text in _texts(item)),
        final=final,
        input_tokens=_count(counters.get("input_tokens")),
        output_tokens=_count(counters.get("output_tokens")),
        total_tokens=_count(counters.get("total_tokens")),
        items=_sayable(items),
    )


def _count(value: object) -> int:
    return value if type(value) is int and 0 <= value < 2**53 else 0


def server_outputs(response: Response) -> list[tuple[str, str]]:
    """What tools at the service gave back, by the approval request that let each run."""
    return [
        (item.approval_request_id, item.output or "")
        for item in response.output
        if item.type == "mcp_call" and item.approval_request_id
    ]


def json_or_text(text: str) -> Json:
    """The JSON value that `text` spells, or `text` itself where it spells none that can be kept."""
    try:
        value = json.loads(text)
        canonical_json(value)
    except (ValueError, RecursionError):
        # Also what JSON has no word for, such as 1e999, which reads as infinity.
        return text
    return value


def program_of(item: Mapping[str, Any]) -> str:
    """Call id of the program that makes the call; empty for a call that the model makes itself."""
    caller = item.get("caller")
    if not isinstance(caller, Mapping) or caller.get("type") != "program":
        return ""
    return _text(caller.get("caller_id"))


def _sayable(items: list[Json]) -> Json:
    return _sayable_value(items)


def _sayable_value(value: Json) -> Json:
    try:
        canonical_json(value)
    except (ValueError, TypeError, RecursionError):
        return "(an answer that cannot be kept as it came)"
    return value


def _text(value: object) -> str:
    return value if type(value) is str else ""


def _call(item: Mapping[str, Any], browser_names: frozenset[str]) -> ProposedCall | None:
    kind = item.get("type")
    if kind == "function_call":
        raw, name = _text(item.get("arguments")), _text(item.get("name"))
        is_browser = name in browser_names
        return ProposedCall(
            call_id=_text(item.get("call_id")),
            source="browser" if is_browser else "functions",
            member=name.removeprefix(BROWSER_PREFIX) if is_browser else name,
            arguments=json_or_text(raw),
            raw_arguments=raw,
            program=program_of(item),
            background=item.get("async") is True,
        )
    if kind == "custom_tool_call":
        return ProposedCall(
            call_id=_text(item.get("call_id")),
            source="functions",
            member=_text(item.get("name")),
            arguments=_text(item.get("input")),
            program=program_of(item),
            background=item.get("async") is True,
        )
    if kind in ("apply_patch_call", "shell_call") or (kind == "tool_search_call" and item.get("execution") == "client"):
        return _own_tool_call(item)
    if kind == "computer_call":
        given = item.get("actions")
        actions = given if isinstance(given, list) and given else [item.get("action")]
        return ProposedCall(
            call_id=_text(item.get("call_id")), source="computer", member="computer", arguments=_sayable(actions)
        )
    if kind == "mcp_approval_request":
        raw = _text(item.get("arguments"))
        return ProposedCall(
            call_id=_text(item.get("id")),
            source="mcp",
            member=_text(item.get("name")),
            arguments=json_or_text(raw),
            raw_arguments=raw,
        )
    return None


def _own_tool_call(item: Mapping[str, Any]) -> ProposedCall | None:
    """A call of one of the console's own tools; None for a shell in a container of the service."""
    environment = item.get("environment")
    if isinstance(environment, Mapping) and environment.get("type") == "container_reference":
        return None
    member = _text(item.get("type")).removesuffix("_call")
    given = {"apply_patch": "operation", "shell": "action", "tool_search": "arguments"}[member]
    return ProposedCall(
        call_id=_text(item.get("call_id")),
        source="code" if member == "shell" else "functions",
        member=member,
        arguments=_sayable_value(item.get(given)),
        program=program_of(item),
    )


def _texts(item: Mapping[str, Any]) -> list[str]:
    if item.get("type") != "message":
        return []
    content = item.get("content")
    parts = content if isinstance(content, list) else []
    return [_text(part.get("text") or part.get("refusal")) for part in parts if isinstance(part, Mapping)]
