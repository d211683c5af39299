"""What a timeline says at one place on it: the header line, the pending calls, the newest read and picture."""

from typing import Literal

from app.core.events import PageRead, RunEnded
from app.core.human import ControlStep
from app.core.jobs import JobEnded, JobRegistered
from app.core.settle import settle
from app.core.timeline import AskRecord, CallRecord, CallState, Frame, Timeline
from app.core.value import Json

RunState = Literal["starting", "thinking", "waiting", "held", "acting", "in_person", "stopping", "ended", "cut_off"]
"""`in_person`: the run stands still while a person acts in the driven browser."""


_UNDER_WAY: frozenset[CallState] = frozenset({"next", "asked", "allowed", "running"})


class Moment:
    """A timeline as it stood when event `seq` was written. Cheap to make; nothing is copied."""

    def __init__(self, timeline: Timeline, seq: int | None = None, *, cut_off: bool = False) -> None:
        """`seq` None means the newest event. `cut_off` says what the timeline may say itself: nobody is writing on."""
        self.timeline = timeline
        self.seq = timeline.last_seq if seq is None else seq
        self._cut_off = cut_off or timeline.cut_off

    @property
    def turn(self) -> int:
        """The turn in progress, from 1; 0 before the first request."""
        request = self.timeline.requests.last(self.seq)
        answered = self.timeline.turns.last(self.seq)
        return max(request.turn if request else 0, answered.turn if answered else 0)

    @property
    def max_steps(self) -> int:
        """How many turns the run may take."""
        return self.timeline.run.max_steps if self.timeline.run else 0

    @property
    def asked(self) -> int:
        """How many questions had been asked; holds are none."""
        return self.timeline.asks.count(self.seq) - self.timeline.steps.count(self.seq)

    @property
    def allowed(self) -> int:
        """How many asks had been allowed."""
        return self.timeline.allowed.count(self.seq)

    @property
    def denied(self) -> int:
        """How many asks had been denied, those that stopped the run with them."""
        return self.timeline.denied.count(self.seq)

    @property
    def answered(self) -> int:
        """How many calls a person had answered in a function's place."""
        return self.timeline.answered.count(self.seq)

    @property
    def tokens(self) -> int:
        """Tokens used so far, as the service counted them."""
        return self.timeline.tokens.last(self.seq) or 0

    @property
    def open_asks(self) -> list[AskRecord]:
        """Asks that stood unanswered, oldest first."""
        return [record for record in self.timeline.asks.upto(self.seq) if record.open_at(self.seq)]

    @property
    def held(self) -> AskRecord | None:
        """The hold that the run stood in."""
        return next((record for record in self.open_asks if record.ask.step is not None), None)

    @property
    def turn_calls(self) -> list[CallRecord]:
        """The calls of the newest answered turn, in order, whatever their state."""
        turn = self.timeline.turns.last(self.seq)
        if turn is None:
            return []
        return [call for call in self.timeline.calls.upto(self.seq) if call.turn == turn.turn]

    @property
    def over(self) -> bool:
        """Whether nobody went on from here: the run had ended, or was cut off."""
        return self.ended is not None or (self._cut_off and self.seq >= self.timeline.last_seq)

    def state_of(self, call: CallRecord) -> CallState:
        """How a call stood. Where nobody went on, nothing of it waits or runs: it reads as what became of it."""
        state = call.state_at(self.seq)
        if state not in _UNDER_WAY or not self.over:
            return state
        outcomes = [
            part.outcome
            for part in settle(self.timeline.events.between(call.seq - 1, self.seq))
            if part.call_id == call.proposed.call_id and not call.only_read(part.part)
        ]
        if "may_have_happened" in outcomes:
            return "may_have_happened"
        return "partly_done" if "done" in outcomes else "not_done"

    @property
    def pending_calls(self) -> list[CallRecord]:
        """The calls of the turn that had no output yet; of a run that is over, those that never got one."""
        over = ("done", "not_done", "may_have_happened")
        return [
            call for call in self.turn_calls if call.answer_at(self.seq) is None and call.state_at(self.seq) not in over
        ]

    @property
    def read(self) -> PageRead | None:
        """The newest page read."""
        return self.timeline.reads.last(self.seq)

    @property
    def frame(self) -> Frame | None:
        """The newest picture on record."""
        return self.timeline.frames.last(self.seq)

    @property
    def ended(self) -> RunEnded | None:
        """How the run ended, once it had; None again once it was taken up again."""
        return self.timeline.ended.since(self.resumed_seq, self.seq)

    @property
    def stop_requested(self) -> bool:
        """Whether the run was to end, and had not been taken up again since."""
        return self.timeline.stops.since(self.resumed_seq, self.seq) is not None

    @property
    def plan(self) -> Json:
        """The plan in force, as it stands on record."""
        resumed = self.timeline.resumptions.last(self.seq)
        if resumed is not None:
            return resumed.plan
        return self.timeline.run.plan if self.timeline.run is not None else None

    @property
    def resumed_seq(self) -> int:
        """The event with which another process took the run up last; 0 when none did."""
        resumed = self.timeline.resumptions
        count = resumed.count(self.seq)
        return resumed.seq_of(count - 1) if count else 0

    @property
    def holding_all(self) -> bool:
        """Whether nothing was allowed by rule. It outlives the process: a resumed run holds what was held."""
        newest = self.timeline.holds.last(self.seq)
        return newest is not None and newest.on

    @property
    def control(self) -> ControlStep | None:
        """The newest that became of a person's wish for the driven screen; ``taken`` while they had it."""
        newest = self.timeline.controls.since(self.resumed_seq, self.seq)
        return newest.step if newest is not None else None

    @property
    def recording(self) -> bool:
        """False in a gap of the record."""
        newest = self.timeline.gaps.since(self.resumed_seq, self.seq)
        return newest is None or newest.recording

    @property
    def state(self) -> RunState:
        """What the run was doing."""
        if self.ended is not None:
            return "ended"
        if self.over:
            return "cut_off"
        if self.stop_requested:
            return "stopping"
        if self.control == "taken":
            return "in_person"
        if standing := self.open_asks:
            return "held" if all(record.ask.step is not None for record in standing) else "waiting"
        if self.pending_calls or self._waits_for_a_job:
            return "acting"
        return "thinking" if self.timeline.requests.count(self.seq) else "starting"

    @property
    def _waits_for_a_job(self) -> bool:
        """Whether no answer is awaited and something runs in the background."""
        begun = sum(isinstance(event, JobRegistered) for event in self.timeline.jobs.upto(self.seq))
        ended = sum(isinstance(event, JobEnded) for event in self.timeline.jobs.upto(self.seq))
        return begun > ended and self.timeline.turns.count(self.seq) >= self.timeline.requests.count(self.seq)

    def outcomes(self) -> dict[str, int]:
        """How many actions ended in each of the three words; one that was cut off counts as may have happened.

        A call that was refused before anything of it started counts as one action not done.
        """
        counts = {"done": 0, "not_done": 0, "may_have_happened": 0}
        for ended in self.timeline.endings.upto(self.seq):
            counts[ended.outcome] += 1
        begun = {started.call_id for started in self.timeline.actions.upto(self.seq)}
        for call in self.timeline.calls.upto(self.seq):
            state = call.state_at(self.seq)
            if state == "not_done" and call.proposed.call_id not in begun:
                counts["not_done"] += 1
            elif state == "running" and (became := self.state_of(call)) in counts:
                counts[became] += 1
        return counts
