"""The console's own tools as a run has them: patches, a shell, the search for tools; each by the call it answers."""

from collections.abc import Callable, Mapping, Sequence

from app.core.ask import AskKind, Source
from app.core.errors import UsageProblem
from app.core.plan import RunPlan
from app.core.programs_plan import NOTHING_TO_LOOK_UP
from app.runner.holding import Holding
from app.runner.programs.asked import Asked, OwnTool
from app.runner.programs.diagnosing import Diagnosing
from app.runner.programs.items import Wire
from app.runner.programs.patches import Patches
from app.runner.programs.searching import Loaded, ToolSearch
from app.runner.programs.shell import Shell
from app.runner.programs.tools import LocalTool
from app.runner.session_ports import Environment
from app.runner.tying import UNFITTING, Tied

HOSTED_SEARCH: Wire = {"type": "tool_search"}


def own_tools(
    plan: RunPlan,
    environment: Environment,
    tied: Tied,
    holding: Holding,
    tools: Mapping[str, LocalTool],
    loaded: Loaded,
    diagnosing: Diagnosing,
) -> dict[str, OwnTool]:
    """Those that the plan names, by the kind of call. Raises `UsageProblem` where tools do not fit together."""

    def asked(kind: AskKind, source: Source, member: str, callers: Sequence[str] | None) -> Asked:
        given = tuple(callers or ("direct",))
        return Asked(kind, source, member, given, tied.asking, tied.effects, tied.outputs, holding, diagnosing)

    made: dict[str, Callable[[], OwnTool]] = {}
    patches, shell, search = plan.patches, plan.shell, plan.tool_search
    require_search(plan, list(tools.values()))
    deferred = [tool for tool in tools.values() if tool.deferred]
    if patches is not None:
        made["apply_patch_call"] = lambda: Patches(
            environment.files, asked("patch", "functions", "apply_patch", patches.allowed_callers)
        )
    if shell is not None:
        made["shell_call"] = lambda: Shell(environment.shell, asked("shell", "code", "shell", shell.allowed_callers))
    if search is not None and search.execution == "client":
        made["tool_search_call"] = lambda: ToolSearch(
            deferred, loaded, asked("tool_search", "functions", "tool_search", None), most=search.most_found
        )
    return {kind: make() for kind, make in made.items()}


def require_search(plan: RunPlan, tools: Sequence[LocalTool]) -> None:
    """What is deferred can be looked up, and there is something to look up. Raises `UsageProblem`."""
    deferred = next((tool for tool in tools if tool.deferred), None)
    if deferred is not None and plan.tool_search is None:
        raise UsageProblem(f"{UNFITTING}: {deferred.name!r} is deferred, and there is no [tool_search]")
    if plan.tool_search is not None and deferred is None and not any(server.defer_loading for server in plan.mcp):
        raise UsageProblem(f"{UNFITTING}: {NOTHING_TO_LOOK_UP}")
