"""Whether a run is held at a point: the person's last command and the breakpoints. Commanded from any thread."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.core.breakpoint import BreakpointPlan, Point, Sight
from app.core.events import Recorded, TurnAnswered
from app.core.ports import Clock
from app.core.step import NEXT_STOP_CHOSEN, NEXT_STOPS, RUNS_TO_HERE, WAITS, HeldBy, Stage, Step, StepCommand
from app.gate.breakpoints import Breakpoint

NANOS_PER_SEC = 1_000_000_000


@dataclass(frozen=True)
class Stops:
    """What one point comes to: breakpoints that only log, and the hold, if there is one."""

    noted: tuple[Step, ...] = ()
    hold: Step | None = None


class Stepper:
    """One per run. A hold uses the command up: without a new one the run goes on to the next breakpoint."""

    def __init__(self, plans: Sequence[BreakpointPlan], clock: Clock) -> None:
        self.clock = clock
        self._lock = threading.Lock()
        self._command: StepCommand = "run"
        self._run_to: str | None = None
        self._breakpoints = {
            f"file {number}": Breakpoint(f"file {number}", plan, enabled=plan.enabled)
            for number, plan in enumerate(plans, start=1)
        }
        self._added = 0
        self._tokens = 0
        self._began_ns: int | None = None

    def command(self, command: StepCommand) -> None:
        """From here on, until the next hold. Any thread."""
        with self._lock:
            self._command, self._run_to = command, None

    def run_to(self, call_id: str) -> None:
        """Hold before that call; where it does not come in its turn, before the next request. Any thread."""
        with self._lock:
            self._command, self._run_to = "run", call_id

    @property
    def waits(self) -> str:
        """What a step or pause still waits for, in words; empty where the run just goes on."""
        with self._lock:
            return RUNS_TO_HERE if self._run_to is not None else WAITS[self._command]

    @property
    def next_stop(self) -> str:
        """The same in few words: ``before the next request``."""
        with self._lock:
            return NEXT_STOP_CHOSEN if self._run_to is not None else NEXT_STOPS[self._command]

    @property
    def idle(self) -> bool:
        """Whether nothing could hold the run or note anything now."""
        with self._lock:
            commanded = self._command != "run" or self._run_to is not None
            return not commanded and not any(one.enabled for one in self._breakpoints.values())

    def looks_at(self, stage: Stage) -> bool:
        """Whether a point of that stage could hold the run or note anything now."""
        with self._lock:
            if self._command != "run" or self._run_to is not None:
                return True
            at = (one.plan.looked_for_at for one in self._breakpoints.values() if one.enabled)
            return any(not stages or stage in stages for stages in at)

    @property
    def breakpoints(self) -> list[Breakpoint]:
        """All of the run as they stand, copied."""
        with self._lock:
            return [replace(one) for one in self._breakpoints.values()]

    def add(self, plan: BreakpointPlan) -> str:
        """Put one in force; its name. Any thread."""
        with self._lock:
            self._added += 1
            name = f"panel {self._added}"
            self._breakpoints[name] = Breakpoint(name, plan)
            return name

    def switch(self, name: str, *, enabled: bool) -> None:
        """Switch one off or on; unknown names change nothing. Any thread."""
        with self._lock:
            if (known := self._breakpoints.get(name)) is not None:
                known.enabled = enabled

    def remove(self, name: str) -> None:
        """Take one out of force. Any thread."""
        with self._lock:
            self._breakpoints.pop(name, None)

    def saw(self, recorded: Recorded) -> None:
        """Something went on record. In the run's thread."""
        event = recorded.event
        with self._lock:
            if self._began_ns is None:
                self._began_ns = recorded.mono_ns
            if isinstance(event, TurnAnswered):
                self._tokens += event.total_tokens
            for one in self._breakpoints.values():
                one.saw(event)

    def wants_address(self) -> bool:
        """Whether a breakpoint asks for the page's address. In the run's thread."""
        with self._lock:
            return any(one.enabled and (one.plan.urls or one.plan.origins) for one in self._breakpoints.values())

    def wants_text(self) -> bool:
        """Whether a breakpoint asks for the page's text. In the run's thread."""
        with self._lock:
            return any(one.enabled and one.plan.text_appears for one in self._breakpoints.values())

    def stops_at(self, point: Point, sight: Sight) -> Stops:
        """What this point comes to. In the run's thread; called once for each point, since it counts."""
        with self._lock:
            began_ns = self.clock.mono_ns() if self._began_ns is None else self._began_ns
            secs = (self.clock.mono_ns() - began_ns) / NANOS_PER_SEC
            seen = replace(sight, tokens=self._tokens, secs=secs)
            fitting = [one for one in self._breakpoints.values() if one.fits(point, seen) and one.counts_now]
            noted = tuple(one.step(point) for one in fitting if one.plan.log_only)
            hold = next((one.step(point) for one in fitting if not one.plan.log_only), None)
            by = self._held_by_command(point)
            if hold is None and by is not None:
                hold = Step(stage=point.stage, held_by=by)
            if hold is not None:
                self._command, self._run_to = "run", None
            return Stops(noted, hold)

    def _held_by_command(self, point: Point) -> HeldBy | None:
        at_request = point.stage == "request"
        if self._run_to is not None:
            here = point.begins_call and point.call_id == self._run_to
            return "run_to_here" if here or at_request else None
        match self._command:
            case "pause" if at_request:
                return "pause"
            case "step_turn" if at_request:
                return "step"
            case "step_call" if at_request or point.begins_call:
                return "step"
            case "step_action" if at_request or point.stage == "arguments":
                return "step"
        return None
