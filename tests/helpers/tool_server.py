"""A local MCP server for tests, of the standard library alone; what it does wrong is named by its first argument."""

import json
import os
import sys
import time
from typing import Any

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
TOOLS = ["say", "picture", "refuse", "broken", "fails", "leave", "inherits", "odd"]


def send(message: dict[str, Any]) -> None:
    """One line to the console."""
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def tool(name: str) -> dict[str, Any]:
    """As it is listed."""
    schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    return {"name": name, "description": f"The tool {name}", "inputSchema": schema}


def call(number: int, name: str, text: str) -> None:
    """Answer one call."""
    answers: dict[str, dict[str, Any]] = {
        "say": {"content": [{"type": "text", "text": f"said {text}"}]},
        "picture": {
            "content": [{"type": "text", "text": "here"}, {"type": "image", "data": PIXEL, "mimeType": "image/png"}]
        },
        "fails": {"content": [{"type": "text", "text": "no luck"}], "isError": True},
        "inherits": {"structuredContent": sorted(name for name in os.environ if name.startswith(("OPENAI_", "GIVEN")))},
        "odd": {"content": [{"type": "audio", "data": "AAAA"}]},
    }
    if name == "refuse":
        send({"id": number, "error": {"code": -32602, "message": "unknown tool"}})
    elif name == "broken":
        send({"id": number, "error": {"code": -32603, "message": "inside"}})
    elif name == "leave":
        sys.stderr.write("I have had enough\n")
        sys.stderr.flush()
        os._exit(3)
    else:
        # A question of its own and chatter come first; neither is the answer.
        send({"id": "own", "method": "ping"})
        sys.stdout.write("not a message\n")
        send({"method": "notifications/message", "params": {}})
        send({"id": number, "result": answers[name]})


def main(fault: str) -> None:
    """Serve until the input ends."""
    if fault == "leaves":
        sys.stderr.write("no licence\n")
        return
    for line in sys.stdin:
        message = json.loads(line)
        method, number = message.get("method"), message.get("id")
        if method == "initialize":
            if fault == "silent":
                time.sleep(60)
            send({"id": number, "result": {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {}}})
        elif method == "tools/list":
            if fault == "listless":
                send({"id": number, "result": {}})
            elif "cursor" not in message["params"]:
                send({"id": number, "result": {"tools": [tool(name) for name in TOOLS[:3]], "nextCursor": "more"}})
            else:
                send({"id": number, "result": {"tools": [tool(name) for name in TOOLS[3:]]}})
        elif method == "tools/call":
            call(number, message["params"]["name"], message["params"]["arguments"].get("text", ""))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
