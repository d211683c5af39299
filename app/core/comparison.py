"""Runs side by side: what each took, counted from its own journal. Says when they were not about the same task."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.core.describe import ending_words
from app.core.events import OutcomeChecked
from app.core.moment import Moment
from app.core.timeline import Timeline

OTHER_TASK = "These runs were not given the same task."
UNFINISHED = "no end is on record"


@dataclass(frozen=True)
class RunFigures:
    """What one run took. Texts from outside are kept as they came."""

    run_id: str
    engine: str
    model: str
    task: str
    ended: str
    """How it ended, in the console's words."""
    checks: str
    """What the checks said: those that a run states itself, and the demo's own look at its site."""
    requests: int
    input_tokens: int
    output_tokens: int
    millis: int
    """From the run's header to its last event."""
    waited_millis: int
    """How much of it questions stood unanswered, added up."""
    asks: int
    allowed: int
    denied: int
    answered: int
    """Calls that the operator answered in a function's place."""
    by_rule: int
    """How many of the answers were a rule's."""
    done: int
    not_done: int
    may_have_happened: int

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens


def figures_of(timeline: Timeline) -> RunFigures:
    """The figures of one run as of its newest event. Raises `ValueError` for a timeline without a header."""
    run = timeline.run
    if run is None:
        raise ValueError("there is no run in this timeline")
    moment = Moment(timeline)
    ended = moment.ended
    acted = [started for started in timeline.actions if not started.reads_only]
    acting = {(started.call_id, started.part) for started in acted}
    outcomes = {"done": 0, "not_done": 0, "may_have_happened": 0}
    for one in timeline.endings:
        if (one.call_id, one.part) in acting:
            outcomes[one.outcome] += 1
    last = timeline.events[-1]
    return RunFigures(
        run_id=run.run_id,
        engine=run.engine,
        model=run.model,
        task=run.task,
        ended=ending_words(ended) if ended is not None else UNFINISHED,
        checks=_checks(timeline.outcomes),
        requests=len(timeline.requests),
        input_tokens=sum(turn.input_tokens for turn in timeline.turns),
        output_tokens=sum(turn.output_tokens for turn in timeline.turns),
        millis=timeline.elapsed.at(last.seq),
        waited_millis=sum(decision.waited_ms for decision in timeline.decisions),
        asks=moment.asked,
        allowed=len(timeline.allowed),
        denied=len(timeline.denied),
        answered=len(timeline.answered),
        by_rule=sum(decision.by == "rule" for decision in timeline.decisions),
        **outcomes,
    )


def rows_of(runs: Sequence[RunFigures]) -> list[tuple[str, list[str]]]:
    """Each figure's name with its value in every run, for a table."""
    return [
        ("run", [run.run_id for run in runs]),
        ("engine", [run.engine for run in runs]),
        ("model", [run.model for run in runs]),
        ("ended", [run.ended for run in runs]),
        ("checks", [run.checks for run in runs]),
        ("requests", [f"{run.requests:,}" for run in runs]),
        ("tokens", [f"{run.tokens:,}" for run in runs]),
        ("tokens in", [f"{run.input_tokens:,}" for run in runs]),
        ("tokens out", [f"{run.output_tokens:,}" for run in runs]),
        ("time", [_secs(run.millis) for run in runs]),
        ("of it waiting for answers", [_secs(run.waited_millis) for run in runs]),
        ("asks", [f"{run.asks:,}" for run in runs]),
        ("allowed", [f"{run.allowed:,}" for run in runs]),
        ("denied", [f"{run.denied:,}" for run in runs]),
        ("answered instead of run", [f"{run.answered:,}" for run in runs]),
        ("answered by a rule", [f"{run.by_rule:,}" for run in runs]),
        ("actions done", [f"{run.done:,}" for run in runs]),
        ("actions not done", [f"{run.not_done:,}" for run in runs]),
        ("may have happened", [f"{run.may_have_happened:,}" for run in runs]),
    ]


def same_task(runs: Sequence[RunFigures]) -> bool:
    """Whether all of them were given the very same words."""
    return len({run.task for run in runs}) <= 1


def _checks(outcomes: Iterable[OutcomeChecked]) -> str:
    found = [one.ok for one in outcomes]
    return f"{found.count(True)} of {len(found)} held" if found else "none stated"


def _secs(millis: int) -> str:
    return f"{millis / 1000:.1f} s"
