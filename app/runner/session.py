"""Starts, stops, drains and ends one run, on a plain asyncio loop in a thread of its own. Read this first.

The SDK and the drivers are imported and opened inside that thread, so that a window stays free meanwhile.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from app.core.decision import Answer
from app.core.errors import NotDurable, SignalboxError
from app.core.events import FailureSeen, OutcomeChecked, Recorded, RunEnded, RunStarted, StopBy, StopRequested
from app.core.live import LatestFrame
from app.core.plan import RunPlan
from app.core.ports import Blobs, Clock, Inbox, Journal
from app.gate.gate import Gate
from app.gate.rules import RuleBook
from app.runner.specs import FunctionSpec

log = logging.getLogger(__name__)

STOP_WORDS: dict[StopBy, str] = {
    "person": "stopped by you",
    "scripted": "stopped by the script",
    "signal": "stopped by a signal",
    "window_closed": "the window was closed",
    "console": "stopped by the console",
}


class RunLedger(Journal, Blobs, Protocol):
    """The run's own ledger, owned by this process."""

    def close(self) -> None:
        """Leave one whole file behind."""


@dataclass
class Environment:
    """What a run acts on, opened for it."""

    browser: Any = None
    computer: Any = None
    functions: tuple[FunctionSpec, ...] = ()


@dataclass(frozen=True)
class ModelService:
    """Where the answers come from."""

    model: str
    api_key: str
    base_url: str | None = None


@dataclass
class SessionPorts:
    """Everything concrete that wiring chose for a run."""

    ledger: RunLedger
    ledger_path: Path
    inbox: Inbox
    clock: Clock
    service: ModelService
    open_environment: Callable[[LatestFrame, Clock], AbstractAsyncContextManager[Environment]]
    started: RunStarted
    check_outcome: Callable[[], OutcomeChecked | None] = field(default=lambda: None)
    """Asks the world what really happened; called after the last action, before the end is recorded."""


class Session:
    """One run. Made in any thread; everything else of it happens in its own."""

    def __init__(self, plan: RunPlan, ports: SessionPorts) -> None:
        self._plan = plan
        self._ports = ports
        self._frames = LatestFrame()
        self._stop: str | None = None
        self._stop_lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[RunEnded] | None = None
        self._thread = threading.Thread(target=self._main, name=f"run {ports.started.run_id}")
        self._listeners: list[Callable[[Recorded], None]] = []
        self._written: list[Recorded] = []
        self._listener_lock = threading.Lock()
        self.ended: RunEnded | None = None
        """How it ended, once `join` has returned True; None when not even that could be recorded."""
        self.problem: BaseException | None = None
        """What ended the run from outside the SDK: a disk that failed, a browser that would not start."""
        ports.ledger.subscribe(self._tell)
        self._gate = Gate(
            ports.ledger,
            ports.inbox,
            RuleBook.of_plan(plan.rules, ask_screenshots=bool(plan.computer and plan.computer.ask_screenshots)),
            ports.clock,
            on_stop=self._stop_answered,
        )

    @property
    def run_id(self) -> str:
        """The run's id."""
        return self._ports.started.run_id

    @property
    def ledger_path(self) -> Path:
        """Where its ledger lies."""
        return self._ports.ledger_path

    @property
    def frames(self) -> LatestFrame:
        """The live picture."""
        return self._frames

    @property
    def blobs(self) -> Blobs:
        """Stored pictures."""
        return self._ports.ledger

    def subscribe(self, listener: Callable[[Recorded], None]) -> None:
        """`listener` gets every event in order: those already written at once, later ones from the run's thread."""
        with self._listener_lock:
            for recorded in self._written:
                listener(recorded)
            self._listeners.append(listener)

    def start(self) -> None:
        """Put the run's header on record and let the run begin.

        Raises:
            NotDurable: nothing could be written; no run begins.
        """
        self._ports.ledger.append(self._ports.started)
        self._thread.start()

    def request_stop(self, by: StopBy, detail: str = "") -> None:
        """Let nothing new start, drain what runs, save, end. From any thread; only the first call counts."""
        with self._stop_lock:
            if self._stop is not None:
                return
            self._stop = STOP_WORDS[by]
        self._gate.close(self._stop)
        self._ports.inbox.close(self._stop)
        loop = self._loop
        if loop is not None:
            try:
                loop.call_soon_threadsafe(self._record_stop, by, detail)
            except RuntimeError:
                log.info("stop came after the run had ended")

    def join(self, timeout_secs: float | None = None) -> bool:
        """Wait for the run's thread to end; whether it has."""
        self._thread.join(timeout_secs)
        return not self._thread.is_alive()

    def _tell(self, recorded: Recorded) -> None:
        with self._listener_lock:
            self._written.append(recorded)
            for listener in self._listeners:
                listener(recorded)

    def _stop_answered(self, answer: Answer) -> None:
        self.request_stop(answer.by)

    def _record_stop(self, by: StopBy, detail: str) -> None:
        """In the run's loop: the stop goes on record, and what does not drain in time is cancelled."""
        try:
            self._ports.ledger.append(StopRequested(by=by, detail=detail))
        except NotDurable:
            log.exception("the stop could not be recorded")
        if self._loop is not None and self._task is not None:
            self._loop.call_later(self._plan.limits.drain_secs, self._task.cancel)

    def _main(self) -> None:
        try:
            with asyncio.Runner() as runner:
                self.ended = runner.run(self._whole_run())
        except BaseException as error:
            self.problem = error
            log.exception("the run's thread ended by an error")
        finally:
            self._ports.inbox.close("the run is over")

    async def _whole_run(self) -> RunEnded:
        self._loop = asyncio.get_running_loop()
        # The runner loads the SDK, which takes most of a second: here it costs the window nothing.
        from app.runner.assemble import run_to_its_end

        self._task = asyncio.ensure_future(
            run_to_its_end(self._plan, self._ports, self._gate, self._frames, lambda: self._stop)
        )
        if self._stop is not None:
            self._record_stop("console", self._stop)
        try:
            ended = await self._task
        except asyncio.CancelledError:
            ended = RunEnded(status="stopped", reason=f"{self._stop}; an action did not end in time and was cut off")
        except NotDurable as error:
            self.problem = error
            return RunEnded(status="failed", reason=f"the record could not be written: {error}")
        except SignalboxError as error:
            self.problem = error
            ended = RunEnded(status="failed", reason=str(error))
        except Exception as error:
            log.exception("the run failed")
            self._ports.ledger.append(FailureSeen(where="session", error=type(error).__name__, detail=str(error)))
            ended = RunEnded(status="failed", reason=f"an error in the console: {type(error).__name__}")
        return self._end(ended)

    def _end(self, ended: RunEnded) -> RunEnded:
        try:
            outcome = self._ports.check_outcome()
            if outcome is not None:
                self._ports.ledger.append(outcome)
            self._ports.ledger.append(ended)
        except NotDurable as error:
            self.problem = error
        finally:
            self._ports.ledger.close()
        return ended
