"""What the form needs from the rest of the program; everything here may wait for a disk or a network."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from app.core.check_line import CheckLine
from app.core.plan import RunPlan


class SetupPorts(Protocol):
    """Called in a worker thread, never in the window's."""

    def presets(self) -> Sequence[Path]:
        """The run files kept as presets, by name."""

    def preset(self, name: str) -> Path:
        """Where the preset of that name is kept. Raises `UsageProblem` for what can be no name of a file."""

    def read(self, path: Path) -> dict[str, Any]:
        """The values of a run file. Raises `SignalboxError`, which says what is wrong with it."""

    def write(self, path: Path, values: Mapping[str, Any]) -> None:
        """Write a run file. Raises `SignalboxError`."""

    def try_rules(self, plan: RunPlan, say: Callable[[CheckLine], None]) -> None:
        """Say, line by line, what the plan's rules would have answered in saved runs. Decides nothing."""

    def check(self, plan: RunPlan, beside: Path | None, say: Callable[[CheckLine], None]) -> None:
        """Look at all that the run needs and say each line as it comes. `beside`: the folder of the plan's run file."""
