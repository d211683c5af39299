"""Background jobs: a registry by call id and handle for the whole run, on record; each output is handed out once."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import dataclass

from app.core.errors import NotDurable
from app.core.events import Outcome
from app.core.evidence import Blob
from app.core.jobs import JobDelivered, JobEnded, JobRegistered, JobState
from app.core.ports import Journal
from app.core.programs_plan import HANDLE, WAIT_TOOL
from app.core.value import Json
from app.runner.outputs import OutputRecorder, pictures_by_digest
from app.runner.programs.calls import Permitted, Result, failed, handle_of
from app.runner.programs.items import Call, Wire
from app.runner.programs.tools import LocalTool, WrongCall
from app.tasks import TaskOwner, spawn

log = logging.getLogger(__name__)

MAY = "may have happened"


def handles_of(call: Call, known: Container[str]) -> list[str]:
    """The tasks that a wait names. Raises `WrongCall` where they are not some of `known`, each once."""
    try:
        arguments = json.loads(call.raw.get("arguments", ""))
    except (ValueError, RecursionError):
        arguments = None
    handles = arguments.get("task_handles") if isinstance(arguments, dict) else None
    if not isinstance(handles, list) or not handles or not all(isinstance(one, str) for one in handles):
        raise WrongCall("invalid_arguments", f"{WAIT_TOOL} takes a list of task_handles that is not empty.")
    if len(set(handles)) != len(handles):
        raise WrongCall("invalid_arguments", f"{WAIT_TOOL} takes each handle once.")
    unknown = [handle for handle in handles if not handle or handle not in known]
    if unknown:
        raise WrongCall("unknown_task", f"There is no such task: {', '.join(unknown)}")
    return handles


def wait_result(handles: Sequence[str], states: Mapping[str, str]) -> Result:
    """The status of a wait for tasks that have all ended."""
    status: dict[str, Json] = {
        "status": "completed",
        "completed_task_handles": [handle for handle in handles if states[handle] == "completed"],
    }
    if others := [handle for handle in handles if states[handle] != "completed"]:
        status["failed_task_handles"] = others
    return Result(json.dumps(status, ensure_ascii=False), ok=True)


@dataclass
class Job:
    """One background call. `result` is there once nothing of it runs any more."""

    call: Call
    tool: LocalTool
    handle: str
    state: JobState | None = None
    result: Result | None = None
    delivered: bool = False
    task: asyncio.Task[None] | None = None

    @property
    def ended(self) -> bool:
        """Whether its output is known."""
        return self.result is not None


class JobBook:
    """All jobs of one run. Handles are never free again, also those of jobs that are over."""

    def __init__(
        self,
        journal: Journal,
        outputs: OutputRecorder,
        outcome_of: Callable[[str], Outcome | None],
        *,
        most_running: int,
        before: Mapping[str, str] | None = None,
    ) -> None:
        """`outcome_of`: the worst word for what a call started, None where it started nothing. `before`: how each task
        of the same conversation ended before this process, by handle; the model has read their outputs.
        """
        self._before = {handle: state for handle, state in (before or {}).items() if handle}
        self._journal = journal
        self._outputs = outputs
        self._outcome_of = outcome_of
        self._most_running = most_running
        self._jobs: dict[str, Job] = {}
        self._by_handle: dict[str, Job] = {}
        self._changed = asyncio.Event()
        self._cancelled: set[str] = set()
        self._owner = TaskOwner("background jobs")
        self.broken: NotDurable | None = None
        """A record that failed inside a job; the run must end."""

    @property
    def running(self) -> list[Job]:
        """Jobs whose output is not known yet, oldest first."""
        return [job for job in self._jobs.values() if not job.ended]

    @property
    def outstanding(self) -> bool:
        """Whether there is any job of which the model has not read the output."""
        return any(not job.delivered for job in self._jobs.values())

    def is_job(self, call_id: str) -> bool:
        """Whether that call is one of them."""
        return call_id in self._jobs

    def register(self, call: Call, tool: LocalTool) -> Job:
        """Bind the call's handle to it, before anybody is asked.

        Raises:
            WrongCall: it has no handle although its tool takes one, or one that was given before; or too many run.
        """
        handle = handle_of(call) if tool.takes_handle else ""
        if tool.takes_handle and not handle:
            raise WrongCall("invalid_arguments", f"Not executed: {HANDLE} must be a text that is not empty.")
        if handle in self._by_handle or handle in self._before:
            raise WrongCall("handle_taken", f"Not executed: this {HANDLE} was used before. Choose a fresh one.")
        if len(self.running) >= self._most_running:
            words = f"Not executed: {self._most_running} background tasks are running, and no more may."
            raise WrongCall("too_many", words)
        job = Job(call, tool, handle)
        self._journal.append(JobRegistered(call_id=call.call_id, name=tool.name, handle=handle))
        self._jobs[call.call_id] = job
        if handle:
            self._by_handle[handle] = job
        return job

    def settle(self, job: Job, result: Result) -> None:
        """Nothing of `job` was started; `result` says why."""
        self._end(job, "denied" if result.failure else "completed", result, result.failure)

    def start(self, job: Job, permitted: Permitted, carry_out: Callable[[Permitted], Awaitable[Result]]) -> None:
        """Let `job` run beside the run."""

        async def work() -> None:
            try:
                result = await carry_out(permitted)
            except asyncio.CancelledError:
                by_hand = job.call.call_id in self._cancelled
                self._end(job, *self._cut(job, by_hand=by_hand))
                return
            except NotDurable as error:
                self.broken = error
                self._changed.set()
                return
            except Exception as error:
                log.info("a background job failed", exc_info=True)
                name = type(error).__name__
                words = f"{job.tool.name} was started and failed ({name}). What it was to do {MAY}."
                self._end(job, "failed", failed(job.call, job.tool, "failed", words), name)
                return
            self._end(job, "failed" if result.failure else "completed", result, result.failure)

        def over(_task: asyncio.Task[None]) -> None:
            # One that was cancelled before its first step has not come to any of the above.
            if not job.ended and self.broken is None:
                self._end(job, *self._cut(job, by_hand=job.call.call_id in self._cancelled))

        job.task = spawn(f"job {job.tool.name}", work(), owner=self._owner)
        job.task.add_done_callback(over)

    def cancel(self, call_id: str) -> None:
        """End a job that a person does not want any more; nothing happens to one that is over."""
        job = self._jobs.get(call_id)
        if job is not None and job.task is not None and not job.ended:
            self._cancelled.add(call_id)
            job.task.cancel("cancelled by a person")

    async def one_ended(self) -> None:
        """Return once there is an output that the model has not read, or nothing runs. Cancelling leaves the jobs."""
        while self.running and self.broken is None and not self._ready:
            self._changed.clear()
            await self._changed.wait()

    async def wait_for(self, call: Call) -> tuple[list[Job], Result]:
        """The wait tool: wait for the jobs that `call` names, and for no others; those jobs, and the wait's own result.

        Raises:
            WrongCall: it does not name jobs of this run, each once.
        """
        handles = handles_of(call, {**self._before, **self._by_handle})
        jobs = [self._by_handle[handle] for handle in handles if handle in self._by_handle]
        while any(not job.ended for job in jobs) and self.broken is None:
            self._changed.clear()
            await self._changed.wait()
        return jobs, wait_result(handles, {**self._before, **{job.handle: str(job.state) for job in jobs}})

    @property
    def _ready(self) -> list[Job]:
        return [job for job in self._jobs.values() if job.ended and not job.delivered]

    def take(self, turn: int, jobs: Sequence[Job] | None = None) -> list[Wire]:
        """Outputs for the request of that turn: of all jobs that have ended, or of those of `jobs`. Never again."""
        items = []
        for job in self._ready if jobs is None else jobs:
            if job.result is None or job.delivered:
                continue
            job.delivered = True
            self._outputs.answered(job.call.call_id, {"output": job.result.content}, ok=job.result.ok)
            self._journal.append_soon(JobDelivered(call_id=job.call.call_id, turn=turn))
            items.append(job.call.output(job.result.content))
        return items

    async def drain(self, secs: float) -> bool:
        """Wait for what runs, so long at most, then cut it off; whether all came to its end by itself.

        Cancelling ends the wait, not the cutting off.
        """
        tasks = [job.task for job in self.running if job.task is not None]
        pending: set[asyncio.Task[None]] = set(tasks)
        try:
            if tasks:
                _, pending = await asyncio.wait(tasks, timeout=secs)
        finally:
            await self._owner.aclose()
        return not pending

    def _cut(self, job: Job, *, by_hand: bool) -> tuple[JobState, Result, str]:
        begun = self._outcome_of(job.call.call_id)
        fate = MAY if begun == "may_have_happened" else "was not done"
        who = "The operator ended it" if by_hand else "It did not end in time and was cut off"
        kind = "cancelled" if by_hand else "cut_off"
        words = f"{who}. What {job.tool.name} was to do {fate}."
        return "cancelled" if by_hand else "cut_off", failed(job.call, job.tool, kind, words), fate

    def _end(self, job: Job, state: JobState, result: Result, detail: str) -> None:
        job.state = state
        try:
            pictures: list[Blob] = []
            output = pictures_by_digest(result.content, pictures)
            ended = JobEnded(call_id=job.call.call_id, state=state, detail=detail, output=output, ok=result.ok)
            self._journal.append(ended, pictures)
        except NotDurable as error:
            self.broken = error
        else:
            job.result = result
        self._changed.set()
