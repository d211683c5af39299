"""What a timeline says of programs and background jobs at one place on it: pure folds, the same live and saved."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.core.events import TurnAnswered
from app.core.jobs import JobCancelWanted, JobDelivered, JobEnded, JobRegistered, JobState
from app.core.moment import Moment
from app.core.timeline import CallRecord
from app.core.value import Json

NANOS_PER_MILLI = 1_000_000

JobStep = Literal["asked", "running", "ending"] | JobState
"""`ending`: a person has asked for its end."""


@dataclass(frozen=True)
class ProgramSeen:
    """One program: its source, its calls in order, and its result once there is one."""

    call_id: str
    code: str
    turn: int
    calls: tuple[CallRecord, ...]
    result: str | None = None
    status: str = ""
    """The service's word for how it ended: completed, incomplete."""


@dataclass(frozen=True)
class JobSeen:
    """One background job."""

    call_id: str
    name: str
    handle: str
    step: JobStep
    detail: str
    delivered_turn: int | None
    """The request with which the model got its output."""
    call: CallRecord | None
    output: Json = None
    """What the model will read, or has read, once the job has ended."""
    took_ms: int | None = None
    """From its registration to its end, waiting for a person included; None while it goes on, or was cut off."""

    @property
    def runs(self) -> bool:
        """Whether something of it is under way."""
        return self.step == "running"


def programs_at(moment: Moment) -> list[ProgramSeen]:
    """All programs at that moment, oldest first."""
    timeline, seq = moment.timeline, moment.seq
    found: dict[str, dict[str, Any]] = {}
    for turn in timeline.turns.upto(seq):
        for item in _items(turn):
            call_id = item.get("call_id")
            if not isinstance(call_id, str):
                continue
            if item.get("type") == "program":
                code = item.get("code")
                found.setdefault(call_id, {"code": code if isinstance(code, str) else "", "turn": turn.turn})
            elif item.get("type") == "program_output" and call_id in found:
                found[call_id] |= {"result": str(item.get("result", "")), "status": str(item.get("status", ""))}
    calls: dict[str, list[CallRecord]] = {call_id: [] for call_id in found}
    for call in timeline.calls.upto(seq) if found else ():
        if call.proposed.program in calls:
            calls[call.proposed.program].append(call)
    return [ProgramSeen(call_id=call_id, calls=tuple(calls[call_id]), **seen) for call_id, seen in found.items()]


def jobs_at(moment: Moment) -> list[JobSeen]:
    """All background jobs at that moment, oldest first. One that nobody goes on with has been cut off."""
    timeline, seq = moment.timeline, moment.seq
    registered: dict[str, JobRegistered] = {}
    ended: dict[str, JobEnded] = {}
    delivered: dict[str, int] = {}
    cancelled: set[str] = set()
    took: dict[str, int] = {}
    for at, event in enumerate(timeline.jobs.upto(seq)):
        mono_ns = timeline.events[timeline.events.count(timeline.jobs.seq_of(at)) - 1].mono_ns
        match event:
            case JobRegistered():
                registered[event.call_id] = event
                took[event.call_id] = mono_ns
            case JobEnded():
                ended[event.call_id] = event
                took[event.call_id] = (mono_ns - took.get(event.call_id, mono_ns)) // NANOS_PER_MILLI
            case JobDelivered():
                delivered[event.call_id] = event.turn
            case JobCancelWanted():
                cancelled.add(event.call_id)
    jobs = []
    for call_id, job in registered.items():
        call, end = timeline.call(call_id), ended.get(call_id)
        begun = call is not None and call.state_at(seq) not in ("next", "asked", "allowed", "denied", "answered")
        step: JobStep = "ending" if call_id in cancelled else "running" if begun else "asked"
        if moment.over:
            step = "cut_off"
        jobs.append(
            JobSeen(
                call_id=call_id,
                name=job.name,
                handle=job.handle,
                step=end.state if end is not None else step,
                detail=end.detail if end is not None else "",
                delivered_turn=delivered.get(call_id),
                call=call,
                output=end.output if end is not None else None,
                took_ms=took[call_id] if end is not None and end.state != "cut_off" else None,
            )
        )
    return jobs


def asking_line(code: str, name: str) -> int | None:
    """The line of a program's source that calls the tool, from 1; None where it is not the only one that does."""
    places = [match.start() for match in re.finditer(rf"\btools\.{re.escape(name)}\b", code)]
    return code.count("\n", 0, places[0]) + 1 if len(places) == 1 else None


def _items(turn: TurnAnswered) -> list[Mapping[str, Any]]:
    items = turn.items if isinstance(turn.items, list) else []
    return [item for item in items if isinstance(item, Mapping)]
