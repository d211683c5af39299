"""Whether code that a model writes can be run in a sandbox here; only runs with a ``[code]`` table need it."""

import sys
from pathlib import Path

from app.doctor.finding import Finding, State
from app.doctor.system import System
from drivers.code.bubblewrap import bubblewrap, refusal


def check_code_sandbox(system: System, home: Path) -> Finding:
    """Look for bubblewrap and have it run nothing."""
    found = bubblewrap()
    if found is not None and refusal(found) is None:
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
