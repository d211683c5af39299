"""Where a run's time went: the model, the operator, the driver, and what is left for all else."""

from dataclasses import dataclass

from app.core.events import RequestSent, TurnAnswered
from app.core.series import Series
from app.core.timeline import Timeline

NANOS_PER_MS = 1_000_000


@dataclass(frozen=True)
class TimeSplit:
    """Milliseconds up to one place on a timeline. The parts overlap where things ran side by side."""

    whole: int
    """From the run's header to that place."""
    model: int
    """From each request to its answer."""
    operator: int
    """That questions stood until a person answered."""
    driver: int
    """That drivers, functions and tools took, as they measured it."""

    @property
    def other(self) -> int:
        """What none of the three took."""
        return max(0, self.whole - self.model - self.operator - self.driver)


@dataclass(frozen=True)
class TokenCount:
    """Tokens as the service counted them."""

    into_model: int
    out_of_model: int
    total: int
    largest_turn: int
    """The most that one turn took."""


def time_split(timeline: Timeline, seq: int) -> TimeSplit:
    """Where the time up to event `seq` went."""
    people = (one.waited_ms for one in timeline.decisions.upto(seq) if one.by == "person")
    return TimeSplit(
        whole=timeline.elapsed.at(seq),
        model=_model_ms(timeline, seq),
        operator=sum(people),
        driver=sum(ended.duration_ms for ended in timeline.endings.upto(seq)),
    )


def token_count(timeline: Timeline, seq: int) -> TokenCount:
    """The tokens of all turns answered by event `seq`."""
    turns = timeline.turns.upto(seq)
    return TokenCount(
        into_model=sum(turn.input_tokens for turn in turns),
        out_of_model=sum(turn.output_tokens for turn in turns),
        total=sum(turn.total_tokens for turn in turns),
        largest_turn=max((turn.total_tokens for turn in turns), default=0),
    )


def _model_ms(timeline: Timeline, seq: int) -> int:
    """Each request's time until the next answer; a process that wrote on counts only what it saw itself."""
    nanos, asked_at = 0, None
    for place in sorted([*_places(timeline.requests, seq), *_places(timeline.turns, seq)]):
        recorded = timeline.events[place - 1]
        if isinstance(recorded.event, RequestSent):
            asked_at = recorded.mono_ns
        elif isinstance(recorded.event, TurnAnswered) and asked_at is not None:
            nanos += max(0, recorded.mono_ns - asked_at)
            asked_at = None
    return nanos // NANOS_PER_MS


def _places(series: Series[RequestSent] | Series[TurnAnswered], seq: int) -> list[int]:
    return [series.seq_of(at) for at in range(series.count(seq))]
