"""Whether a run can be given a desktop of its own here, and whether it could use the operator's."""

import shutil
from pathlib import Path

from app.doctor.finding import Finding, State
from app.doctor.system import System
from drivers.desktop.support import own_display

WHAT = "Desktop"
NEEDED = {"Xvfb": "xvfb", "openbox": "openbox"}
"""Programs of a virtual desktop, and the Debian packages that bring them."""


def check_desktop(system: System, home: Path) -> Finding:
    """A virtual desktop for the computer tool; nothing but runs with such a target needs one."""
    if system.distribution in {"macos", "windows"}:
        says = "The computer tool works on a browser page here; a desktop can be driven on Linux with X11 only."
        return Finding(what=WHAT, state=State.NOTE, says=says)
    absent = [name for name in NEEDED if shutil.which(name) is None]
    if absent:
        return Finding(
            what=WHAT,
            state=State.NOTE,
            says=f"No run can have a virtual desktop: {' and '.join(absent)} not found.",
            packages=tuple(NEEDED[name] for name in absent),
            get="Install Xvfb and openbox, if a run is to use programs other than a browser page.",
        )
    try:
        own_display()
        own = "yours can be driven, too, after you confirm it"
    except LookupError:
        own = "yours cannot be driven"
    return Finding(what=WHAT, state=State.OK, says=f"A run can have a virtual desktop; {own}.")
