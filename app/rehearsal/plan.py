"""What a scenario asks of the console, as the same plan that a run file gives."""

from typing import Any

from app.core.computer_plan import ComputerPlan
from app.core.own_tools_plan import CallerKind, PatchesPlan, ShellPlan, ToolSearchPlan
from app.core.plan import BrowserPlan, CodePlan, McpPlan, RulePlan, RunPlan
from app.core.programs_plan import PROGRAMMATIC
from app.rehearsal.scenario import Scenario

STAY_ON_SITE = "opening pages of the demo site is allowed; what is done there is asked"


def plan_of(scenario: Scenario, site: str, *, sandbox: bool | None, stream: bool = True, folder: str = ".") -> RunPlan:
    """The plan for `scenario` against the demo site at `site` (base URL without a slash at its end). `folder`: where
    the scenario's files lie.
    """
    callers: tuple[CallerKind, ...] | None = ("direct", "programmatic") if scenario.programs else None
    return RunPlan.model_validate(
        {
            "task": scenario.task,
            "max_steps": scenario.max_steps,
            "engine": scenario.engine,
            "store": scenario.store,
            "instructions": scenario.instructions,
            "browser": _browser(scenario, site, sandbox=sandbox),
            "code": CodePlan(languages=("py", "js")) if scenario.code else None,
            "patches": PatchesPlan(folder=folder, allowed_callers=callers) if scenario.files else None,
            "shell": ShellPlan(folder=folder, allowed_callers=callers) if scenario.shell else None,
            "tool_search": ToolSearchPlan(execution="client") if scenario.deferred else None,
            "computer": ComputerPlan() if scenario.computer else None,
            "mcp": tuple(
                McpPlan(
                    server_label=server.label,
                    server_url=server.url,
                    require_approval=server.require_approval,
                    allowed_tools=tuple(server.allowed_tools) or None,
                )
                for server in scenario.mcp
            ),
            "server_tools": ({"type": PROGRAMMATIC},) if scenario.programs else (),
            **({"streaming": {"stream": stream}} if scenario.engine != "decisions" else _choosing(scenario, site)),
            "rules": (RulePlan(verdict="allow", text=STAY_ON_SITE, kinds=("navigation",), origins=(site,)),),
        }
    )


def _browser(scenario: Scenario, site: str, *, sandbox: bool | None) -> BrowserPlan | None:
    """None for a scenario of the own loop that uses no page."""
    if scenario.engine == "programs" and not scenario.members:
        return None
    return BrowserPlan(
        start_url=f"{site}{scenario.start}",
        members=scenario.members or None if scenario.engine == "decisions" else scenario.members,
        confirm_reads=scenario.confirm_reads,
        sandbox=sandbox,
    )


def _choosing(scenario: Scenario, site: str) -> dict[str, Any]:
    """The ``[decisions]`` table."""
    given = scenario.choosing
    candidates = tuple(_with_site(candidate, site) for candidate in given.candidates)
    verify = {"text": given.verify_text} if given.verify_text is not None else None
    options = {"texts": given.texts, "candidates": candidates, "done": given.done, "picture": given.picture}
    return {"decisions": {**options, "verify": verify}}


def _with_site(value: Any, site: str) -> Any:
    if isinstance(value, str):
        return value.replace("{{site}}", site)
    return {key: _with_site(entry, site) for key, entry in value.items()} if isinstance(value, dict) else value
