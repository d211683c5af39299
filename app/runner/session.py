"""Starts, stops, drains and ends one run, on a plain asyncio loop in a thread of its own. Read this first.

The SDK and the drivers are imported and opened inside that thread, so that a window stays free meanwhile.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from pathlib import Path

from app.core.causes import failure_seen
from app.core.decision import Answer
from app.core.errors import NotDurable, SignalboxError
from app.core.events import OutcomeChecked, PictureTaken, Recorded, RunEnded, StopBy, StopRequested
from app.core.live import LatestFrame
from app.core.plan import RunPlan
from app.core.ports import Blobs
from app.gate.gate import Gate
from app.gate.rules import RuleBook
from app.gate.sites import Sites
from app.gate.standing import StandingRules
from app.gate.stepping import Stepper
from app.gate.url_policy import origin_of
from app.runner.by_hand import ByHand, left_open
from app.runner.fail_stop import FailStopJournal
from app.runner.kept import KeptBlobs
from app.runner.last_look import last_look
from app.runner.session_ports import SessionPorts
from app.runner.stopping import Stopping

log = logging.getLogger(__name__)


class Session:
    """One run. Made in any thread; everything else of it happens in its own."""

    def __init__(self, plan: RunPlan, ports: SessionPorts) -> None:
        self._plan = plan
        self._ports = ports
        self._frames = LatestFrame()
        self._stopping = Stopping()
        self._stop_recorded = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[RunEnded] | None = None
        self._thread = threading.Thread(target=self._main, name=f"run {ports.started.run_id}")
        self._listeners: list[Callable[[Recorded], None]] = []
        self._written: list[Recorded] = list(ports.resumption.past) if ports.resumption else []
        self._listener_lock = threading.Lock()
        self.ended: RunEnded | None = None
        """How it ended, once `join` has returned True; on record unless `problem` says that the record failed."""
        self.problem: BaseException | None = None
        """What ended the run from outside the SDK: a disk that failed, a browser that would not start."""
        self._blobs = KeptBlobs(ports.ledger, ports.ledger_path)
        ports.ledger.subscribe(self._tell)
        self.stepper = Stepper(plan.breakpoints, ports.clock)
        """Where the run is held; a window commands it, and answers each hold in the inbox."""
        # At once: what only goes to disk with the next event must not slip past a breakpoint that looks before that.
        self._journal = FailStopJournal(ports.ledger, self._record_failed, self.stepper.saw)
        self.standing = StandingRules(
            ports.clock, made_before=ports.resumption.standing if ports.resumption is not None else 0
        )
        """What is allowed until the run ends; a window shows it and takes it back."""
        self._gate = Gate(
            self._journal,
            ports.inbox,
            RuleBook.of_plan(
                plan.rules,
                ask_screenshots=bool(plan.computer and plan.computer.ask_screenshots),
                allow_private=plan.browser is None or plan.browser.allow_private_network,
                standing=self.standing,
            ),
            ports.clock,
            on_stop=self._stop_answered,
            asking=plan.asking,
            standing=self.standing,
            sites=Sites([origin_of(plan.browser.start_url)] if plan.browser and plan.browser.start_url else []),
            asked_before=ports.resumption.asked if ports.resumption else 0,
        )
        self._gate.holding_all = ports.resumption is not None and ports.resumption.holding_all
        self.by_hand = ByHand(self._gate, self.standing, self._journal, ports.said)
        """What a person does at the run's controls beside answering."""

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
        """Stored pictures; also when the run is over."""
        return self._blobs

    @property
    def unrecorded(self) -> str:
        """Once the run is over: why its record has no end, in words; empty when it has one."""
        return str(self.problem) if isinstance(self.problem, NotDurable) else ""

    def subscribe(self, listener: Callable[[Recorded], None]) -> None:
        """`listener` gets every event in order: those already written at once, later ones from the run's thread."""
        with self._listener_lock:
            for recorded in self._written:
                listener(recorded)
            self._listeners.append(listener)

    def start(self) -> None:
        """Put the run's header on record, or what a resumed one opens with, and let the run begin.

        Raises:
            NotDurable: it could not be written; no run begins.
        """
        resumed = self._ports.resumption
        try:
            for event in resumed.opening if resumed else (self._ports.started,):
                self._journal.append(event)
            for event in left_open(resumed.past) if resumed else ():
                self._journal.append(event)
            if resumed and resumed.folded is not None:
                self._journal.save_checkpoint(resumed.folded)
        except NotDurable:
            self._ports.ledger.close()
            raise
        self._thread.start()

    def request_stop(self, by: StopBy, detail: str = "") -> None:
        """Let nothing new start, drain what runs, save, end. From any thread; only the first call counts."""
        if self._close_for(by, detail) and (loop := self._loop) is not None:
            try:
                loop.call_soon_threadsafe(self._stop_seen)
            except RuntimeError:
                log.info("stop came after the run had ended")

    def undo_rule(self, number: int) -> bool:
        """Take back what was allowed for the run by the press of that number. From any thread."""
        return self.by_hand.undo_rule(number)

    def _close_for(self, by: StopBy, detail: str) -> bool:
        """From here on nothing is allowed; False when somebody else has asked for the end before."""
        if not self._stopping.request(by, detail):
            return False
        reason = str(self._stopping())
        self._gate.close(reason)
        self._ports.inbox.close(reason)
        return True

    def join(self, timeout_secs: float | None = None) -> bool:
        """Wait for the run's thread to end; whether it has."""
        self._thread.join(timeout_secs)
        return not self._thread.is_alive()

    def _tell(self, recorded: Recorded) -> None:
        with self._listener_lock:
            self._written.append(recorded)
            for listener in self._listeners:
                try:
                    listener(recorded)
                except Exception:
                    # One deaf listener must not keep the event from the others: each would see a gap ever after.
                    log.exception("a listener of the run failed")

    def _record_failed(self, failure: NotDurable) -> None:
        reason = "the record could not be written"
        self._gate.close(reason)
        self._ports.inbox.close(reason)
        with contextlib.suppress(NotDurable):
            self._gate.control.give_back(reason)

    def _stop_answered(self, answer: Answer) -> None:
        """In the run's loop, between two events: the stop stands right after its decision."""
        if self._close_for(answer.by, ""):
            self._stop_seen()

    def _stop_seen(self) -> None:
        """In the run's loop: the stop goes on record, and what does not drain in time is cancelled."""
        stop = self._stopping
        if self._stop_recorded or stop.by is None or self._loop is None or self._task is None:
            return
        self._stop_recorded = True
        try:
            self._journal.append(StopRequested(by=stop.by, detail=stop.detail))
        except NotDurable:
            log.info("the stop could not be recorded")
        with contextlib.suppress(NotDurable):
            self._gate.control.give_back(str(stop()))
        stop.interrupt()
        self._loop.call_later(self._plan.limits.drain_secs, self._cut_off)

    def _cut_off(self) -> None:
        """What has not drained is cancelled; a browser that is being closed has as long again."""
        if self._loop is None or self._task is None:
            return
        if self._stopping.drained:
            self._loop.call_later(self._plan.limits.drain_secs, self._task.cancel)
        else:
            self._task.cancel()

    def _main(self) -> None:
        try:
            with asyncio.Runner() as runner:
                self.ended = runner.run(self._whole_run())
        except BaseException as error:
            self.problem = error
            log.exception("the run's thread ended by an error")
        finally:
            self._ports.ledger.close()
            self._blobs.run_over()
            self._ports.inbox.close("the run is over")

    async def _whole_run(self) -> RunEnded:
        self._loop = asyncio.get_running_loop()
        self.by_hand.begin()
        # The runner loads the SDK, which takes most of a second: here it costs the window nothing.
        from app.runner.assemble import run_to_its_end

        self._task = asyncio.ensure_future(
            run_to_its_end(
                self._plan, self._ports, self._journal, self._gate, self._frames, self._stopping, self.stepper
            )
        )
        self._stop_seen()
        try:
            ended = await self._task
        except asyncio.CancelledError:
            reason = self._stopping() or "the run was cancelled"
            ended = RunEnded(status="stopped", reason=f"{reason}; what was being opened was given up")
        except SignalboxError as error:
            ended = self._failed(error)
        except Exception as error:
            if self._stopping() is None:
                log.exception("the run failed")
            ended = self._failed(error)
        self.by_hand.end("the run has ended")
        return self._end(ended)

    def _failed(self, error: Exception) -> RunEnded:
        """What an error that came through to here makes of the run."""
        stopped = self._stopping()
        if stopped is not None and not isinstance(error, NotDurable):
            # A signal of the terminal ends the browser, too: what breaks then is no fault of its own.
            self._noted("session", error)
            return RunEnded(status="stopped", reason=f"{stopped}; what was being opened broke off")
        if isinstance(error, SignalboxError):
            self.problem = error
            return RunEnded(status="failed", reason=_words(error))
        self._noted("session", error)
        return RunEnded(status="failed", reason=f"an error in the console: {type(error).__name__}")

    def _end(self, ended: RunEnded) -> RunEnded:
        """Record what the world says and how the run ended; a failed record is tried once more, for its end alone."""
        outcome = self._outcome()
        # A stop that comes now is too late: after the end nothing is written, or the run would read as cut off.
        self._stop_recorded = True
        looked = last_look(self._written, self._frames, self._ports.clock) if self._journal.failed is None else None
        try:
            if looked is not None:
                # With the next event: it costs the run's end nothing.
                self._ports.ledger.append_soon(PictureTaken(role="live", picture=looked[0]), [looked[1]])
            if outcome is not None:
                self._ports.ledger.append(outcome)
            self._ports.ledger.append(ended)
        except NotDurable as error:
            self._journal.failed = self._journal.failed or error
            if ended.status == "finished":
                ended = RunEnded(status="failed", reason=_words(error), final_text=ended.final_text)
        self.problem = self.problem or self._journal.failed
        return ended

    def _outcome(self) -> OutcomeChecked | None:
        try:
            return self._ports.check_outcome()
        except Exception as error:
            log.exception("the outcome could not be checked")
            self._noted("outcome", error)
            return None

    def _noted(self, where: str, error: Exception) -> None:
        with contextlib.suppress(NotDurable):
            self._ports.ledger.append(failure_seen(where, error))


def _words(error: SignalboxError) -> str:
    return f"the record could not be written: {error}" if isinstance(error, NotDurable) else str(error)
