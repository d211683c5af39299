"""Starts the real program as a process of its own, the way a person does."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LAST_LINE = re.compile(r"^run (?P<run_id>\S+) · (?P<status>[a-z ]+) · (?P<decisions>\d+) decisions · (?P<ledger>.+)$")

LIMIT_SECS = 400
"""Only a program that stands still for good may come to it, however busy the machine is."""


@dataclass
class Ran:
    """How it ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def last_line(self) -> re.Match[str]:
        """The closing line, taken apart."""
        found = LAST_LINE.match(self.out.splitlines()[-1])
        assert found is not None, self.out
        return found

    @property
    def ledger(self) -> Path:
        """Where it says that its ledger lies."""
        return Path(self.last_line["ledger"])


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a person without a key and without a display."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("OPENAI_") and name not in ("DISPLAY", "WAYLAND_DISPLAY")
    }
    return {**kept, "SIGNALBOX_HOME": str(home), "QT_QPA_PLATFORM": "offscreen", **more}


def signalbox(*arguments: str, home: Path, **more: str) -> Ran:
    """Run ``signalbox ARGUMENTS`` to its end."""
    done = subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        env=environment(home, **more),
        capture_output=True,
        text=True,
        timeout=LIMIT_SECS,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
