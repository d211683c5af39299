"""What a process left of a run, as its record says, and what a person answers before another takes it up."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from app.core.ask import Ask
from app.core.events import (
    AskRaised,
    Found,
    PageRead,
    Provenance,
    Recorded,
    RunEnded,
    RunResumed,
    RunStarted,
)
from app.core.live import LatestFrame
from app.core.moment import Moment
from app.core.settle import SettledCall, lost_requests, settle
from app.core.timeline import Timeline
from app.core.value import Json

CallPart = tuple[str, int]
"""One action: its call id, and its place in a batch from 1."""


@dataclass(frozen=True)
class InDoubt:
    """One effect that may have happened and of which nobody has said whether it did."""

    call: SettledCall
    arguments: Json
    """As it was to be executed; outside text."""
    ask: Ask | None
    """The question before it, with its picture and its target; None for what was not asked."""
    wall_ms: int
    """When it was asked or started."""

    @property
    def place(self) -> CallPart:
        """What an answer about it is filed under."""
        return self.call.call_id, self.call.part


@dataclass(frozen=True)
class Left:
    """A run that nobody is running, as its record says."""

    started: RunStarted
    plan: Json
    """The plan in force at its end, as it stands on record: without secrets."""
    model: str
    versions: Mapping[str, str]
    ended: RunEnded | None
    """How it ended; None when it was cut off."""
    calls: tuple[SettledCall, ...]
    """Every action of the run."""
    in_doubt: tuple[InDoubt, ...]
    lost_requests: int
    """Requests that left and brought no answer on record."""
    page_url: str
    """The page that it stood on last, as far as the record names one; empty for none."""
    asked: int
    segments: int
    events: int
    requests: int = 0
    """Requests that left, answered or not."""
    standing: int = 0
    """Rules that were made with a press; they ended with their process."""
    holding_all: bool = False
    """Whether a person had everything held, whatever rules say; it stays so."""

    @property
    def status(self) -> str:
        """``cut off``, ``stopped`` …"""
        return "cut off" if self.ended is None else self.ended.status.replace("_", " ")


def begun_run(events: Iterable[Recorded]) -> tuple[Timeline, RunStarted]:
    """Fold a journal that begins with a run's header. Raises `ValueError` when it does not."""
    timeline = Timeline()
    for recorded in events:
        timeline.apply(recorded)
    if timeline.run is None:
        raise ValueError("nothing of a run is on record")
    return timeline, timeline.run


def left_of(events: Iterable[Recorded]) -> Left:
    """Fold the journal of a run that nobody is running.

    Raises:
        ValueError: it does not begin with a run's header.
    """
    timeline, run = begun_run(events)
    calls = tuple(settle(timeline.events))
    resumed = timeline.resumptions[-1] if len(timeline.resumptions) else None
    last = timeline.events[-1].event
    in_force: RunStarted | RunResumed = resumed or run
    return Left(
        started=run,
        plan=in_force.plan,
        model=in_force.model,
        versions=in_force.versions,
        ended=last if isinstance(last, RunEnded) else None,
        calls=calls,
        in_doubt=tuple(_in_doubt(timeline, call) for call in calls if call.in_doubt),
        lost_requests=lost_requests(timeline.events),
        page_url=_last_page(timeline),
        asked=len(timeline.asks),
        segments=len(timeline.segments),
        events=timeline.last_seq,
        requests=len(timeline.requests),
        standing=sum(decision.for_run is not None for decision in timeline.decisions),
        holding_all=Moment(timeline).holding_all,
    )


def _in_doubt(timeline: Timeline, call: SettledCall) -> InDoubt:
    record = timeline.ask(call.ask_id) if call.ask_id is not None else None
    known = timeline.call(call.call_id)
    if record is not None:
        return InDoubt(call, record.ask.arguments, record.ask, record.wall_ms)
    at = timeline.events[timeline.events.count(call.last_seq) - 1]
    return InDoubt(call, known.proposed.arguments if known is not None else None, None, at.wall_ms)


def _last_page(timeline: Timeline) -> str:
    """The page of the newest question or read. An address that was asked for and never opened is not one."""
    for recorded in reversed(list(timeline.events)):
        event = recorded.event
        if isinstance(event, PageRead) and event.url:
            return event.url
        if isinstance(event, AskRaised) and event.ask.evidence.page is not None:
            return event.ask.evidence.page.url
    return ""


@dataclass(frozen=True)
class ResumeOffer:
    """What a person is shown before a run is taken up again. Nothing has happened yet."""

    left: Left
    changes: tuple[str, ...]
    """What is otherwise than it was, in words."""
    unfinished: tuple[SettledCall, ...]
    """Calls of the answer that was being acted on, whose outputs the model has not read."""
    steps_left: int
    start_url: str | None
    """Where the browser is opened; None for a run without one."""
    provenance: Provenance = "live"


@dataclass(frozen=True)
class ResumeAnswer:
    """What the person said. Every effect in doubt has an answer; without one nothing is taken up."""

    found: Mapping[CallPart, Found] = field(default_factory=dict)
    note: str = ""
    """For the model, beside what the console tells it; empty for nothing."""
    start_url: str | None = None
    """Where the browser is opened, if elsewhere than the offer says."""

    def covers(self, in_doubt: Iterable[InDoubt]) -> bool:
        """Whether each effect in doubt has its answer, and nothing else has one."""
        return {one.place for one in in_doubt} == set(self.found)


class PageLook(Protocol):
    """A browser of its own in which a person looks at the live page before answering. It acts on nothing."""

    @property
    def frames(self) -> LatestFrame:
        """The live picture."""

    def open(self, url: str, said: Callable[[str], None]) -> None:
        """Open `url` there, in place of what was open. `said` hears what came of it, in another thread."""

    def close(self) -> None:
        """Close it; returns at once."""
