"""Whether code that a model writes can be run in a sandbox here; only runs with a ``[code]`` table need it."""

from pathlib import Path

from app.doctor.finding import Finding, State
from app.doctor.system import System
from drivers.code.isolation import isolation
from drivers.errors import SandboxUnavailable


def check_code_sandbox(system: System, home: Path) -> Finding:
    """Look for it; starting it is left to the run."""
    try:
        found = isolation(required=True)
    except SandboxUnavailable as missing:
        return Finding(what="Code sandbox", state=State.NOTE, says=f"Runs with [code] do not begin: {missing}.")
    return Finding(what="Code sandbox", state=State.OK, says=f"{found.bubblewrap}: {found.words}")
