"""Begins a new run with the history of a saved one's boundary. The saved run is only read; nothing of it is owned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.errors import LedgerProblem, UsageProblem
from app.core.events import Origin, Recorded
from app.core.forking import Boundary, ForkOffer, fork_offer
from app.core.plan import RunPlan
from app.core.programs_plan import WAIT_TOOL
from app.core.resuming import Left, left_of
from app.core.value import Json
from app.ledger.beside import must_be_file
from app.ledger.lock import owner_of
from app.ledger.reader import LedgerReader
from app.ledger.verify import verify
from app.runner.carrying import carried_to
from app.runner.changed import known_when_opened
from app.runner.session_ports import Beginning, LoopBefore
from app.runner.told import forked_words, opened_anew


@dataclass(frozen=True)
class Forkable:
    """A saved run that is whole and was made here, as something to fork from."""

    path: Path
    left: Left
    past: Sequence[Recorded]

    @property
    def offer(self) -> ForkOffer:
        """Its boundaries."""
        return fork_offer(self.past)

    def upto(self, boundary: Boundary) -> Sequence[Recorded]:
        """Its journal up to there."""
        return [one for one in self.past if one.seq <= boundary.seq]


@dataclass(frozen=True)
class Fork:
    """Where a new run comes from, and how it begins."""

    origin: Origin
    beginning: Beginning


def forkable(path: Path) -> Forkable:
    """Read the ledger at `path` and check all of it.

    Raises:
        LedgerProblem: it may be looked at only, is running, or has no boundary.
    """
    must_be_file(path, "ledger")
    if (owner := owner_of(path)) is not None:
        raise LedgerProblem(f"in use by process {owner}: {path}")
    report = verify(path)
    if not report.whole:
        raise LedgerProblem(f"may be looked at but not forked: {report.findings[0]}: {path}")
    if "copied" in report.flags:
        raise LedgerProblem(f"may be looked at but not forked: not made here under this name: {path}")
    with LedgerReader.open(path) as reader:
        past = list(reader.events())
    left = left_of(past)
    found = Forkable(path, left, past)
    if not found.offer.boundaries:
        raise LedgerProblem(f"no boundary is on record: {path}")
    return found


def fork_at(source: Forkable, revision: int, plan: RunPlan, tools: Mapping[str, Json], note: str) -> Fork:
    """The new run's beginning. `tools` are the function tools of `plan`, by name.

    Raises:
        UsageProblem: there is no boundary of that revision, or its history needs a tool that the plan has not.
    """
    boundary = next((one for one in source.offer.boundaries if one.revision == revision), None)
    if boundary is None:
        known = ", ".join(str(one.revision) for one in source.offer.boundaries)
        raise UsageProblem(f"revision {revision} is no boundary to fork from; there are: {known}")
    choosing = source.left.started.engine == "decisions"
    if choosing is not (plan.engine == "decisions"):
        raise UsageProblem(f"the run file is for another engine than the run: {plan.engine}")
    with LedgerReader.open(source.path) as reader:
        history, loop = _begins_with(source, reader, boundary)
        chain = reader.chain_at(boundary.seq).hex()
    if missing := _missing(history, plan, tools):
        raise UsageProblem(f"what was said before uses tools that the plan has not: {', '.join(missing)}")
    return Fork(
        origin=Origin(run_id=source.left.started.run_id, revision=revision, seq=boundary.seq, chain=chain),
        beginning=Beginning(
            told=forked_words(note, opened_anew(plan)),
            reason="the run begins with another one's history",
            history=tuple(history),
            loop=loop,
            carried=carried_to(source.upto(boundary), note, new_browser=plan.browser is not None) if choosing else None,
        ),
    )


def _begins_with(
    source: Forkable, reader: LedgerReader, boundary: Boundary
) -> tuple[Sequence[dict[str, Any]], LoopBefore]:
    if source.left.started.engine == "decisions":
        return (), LoopBefore()
    checkpoint = reader.checkpoint(boundary.revision)
    if source.left.started.engine != "programs":
        return checkpoint["history"], LoopBefore()
    # No other run needs what this loads.
    from app.runner.programs.taking_up import forked_loop

    return forked_loop(checkpoint, source.upto(boundary), reader.blob)


def _missing(history: Sequence[dict[str, Any]], plan: RunPlan, tools: Mapping[str, Json]) -> list[str]:
    calls = ("function_call", "custom_tool_call")
    used = {str(item.get("name")) for item in history if item.get("type") in calls} - {WAIT_TOOL}
    missing = sorted(name for name in used if name not in tools and not known_when_opened(plan, name))
    if plan.computer is None and any(item.get("type") == "computer_call" for item in history):
        missing.append("computer")
    return missing
