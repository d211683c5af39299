"""What this machine lets a run do with a desktop, in words for people."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

NO_OTHER_SYSTEM = (
    "Your own desktop can be driven on X11 only so far, not on {system}. A browser page can be driven here: "
    'target = "browser".'
)
WAYLAND = (
    "This is a Wayland session, in which no program may see or use another one's windows. Log in on an X11 session, "
    'or give the run a desktop of its own: target = "virtual".'
)
NO_DISPLAY = 'There is no display to drive: DISPLAY is not set. A desktop of its own needs none: target = "virtual".'


def own_display(env: Mapping[str, str] | None = None) -> str:
    """The operator's own display, as in ``DISPLAY``; where there is none, :class:`LookupError` says why."""
    known = os.environ if env is None else env
    if sys.platform != "linux":
        system = {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)
        raise LookupError(NO_OTHER_SYSTEM.format(system=system))
    if known.get("XDG_SESSION_TYPE") == "wayland" or known.get("WAYLAND_DISPLAY"):
        raise LookupError(WAYLAND)
    if not known.get("DISPLAY"):
        raise LookupError(NO_DISPLAY)
    return known["DISPLAY"]
