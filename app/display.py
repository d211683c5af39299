"""Whether a window can be shown here. Qt would end the whole process instead of saying that it cannot.

Every start asks it, so that it loads next to nothing; a display is asked by the libraries that Qt itself asks it with.
"""

from __future__ import annotations

import functools
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NO_DISPLAY = "There is no display here: neither DISPLAY nor WAYLAND_DISPLAY is set."
REFUSED = "No window can be shown: {}."
NOBODY = "nothing answers at the display {} ({}), or it lets nobody in from here"
NO_NAME = "{!r} is no name of a display ({})"
NO_SCREEN = "the display {} ({}) has no such screen"
_XCB_WORDS = {5: NO_NAME, 6: NO_SCREEN}


def is_chosen(env: Mapping[str, str] = os.environ) -> bool:
    """Whether somebody has said where Qt is to draw; nothing else is done in its place then."""
    return bool(env.get("QT_QPA_PLATFORM"))


def platforms(env: Mapping[str, str] = os.environ) -> list[str]:
    """Qt's platform plugins in the order in which it tries them; empty where there is no display to try."""
    if named := env.get("QT_QPA_PLATFORM"):
        return [one.split(":")[0].lower() for one in named.split(";")]
    if sys.platform != "linux":
        return ["native"]
    wayland = env.get("WAYLAND_DISPLAY") or env.get("XDG_SESSION_TYPE") == "wayland"
    return [*(["wayland"] if wayland else []), *(["xcb"] if env.get("DISPLAY") else [])]


def why_no_window(env: Mapping[str, str] = os.environ) -> str:
    """Why no window can be shown, in words for people; empty when one can, or only Qt knows."""
    reasons: list[str] = []
    for one in platforms(env):
        reason = _why_not(one, env)
        if not reason:
            return ""
        reasons.append(reason)
    return REFUSED.format("; ".join(reasons)) if reasons else NO_DISPLAY


def _why_not(platform: str, env: Mapping[str, str]) -> str:
    if platform == "xcb":
        name = env.get("DISPLAY", "")
        error = _x_error(name)
        words = _XCB_WORDS.get(error, NOBODY) if name else "DISPLAY is not set"
        return words.format(name, "DISPLAY") if error else ""
    if platform == "wayland":
        # A session that names none has its only one by this name.
        name = env.get("WAYLAND_DISPLAY") or "wayland-0"
        if not (env.get("XDG_RUNTIME_DIR") or name.startswith("/")):
            return "XDG_RUNTIME_DIR is not set, in which a Wayland display lies"
        return "" if _wayland_answers(name) else NOBODY.format(name, "WAYLAND_DISPLAY")
    return ""


@functools.cache
def _x_error(name: str) -> int:
    """The X client library's number for what is wrong with a display; 0 for nothing, or where there is no library."""
    import ctypes

    try:
        library = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return 0
    connect: Callable[..., int] = library.xcb_connect
    library.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(connect(os.fsencode(name), ctypes.byref(ctypes.c_int())))
    # It stays open when it is good: a server that loses its last client begins anew, and turns Qt away meanwhile.
    return int(library.xcb_connection_has_error(connection))


@functools.cache
def _wayland_answers(name: str) -> bool:
    import ctypes

    try:
        library = ctypes.CDLL("libwayland-client.so.0")
    except OSError:
        return True
    library.wl_display_connect.restype = ctypes.c_void_p
    connection = library.wl_display_connect(os.fsencode(name))
    if connection:
        library.wl_display_disconnect(ctypes.c_void_p(connection))
    return bool(connection)
