"""What is otherwise than when a run was left: model, versions, the plan key by key, and the tools, which may not be."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from openai.lib.browser import AsyncBrowserToolset

from app.core.plan import RunPlan
from app.core.programs_plan import WAIT_TOOL
from app.core.resuming import Left
from app.core.value import Json
from app.runner.specs import ToolSpec

_SHOWN_CHARS = 60


def changes(left: Left, plan: RunPlan, *, model: str, versions: Mapping[str, str]) -> tuple[str, ...]:
    """In words, one a thing; empty when everything is as it was."""
    said = []
    if model != left.model:
        said.append(f"model: {left.model} before, {model} now")
    for name in sorted({*left.versions, *versions}):
        before, now = left.versions.get(name), versions.get(name)
        if before != now and before is not None:
            said.append(f"{name}: version {before} before, {now or 'not there'} now")
    said += _differences("", left.plan, plan.on_record())
    return tuple(said)


def _differences(path: str, before: Json, now: Json) -> Iterator[str]:
    if before == now:
        return
    if isinstance(before, dict) and isinstance(now, dict):
        for key in [*before, *(key for key in now if key not in before)]:
            yield from _differences(f"{path}.{key}" if path else str(key), before.get(key), now.get(key))
    elif isinstance(before, list) and isinstance(now, list) and path in ("rules", "breakpoints"):
        yield f"{path}: {len(before)} before, {len(now)} now, not the same"
    else:
        yield f"{path}: {_short(before)} before, {_short(now)} now"


def _short(value: Json) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=True)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"


def _named_otherwise(checkpoint: Mapping[str, Any], now: Mapping[str, Json], plan: RunPlan) -> list[str]:
    """The same for the own loop, whose checkpoints hold the names alone."""
    elsewhere = {WAIT_TOOL, "computer", *(server.server_label for server in plan.mcp)}
    elsewhere |= {str(tool.get("type")) for tool in plan.server_tools} | {"apply_patch", "shell", "tool_search"}
    before = [str(name) for name in checkpoint["tools"]]
    said = [
        f"{name} is not there any more"
        for name in before
        if name not in now and name not in elsewhere and not known_when_opened(plan, name)
    ]
    return said + [f"{name} is new" for name in now if name not in before]


class _Shape:
    """Stands for a driver with these members where only their declarations are wanted; none is ever called."""

    def __init__(self, members: Sequence[str]) -> None:
        for member in ("state", *members):
            setattr(self, member, _never)


async def _never(*_: Any) -> Any:
    raise NotImplementedError


def declared(plan: RunPlan, functions: Sequence[ToolSpec], members: Sequence[str]) -> dict[str, Json]:
    """The function tools of a run as it would declare them, by name. `members` are those of its browser."""
    tools: list[Mapping[str, Json]] = [spec.tool for spec in functions]
    if plan.browser is not None and members:
        toolset = AsyncBrowserToolset(
            cast(Any, _Shape(members)), members=list(members), confirm=_never, url_policy=_never
        )
        tools = [*toolset.tools, *tools]
    return {str(tool["name"]): dict(tool) for tool in tools}


def known_when_opened(plan: RunPlan, name: str) -> bool:
    """Whether the tool of that name is declared only once its server or its code environment has been started."""
    servers = (f"{server.name}_" for server in plan.function_servers)
    return name.startswith(tuple(servers)) or (plan.code is not None and name.startswith("exec_"))


def tool_changes(checkpoint: Mapping[str, Any], now: Mapping[str, Json], plan: RunPlan) -> list[str]:
    """How the function tools differ from those of the checkpoint. The SDK goes on with the same only.

    It has the last word: tools that are known only once the run is opened are compared by it.
    """
    if plan.engine == "programs":
        return _named_otherwise(checkpoint, now, plan)
    before = {
        str(tool["name"]): tool
        for tool in checkpoint["tools"]
        if tool.get("type") == "function" and not known_when_opened(plan, str(tool["name"]))
    }
    said = [f"{name} is not there any more" for name in before if name not in now]
    said += [f"{name} is new" for name in now if name not in before]
    said += [
        f"{name} is declared otherwise"
        for name in before
        if name in now and json.dumps(before[name], sort_keys=True) != json.dumps(now[name], sort_keys=True)
    ]
    return said
