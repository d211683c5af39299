"""Drives the SDK's ``AsyncResponsesToolRunner`` turn by turn, in as many segments as the run needs.

A new segment begins at a boundary where the model must be told something that no call's output can carry.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from openai import AsyncOpenAI
from openai.lib.responses_tool_runner import (
    AsyncResponsesToolRunner,
    ResponsesRunnerTurn,
    ResponsesToolCheckpoint,
    ToolRunnerCancelledError,
    ToolRunnerError,
)
from openai.lib.tool_diagnostics import ToolDiagnostic
from openai.types.responses import Response

from app.core.events import DiagnosticReported, FailureSeen, RunStatus, SegmentStarted, UserTextAdded
from app.core.plan import RunPlan
from app.core.ports import Journal
from app.runner.asking import Asking
from app.runner.browser import ConsoleBrowser
from app.runner.budget import context_budget
from app.runner.checkpoints import Checkpoints
from app.runner.computer import ComputerCalls
from app.runner.effects import Effects
from app.runner.failures import explain, root_of
from app.runner.mcp import McpApprovals
from app.runner.outputs import OutputRecorder
from app.runner.turns import server_outputs, turn_answered


@dataclass(frozen=True)
class Ending:
    """How the run ended, in words."""

    status: RunStatus
    reason: str
    final_text: str = ""


@dataclass
class Parts:
    """What a run is made of, already tied together."""

    plan: RunPlan
    model: str
    client: AsyncOpenAI
    journal: Journal
    checkpoints: Checkpoints
    asking: Asking
    effects: Effects
    outputs: OutputRecorder
    runner: AsyncResponsesToolRunner
    browser: ConsoleBrowser | None
    computer_calls: ComputerCalls | None
    stopping: Callable[[], str | None]
    """Why the run must stop, or None."""


class ResponsesRun:
    """One run on the Responses API, from its first request to its `Ending`. Never raises but for cancellation."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._last_received: Response | None = None
        self._recorded_turn = 0
        self._browser_names = frozenset(
            cast(dict[str, str], tool)["name"] for tool in (parts.browser.tools if parts.browser else [])
        )

    async def run(self) -> Ending:
        """Segment after segment, until there is an ending."""
        told = self._parts.plan.task
        reason = "the run begins"
        number = 0
        while True:
            number += 1
            resume_from = self._parts.checkpoints.newest
            self._parts.journal.append(
                SegmentStarted(number=number, base_revision=self._parts.checkpoints.revision, reason=reason)
            )
            ending = await self._segment(told, resume_from)
            if ending is not None:
                return ending
            told, reason = self._take_notes(), "the model must be told what was not done"

    async def _segment(self, told: str, resume_from: ResponsesToolCheckpoint | None) -> Ending | None:
        """One SDK run. None when it stopped at a boundary to tell the model something."""
        final: Response | None = None
        try:
            async with contextlib.aclosing(self._turns(told, resume_from)) as turns:
                async for turn in turns:
                    self._turn(turn)
                    if turn.final:
                        final = turn.response
        except ToolRunnerCancelledError:
            raise
        except ToolRunnerError as error:
            return self._stopped(error)
        except ValueError as error:
            return Ending("failed", f"the SDK refuses this run: {error}")
        if final is None:
            return Ending("failed", "the run ended without a final message")
        return Ending("finished", "the model gave its final message", final.output_text)

    def _turns(self, told: str, resume_from: ResponsesToolCheckpoint | None) -> Any:
        parts, plan = self._parts, self._parts.plan
        return parts.runner.iterate(
            parts.client,
            cast(Any, self._params(told)),
            max_steps=plan.max_steps,
            stream=plan.streaming.stream,
            eager=plan.streaming.eager,
            max_concurrent_calls=plan.streaming.max_concurrent_calls,
            on_event=self._on_event if plan.streaming.stream else None,
            cancelled=self._must_pause,
            approve_safety_checks=parts.computer_calls.approve_safety_checks if parts.computer_calls else None,
            before_action=parts.computer_calls.before_action if parts.computer_calls else None,
            ledger=parts.checkpoints.ledger(resume_from),
            context_budget=context_budget(plan.context_budget),
            on_diagnostic=self._diagnostic,
            approve_mcp=McpApprovals(parts.asking, parts.outputs).approve,
        )

    def _params(self, told: str) -> dict[str, Any]:
        plan = self._parts.plan
        params: dict[str, Any] = {
            "model": self._parts.model,
            "store": plan.store,
            "input": [{"role": "user", "content": told}],
        }
        if plan.instructions is not None:
            params["instructions"] = plan.instructions
        declared = [server.declaration() for server in plan.mcp] + [dict(tool) for tool in plan.server_tools]
        if declared:
            params["tools"] = declared
        return params

    def _must_pause(self) -> bool:
        """The SDK's ``cancelled``: true only where the run stays resumable, so that a turn's tools finish first."""
        if self._parts.checkpoints.phase != "boundary":
            return False
        return self._parts.stopping() is not None or bool(self._parts.asking.notes)

    def _take_notes(self) -> str:
        told = "\n".join(self._parts.asking.notes)
        self._parts.asking.notes.clear()
        self._parts.journal.append(UserTextAdded(text=told, reason="what the model must know about its last calls"))
        return told

    def _turn(self, turn: ResponsesRunnerTurn) -> None:
        self._record(turn.response, turn.step, final=turn.final)
        if self._parts.browser is not None:
            self._parts.browser.begin_turn()

    def _record(self, response: Response, step: int, *, final: bool) -> None:
        event = turn_answered(response, step, final=final, browser_names=self._browser_names)
        self._recorded_turn = step
        self._parts.asking.turn = step
        self._parts.asking.raw_arguments = {call.call_id: call.raw_arguments for call in event.calls}
        self._parts.journal.append(event)
        for call_id, output in server_outputs(response):
            self._parts.outputs.answered(call_id, {"output": output}, ok=True)

    async def _on_event(self, event: Any) -> None:
        if event.type in ("response.completed", "response.failed", "response.incomplete"):
            self._last_received = event.response

    def _diagnostic(self, said: ToolDiagnostic) -> None:
        usage = said["usage"]
        self._parts.journal.append(
            DiagnosticReported(
                api=said["api"],
                stage=said["stage"],
                reason=said["reason"],
                call_id=said["call_id"],
                member=said["member"],
                duration_ms=said["duration_ms"],
                input_tokens=usage["input_tokens"] if usage else None,
                output_tokens=usage["output_tokens"] if usage else None,
                total_tokens=usage["total_tokens"] if usage else None,
            )
        )

    def _stopped(self, error: ToolRunnerError) -> Ending | None:
        stop = self._parts.stopping()
        if stop is None and self._parts.asking.notes and self._parts.checkpoints.phase == "boundary":
            return None
        self._record_unyielded()
        root = root_of(error)
        if root is not error:
            self._parts.journal.append(
                FailureSeen(where="runner", error=type(root).__name__, detail=str(root) or str(error))
            )
        if self._parts.effects.uncertain:
            return Ending("needs_reconciling", "an action may have happened; only a person can say whether it did")
        if stop is not None:
            return Ending("stopped", stop)
        return Ending("failed", explain(error, root))

    def _record_unyielded(self) -> None:
        """An answer that the SDK rejected before showing it is put on record all the same; nothing of it ran."""
        response = self._last_received
        step = self._parts.checkpoints.newest["consumed_requests"] if self._parts.checkpoints.newest else 0
        if response is not None and step > self._recorded_turn:
            self._record(response, step, final=False)
