"""Tools that are not there from the start: the model looks them up, at the service or here, and may call them then."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.core.evidence import Evidence, ToolsFound
from app.runner.programs.asked import Asked
from app.runner.programs.items import Call, Wire
from app.runner.programs.tools import LocalTool
from drivers.errors import NotDone

DESCRIPTION = "Look up further tools by what they do. These can be found: {names}."
_WORD = re.compile(r"[a-z0-9]+")


class Loaded:
    """Names of the deferred tools that a search of this conversation has given."""

    def __init__(self) -> None:
        self._names: set[str] = set()

    def see(self, items: Iterable[Wire]) -> None:
        """Take in what the items of an answer, or outputs from here, load."""
        for item in items:
            if item.get("type") == "tool_search_output":
                self._names.update(_names(item.get("tools")))

    def __contains__(self, name: object) -> bool:
        return name in self._names


class ToolSearch:
    """The console's own search, over the deferred tools of the run. It gives declarations; it calls nothing."""

    def __init__(self, tools: Sequence[LocalTool], loaded: Loaded, asked: Asked, *, most: int) -> None:
        self._tools = tools
        self._loaded = loaded
        self._asked = asked
        self._most = most

    @property
    def declared(self) -> Wire:
        """As each request declares it."""
        parameters = {
            "type": "object",
            "properties": {"query": {"type": "string"}},
            "required": ["query"],
            "additionalProperties": False,
        }
        description = DESCRIPTION.format(names=", ".join(tool.name for tool in self._tools))
        return {"type": "tool_search", "execution": "client", "description": description, "parameters": parameters}

    async def answer(self, call: Call) -> Wire:
        """The output item with the declarations that were found; none where the search was not allowed."""
        arguments = call.raw.get("arguments")
        query = arguments.get("query") if isinstance(arguments, Mapping) else None
        found = self._found(query) if isinstance(query, str) else []
        names = tuple(tool.name for tool in found)

        async def give() -> list[Wire]:
            return [dict(tool.declared) for tool in found]

        try:
            self._asked.check(call)
            given = await self._asked.done(
                call, arguments, give, evidence=Evidence(tools=ToolsFound(names=names)), reads_only=True
            )
        except NotDone as refusal:
            self._asked.asking.notes.append(f"The search for tools gave nothing. {refusal}")
            await self._asked.answered(call, str(refusal), ok=False)
            return call.made(execution="client", status="completed", tools=[])
        output = call.made(execution="client", status="completed", tools=given)
        self._loaded.see([output])
        await self._asked.answered(call, f"Found: {', '.join(names) or 'nothing'}.", ok=True)
        return output

    def _found(self, query: str) -> list[LocalTool]:
        """Those that share most words with `query`, the best first; all that are wanted by their names."""
        wanted = set(_WORD.findall(query.casefold()))
        scored = [(self._score(tool, wanted, query), -at, tool) for at, tool in enumerate(self._tools)]
        best = sorted((entry for entry in scored if entry[0] > 0), reverse=True, key=lambda entry: entry[:2])
        return [tool for _, _, tool in best[: self._most]]

    @staticmethod
    def _score(tool: LocalTool, wanted: set[str], query: str) -> int:
        words = set(_WORD.findall(f"{tool.name} {tool.declared.get('description', '')}".casefold()))
        return len(wanted & words) + (len(words) if tool.name in query else 0)


def _names(tools: Any) -> Iterable[str]:
    for tool in tools if isinstance(tools, list) else ():
        if not isinstance(tool, Mapping):
            continue
        if tool.get("type") == "namespace":
            yield from _names(tool.get("tools"))
        elif isinstance(tool.get("name"), str):
            yield tool["name"]
