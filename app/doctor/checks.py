"""The checks, in the order in which the report shows them; each looks at one thing and changes nothing."""

import os
import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from app.doctor.browser import check_browser, check_playwright, check_sandbox
from app.doctor.code import check_code_sandbox
from app.doctor.desktop import check_desktop
from app.doctor.finding import Finding, State
from app.doctor.key_store import check_key_store
from app.doctor.probes import ProbeFailedError, ask
from app.doctor.storage import check_data_folder
from app.doctor.system import System
from app.doctor.window import check_display, check_fonts, check_qt

NEEDED_PYTHON = (3, 11)
NEEDED_SQLITE = (3, 37)
KEY_VARIABLE = "OPENAI_API_KEY"

Check = Callable[[System, Path], Finding]


def check_python(system: System, home: Path) -> Finding:
    """Whether this Python is new enough."""
    version = platform.python_version()
    if sys.version_info >= NEEDED_PYTHON:
        return Finding(what="Python", state=State.OK, says=version)
    return Finding(
        what="Python", state=State.MISSING, says=f"{version} is too old.", get="Install Python 3.11 or newer."
    )


def check_sqlite(system: System, home: Path) -> Finding:
    """Whether this Python's SQLite has what a ledger needs."""
    try:
        version = str(ask("sqlite")["version"])
    except ProbeFailedError as refused:
        return Finding(
            what="SQLite",
            state=State.MISSING,
            says=f"This Python cannot load SQLite, so no run can be recorded: {refused}",
            get="Use a Python that was built with SQLite.",
        )
    if tuple(int(part) for part in version.split(".")) >= NEEDED_SQLITE:
        return Finding(what="SQLite", state=State.OK, says=version)
    needed = ".".join(map(str, NEEDED_SQLITE))
    return Finding(what="SQLite", state=State.MISSING, says=f"{version} is too old.", get=f"Ledgers need {needed}.")


def check_key(system: System, home: Path) -> Finding:
    """Whether there is a key for live runs; the key itself is never shown."""
    if os.environ.get(KEY_VARIABLE):
        return Finding(what="Key", state=State.OK, says=f"{KEY_VARIABLE} is set.")
    return Finding(
        what="Key",
        state=State.NOTE,
        says=f"{KEY_VARIABLE} is not set. Demo, replay and rehearsal do not need it; a live run does.",
        get=f"Set {KEY_VARIABLE} before a live run.",
    )


CHECKS: Sequence[Check] = (
    check_python,
    check_qt,
    check_display,
    check_fonts,
    check_playwright,
    check_browser,
    check_sandbox,
    check_code_sandbox,
    check_desktop,
    check_sqlite,
    check_data_folder,
    check_key_store,
    check_key,
)


def examine(system: System, home: Path) -> list[Finding]:
    """All findings on this machine, one a check."""
    return [check(system, home) for check in CHECKS]
