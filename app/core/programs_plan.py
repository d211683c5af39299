"""What a run file says about programs, background jobs and custom tools, and when the console's own loop runs it."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, Protocol

from pydantic import Field

from app.core.value import Frozen, Json

PROGRAMMATIC = "programmatic_tool_calling"
"""The hosted tool with which the service runs programs that the model writes."""

NOT_HERE = {
    "apply_patch": "patches are not applied here",
    "shell": "no shell is offered here",
    "local_shell": "no shell is offered here",
    "tool_search": "declare every tool from the start, no tool is looked up later",
    "custom": "declare it as [[custom_tools]], so that its calls are asked",
    "function": "declare it as [[functions]], so that its calls are asked",
    "namespace": "tools have no namespaces here",
}
"""Tool types of the service that no loop of the console answers, and what to do instead."""

WAIT_TOOL = "wait_for_tasks"
HANDLE = "task_handle"
"""The argument by which a model names a background job."""

Engine = Literal["responses", "decisions", "programs"]
CallerKind = Literal["direct", "programmatic"]


class LocalToolPlan(Frozen):
    """A tool of the user's own: Python by import path ``package.module:name``. Given keys replace the declaration's."""

    name: str
    import_path: str = Field(alias="import")
    is_async: bool | None = Field(default=None, alias="async")
    """Whether calls run in the background while the model goes on."""
    allowed_callers: tuple[CallerKind, ...] | None = None
    reads_only: bool = False
    """The author's word that it changes nothing: a call that failed was then not done."""


class FunctionPlan(LocalToolPlan):
    """One registered function."""

    output_schema: dict[str, Any] | None = None
    """JSON Schema of the text that it returns; what does not fit is told the model as a failure."""
    allow_output_override: bool = False
    independent: bool = False


class CustomToolPlan(LocalToolPlan):
    """One custom tool: it is called with free text."""


class JobsPlan(Frozen):
    """Background jobs."""

    wait_tool: bool = True
    """Offer ``wait_for_tasks`` where an async tool takes a ``task_handle``."""
    most_running: Annotated[int, Field(ge=1, le=100)] = 8
    """Calls beyond that are answered with a failure, and nothing of them is done."""


def engine_for(given: Mapping[str, Any]) -> Engine:
    """The loop that a run's tools need, where the run file names none."""
    found = own_loop_reasons(given.get("functions", ()), given.get("custom_tools", ()), given.get("server_tools", ()))
    return "programs" if found else "responses"


def own_loop_reasons(
    functions: Iterable[LocalToolPlan],
    custom_tools: Iterable[LocalToolPlan],
    server_tools: Iterable[Mapping[str, Json]],
) -> list[str]:
    """Which tools the SDK's runner refuses, in words; empty when it can run all of them."""
    reasons = [f"the function {one.name} is async" for one in functions if one.is_async]
    reasons += [f"{one.name} is a custom tool" for one in custom_tools]
    reasons += ["programs are offered" for tool in server_tools if tool.get("type") == PROGRAMMATIC][:1]
    return reasons


def wrong_callers(place: str, tool: LocalToolPlan, *, programs: bool) -> str | None:
    """What of a tool's callers cannot be, with its place."""
    callers = tool.allowed_callers
    if callers is None:
        return None
    if not callers:
        return f"{place}.allowed_callers: nobody could call it"
    if "programmatic" in callers and tool.is_async:
        return f"{place}: no program can call an async tool; leave out async or programmatic"
    if "programmatic" in callers and not programs:
        return f'{place}.allowed_callers: programs need [[server_tools]] with type = "{PROGRAMMATIC}"'
    return None


class WholePlan(Protocol):
    """What of a run plan is looked at here."""

    engine: Engine
    functions: tuple[Any, ...]
    custom_tools: tuple[CustomToolPlan, ...]
    server_tools: tuple[dict[str, Any], ...]
    jobs: JobsPlan | None
    browser: Any
    streaming: Any
    context_budget: Any


def wrong_programs(plan: WholePlan) -> list[str]:
    """What of a plan does not fit programs, background jobs and custom tools, or the loop that runs them."""
    reasons = own_loop_reasons(plan.functions, plan.custom_tools, plan.server_tools)
    programs = any(tool.get("type") == PROGRAMMATIC for tool in plan.server_tools)
    if plan.engine != "programs":
        wrong = [f"engine {plan.engine}: it cannot run this, because {reason}" for reason in reasons]
        return wrong + ["jobs: this table needs an async tool"] * (plan.jobs is not None)
    named: list[tuple[str, LocalToolPlan]] = [(f"functions[{at}]", tool) for at, tool in enumerate(plan.functions)]
    if plan.browser is not None and "programmatic" in (plan.browser.allowed_callers or ()) and not programs:
        return [f'browser.allowed_callers: programs need [[server_tools]] with type = "{PROGRAMMATIC}"']
    named += [(f"custom_tools[{at}]", tool) for at, tool in enumerate(plan.custom_tools)]
    wrong = [words for place, tool in named if (words := wrong_callers(place, tool, programs=programs)) is not None]
    wrong += [
        f"{place}.name: {WAIT_TOOL} is the console's own; set jobs.wait_tool = false to offer yours"
        for place, tool in named
        if tool.name == WAIT_TOOL and (plan.jobs is None or plan.jobs.wait_tool)
    ]
    wrong += ["streaming.eager: no call runs early in a programs run"] * plan.streaming.eager
    if plan.context_budget is not None:
        wrong.append("context_budget: a program is resumed from all of its items; see request.context_management")
    return wrong
