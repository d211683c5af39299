"""The saved runs of a folder, each with what a person wants to know before opening it."""

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app.core.decision import verdict_word
from app.core.errors import LedgerProblem
from app.core.events import AskRaised, DecisionMade, Provenance, RunEnded, RunStarted, RunStatus
from app.core.ids import is_step_id
from app.core.settle import SettledCall, lost_requests, settle
from app.ledger.lock import owner_of
from app.ledger.reader import EventType, LedgerReader
from app.ledger.schema import SUFFIX

logger = logging.getLogger(__name__)

ShelfStatus = RunStatus | Literal["running", "cut_off", "unreadable"]
"""How a run ended; or that somebody runs it now, that it has no end and no owner, that it cannot be shown."""

_EFFECTS: tuple[EventType, ...] = (
    "turn_answered",
    "ask_raised",
    "decision_made",
    "action_started",
    "action_ended",
    "call_answered",
    "request_sent",
)


@dataclass(frozen=True)
class RunSummary:
    """One row of the list of saved runs."""

    path: Path
    run_id: str
    status: ShelfStatus
    task: str = ""
    """Outside text."""
    model: str = ""
    """Outside text."""
    provenance: Provenance = "live"
    forked_from: str = ""
    """The id of the run whose history it begins with; outside text, empty for a run that is no fork."""
    started_wall_ms: int = 0
    owner: int | None = None
    """The process that runs it now."""
    asked: int = 0
    allowed: int = 0
    denied: int = 0
    answered: int = 0
    """Calls that a person answered in a function's place."""
    uncertain: tuple[SettledCall, ...] = ()
    """Of a run that was cut off: each action whose end is not on record, with the words for it."""
    lost_requests: int = 0
    """Of a run that was cut off: requests that left and brought no answer on record."""
    notes: tuple[str, ...] = ()
    """What is wrong with the file, for people."""


def list_runs(folder: Path) -> list[RunSummary]:
    """All ledgers directly in `folder`, newest first. One that cannot be read is listed with the reason.

    Raises:
        LedgerProblem: the folder is there and cannot be looked into.
    """
    try:
        # Looking for names by a pattern would find nothing there, and say that nothing was ever saved.
        paths = sorted((one for one in folder.iterdir() if one.suffix == SUFFIX), reverse=True)
    except FileNotFoundError:
        paths = []
    except OSError as error:
        raise LedgerProblem(f"the saved runs cannot be listed ({error.strerror}): {folder}") from error
    return sorted((summary_of(path) for path in paths), key=lambda run: run.started_wall_ms, reverse=True)


def summary_of(path: Path) -> RunSummary:
    """The row for the ledger at `path`; never raises for what is in the file."""
    owner = owner_of(path)
    try:
        with LedgerReader(path, owner=owner) as reader:
            return _summary(reader, owner)
    except LedgerProblem as problem:
        return RunSummary(path, path.stem, "unreadable", owner=owner, notes=(str(problem),))


def _summary(reader: LedgerReader, owner: int | None) -> RunSummary:
    started = next(reader.of_types("run_started"), None)
    if started is None or not isinstance(started.event, RunStarted):
        status: ShelfStatus = "running" if owner is not None else "unreadable"
        notes = (*reader.notes, "nothing of a run is on record yet")
        return RunSummary(reader.path, reader.path.stem, status, owner=owner, notes=notes)
    decisions = [
        found.event.decision for found in reader.of_types("decision_made") if isinstance(found.event, DecisionMade)
    ]
    # Holds are asks on record, too; going on from one allows nothing and is no answer to a question.
    answers = [verdict_word(decision) for decision in decisions if not is_step_id(decision.ask_id)]
    ended = [found.event for found in reader.of_types("run_ended") if isinstance(found.event, RunEnded)]
    cut_off = "cut_off" in reader.flags
    if owner is not None:
        status = "running"
    elif cut_off or not ended:
        status = "cut_off"
    else:
        status = ended[-1].status
    effects = list(reader.of_types(*_EFFECTS)) if status == "cut_off" else []
    return RunSummary(
        path=reader.path,
        run_id=started.event.run_id,
        status=status,
        task=started.event.task,
        model=started.event.model,
        provenance=started.event.provenance,
        forked_from=started.event.origin.run_id if started.event.origin is not None else "",
        started_wall_ms=started.wall_ms,
        owner=owner,
        asked=len(answers) + _open_questions(reader, {decision.ask_id for decision in decisions}),
        allowed=answers.count("allowed"),
        denied=answers.count("denied"),
        answered=answers.count("answered"),
        uncertain=tuple(call for call in settle(effects) if not call.on_record),
        lost_requests=lost_requests(effects),
        notes=(*reader.notes, *([reader.elsewhere] if reader.elsewhere else [])),
    )


def _open_questions(reader: LedgerReader, decided: set[str]) -> int:
    """How many questions have no answer on record. A run that ended has none, and its asks need not be read."""
    if reader.count("ask_raised") == len(decided):
        return 0
    raised = [found.event.ask.ask_id for found in reader.of_types("ask_raised") if isinstance(found.event, AskRaised)]
    return sum(1 for ask_id in raised if ask_id not in decided and not is_step_id(ask_id))
