"""Whether a window can be shown; loads nothing, since every start asks it."""

import os
import sys


def display_there() -> bool:
    """Whether a window could be shown here (or is asked to be drawn offscreen)."""
    if os.environ.get("QT_QPA_PLATFORM"):
        return True
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
