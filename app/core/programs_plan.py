"""What a run file says about programs, background jobs and custom tools, and when the console's own loop runs it."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, Protocol

from pydantic import Field, field_validator

from app.core.own_tools_plan import CallerKind, PatchesPlan, ShellPlan, ToolSearchPlan
from app.core.value import Frozen, Json

PROGRAMMATIC = "programmatic_tool_calling"
"""The hosted tool with which the service runs programs that the model writes."""

NOT_HERE = {
    "apply_patch": "declare it as [patches], so that each patch is asked",
    "shell": 'declare it as [shell], so that its commands are asked, or with environment = { type = "container_auto" }',
    "local_shell": "declare it as [shell], so that its commands are asked",
    "tool_search": "declare it as [tool_search]",
    "custom": "declare it as [[custom_tools]], so that its calls are asked",
    "function": "declare it as [[functions]], so that its calls are asked",
    "namespace": "tools have no namespaces here",
}
"""Tool types of the service that no loop of the console answers, and what to do instead."""

WAIT_TOOL = "wait_for_tasks"
HANDLE = "task_handle"
"""The argument by which a model names a background job."""

Engine = Literal["responses", "decisions", "programs"]


def module_and_name(value: str | None) -> str | None:
    """An import path as it stands. Raises `ValueError` where it cannot be one."""
    if value is not None and (value.count(":") != 1 or not all(value.split(":"))):
        raise ValueError("write package.module:name")
    return value


class LocalToolPlan(Frozen):
    """A tool of the user's own: Python by import path ``package.module:name``. Given keys replace the declaration's."""

    name: str
    import_path: str = Field(alias="import")
    is_async: bool | None = Field(default=None, alias="async")
    """Whether calls run in the background while the model goes on."""
    allowed_callers: tuple[CallerKind, ...] | None = None
    defer_loading: bool | None = None
    """Whether the model must look it up with ``tool_search`` before it can be called."""
    reads_only: bool = False
    """The author's word that it changes nothing: a call that failed was then not done."""

    _paths = field_validator("import_path")(module_and_name)


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
    functions, custom_tools, server_tools = (
        given.get(key, ()) for key in ("functions", "custom_tools", "server_tools")
    )
    tables = {key: given.get(key) for key in OWN_TABLES}
    found = own_loop_reasons(functions, custom_tools, server_tools, tables)
    return "programs" if found else "responses"


OWN_TABLES = {
    "patches": "patches of files are offered",
    "shell": "a shell is offered",
    "tool_search": "tools are looked up",
}
"""Tables of a run file that the SDK's runner has no tool for, and the reason in words."""


def own_loop_reasons(
    functions: Iterable[LocalToolPlan],
    custom_tools: Iterable[LocalToolPlan],
    server_tools: Iterable[Mapping[str, Json]],
    tables: Mapping[str, object],
) -> list[str]:
    """Which tools the SDK's runner refuses, in words; empty when it can run all of them."""
    reasons = [f"the function {one.name} is async" for one in functions if one.is_async]
    reasons += [f"{one.name} is a custom tool" for one in custom_tools]
    declared = {str(tool.get("type")) for tool in server_tools}
    reasons += ["programs are offered"] * (PROGRAMMATIC in declared)
    reasons += ["the service's shell is offered"] * ("shell" in declared)
    return reasons + [words for key, words in OWN_TABLES.items() if tables.get(key) is not None]


def hosted_shell(tool: Mapping[str, Any]) -> bool:
    """Whether the shell is one in a container of the service, which runs its commands there."""
    environment = tool.get("environment")
    kind = environment.get("type") if isinstance(environment, Mapping) else None
    return tool.get("type") == "shell" and kind in ("container_auto", "container_reference")


def wrong_callers(place: str, tool: "LocalToolPlan | PatchesPlan | ShellPlan", *, programs: bool) -> str | None:
    """What of a tool's callers cannot be, with its place."""
    callers = tool.allowed_callers
    if callers is None:
        return None
    if not callers:
        return f"{place}.allowed_callers: nobody could call it"
    if "programmatic" in callers and isinstance(tool, LocalToolPlan) and tool.is_async:
        return f"{place}: no program can call an async tool; leave out async or programmatic"
    if "programmatic" in callers and not programs:
        return f'{place}.allowed_callers: programs need [[server_tools]] with type = "{PROGRAMMATIC}"'
    return None


NOTHING_TO_LOOK_UP = "[tool_search] has nothing to look up; give a tool defer_loading = true"


def wrong_deferred(plan: "WholePlan") -> list[str]:
    """What of deferred tools cannot be."""
    named: list[tuple[str, Any]] = [
        (f"{key}[{at}]", tool)
        for key, tools in (("functions", plan.functions), ("custom_tools", plan.custom_tools), ("mcp", plan.mcp))
        for at, tool in enumerate(tools)
    ]
    deferred = [place for place, tool in named if tool.defer_loading]
    if plan.tool_search is None:
        return [f"{place}.defer_loading: the model could never look it up; add [tool_search]" for place in deferred]
    if plan.tool_search.execution == "client" and any(place.startswith("mcp") for place in deferred):
        return ['mcp: the console cannot search a server\'s tools; say tool_search.execution = "server"']
    return []


class WholePlan(Protocol):
    """What of a run plan is looked at here."""

    engine: Engine
    functions: tuple[Any, ...]
    custom_tools: tuple[CustomToolPlan, ...]
    server_tools: tuple[dict[str, Any], ...]
    jobs: JobsPlan | None
    mcp: tuple[Any, ...]
    patches: PatchesPlan | None
    shell: ShellPlan | None
    tool_search: ToolSearchPlan | None
    browser: Any
    streaming: Any
    context_budget: Any


def _never_called(plan: WholePlan) -> list[str]:
    found = [wrong_callers(f"functions[{at}]", tool, programs=False) for at, tool in enumerate(plan.functions)]
    return [words for words in found if words is not None] + wrong_deferred(plan)


def wrong_programs(plan: WholePlan) -> list[str]:
    """What of a plan does not fit programs, background jobs and custom tools, or the loop that runs them."""
    tables = {key: getattr(plan, key) for key in OWN_TABLES}
    reasons = own_loop_reasons(plan.functions, plan.custom_tools, plan.server_tools, tables)
    programs = any(tool.get("type") == PROGRAMMATIC for tool in plan.server_tools)
    if plan.engine != "programs":
        wrong = [f"engine {plan.engine}: it cannot run this, because {reason}" for reason in reasons]
        wrong += ["jobs: this table needs an async tool"] * (plan.jobs is not None)
        # Nothing here could call such a tool: it would be declared and never used.
        return wrong if reasons else wrong + _never_called(plan)
    named: list[tuple[str, Any]] = [(f"functions[{at}]", tool) for at, tool in enumerate(plan.functions)]
    if plan.browser is not None and "programmatic" in (plan.browser.allowed_callers or ()) and not programs:
        return [f'browser.allowed_callers: programs need [[server_tools]] with type = "{PROGRAMMATIC}"']
    named += [(f"custom_tools[{at}]", tool) for at, tool in enumerate(plan.custom_tools)]
    named += [(key, table) for key in ("patches", "shell") if (table := getattr(plan, key)) is not None]
    wrong = [words for place, tool in named if (words := wrong_callers(place, tool, programs=programs)) is not None]
    named = [(place, tool) for place, tool in named if isinstance(tool, LocalToolPlan)]
    wrong += wrong_deferred(plan)
    wrong += [
        f"{place}.name: {WAIT_TOOL} is the console's own; set jobs.wait_tool = false to offer yours"
        for place, tool in named
        if tool.name == WAIT_TOOL and (plan.jobs is None or plan.jobs.wait_tool)
    ]
    wrong += ["streaming.eager: no call runs early in a programs run"] * plan.streaming.eager
    if plan.context_budget is not None:
        wrong.append("context_budget: a program is resumed from all of its items; see request.context_management")
    return wrong
