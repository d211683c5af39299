"""Puts one run of the own loop together: its tools declared, and everything that acts tied around the gate."""

from collections.abc import Mapping
from typing import Any, cast

from app.core.plan import RunPlan
from app.core.ports import Journal
from app.core.programs_plan import JobsPlan
from app.runner.code import code_functions
from app.runner.diagnostics import diagnostic_reported
from app.runner.holding import Holding
from app.runner.mcp import McpApprovals
from app.runner.opened import Opened
from app.runner.programs.acting import Acting, Toolsets
from app.runner.programs.asked import OwnTool
from app.runner.programs.calls import LocalCalls
from app.runner.programs.diagnosing import Diagnosing
from app.runner.programs.items import Wire
from app.runner.programs.jobs import JobBook
from app.runner.programs.loop import ProgramParts
from app.runner.programs.own import HOSTED_SEARCH, own_tools
from app.runner.programs.saving import LoopCheckpoints
from app.runner.programs.searching import Loaded
from app.runner.programs.service import Service
from app.runner.programs.tools import WAIT_DECLARATION, LocalTool, local_tools
from app.runner.tying import Tied, tie


def program_parts(opened: Opened) -> ProgramParts:
    """Everything of one such run. Raises `UsageProblem` when its tools do not fit together."""
    plan, ports, journal, gate = opened.plan, opened.ports, opened.journal, opened.gate
    environment, holding, leaving = opened.environment, opened.holding, opened.leaving
    stopping, received = opened.stopping, opened.received
    checkpoints = LoopCheckpoints(ports.started.run_id, journal, plan.max_steps, (), stopping)
    beginning = ports.beginning
    if beginning is not None:
        checkpoints.history = list(beginning.history)
        if beginning.base is not None:
            checkpoints.take_up(beginning.base)
    holding.turns = leaving.requests = checkpoints
    tied = tie(opened, checkpoints)
    tools = local_tools([*opened.functions, *code_functions(environment.code, tied.asking, checkpoints, journal)])
    options = plan.jobs or JobsPlan()
    waits = options.wait_tool and any(tool.declared.get("async") and tool.takes_handle for tool in tools.values())
    loaded = Loaded()
    loaded.see(checkpoints.history)
    diagnosing = Diagnosing(journal, ports.clock)
    own = own_tools(plan, environment, tied, holding, tools, loaded, diagnosing)
    declared = declarations(plan, tied, tools, own, waits=waits)
    names = [str(tool.get("name") or tool.get("server_label") or tool.get("type")) for tool in declared]
    # Also of those that a search here gives: they are the run's tools all the same.
    checkpoints.tools = [*names, *(name for name in tools if name not in names)]
    jobs = JobBook(
        journal,
        tied.outputs,
        tied.effects.outcomes.get,
        most_running=options.most_running,
        before=beginning.loop.tasks if beginning is not None else None,
    )
    gate.cancel_job = jobs.cancel
    browser_names = frozenset(
        cast(dict[str, str], tool)["name"] for tool in (tied.browser.tools if tied.browser else [])
    )
    return ProgramParts(
        plan=plan,
        journal=journal,
        checkpoints=checkpoints,
        asking=tied.asking,
        effects=tied.effects,
        outputs=tied.outputs,
        jobs=jobs,
        acting=Acting(
            tools,
            _toolsets(plan, tied, journal, holding),
            LocalCalls(tied.asking, tied.effects, tied.outputs, holding, diagnosing),
            jobs,
            tied.effects,
            tied.outputs,
            browser_names=browser_names,
            waits=waits,
            own=own,
            diagnosing=diagnosing,
            loaded=loaded,
        ),
        service=Service(opened.client, plan, ports.service.model, declared, received),
        stopping=stopping,
        received=received,
        said=ports.said,
        holding=holding,
        diagnosing=diagnosing,
        leaving=leaving,
        browser_names=browser_names,
        beginning=beginning,
        driver=environment.browser,
    )


def _toolsets(plan: RunPlan, tied: Tied, journal: Journal, holding: Holding) -> Toolsets:
    return Toolsets(
        tied.browser,
        tied.computer,
        tied.computer_calls,
        McpApprovals(tied.asking, tied.outputs, holding),
        lambda said: _noted(journal, said),
        callers=(plan.browser.allowed_callers if plan.browser is not None else None) or ("direct",),
    )


def declarations(
    plan: RunPlan, tied: Tied, tools: dict[str, LocalTool], own: Mapping[str, OwnTool], *, waits: bool
) -> list[Wire]:
    """All tools as each request declares them. What the console's own search finds comes with its outputs."""
    found_here = "tool_search_call" in own
    callers = plan.browser.allowed_callers if plan.browser is not None else None
    extra = {"allowed_callers": list(callers)} if callers is not None else {}
    declared: list[Wire] = [{**tool, **extra} for tool in (tied.browser.tools if tied.browser else [])]
    computer_declared = any(str(tool.get("type", "")).startswith("computer") for tool in plan.server_tools)
    if tied.computer is not None and not computer_declared:
        declared.append({"type": "computer"})
    declared += [dict(tool.declared) for tool in tools.values() if not (found_here and tool.deferred)]
    if waits:
        declared.append(WAIT_DECLARATION)
    declared += [tool.declared for tool in own.values()]
    if plan.tool_search is not None and not found_here:
        declared.append(HOSTED_SEARCH)
    return declared + [server.declaration() for server in plan.mcp] + [dict(tool) for tool in plan.server_tools]


def _noted(journal: Journal, said: Any) -> None:
    journal.append_soon(diagnostic_reported(said))
