"""Whether the data folder can take a run's ledger."""

import shutil
import tempfile
from pathlib import Path

from app.doctor.finding import Finding, State
from app.doctor.system import System

LEAST_FREE_BYTES = 100_000_000
COMFORTABLE_FREE_BYTES = 2_000_000_000
"""A run with a picture of 300 KB a step writes some 230 MB in a thousand steps."""


def check_data_folder(system: System, home: Path) -> Finding:
    """Whether the data folder can be made, written to, and has room; leaves the folder there, empty if it was not."""
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home) as trial:
            trial.write(b"signalbox")
        free_bytes = shutil.disk_usage(home).free
    except OSError as refused:
        return _missing(f"It cannot be written to ({refused.strerror}): {home}")
    free = f"{free_bytes / 1e9:.1f} GB free"
    if free_bytes < LEAST_FREE_BYTES:
        return _missing(f"The disk is nearly full, {free}: {home}")
    if free_bytes < COMFORTABLE_FREE_BYTES:
        says = f"Little room for recordings, {free}: {home}"
        return Finding(what="Data folder", state=State.NOTE, says=says, get="Free some space on that disk.")
    return Finding(what="Data folder", state=State.OK, says=f"{home}, {free}")


def _missing(says: str) -> Finding:
    get = "Name another folder with --home DIR or SIGNALBOX_HOME."
    return Finding(what="Data folder", state=State.MISSING, says=says, get=get)
