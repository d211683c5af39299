"""Whether code that a model writes can be run in a sandbox here; only runs with a ``[code]`` table need it."""

import shutil
import subprocess
import sys
from pathlib import Path

from app.doctor.finding import Finding, State
from app.doctor.system import System

SANDBOX = "bwrap"


def check_code_sandbox(system: System, home: Path) -> Finding:
    """Look for bubblewrap and have it run nothing."""
    found = shutil.which(SANDBOX) if sys.platform == "linux" else None
    if found is not None and _starts(found):
        return Finding(what="Code sandbox", state=State.OK, says=found)
    if found is not None:
        return Finding(
            what="Code sandbox",
            state=State.NOTE,
            says=f"{found} may make no sandbox on this system, so that runs with a [code] table do not begin.",
        )
    linux = sys.platform == "linux"
    return Finding(
        what="Code sandbox",
        state=State.NOTE,
        says="There is none, so that runs with a [code] table do not begin.",
        get="Install the package bubblewrap." if linux else "",
    )


def _starts(bubblewrap: str) -> bool:
    try:
        done = subprocess.run(
            [bubblewrap, "--unshare-all", "--ro-bind", "/", "/", "true"], capture_output=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
