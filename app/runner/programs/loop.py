"""The own loop, turn by turn: request, answer, its calls one by one, their outputs, until the final message.

Reads like `runner/responses.py` and keeps the same order on record; what differs is in `docs/programs.md`.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from openai.types.responses import Response

from app.core.breakpoint import Point
from app.core.errors import NotDurable
from app.core.events import SegmentStarted, UserTextAdded
from app.core.plan import RunPlan
from app.core.ports import Journal
from app.core.programs_plan import PROGRAMMATIC
from app.runner.asking import Asking
from app.runner.checkpoints import StoppedBeforeRequest
from app.runner.effects import Effects
from app.runner.ending import UNCERTAIN, Ending, unwritable
from app.runner.failures import explain, root_of
from app.runner.holding import Holding
from app.runner.leaving import Leaving
from app.runner.outputs import OutputRecorder
from app.runner.programs.acting import Acting
from app.runner.programs.diagnosing import Diagnosing
from app.runner.programs.items import (
    AnswerUnusable,
    Call,
    KnownIds,
    Wire,
    is_final,
    refusal_of,
    unused_approvals,
    wire_items,
)
from app.runner.programs.jobs import JobBook
from app.runner.programs.saving import LoopCheckpoints
from app.runner.programs.service import BrokenOff, Service
from app.runner.received import Received
from app.runner.responses import NOTES
from app.runner.session_ports import Beginning, LoopBefore
from app.runner.stopping import Stopping
from app.runner.told import SAID, observation
from app.runner.turns import server_outputs, turn_answered, turn_rejected
from drivers.errors import NotDone

log = logging.getLogger(__name__)

LIMIT = "the step limit was reached before the final message; what the last answer proposed was not done"
BUDGET = "the token budget was used up before the final message; what the last answer proposed was not done"


@dataclass
class ProgramParts:
    """What such a run is made of, already tied together."""

    plan: RunPlan
    journal: Journal
    checkpoints: LoopCheckpoints
    asking: Asking
    effects: Effects
    outputs: OutputRecorder
    jobs: JobBook
    acting: Acting
    service: Service
    stopping: Stopping
    received: Received
    said: list[str]
    """What a person has said to the model and it has not been sent yet."""
    holding: Holding
    diagnosing: Diagnosing
    leaving: Leaving
    browser_names: frozenset[str]
    beginning: Beginning | None = None
    driver: Any = None
    """The browser's driver, looked at where a run that goes on begins."""


class ProgramsRun:
    """One run of the own loop, from its first request to its `Ending`. Never raises but for cancellation."""

    def __init__(self, parts: ProgramParts) -> None:
        self._parts = parts
        before = parts.beginning.loop if parts.beginning is not None else LoopBefore()
        self._known = KnownIds.of(parts.checkpoints.history)
        self._previous = before.previous
        self._sent = before.sent
        """How many items of the history the service has, where it stores them."""
        self._tokens = before.tokens
        self._at_rest = False
        self._interrupted = False

    async def run(self) -> Ending:
        """Turn after turn, then what is left of the jobs."""
        parts, task = self._parts, asyncio.current_task()
        parts.stopping.interrupt = lambda: self._interrupt(task)
        try:
            ending = await self._guarded(self._turns)
            return await self._guarded(lambda: self._drained(ending))
        finally:
            parts.stopping.interrupt = lambda: None
            parts.stopping.drained = True

    async def _guarded(self, do: Callable[[], Any]) -> Ending:
        effects = self._parts.effects
        try:
            ending: Ending = await do()
        except NotDurable as error:
            return unwritable(error, effects)
        except NotDone as refusal:
            # A hold that nobody could be shown: nothing was begun there, and nothing goes on.
            return Ending("failed", str(refusal))
        except asyncio.CancelledError:
            return self._cut_short()
        return ending

    async def _turns(self) -> Ending:
        parts = self._parts
        await self._begin()
        while (stop := parts.stopping()) is None:
            if (over := self._no_more_requests()) is not None:
                return Ending("failed", over)
            self._add_what_came_up()
            answer = await self._request()
            ending = answer if isinstance(answer, Ending) else await self._act_on(answer)
            if ending is not None:
                return ending
        return Ending("stopped", stop)

    async def _begin(self) -> None:
        """The first message of this process, and why there is a segment."""
        parts, beginning = self._parts, self._parts.beginning
        told, reason, number = parts.plan.task, "the run begins", 1
        if beginning is not None:
            told, reason, number = beginning.told, beginning.reason, beginning.segments + 1
            if beginning.look and parts.driver is not None:
                told = f"{told}\n{await observation(parts.driver)}"
            if beginning.look:
                parts.journal.append(UserTextAdded(text=told, reason=reason))
        reasons = "; ".join(parts.plan.own_loop_reasons) or "the run file asks for it"
        why = f"{reason}, in the console's own loop: {reasons}"
        parts.journal.append(SegmentStarted(number=number, base_revision=parts.checkpoints.revision, reason=why))
        await self._ask_again()
        parts.checkpoints.history.append({"role": "user", "content": told})

    async def _ask_again(self) -> None:
        """What another process allowed a server's tool, and no answer has followed yet, is allowed no more."""
        history = self._parts.checkpoints.history
        for at, item in unused_approvals(history):
            approved = await self._parts.acting.approve_again(item["approval_request_id"], history)
            history[at] = {**item, "approve": approved}

    def _no_more_requests(self) -> str | None:
        limit = self._parts.plan.limits.max_total_tokens
        if limit is not None and self._tokens >= limit:
            return BUDGET
        if self._parts.checkpoints.requests < self._parts.plan.max_steps:
            return None
        self._parts.diagnosing.said("run", "step_limit")
        return LIMIT

    def _add_what_came_up(self) -> None:
        """Outputs of jobs that have ended, what no call's output can say, what a person says."""
        parts = self._parts
        parts.checkpoints.history += parts.jobs.take(parts.checkpoints.requests + 1)
        notes, said = "\n".join(parts.asking.notes), list(parts.said)
        parts.asking.notes.clear()
        parts.said.clear()
        for told, reason in [*([(notes, NOTES)] if notes else []), *((text, SAID) for text in said)]:
            parts.journal.append(UserTextAdded(text=told, reason=reason))
            parts.checkpoints.history.append({"role": "user", "content": told})

    async def _request(self) -> Response | Ending:
        parts = self._parts
        parts.checkpoints.admit()
        history = parts.checkpoints.history
        stored = parts.plan.store and self._previous is not None
        since = parts.diagnosing.now()
        try:
            # What the service does on the way to an answer cannot be called back: such a request is waited for.
            self._rest(not self._service_acts)
            answer = await parts.service.answer(history[self._sent :] if stored else history, self._previous)
        except BrokenOff:
            self._diagnosed("api_failed", since)
            self._rejected()
            why = parts.received.broken_off or "the model service broke off its answer"
            return Ending("failed", why)
        except Exception as error:
            log.info("a request failed", exc_info=True)
            ending = self._not_answered(error)
            self._diagnosed("cancelled" if ending.status == "stopped" else "api_failed", since)
            return ending
        finally:
            self._at_rest = False
        self._diagnosed("completed", since, answer)
        self._tokens += answer.usage.total_tokens if answer.usage is not None else 0
        return answer

    def _diagnosed(self, reason: str, since: int, answer: Response | None = None) -> None:
        parts, usage = self._parts, answer.usage if answer is not None else None
        parts.diagnosing.said("request", reason, since=since, held_ms=parts.leaving.held_ms, usage=usage)

    def _not_answered(self, error: Exception) -> Ending:
        """Why a request brought no answer; the client wraps what was raised while it was about to leave."""
        parts, root = self._parts, root_of(error)
        if isinstance(root, NotDurable):
            raise root
        if isinstance(root, StoppedBeforeRequest):
            return Ending("stopped", parts.stopping() or "the run was stopped")
        broken = parts.received.broken_off
        self._rejected()
        parts.effects.failed("runner", error)
        words = str(root) if isinstance(root, NotDone) else explain(error, error, answer_read=False)
        return Ending("failed", broken or words)

    def _rejected(self) -> None:
        """An answer that is not acted on is on record all the same, as far as it came."""
        received = self._parts.received
        if (anything := received.anything) is not None:
            turn = self._parts.checkpoints.requests
            self._parts.journal.append(turn_rejected(anything, turn, browser_names=self._parts.browser_names))
        received.clear()

    async def _act_on(self, answer: Response) -> Ending | None:
        """Do what the answer asks for; None when another request is to follow."""
        parts = self._parts
        if answer.status not in (None, "completed"):
            why = parts.received.broken_off or f"the model's answer is {answer.status}"
            self._rejected()
            return Ending("failed", why)
        try:
            items = wire_items(answer)
            parts.acting.loaded.see(items)
            calls = self._known.calls_of(answer, items)
            parts.acting.check(calls)
        except AnswerUnusable as error:
            self._rejected()
            return Ending("failed", str(error))
        said_all = is_final(items)
        final = said_all and not calls and not parts.jobs.outstanding
        self._record(answer, calls, final=final)
        parts.checkpoints.pending = items
        await self._held(Point("answer", "run", answer.id, {"output": items}))
        if final:
            return self._finished(answer, items)
        if calls and (over := self._no_more_requests()) is not None:
            return Ending("failed", over)
        parts.checkpoints.save("programs_pending")
        if (ending := await self._do(calls)) is not None:
            return ending
        news = bool(parts.checkpoints.outputs)
        self._turn_over(answer, items)
        if not news and (said_all or calls):
            await self._wait_for_a_job()
        return None

    async def _held(self, point: Point) -> None:
        """Wait where a person wants the run held; a stop ends the wait."""
        try:
            self._rest(True)
            await self._parts.holding.at(point)
        finally:
            self._at_rest = False

    def _record(self, answer: Response, calls: list[Call], *, final: bool) -> None:
        parts = self._parts
        turn = parts.checkpoints.requests
        event = turn_answered(answer, turn, final=final, browser_names=parts.browser_names)
        parts.received.clear()
        texts = {call.call_id: call.raw.get("arguments") for call in calls}
        parts.asking.raw_arguments.update({call_id: text for call_id, text in texts.items() if isinstance(text, str)})
        parts.journal.append(event)
        for call_id, output in server_outputs(answer):
            parts.outputs.answered(call_id, {"output": output}, ok=True)

    def _finished(self, answer: Response, items: list[Wire]) -> Ending:
        parts = self._parts
        parts.checkpoints.save("programs_final", answer.to_dict(warnings=False))
        refusal = refusal_of(items)
        reason = "the model refused" if refusal else "the model gave its final message"
        return Ending("finished", reason, answer.output_text or refusal)

    async def _do(self, calls: list[Call]) -> Ending | None:
        """Each call in turn; waits come last, since they may be for jobs that the same answer starts."""
        parts = self._parts
        checkpoints = parts.checkpoints
        for call in parts.acting.in_order(calls):
            checkpoints.attempted.append(call.call_id)
            checkpoints.save("programs_pending")
            try:
                self._rest(parts.acting.only_waits(call))
                checkpoints.outputs += await parts.acting.outputs(call, checkpoints.requests + 1)
            except NotDurable:
                raise
            except Exception as error:
                log.info("a call ended the run", exc_info=True)
                return self._stopped_by(error)
            finally:
                self._at_rest = False
            if parts.jobs.broken is not None:
                raise parts.jobs.broken
            if self._uncertain():
                return Ending("needs_reconciling", UNCERTAIN)
            if not parts.jobs.is_job(call.call_id):
                checkpoints.returned.append(call.call_id)
        return None

    def _turn_over(self, answer: Response, items: list[Wire]) -> None:
        checkpoints = self._parts.checkpoints
        self._sent = len(checkpoints.history) + len(items)
        self._previous = answer.id if self._parts.plan.store else None
        checkpoints.close_turn()

    async def _wait_for_a_job(self) -> None:
        """There is nothing to tell the model before a job ends."""
        jobs = self._parts.jobs
        try:
            self._rest(True)
            await jobs.one_ended()
        finally:
            self._at_rest = False
        if jobs.broken is not None:
            raise jobs.broken

    def _uncertain(self) -> bool:
        """Whether a call other than a job may have happened; a job's fate is told to the model."""
        outcomes = self._parts.effects.outcomes.items()
        return any(word == "may_have_happened" and not self._parts.jobs.is_job(call) for call, word in outcomes)

    def _stopped_by(self, error: Exception) -> Ending:
        effects, stop = self._parts.effects, self._parts.stopping()
        if self._uncertain():
            return Ending("needs_reconciling", UNCERTAIN)
        effects.failed("runner", error)
        if stop is not None:
            return Ending("stopped", stop)
        return Ending("failed", explain(error, error, answer_read=True))

    async def _drained(self, ending: Ending) -> Ending:
        """Let jobs that still run come to their end, or cut them off; nothing of them goes on after the run."""
        jobs, effects = self._parts.jobs, self._parts.effects
        cut_off = ""
        try:
            if not await jobs.drain(self._parts.plan.limits.drain_secs):
                cut_off = "; a background job did not end in time and was cut off"
        except asyncio.CancelledError:
            if (task := asyncio.current_task()) is not None:
                task.uncancel()
            cut_off = "; a background job did not end in time and was cut off"
        if jobs.broken is not None:
            return unwritable(jobs.broken, effects)
        if effects.uncertain and ending.status != "needs_reconciling":
            return Ending("needs_reconciling", f"{ending.reason}{cut_off}. {UNCERTAIN}", ending.final_text)
        return ending

    @property
    def _service_acts(self) -> bool:
        plan = self._parts.plan
        return bool(plan.mcp) or any(tool.get("type") != PROGRAMMATIC for tool in plan.server_tools)

    def _rest(self, resting: bool) -> None:
        """What is waited for from here on may be given up when a stop comes."""
        self._at_rest = resting

    def _interrupt(self, task: "asyncio.Task[Any] | None") -> None:
        if task is not None and self._at_rest and not self._interrupted:
            self._interrupted = True
            task.cancel()

    def _cut_short(self) -> Ending:
        """The run's task was cancelled: by a stop at a place of rest, or because something did not end in time."""
        stop, task = self._parts.stopping(), asyncio.current_task()
        if stop is None or task is None:
            raise asyncio.CancelledError
        task.uncancel()
        if self._interrupted:
            return Ending("stopped", stop)
        if self._uncertain():
            return Ending("needs_reconciling", f"{stop}; an action did not end in time and was cut off. {UNCERTAIN}")
        return Ending("stopped", f"{stop}; the model's answer did not come in time, and the service may have acted")
