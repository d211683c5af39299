"""Drives the SDK's ``AsyncResponsesToolRunner`` turn by turn, in as many segments as the run needs.

A new segment begins at a boundary where the model must be told something that no call's output can carry.
"""

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import Any, cast

from openai import AsyncOpenAI
from openai.lib.computer import AsyncComputerToolset
from openai.lib.responses_tool_runner import (
    AsyncResponsesToolRunner,
    ResponsesRunnerTurn,
    ResponsesToolCheckpoint,
    ToolRunnerCancelledError,
    ToolRunnerError,
)
from openai.lib.tool_diagnostics import ToolDiagnostic
from openai.types.responses import Response

from app.core.breakpoint import Point
from app.core.errors import NotDurable
from app.core.events import SegmentStarted, TurnAnswered, UserTextAdded
from app.core.plan import RunPlan
from app.core.ports import Journal
from app.runner.asking import Asking
from app.runner.browser import ConsoleBrowser
from app.runner.budget import context_budget
from app.runner.checkpoints import Checkpoints, StoppedBeforeRequest
from app.runner.computer import ComputerCalls
from app.runner.diagnostics import diagnostic_reported
from app.runner.early import early_calls
from app.runner.effects import Effects
from app.runner.ending import UNCERTAIN, Ending, unwritable
from app.runner.failures import explain, root_of
from app.runner.holding import Holding
from app.runner.leaving import Leaving
from app.runner.mcp import McpApprovals
from app.runner.outputs import OutputRecorder
from app.runner.received import Received
from app.runner.session_ports import Beginning
from app.runner.stopping import Stopping
from app.runner.told import SAID, observation
from app.runner.turns import server_outputs, turn_answered, turn_rejected
from drivers.errors import NotDone

NOTES = "what the model must know about its last calls"

AT_REST = (None, "boundary")
"""Phases of the newest checkpoint in which nothing of an answer is under way."""


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
    computer: AsyncComputerToolset | None
    computer_calls: ComputerCalls | None
    stopping: Stopping
    received: Received
    holding: Holding
    leaving: Leaving
    said: list[str] = field(default_factory=list)
    """What a person has said to the model and it has not been sent yet."""
    beginning: Beginning | None = None
    driver: Any = None
    """The browser's driver, looked at where a run that goes on begins."""


class ResponsesRun:
    """One run on the Responses API, from its first request to its `Ending`. Never raises but for cancellation."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._recorded_turn = parts.checkpoints.requests
        self._history: tuple[dict[str, Any], ...] = ()
        """Of a fork: what stands before the first message, until the first segment has begun."""
        self._interrupted = False
        self._turned = False
        """Whether this segment has had a turn; before that its first message is on no record but our own."""
        self._approvals = McpApprovals(parts.asking, parts.outputs, parts.holding)
        self._browser_names = frozenset(
            cast(dict[str, str], tool)["name"] for tool in (parts.browser.tools if parts.browser else [])
        )

    async def run(self) -> Ending:
        """Segment after segment, until there is an ending."""
        task = asyncio.current_task()
        self._parts.stopping.interrupt = lambda: self._interrupt(task)
        try:
            return await self._segments()
        except NotDurable as error:
            return unwritable(error, self._parts.effects)
        finally:
            self._parts.stopping.interrupt = lambda: None
            self._parts.stopping.drained = True
            # Whatever is still under way, nothing begins through the SDK any more.
            for toolset in (self._parts.runner, self._parts.browser, self._parts.computer):
                if toolset is not None:
                    toolset.close()

    async def _segments(self) -> Ending:
        told, reason, number = await self._beginning()
        while (stop := self._parts.stopping()) is None:
            number += 1
            resume_from = self._parts.checkpoints.newest
            self._parts.journal.append(
                SegmentStarted(number=number, base_revision=self._parts.checkpoints.revision, reason=reason)
            )
            ending = await self._segment(told, resume_from)
            if ending is not None:
                return ending
            self._history = ()
            told, reason = self._take_notes()
        return Ending("stopped", stop)

    async def _beginning(self) -> tuple[str, str, int]:
        """The first message, why there is a segment, and how many there were."""
        beginning = self._parts.beginning
        if beginning is None:
            return self._parts.plan.task, "the run begins", 0
        told, self._history = beginning.told, beginning.history
        if beginning.look and self._parts.driver is not None:
            told = f"{told}\n{await observation(self._parts.driver)}"
        if beginning.look:
            self._parts.journal.append(UserTextAdded(text=told, reason=beginning.reason))
        return told, beginning.reason, beginning.segments

    async def _segment(self, told: str, resume_from: ResponsesToolCheckpoint | None) -> Ending | None:
        """One SDK run. None when it stopped at a boundary to tell the model something."""
        final: Response | None = None
        self._turned = False
        try:
            async with contextlib.aclosing(self._turns(told, resume_from)) as turns:
                async for turn in turns:
                    self._record(turn)
                    self._turned = True
                    if turn.final:
                        final = turn.response
                    await self._parts.holding.at(_answer_point(turn.response))
                    if not turn.final:
                        self._say(turn)
        except (ToolRunnerCancelledError, asyncio.CancelledError):
            return self._cut_short()
        except ToolRunnerError as error:
            return self._stopped(error)
        except NotDone as refusal:
            # A hold between two calls that nobody could be shown: nothing was begun there, and nothing goes on.
            return Ending("failed", str(refusal))
        except ValueError as error:
            # Only what the SDK checks before it sends anything: the run as it is declared.
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
            approve_mcp=self._approvals.approve,
            before_early_call=early_calls(plan.streaming, parts.asking, self._browser_names),
        )

    def _params(self, told: str) -> dict[str, Any]:
        plan = self._parts.plan
        params: dict[str, Any] = {
            "model": self._parts.model,
            "store": plan.store,
            "input": [*self._history, {"role": "user", "content": told}],
            **(plan.request.fields() if plan.request is not None else {}),
        }
        if (instructions := plan.told_instructions) is not None:
            params["instructions"] = instructions
        declared = [server.declaration() for server in plan.mcp] + [dict(tool) for tool in plan.server_tools]
        if declared:
            params["tools"] = declared
        return params

    def _must_pause(self) -> bool:
        """The SDK's ``cancelled``: true only where the run stays resumable, so that a turn's tools finish first."""
        if self._parts.checkpoints.phase not in AT_REST:
            return False
        return self._parts.stopping() is not None or bool(self._parts.asking.notes) or self._may_be_told()

    def _may_be_told(self) -> bool:
        """Whether a person's words wait and no answer is awaited: a request that has left is not given up for them."""
        return bool(self._parts.said) and self._turned and self._recorded_turn == self._parts.checkpoints.requests

    def _say(self, turn: ResponsesRunnerTurn) -> None:
        """What a person has said up to now goes with this turn's outputs."""
        for text in self._take_said():
            turn.append_user_text(text)

    def _take_said(self) -> list[str]:
        said = list(self._parts.said)
        self._parts.said.clear()
        for text in said:
            self._parts.journal.append(UserTextAdded(text=text, reason=SAID))
        return said

    def _interrupt(self, task: "asyncio.Task[Any] | None") -> None:
        """A stop came. An answer that nothing has begun to act on is not waited for."""
        if task is not None and self._parts.checkpoints.phase in AT_REST and not self._interrupted:
            self._interrupted = True
            task.cancel()

    def _take_notes(self) -> tuple[str, str]:
        """The next segment's first message, and why there is one."""
        notes = "\n".join(self._parts.asking.notes)
        self._parts.asking.notes.clear()
        if notes:
            self._parts.journal.append(UserTextAdded(text=notes, reason=NOTES))
        told = "\n".join([*([notes] if notes else []), *self._take_said()])
        return told, "the model must be told what was not done" if notes else "a person says something to the model"

    def _record(self, turn: ResponsesRunnerTurn) -> None:
        event = turn_answered(turn.response, turn.step, final=turn.final, browser_names=self._browser_names)
        self._answered(event)
        for call_id, output in server_outputs(turn.response):
            self._parts.outputs.answered(call_id, {"output": output}, ok=True)

    def _answered(self, event: TurnAnswered) -> None:
        self._recorded_turn = event.turn
        self._parts.received.clear()
        self._parts.asking.raw_arguments.update({call.call_id: call.raw_arguments for call in event.calls})
        # No call of it runs before the SDK's next save.
        write = self._parts.journal.append if event.final else self._parts.journal.append_soon
        write(event)

    async def _on_event(self, event: Any) -> None:
        self._parts.received.event(event)
        if event.type == "response.output_item.done" and event.item.type == "function_call":
            # An eager call is asked about before its answer is complete.
            self._parts.asking.raw_arguments[event.item.call_id] = event.item.arguments

    def _diagnostic(self, said: ToolDiagnostic) -> None:
        self._parts.journal.append_soon(diagnostic_reported(said, held_ms=self._parts.leaving.held_ms))

    def _stopped(self, error: ToolRunnerError) -> Ending | None:
        root = root_of(error)
        if isinstance(root, NotDurable):
            return unwritable(root, self._parts.effects)
        stop, at_rest = self._parts.stopping(), self._parts.checkpoints.phase in AT_REST
        to_be_told = bool(self._parts.asking.notes) or self._may_be_told()
        if not self._parts.effects.uncertain and stop is None and to_be_told and at_rest:
            return None
        broken_off = self._parts.received.broken_off
        self._record_rejected()
        answer_read = self._recorded_turn >= self._parts.checkpoints.requests
        if root is not error and not isinstance(root, StoppedBeforeRequest):
            self._parts.effects.failed("runner", root)
        receipts = (tuple(error.attempted_call_ids), tuple(error.completed_call_ids))
        if self._parts.effects.uncertain:
            return Ending("needs_reconciling", UNCERTAIN, "", "", *receipts)
        if stop is not None:
            return Ending("stopped", stop, "", "", *receipts)
        return Ending("failed", broken_off or explain(error, root, answer_read=answer_read), "", "", *receipts)

    def _cut_short(self) -> Ending:
        """The run's task was cancelled: by a stop at a place of rest, or because something did not end in time."""
        stop = self._parts.stopping()
        task = asyncio.current_task()
        if stop is None or task is None:
            raise asyncio.CancelledError
        task.uncancel()
        if self._interrupted:
            return Ending("stopped", stop)
        if self._parts.effects.uncertain:
            return Ending("needs_reconciling", f"{stop}; an action did not end in time and was cut off. {UNCERTAIN}")
        if self._parts.checkpoints.requests > self._recorded_turn:
            # Without server tools nothing hangs on an answer and it is given up at once.
            return Ending("stopped", f"{stop}; the model's answer did not come in time, and the service may have acted")
        return Ending("stopped", f"{stop}; a read did not end in time and was given up")

    def _record_rejected(self) -> None:
        """An answer that the SDK rejected before showing it is put on record all the same; nothing of it ran."""
        received, step = self._parts.received.anything, self._parts.checkpoints.requests
        if received is not None and step > self._recorded_turn:
            self._answered(turn_rejected(received, step, browser_names=self._browser_names))


def _answer_point(response: Response) -> Point:
    """The answer as it came, before anything of it runs."""
    return Point("answer", "run", response.id, {"output": [item.to_dict() for item in response.output]})
