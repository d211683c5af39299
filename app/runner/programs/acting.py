"""From a call to its output item: the user's own tools, the two toolsets, servers' approvals, background jobs."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from openai.lib.tool_diagnostics import ToolDiagnosticObserver
from openai.types.responses.response_output_item import McpApprovalRequest

from app.core.programs_plan import WAIT_TOOL
from app.runner.browser import ConsoleBrowser
from app.runner.computer import ComputerCalls, ConsoleComputer
from app.runner.effects import Effect, Effects
from app.runner.mcp import McpApprovals
from app.runner.outputs import OutputRecorder
from app.runner.programs.asked import OwnTool
from app.runner.programs.calls import LocalCalls, Result, failed
from app.runner.programs.diagnosing import Diagnosing
from app.runner.programs.items import AnswerUnusable, Call, Wire
from app.runner.programs.jobs import Job, JobBook
from app.runner.programs.searching import Loaded
from app.runner.programs.tools import LocalTool, WrongCall


class Toolsets:
    """The SDK's two toolsets as the run has them; either may be missing."""

    def __init__(
        self,
        browser: ConsoleBrowser | None,
        computer: ConsoleComputer | None,
        computer_calls: ComputerCalls | None,
        approvals: McpApprovals,
        on_diagnostic: ToolDiagnosticObserver,
        *,
        callers: Sequence[str] = ("direct",),
    ) -> None:
        """`callers`: who may use the browser."""
        self.browser = browser
        self.computer = computer
        self.computer_calls = computer_calls
        self.approvals = approvals
        self.on_diagnostic = on_diagnostic
        self.callers = callers


class Acting:
    """Does one call at a time: no toolset is ever used by two."""

    def __init__(
        self,
        tools: Mapping[str, LocalTool],
        toolsets: Toolsets,
        local: LocalCalls,
        jobs: JobBook,
        effects: Effects,
        outputs: OutputRecorder,
        *,
        browser_names: frozenset[str],
        waits: bool,
        own: Mapping[str, OwnTool],
        diagnosing: Diagnosing,
        loaded: Loaded,
    ) -> None:
        """`own`: the console's own tools, by the kind of call that each answers."""
        self._own = own
        self._diagnosing = diagnosing
        self.loaded = loaded
        """Deferred tools that may be called by now."""
        self._tools = tools
        self._toolsets = toolsets
        self._local = local
        self._jobs = jobs
        self._effects = effects
        self._outputs = outputs
        self._browser_names = browser_names
        self._waits = waits

    def check(self, calls: Sequence[Call]) -> None:
        """Raise `AnswerUnusable` where a call names what this run does not have; nothing of the answer is done then."""
        for call in calls:
            if not self._has(call):
                raise AnswerUnusable("the model's answer named a tool that this run does not have")

    def _has(self, call: Call) -> bool:
        match call.kind:
            case "function_call":
                tool = self._tools.get(call.name)
                known = call.name in self._browser_names or (tool is not None and not tool.is_custom)
                return known or self._is_wait(call)
            case "custom_tool_call":
                tool = self._tools.get(call.name)
                return tool is not None and tool.is_custom
            case "computer_call":
                return self._toolsets.computer is not None
        return call.kind == "mcp_approval_request" or call.kind in self._own

    def _is_wait(self, call: Call) -> bool:
        return self._waits and call.kind == "function_call" and call.name == WAIT_TOOL

    def in_order(self, calls: Sequence[Call]) -> list[Call]:
        """As they came, but waits last: a job is registered before anything waits for it."""
        return sorted(calls, key=self._is_wait)

    def only_waits(self, call: Call) -> bool:
        """Whether nothing hangs on the call but time, so that a stop may give it up."""
        return self._is_wait(call)

    async def outputs(self, call: Call, turn: int) -> list[Wire]:
        """What the next request, that of `turn`, carries for `call`. May wait for a person."""
        match call.kind:
            case "computer_call":
                return [await self._computer(call)]
            case "mcp_approval_request":
                since = self._diagnosing.now()
                approved = await self._toolsets.approvals.approve(call.item)
                reason = "completed" if approved else "refused"
                self._diagnosing.said("approval", reason, call_id=call.call_id, member=call.name, since=since)
                return [call.approval(approve=approved)]
        if call.kind == "function_call" and call.name in self._browser_names:
            return [await self._browser(call)]
        if self._is_wait(call):
            return await self._wait(call, turn)
        if (own := self._own.get(call.kind)) is not None:
            return [await own.answer(call)]
        tool = self._tools[call.name]
        if tool.deferred and call.name not in self.loaded:
            words = f"Not executed: {call.name} is not loaded. Look it up with tool_search first."
            return [self._answered(call, failed(call, tool, "not_available", words))]
        if call.background and not call.program:
            return await self._start(call, tool)
        result = await self._local.answer(call, tool)
        return [self._answered(call, result)]

    async def approve_again(self, request_id: str, history: Sequence[Wire]) -> bool:
        """Ask anew about a server's tool that was approved before; no where the request itself is not there."""
        for raw in history:
            if raw.get("type") == "mcp_approval_request" and raw.get("id") == request_id:
                return await self._toolsets.approvals.approve(McpApprovalRequest.construct(**raw))
        return False

    def _answered(self, call: Call, result: Result) -> Wire:
        self._outputs.answered(call.call_id, {"output": result.content}, ok=result.ok)
        return call.output(result.content)

    async def _browser(self, call: Call) -> Wire:
        assert self._toolsets.browser is not None
        if ("programmatic" if call.program else "direct") not in self._toolsets.callers:
            who = "a program" if call.program else "the model itself"
            words = f"Not executed: the browser may not be used by {who}."
            return self._answered(call, failed(call, None, "not_available", words))
        answered: Any = await self._toolsets.browser.execute(call.item, on_diagnostic=self._toolsets.on_diagnostic)
        output = answered["output"]
        if call.program and isinstance(output, list) and len(output) == 1:
            # A program reads text; blocks are for the model's own eyes.
            output = output[0]["text"]
        return call.output(output)

    async def _computer(self, call: Call) -> Wire:
        computer, calls = self._toolsets.computer, self._toolsets.computer_calls
        assert computer is not None
        assert calls is not None
        output = await computer.execute(
            call.item,
            approve_safety_checks=calls.approve_safety_checks,
            before_action=calls.before_action,
            on_diagnostic=self._toolsets.on_diagnostic,
        )
        return dict(output)

    async def _start(self, call: Call, tool: LocalTool) -> list[Wire]:
        """A background call: registered, asked, started. Its output comes with some later request."""
        try:
            job = self._jobs.register(call, tool)
        except WrongCall as wrong:
            return [self._answered(call, failed(call, tool, wrong.kind, str(wrong)))]
        asked = await self._local.ask(call, tool)
        if isinstance(asked, Result):
            self._jobs.settle(job, asked)
        else:
            self._jobs.start(job, asked, self._local.carry_out)
            # Its start is on record before the next call is looked at.
            await asyncio.sleep(0)
        return []

    async def _wait(self, call: Call, turn: int) -> list[Wire]:
        """Results first, on the calls that they belong to, then the wait's own status."""
        jobs: list[Job] = []

        async def wait() -> Result:
            nonlocal jobs
            jobs, result = await self._jobs.wait_for(call)
            return result

        effect = Effect(
            call.call_id, "functions", call.name, None, reads_only=True, needs_permit=False, background=True
        )
        try:
            result = await self._effects.perform(effect, wait)
        except WrongCall as wrong:
            result = failed(call, None, wrong.kind, str(wrong))
        return [*self._jobs.take(turn, jobs), self._answered(call, result)]
