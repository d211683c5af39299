"""A local tool server as this program uses it: which tools there are, and calling one.

Follows the Model Context Protocol (2025-06-18), stdio transport: initialize, tools/list, tools/call; nothing else is
offered to the server, and a list of tools that changes is not followed.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from drivers.errors import NotDone
from drivers.tool_server.messages import REFUSED, Message, ToolServerError, line_of, message_of, reply_to
from drivers.tool_server.process import ServerProcess

PROTOCOL = "2025-06-18"
MOST_PAGES = 100

__all__ = ["Tool", "ToolServer", "ToolServerError"]


@dataclass(frozen=True)
class Tool:
    """One tool as the server describes it."""

    name: str
    description: str
    schema: dict[str, Any]


class ToolServer:
    """One server, open. It is asked one thing at a time; what it asks itself is answered meanwhile."""

    def __init__(self, process: ServerProcess) -> None:
        self._process = process
        self._asked = 0
        self._turn = asyncio.Lock()

    @classmethod
    @contextlib.asynccontextmanager
    async def open(
        cls, command: Sequence[str], *, env: Mapping[str, str], folder: str | None, timeout_secs: float
    ) -> AsyncGenerator["ToolServer"]:
        """Start the server and greet it; it is ended at the end. Raises `ToolServerError`."""
        process = await ServerProcess.start(command, env, folder)
        try:
            server = cls(process)
            await server._greet(timeout_secs)
            yield server
        finally:
            await process.end()

    async def _greet(self, timeout_secs: float) -> None:
        client = {"name": "signalbox", "version": "1"}
        params = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client}
        try:
            async with asyncio.timeout(timeout_secs):
                await self._ask("initialize", params)
                await self._process.send(line_of({"method": "notifications/initialized"}))
        except TimeoutError:
            words = f"the server {self._process.command} did not answer within {timeout_secs:g} s"
            raise ToolServerError(words) from None

    async def tools(self) -> list[Tool]:
        """All tools, in the server's order. Raises `ToolServerError` for an answer that is none."""
        found: list[Tool] = []
        cursor: dict[str, Any] = {}
        for _ in range(MOST_PAGES):
            result = _result(await self._ask("tools/list", cursor))
            listed = result.get("tools")
            if not isinstance(listed, list):
                raise ToolServerError(f"the server {self._process.command} lists no tools")
            found += [_tool(one) for one in listed if isinstance(one, dict)]
            if not isinstance(result.get("nextCursor"), str):
                break
            cursor = {"cursor": result["nextCursor"]}
        return found

    async def call(self, name: str, arguments: dict[str, Any]) -> str | list[dict[str, Any]]:
        """Let the tool run, and give back what it says as the model can read it.

        Raises:
            NotDone: the server says that it runs no such thing.
            ToolServerError: it broke off; the tool may have done what it does.
        """
        answer = await self._ask("tools/call", {"name": name, "arguments": arguments})
        error = answer.get("error")
        if isinstance(error, dict):
            words = error.get("message") if isinstance(error.get("message"), str) else "no reason was given"
            if error.get("code") in REFUSED:
                raise NotDone(f"Not done: the tool server refuses the call: {words}")
            return f"The tool server answers with an error: {words}"
        return _output(_result(answer))

    async def _ask(self, method: str, params: dict[str, Any]) -> Message:
        async with self._turn:
            self._asked += 1
            number = self._asked
            await self._process.send(line_of({"id": number, "method": method, "params": params}))
            try:
                return await self._answer_to(number)
            except asyncio.CancelledError:
                cancelled = {"method": "notifications/cancelled", "params": {"requestId": number}}
                with contextlib.suppress(ToolServerError):
                    await self._process.send(line_of(cancelled))
                raise

    async def _answer_to(self, number: int) -> Message:
        while line := await self._process.line():
            message = message_of(line)
            if message is None:
                continue
            if "method" not in message and message.get("id") == number:
                return message
            if "method" in message and "id" in message:
                await self._process.send(line_of(reply_to(message)))
            # All else is a notice, or the late answer to a call that was given up.
        raise ToolServerError(self._process.gone())


def _result(answer: Message) -> dict[str, Any]:
    result = answer.get("result")
    if not isinstance(result, dict):
        raise ToolServerError("the server's answer is not of the agreed form")
    return result


def _tool(described: dict[str, Any]) -> Tool:
    name, schema = described.get("name"), described.get("inputSchema")
    words = described.get("description")
    return Tool(
        name if isinstance(name, str) else "",
        words if isinstance(words, str) else "",
        schema if isinstance(schema, dict) else {"type": "object", "properties": {}},
    )


def _output(result: dict[str, Any]) -> str | list[dict[str, Any]]:
    content = result.get("content")
    blocks = [_block(one) for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    if not blocks and "structuredContent" in result:
        blocks = [{"type": "input_text", "text": json.dumps(result["structuredContent"], ensure_ascii=False)}]
    if result.get("isError") is True:
        blocks.insert(0, {"type": "input_text", "text": "The tool says that it failed."})
    if all(block["type"] == "input_text" for block in blocks):
        return "\n".join(block["text"] for block in blocks)
    return blocks


def _block(block: dict[str, Any]) -> dict[str, Any]:
    kind, data = block.get("type"), block.get("data")
    if kind == "text" and isinstance(block.get("text"), str):
        return {"type": "input_text", "text": block["text"]}
    if kind == "image" and isinstance(data, str):
        media_type = block.get("mimeType") if isinstance(block.get("mimeType"), str) else "image/png"
        return {"type": "input_image", "image_url": f"data:{media_type};base64,{data}", "detail": "auto"}
    # Sound, a resource, what a later protocol brings: the model is told what there is, as it was written.
    return {"type": "input_text", "text": json.dumps(block, ensure_ascii=False)}
