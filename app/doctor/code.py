"""Whether code that a model writes can be run in a sandbox here; only runs with a ``[code]`` table need it."""

import shutil
import sys
from pathlib import Path

from app.doctor.finding import Finding, State
from app.doctor.system import System

SANDBOX = "bwrap"


def check_code_sandbox(system: System, home: Path) -> Finding:
    """Look for bubblewrap; starting it is left to the run."""
    found = shutil.which(SANDBOX) if sys.platform == "linux" else None
    if found is not None:
        return Finding(what="Code sandbox", state=State.OK, says=found)
    linux = sys.platform == "linux"
    return Finding(
        what="Code sandbox",
        state=State.NOTE,
        says="There is none, so that runs with a [code] table do not begin.",
        get="Install the package bubblewrap." if linux else "",
    )
