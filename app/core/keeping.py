"""What the list of saved runs needs to look after them: handing on, removing, and how long they are kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.core.exporting import Exporter
from app.core.retention import Retention


@dataclass(frozen=True)
class Leaving:
    """A run that is to be removed, as it is put to a person before."""

    path: Path
    task: str
    """Outside text."""
    started: str
    """When it began, in words; empty when that is not on record."""
    size_bytes: int
    reason: str = ""
    """Why it may go; empty when a person chose it."""


@dataclass(frozen=True)
class Keeping:
    """Everything that is done to saved runs. Each may take seconds and is called beside the window's thread."""

    exporter: Exporter
    leaving: Callable[[Path], Leaving]
    """What is told of a run before it is removed."""
    remove: Callable[[Path], None]
    """Remove it, with everything beside it. Raises `SignalboxError`; a run in use is never removed."""
    retention: Callable[[], Retention]
    """The setting. Raises `SignalboxError` when it cannot be read."""
    keep: Callable[[Retention], None]
    """Write the setting down. Raises `SignalboxError`."""
    overdue: Callable[[], Sequence[Leaving]]
    """The runs that may go by the setting, oldest first; none while it is off."""
