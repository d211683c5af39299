"""JSON-RPC 2.0 as MCP's stdio transport has it: one message a line, both sides may ask."""

import json
from typing import Any

Message = dict[str, Any]

METHOD_NOT_FOUND, INVALID_PARAMS = -32601, -32602
REFUSED = frozenset({METHOD_NOT_FOUND, INVALID_PARAMS})
"""Answers that say that nothing was run."""


class ToolServerError(Exception):
    """The server could not be started, broke off, or does not speak the protocol; names the command."""


def line_of(message: Message) -> bytes:
    """The message as it is sent. ASCII only, so that half of a character survives as an escape."""
    return json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode("ascii") + b"\n"


def message_of(line: bytes) -> Message | None:
    """The message on that line; None for what is none, such as a server's own chatter."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def reply_to(request: Message) -> Message:
    """What a server's own question is answered with: it is there, and nothing else is offered to it."""
    if request.get("method") == "ping":
        return {"id": request["id"], "result": {}}
    return {"id": request["id"], "error": {"code": METHOD_NOT_FOUND, "message": "not offered here"}}
