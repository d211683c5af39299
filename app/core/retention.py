"""Which saved runs are older than they are to be kept, or more than there is room for. Off unless a person says so."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

from pydantic import Field

from app.core.value import Frozen

DAY_MS = 86_400_000
MB = 1_000_000


class Retention(Frozen):
    """How long and how much is kept; None sets no bound. Nothing is removed before a person has seen what."""

    older_than_days: Annotated[int, Field(ge=1, le=36_500)] | None = None
    """Runs that began longer ago may go."""
    above_total_mb: Annotated[int, Field(ge=1)] | None = None
    """While all runs together take more, the oldest may go."""

    @property
    def off(self) -> bool:
        """Whether everything is kept."""
        return self.older_than_days is None and self.above_total_mb is None


class Kept(Protocol):
    """A saved run as far as retention looks at it."""

    @property
    def started_wall_ms(self) -> int:
        """Milliseconds since 1970; 0 when not on record."""

    @property
    def size_bytes(self) -> int:
        """On the disk, all that belongs to it."""

    @property
    def removable(self) -> bool:
        """Whether nobody owns it and nothing of it waits for a person."""


@dataclass(frozen=True)
class Overdue:
    """A run that may go, and why."""

    run: Kept
    reason: str


def overdue(runs: Iterable[Kept], retention: Retention, *, now_wall_ms: int) -> Sequence[Overdue]:
    """The runs that may go, oldest first. One whose time is not on record is never among them."""
    dated = sorted((run for run in runs if run.started_wall_ms > 0), key=lambda run: run.started_wall_ms)
    found: dict[int, Overdue] = {}
    if (days := retention.older_than_days) is not None:
        for run in dated:
            if run.removable and now_wall_ms - run.started_wall_ms > days * DAY_MS:
                found[id(run)] = Overdue(run, f"older than {days} {'day' if days == 1 else 'days'}")
    if (most_mb := retention.above_total_mb) is not None:
        left = sum(run.size_bytes for run in dated if id(run) not in found)
        for run in dated:
            if left <= most_mb * MB:
                break
            if run.removable and id(run) not in found:
                found[id(run)] = Overdue(run, f"together above {most_mb:,} MB")
                left -= run.size_bytes
    return [found[id(run)] for run in dated if id(run) in found]
