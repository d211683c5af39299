"""From where a saved run can be forked, what it did afterwards, and what a person chooses for the new run."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.core import describe
from app.core.events import CallAnswered, CheckpointSaved, Recorded
from app.core.resuming import begun_run
from app.core.settle import SettledCall, settle
from app.core.timeline import Timeline

BY_HAND = "a person acted in the browser"
BOUNDARIES = ("boundary", "programs_boundary")
MOST_NAMED = 12
"""Effects that are named one by one in the words about what came after a boundary."""


@dataclass(frozen=True)
class Boundary:
    """A place between two answers at which everything that was begun has its output."""

    revision: int
    """Of the checkpoint that a fork begins with."""
    seq: int
    wall_ms: int
    turn: int
    """How many answers are part of its history."""
    before: tuple[str, ...]
    """What was done in the answer before it, in the console's words."""
    after: tuple[str, ...]
    """What the run did to the world after it, in the console's words; a fork's model knows nothing of it."""

    @property
    def words(self) -> str:
        """``after turn 3 · Type text, Click on a page element``."""
        if not self.turn:
            return "from the task alone"
        return f"after turn {self.turn} · {', '.join(self.before) or 'nothing was called'}"

    @property
    def warning(self) -> str:
        """A note that tells the model what stands in the world and not in its history; empty for nothing."""
        if not self.after:
            return ""
        named = "; ".join(self.after[:MOST_NAMED])
        more = f"; and {len(self.after) - MOST_NAMED} more" if len(self.after) > MOST_NAMED else ""
        return f"After this point an earlier run went on. What it did may still stand: {named}{more}."


@dataclass(frozen=True)
class ForkOffer:
    """A saved run as something to fork from."""

    run_id: str
    task: str
    """Outside text."""
    model: str
    boundaries: Sequence[Boundary]
    """Oldest first."""


@dataclass(frozen=True)
class ForkAnswer:
    """What the new run is to be."""

    revision: int
    model: str = ""
    """Empty for the same."""
    rules_from: str = ""
    """Path of a run file whose rules are in force; empty for those on record."""
    note: str = ""


def fork_offer(events: Iterable[Recorded]) -> ForkOffer:
    """Fold a saved journal.

    Raises:
        ValueError: it does not begin with a run's header.
    """
    timeline, run = begun_run(events)
    acts = [call for call in settle(timeline.events) if _acts(timeline, call)]
    model = timeline.resumptions[-1].model if len(timeline.resumptions) else run.model
    found = _requests(timeline) if run.engine == "decisions" else _boundaries(timeline)
    return ForkOffer(
        run.run_id,
        run.task,
        model,
        [_boundary(timeline, seq, revision, acts) for seq, revision in found],
    )


def _requests(timeline: Timeline) -> Iterable[tuple[int, int]]:
    """A decisions run has no checkpoints and needs none: each request is a boundary, and its number names it."""
    for index, request in enumerate(timeline.requests):
        yield timeline.requests.seq_of(index), request.turn


def _boundaries(timeline: Timeline) -> Iterable[tuple[int, int]]:
    """Each boundary once: the SDK saves one when a turn closes and another, with the same history, for the request."""
    before: CheckpointSaved | None = None
    for index, saved in enumerate(timeline.checkpoints):
        again = before is not None and before.phase in BOUNDARIES and before.revision == saved.revision - 1
        if saved.phase in BOUNDARIES and not again:
            yield timeline.checkpoints.seq_of(index), saved.revision
        before = saved


def _boundary(timeline: Timeline, seq: int, revision: int, acts: Sequence[SettledCall]) -> Boundary:
    answered = {one.event.call_id for one in timeline.events.upto(seq) if isinstance(one.event, CallAnswered)}
    turn = timeline.turns.last(seq)
    calls = [call for call in timeline.calls.upto(seq) if turn is not None and call.turn == turn.turn]
    if timeline.run is not None and timeline.run.engine == "decisions":
        # It looks at the page by itself; its looks are no calls of the model.
        calls = [call for call in calls if call.proposed.source == "decisions"]
    return Boundary(
        revision=revision,
        seq=seq,
        wall_ms=timeline.events[timeline.events.count(seq) - 1].wall_ms,
        turn=len(timeline.turns.upto(seq)),
        before=tuple(_phrase(call.proposed.source, call.proposed.member) for call in calls),
        after=(
            *(
                f"{_phrase(call.source, call.member)} ({call.outcome.replace('_', ' ')})"
                for call in acts
                if call.call_id not in answered and not _chosen_before(timeline, call, seq)
            ),
            *([BY_HAND] if timeline.human_acts.since(seq, timeline.last_seq) is not None else []),
        ),
    )


def _chosen_before(timeline: Timeline, call: SettledCall, seq: int) -> bool:
    """Whether it is of a decisions run, where an action is over before the next request leaves."""
    known = timeline.call(call.call_id)
    return call.source == "decisions" and known is not None and known.seq < seq


def _acts(timeline: Timeline, call: SettledCall) -> bool:
    """Whether it did something to the world, or may have."""
    known = timeline.call(call.call_id)
    started = known.started.get(call.part) if known is not None else None
    reads = started is not None and started.reads_only
    return call.outcome != "not_done" and not reads and call.member != "list_tabs"


def _phrase(source: str, member: str) -> str:
    own = {"functions": "Call a function", "decisions": "Execute a candidate"}
    return describe.member_phrase(source, member) or own.get(source, "Call a tool")
