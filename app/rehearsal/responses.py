"""Makes wire items out of a scenario's compact outputs, and the response object around them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from app.rehearsal.items import (
    BrowserItem,
    ComputerItem,
    CustomItem,
    FunctionItem,
    McpApprovalItem,
    McpCallItem,
    MessageItem,
    OutputItem,
    PatchItem,
    ProgramItem,
    ProgramOutputItem,
    RawItem,
    ReasoningItem,
    SearchItem,
    ShellItem,
)
from app.rehearsal.references import NotThere, Seen

Wire = dict[str, Any]

CREATED_AT = 1_767_225_600
"""The clock of the scripted service at its first answer, in seconds; each answer is one second later."""


def wire_items(outputs: Sequence[OutputItem], seen: Seen, *, number: int) -> list[Wire]:
    """The items of answer `number`; ids are unique over the run because they carry both numbers.

    Raises:
        NotThere: names the output, counted from 1, and what it asked for.
    """
    items = []
    for index, output in enumerate(outputs, start=1):
        try:
            item = _wire(output, seen, suffix=f"{number:03d}_{index:02d}")
            seen.own_items.append(item)
            items.append(item)
        except NotThere as missing:
            raise NotThere(f"output {index}: {missing}") from missing
    return items


def response(items: list[Wire], usage: Wire, *, number: int, model: str, body: Mapping[str, Any]) -> Wire:
    """A completed response object."""
    return {
        "id": f"resp_{number:03d}",
        "object": "response",
        "created_at": CREATED_AT + number - 1,
        "model": model,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "instructions": body.get("instructions"),
        "metadata": {},
        "output": items,
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "top_p": 1.0,
        "tool_choice": body.get("tool_choice", "auto"),
        "tools": [],
        "usage": usage,
    }


def usage_counters(body: Mapping[str, Any], answer: object, *, reasoning: bool, cached: int) -> Wire:
    """All six counters, by the rule of thumb of four characters a token and a flat price a picture."""
    output_tokens = max(1, len(json.dumps(answer, ensure_ascii=False)) // 4)
    return counters(
        input_tokens=input_tokens_of(body),
        cached_tokens=cached,
        output_tokens=output_tokens,
        reasoning_tokens=output_tokens // 4 if reasoning else 0,
    )


def counters(*, input_tokens: int, cached_tokens: int, output_tokens: int, reasoning_tokens: int) -> Wire:
    """The usage object that both endpoints answer with."""
    return {
        "input_tokens": input_tokens,
        "input_tokens_details": {"cached_tokens": min(cached_tokens, input_tokens), "cache_write_tokens": 0},
        "output_tokens": output_tokens,
        "output_tokens_details": {"reasoning_tokens": reasoning_tokens},
        "total_tokens": input_tokens + output_tokens,
    }


PICTURE_TOKENS = 765


def input_tokens_of(body: Mapping[str, Any]) -> int:
    """Tokens of a request: its text, and a flat count for each picture."""
    characters, pictures = _size(body)
    return characters // 4 + PICTURE_TOKENS * pictures


def _size(value: object) -> tuple[int, int]:
    if isinstance(value, str):
        return (0, 1) if value.startswith("data:image/") else (len(value), 0)
    parts: list[object] = []
    if isinstance(value, Mapping):
        parts = [*value.keys(), *value.values()]
    elif isinstance(value, list):
        parts = value
    sizes = [_size(part) for part in parts]
    return sum(size[0] for size in sizes) + len(parts), sum(size[1] for size in sizes)


def _wire(output: OutputItem, seen: Seen, *, suffix: str) -> Wire:
    match output:
        case MessageItem():
            return _message(seen.fill_text(output.message), output.phase, suffix=suffix)
        case ReasoningItem():
            summary = [{"type": "summary_text", "text": seen.fill_text(output.reasoning)}] if output.reasoning else []
            return {
                "type": "reasoning",
                "id": f"rs_{suffix}",
                "summary": summary,
                "encrypted_content": f"sealed{suffix}",
            }
        case BrowserItem():
            return _call(f"browser_{output.browser}", output.arguments, seen, suffix=suffix)
        case FunctionItem():
            call = _call(output.function, output.arguments, seen, suffix=suffix)
            return call | _marks("function", output.function, seen, by_program=output.by_program)
        case CustomItem():
            return _custom(output, seen, suffix=suffix)
        case ProgramItem():
            code = seen.fill_text(output.program)
            made = {"id": f"prog_{suffix}", "call_id": f"call_{suffix}", "fingerprint": f"sealed{suffix}"}
            return {"type": "program", **made, "code": code}
        case ProgramOutputItem():
            ended = {"call_id": seen.newest_program(), "result": seen.fill_text(output.program_output)}
            return {"type": "program_output", "id": f"po_{suffix}", **ended, "status": output.status}
        case ComputerItem():
            return _computer(output, seen, suffix=suffix)
        case McpApprovalItem():
            arguments = json.dumps(seen.fill(output.arguments), ensure_ascii=False)
            return {
                "type": "mcp_approval_request",
                "id": f"mcpr_{suffix}",
                "server_label": output.server,
                "name": output.mcp_approval,
                "arguments": arguments,
            }
        case McpCallItem():
            request = seen.approved(output.server, output.mcp_call)
            return {
                "type": "mcp_call",
                "id": f"mcp_{suffix}",
                "server_label": output.server,
                "name": output.mcp_call,
                "arguments": request["arguments"],
                "approval_request_id": request["id"],
                "output": seen.fill_text(output.output),
                "error": None,
                "status": "completed",
            }
        case PatchItem():
            operation: Wire = {"type": output.patch, "path": output.path}
            if output.diff is not None:
                operation["diff"] = seen.fill_text(output.diff)
            return _own("apply_patch", "apc", seen, suffix, by_program=output.by_program) | {"operation": operation}
        case ShellItem():
            action: Wire = {"commands": [seen.fill_text(command) for command in output.shell]}
            if output.timeout_ms is not None:
                action["timeout_ms"] = output.timeout_ms
            return _own("shell", "sh", seen, suffix, by_program=output.by_program) | {"action": action}
        case SearchItem():
            made = _own("tool_search", "ts", seen, suffix, by_program=False)
            return made | {"execution": "client", "arguments": {"query": seen.fill_text(output.tool_search)}}
        case RawItem():
            return dict(seen.fill_text(output.raw))
        case _:
            assert_never(output)


def _message(text: str, phase: str, *, suffix: str) -> Wire:
    return {
        "type": "message",
        "id": f"msg_{suffix}",
        "role": "assistant",
        "status": "completed",
        "phase": phase,
        "content": [{"type": "output_text", "text": text, "annotations": []}],
    }


def _call(name: str, arguments: Mapping[str, Any], seen: Seen, *, suffix: str) -> Wire:
    schema = seen.schema(name)
    filled = dict(seen.fill(arguments))
    for key, entry in schema.get("properties", {}).items():
        if key not in filled and _may_be_null(entry):
            filled[key] = None
    return {
        "type": "function_call",
        "id": f"fc_{suffix}",
        "call_id": f"call_{suffix}",
        "name": name,
        "arguments": json.dumps(filled, ensure_ascii=False),
        "status": "completed",
    }


def _custom(output: CustomItem, seen: Seen, *, suffix: str) -> Wire:
    marks = _marks("custom", output.custom, seen, by_program=output.by_program)
    return {
        "type": "custom_tool_call",
        "id": f"ctc_{suffix}",
        "call_id": f"call_{suffix}",
        "name": output.custom,
        "input": seen.fill_text(output.text),
        **marks,
    }


def _own(tool: str, prefix: str, seen: Seen, suffix: str, *, by_program: bool) -> Wire:
    """A call of a tool that has no name of its own. Raises `NotThere` where the request does not declare it."""
    if not seen.declares(tool):
        raise NotThere(f"the tool {tool} is not declared by the request")
    caller = {"caller": {"type": "program", "caller_id": seen.newest_program()}} if by_program else {}
    made = {"id": f"{prefix}_{suffix}", "call_id": f"call_{suffix}", "status": "completed"}
    return {"type": f"{tool}_call", **made, **caller}


def _marks(kind: str, name: str, seen: Seen, *, by_program: bool) -> Wire:
    """What the service adds to a call: who makes it, and that nobody waits for it."""
    marks: Wire = {}
    if by_program:
        marks["caller"] = {"type": "program", "caller_id": seen.newest_program()}
    elif seen.tool(kind, name).get("async") is True:
        marks["async"] = True
    return marks


def _may_be_null(entry: Mapping[str, Any]) -> bool:
    kinds = entry.get("type")
    if kinds == "null" or (isinstance(kinds, list) and "null" in kinds):
        return True
    return any(isinstance(option, Mapping) and _may_be_null(option) for option in entry.get("anyOf", []))


def _computer(output: ComputerItem, seen: Seen, *, suffix: str) -> Wire:
    if not (seen.declares("computer") or seen.declares("computer_use_preview")):
        raise NotThere("the computer tool is not declared by the request")
    actions = []
    for action in output.computer:
        filled = {key: entry for key, entry in seen.fill(action).items() if key != "at"}
        if "at" in action:
            filled["x"], filled["y"] = seen.point(action["at"])
        actions.append(filled)
    checks = [
        {"id": f"sc_{suffix}_{index}", "code": check.code, "message": check.message}
        for index, check in enumerate(output.safety, start=1)
    ]
    return {
        "type": "computer_call",
        "id": f"cu_{suffix}",
        "call_id": f"call_{suffix}",
        "actions": actions,
        "pending_safety_checks": checks,
        "status": "completed",
    }
