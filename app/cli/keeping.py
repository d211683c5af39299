"""What the list of saved runs can do with them, tied to the runs folder and the settings."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from app.cli.handing_on import exporter
from app.clock import SystemClock
from app.core.errors import LedgerProblem
from app.core.keeping import Keeping, Leaving
from app.core.retention import Retention, overdue
from app.ledger.removal import remove_run, size_of
from app.ledger.schema import SUFFIX
from app.ledger.shelf import RunSummary, list_runs, summary_of
from app.paths import downloads_of, marks_folder, runs_folder
from app.replay.reading import begin_reading
from app.settings import load_settings, save_settings
from drivers.own_folder import sweep

WAITS_FOR_A_PERSON = frozenset({"running", "needs_reconciling"})


def keeping(home: Path | None) -> Keeping:
    """Everything of the runs folder of `home`."""

    def remove(path: Path) -> None:
        marks = _marks_of(path, home)
        remove_run(path, _folders_of(path, home))
        if marks is not None:
            marks.unlink(missing_ok=True)

    def keep(retention: Retention) -> None:
        save_settings(load_settings(home).model_copy(update={"retention": retention}), home)

    def may_go() -> Sequence[Leaving]:
        # Whoever was killed may have left copies of runs, and what a browser kept of pages.
        sweep()
        return overdue_runs(home)

    return Keeping(
        exporter=exporter(),
        leaving=lambda path: _leaving(summary_of(path), home),
        remove=remove,
        retention=lambda: load_settings(home).retention,
        keep=keep,
        overdue=may_go,
    )


def _marks_of(path: Path, home: Path | None) -> Path | None:
    """Where a reviewer's notes on the run lie; they may quote what it shows. None where a copy of it stays."""
    key = _key_of(path)
    marks = marks_folder(home) / f"{key}.json"
    if not key or not marks.exists():
        return None
    others = (one for one in path.parent.glob(f"*{SUFFIX}") if one != path and one.is_file())
    return None if any(_key_of(one) == key for one in others) else marks


def _key_of(path: Path) -> str:
    """By which a run's marks are named; empty for what cannot be read."""
    try:
        reading = begin_reading(path)
    except LedgerProblem:
        return ""
    try:
        return reading.key
    finally:
        reading.close()


def _folders_of(path: Path, home: Path | None) -> Sequence[Path]:
    """Where the files lie that the run fetched. Of a ledger elsewhere nobody knows whose such a folder is."""
    return (downloads_of(path),) if path.absolute().parent == runs_folder(home) else ()


@dataclass(frozen=True)
class _OnShelf:
    """A saved run with its size."""

    summary: RunSummary
    size_bytes: int

    @property
    def started_wall_ms(self) -> int:
        """See `retention.Kept`."""
        return self.summary.started_wall_ms

    @property
    def removable(self) -> bool:
        """See `retention.Kept`."""
        return self.summary.status not in WAITS_FOR_A_PERSON


def overdue_runs(home: Path | None) -> Sequence[Leaving]:
    """The runs that may go by the setting. Raises `UsageProblem`."""
    retention = load_settings(home).retention
    if retention.off:
        return ()
    shelf = [
        _OnShelf(summary, size_of(summary.path, _folders_of(summary.path, home)))
        for summary in list_runs(runs_folder(home))
    ]
    found = overdue(shelf, retention, now_wall_ms=SystemClock().wall_ms())
    return [_leaving(one.run.summary, home, one.reason) for one in found if isinstance(one.run, _OnShelf)]


def _leaving(summary: RunSummary, home: Path | None, reason: str = "") -> Leaving:
    started = summary.started_wall_ms
    when = datetime.fromtimestamp(started / 1000, UTC).astimezone().strftime("%d %b %Y, %H:%M") if started else ""
    size = size_of(summary.path, _folders_of(summary.path, home))
    return Leaving(summary.path, summary.task, when, size, reason)
