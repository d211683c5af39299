"""Fills what a scenario leaves open from what the run has sent: refs by role and label, places on the picture, text."""

import base64
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from PIL import Image
from pydantic import ValidationError

from app.rehearsal.items import ElementTarget

Item = Mapping[str, Any]

_TEMPLATE = re.compile(r"\{\{\s*(site|seen:(.+?))\s*\}\}")
NOT_DONE = re.compile(
    r"\b(not approved|not allowed|did not allow|did not approve|not executed|not done|denied|refused|declined)\b",
    re.IGNORECASE,
)


SAID_BY_THE_MODEL = frozenset(
    {
        "message",
        "reasoning",
        "function_call",
        "custom_tool_call",
        "computer_call",
        "mcp_approval_request",
        "mcp_call",
        "program",
        "program_output",
        "apply_patch_call",
        "shell_call",
        "tool_search_call",
    }
)


class NotThere(Exception):
    """A scenario asks for something that the run has not sent."""


class Seen:
    """What one request's input shows the model. Reads the input only; nothing is remembered between requests."""

    def __init__(self, body: Mapping[str, Any], *, site: str) -> None:
        self._input: list[Item] = [item for item in _list(body.get("input")) if isinstance(item, Mapping)]
        found = [item.get("tools") for item in self._input if item.get("type") == "tool_search_output"]
        given = [tool for tools in [body.get("tools"), *found] for tool in _list(tools)]
        self._tools: list[Item] = [tool for tool in given if isinstance(tool, Mapping)]
        self._site = site
        self.own_items: list[Item] = []
        """Items of the answer that is being made, in order."""

    def fill(self, value: Any) -> Any:
        """A copy of `value` with element targets and text templates replaced. Raises `NotThere`."""
        if isinstance(value, str):
            return _TEMPLATE.sub(self._template, value)
        if isinstance(value, Mapping):
            if "role" in value and "label" in value:
                return self.ref(self._target(value))
            return {key: self.fill(entry) for key, entry in value.items()}
        if isinstance(value, list | tuple):
            return [self.fill(entry) for entry in value]
        return value

    def fill_text(self, value: Any) -> Any:
        """A copy of `value` in which only text templates are replaced."""
        if isinstance(value, str):
            return _TEMPLATE.sub(self._template, value)
        if isinstance(value, Mapping):
            return {key: self.fill_text(entry) for key, entry in value.items()}
        if isinstance(value, list | tuple):
            return [self.fill_text(entry) for entry in value]
        return value

    def ref(self, target: ElementTarget) -> str:
        """The ref of an element in the newest page read. Raises `NotThere`, naming the elements there were."""
        wanted = f"{target.role} {target.label!r}"
        elements = self._newest_elements()
        if elements is None:
            raise NotThere(f"{wanted}: the run has sent no page read yet")
        found = [e for e in elements if e.get("role") == target.role and _one_line(e.get("label")) == target.label]
        if target.nth is not None:
            found = found[target.nth - 1 : target.nth] if target.nth > 0 else []
        if len(found) == 1:
            return str(found[0]["ref"])
        there = ", ".join(f"{e.get('role')} {_one_line(e.get('label'))!r}" for e in elements) or "no elements"
        if found:
            raise NotThere(f"{wanted}: {len(found)} elements fit; give nth. The newest page read has: {there}")
        number = f" number {target.nth}" if target.nth is not None else ""
        raise NotThere(f"{wanted}{number} is not in the newest page read, which has: {there}")

    def point(self, at: object) -> tuple[int, int]:
        """Fractions of the newest picture as its pixels. Raises `NotThere`."""
        pair = list(at) if isinstance(at, list | tuple) else []
        if len(pair) != 2 or not all(isinstance(part, int | float) and 0 <= part < 1 for part in pair):
            raise NotThere(f"at = {at!r}: a place is two fractions of the picture, each from 0 up to 1")
        width, height = self._picture_size()
        return int(pair[0] * width), int(pair[1] * height)

    def schema(self, tool_name: str) -> Item:
        """The parameters that the request declares for a function tool. Raises `NotThere`."""
        parameters = self.tool("function", tool_name).get("parameters")
        return parameters if isinstance(parameters, Mapping) else {}

    def tool(self, kind: str, tool_name: str) -> Item:
        """The declaration of a tool of that type. Raises `NotThere`."""
        for tool in self._tools:
            if tool.get("type") == kind and tool.get("name") == tool_name:
                return tool
        names = ", ".join(str(t.get("name") or t.get("type")) for t in self._tools) or "none"
        raise NotThere(f"tool {tool_name!r} is not declared by the request, whose tools are: {names}")

    def newest_program(self) -> str:
        """The call id of the program that was begun last. Raises `NotThere`."""
        for item in [*reversed(self.own_items), *reversed(self._input)]:
            if item.get("type") == "program":
                return str(item["call_id"])
        raise NotThere("a program: none has been begun")

    def declares(self, kind: str) -> bool:
        """Whether a tool of this type is declared."""
        return any(tool.get("type") == kind for tool in self._tools)

    def approved(self, server: str, name: str) -> Item:
        """The newest approved request for an MCP server's tool. Raises `NotThere`."""
        answers = {
            item.get("approval_request_id"): item.get("approve")
            for item in self._input
            if item.get("type") == "mcp_approval_response"
        }
        for item in reversed(self._input):
            if item.get("type") == "mcp_approval_request" and (item.get("server_label"), item.get("name")) == (
                server,
                name,
            ):
                if answers.get(item.get("id")) is True:
                    return item
                break
        raise NotThere(f"MCP tool {name!r} on {server!r}: the newest request for it was not approved")

    def something_not_done(self) -> bool:
        """Whether what came back from the last turn says that a call was refused, skipped or failed."""
        return any(_says_not_done(item) for item in self._since_last_answer())

    def _since_last_answer(self) -> list[Item]:
        newest: list[Item] = []
        for item in reversed(self._input):
            kind = item.get("type", "message")
            if kind in SAID_BY_THE_MODEL and not (kind == "message" and item.get("role") != "assistant"):
                return newest
            newest.append(item)
        return []

    def _template(self, match: re.Match[str]) -> str:
        if match[1] == "site":
            return self._site
        for text in self._texts():
            if hit := re.search(match[2], text):
                return hit[0]
        raise NotThere(f"nothing that the run has read fits {match[2]!r}")

    def _texts(self) -> Iterator[str]:
        for report in self._reports():
            result = report.get("result")
            if isinstance(result, Mapping):
                yield str(result.get("text", ""))
            elif isinstance(result, str):
                yield result

    def _target(self, value: Item) -> ElementTarget:
        try:
            return ElementTarget.model_validate(dict(value))
        except ValidationError as problem:
            first = problem.errors()[0]
            raise NotThere(f"{dict(value)!r} is not an element target: {first['loc']}: {first['msg']}") from problem

    def _newest_elements(self) -> list[Item] | None:
        for report in self._reports():
            result = report.get("result")
            if isinstance(result, Mapping) and isinstance(result.get("elements"), list):
                return [element for element in result["elements"] if isinstance(element, Mapping)]
        return None

    def _reports(self) -> Iterator[Item]:
        for item in reversed(self._input):
            if item.get("type") == "function_call_output" and (report := _report(item)) is not None:
                yield report

    def _picture_size(self) -> tuple[int, int]:
        for item in reversed(self._input):
            for part in _list(item.get("output")) or [item.get("output")]:
                url = part.get("image_url") if isinstance(part, Mapping) else None
                if isinstance(url, str) and url.startswith("data:") and ";base64," in url:
                    with Image.open(io.BytesIO(base64.b64decode(url.partition(";base64,")[2]))) as picture:
                        return picture.size
        raise NotThere("a place on the picture: the run has sent no picture yet")


def _report(item: Item) -> Item | None:
    """Item 0 of a browser output, as JSON; None for what is no such report."""
    output = item.get("output")
    text = output
    if isinstance(output, list) and output and isinstance(output[0], Mapping):
        text = output[0].get("text")
    if not isinstance(text, str):
        return None
    try:
        report = json.loads(text)
    except ValueError:
        return None
    return report if isinstance(report, Mapping) and isinstance(report.get("ok"), bool) else None


def _says_not_done(item: Item) -> bool:
    kind = item.get("type", "message")
    if kind in ("function_call_output", "custom_tool_call_output"):
        report = _report(item)
        if report is not None:
            return report["ok"] is False
        return isinstance(item.get("output"), str) and NOT_DONE.search(item["output"]) is not None
    if kind == "mcp_approval_response":
        return item.get("approve") is False
    return kind == "message" and NOT_DONE.search(json.dumps(item.get("content", ""))) is not None


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _one_line(value: object) -> str:
    return " ".join(str(value).split())
