"""One connection to an X server: its size, its windows' properties, and what it says of pointer and keyboard."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import time
from collections.abc import Callable
from typing import Any, TypeVar

from Xlib import X, display, error
from Xlib.ext import xtest
from Xlib.protocol import event

from drivers.desktop.mapping import Box
from drivers.errors import BrowserError

T = TypeVar("T")

_STRUCTURE = (
    event.CreateNotify, event.DestroyNotify, event.MapNotify, event.UnmapNotify, event.ReparentNotify,
    event.ConfigureNotify, event.CirculateNotify, event.GravityNotify,
)  # fmt: skip
_LOST = (error.ConnectionClosedError, OSError)
_BUTTONS = X.Button1Mask | X.Button2Mask | X.Button3Mask


class _Connection(display.Display):
    """Each server numbers its events itself. The library keeps one table for all, and fails on the next server's.

    So the first extension that tells of its events gets a table of this connection's own to tell it in.
    """

    def extension_add_event(self, code: int, evt: type, name: str | None = None) -> None:
        """A kind of events by their number."""
        self._own_table()
        super().extension_add_event(code, evt, name)

    def extension_add_subevent(self, code: int, subcode: int | None, evt: Any, name: str | None = None) -> None:
        """One of several kinds that share a number."""
        self._own_table()
        super().extension_add_subevent(code, subcode, evt, name)

    def _own_table(self) -> None:
        if "event_classes" not in vars(self.display):
            self.display.event_classes = {**event.event_class}


class DesktopGone(BrowserError):
    """The X server went away; what had been asked of it may have happened."""


class DesktopMissing(RuntimeError):
    """There is no such display, or it may not be used, in words for people."""


class XServer:
    """Used by one thread at a time. Each call is answered before the next is made, unless it says otherwise."""

    def __init__(self, name: str) -> None:
        """`name` as in ``DISPLAY``. Raises :class:`DesktopMissing`."""
        try:
            self.display: display.Display = _Connection(name)
        except (error.DisplayError, error.ConnectionClosedError, OSError, OverflowError) as problem:
            raise DesktopMissing(f"The display {name} cannot be opened: {problem}") from problem
        self.name = name
        self.root = self.display.screen().root
        # Windows come and go between two requests; such an error answers the request that met it and nothing else.
        self.display.set_error_handler(lambda *_: None)
        try:
            if not self.display.has_extension("XTEST"):
                raise DesktopMissing(f"The display {name} takes no input from programs: it has no XTEST extension.")
            self.root.change_attributes(event_mask=X.SubstructureNotifyMask | X.StructureNotifyMask)
        except BaseException as problem:
            self.close()
            if isinstance(problem, _LOST):
                raise DesktopMissing(f"The display {name} went away: {problem}") from problem
            raise
        self._atoms: dict[str, int] = {}
        self._pings = 0

    def close(self) -> None:
        """Hang up, also when a request is still waiting for its answer in another thread."""
        raw: socket.socket = self.display.display.socket
        with contextlib.suppress(OSError):
            raw.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(*_LOST):
            self.display.close()
        raw.close()

    def asked(self, question: Callable[[], T]) -> T | None:
        """The answer to a question about a window; None when the window has gone.

        Raises:
            DesktopGone: the server has gone.
        """
        try:
            return question()
        except error.XError:
            return None
        except _LOST as lost:
            raise DesktopGone("The desktop went away.") from lost

    def atom(self, name: str) -> int:
        """The server's number for a name."""
        if name not in self._atoms:
            self._atoms[name] = self.asked(lambda: self.display.intern_atom(name)) or 0
        return self._atoms[name]

    def window(self, number: int) -> Any:
        """The window of that number, whether or not it is still there."""
        return self.display.create_resource_object("window", number)

    def cards(self, window: Any, name: str) -> list[int]:
        """A property of numbers; empty when there is none."""
        found = self.asked(lambda: window.get_full_property(self.atom(name), X.AnyPropertyType))
        return list(found.value) if found is not None and found.format == 32 else []

    def text(self, window: Any, name: str) -> str:
        """A property of text; outside text. Empty when there is none."""
        found = self.asked(lambda: window.get_full_property(self.atom(name), X.AnyPropertyType))
        if found is None or found.format != 8:
            return ""
        value = found.value
        return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else str(value)

    @property
    def lacks(self) -> frozenset[str]:
        """Pointer buttons that it cannot press."""
        return frozenset()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of everything that the server shows, in pixels."""
        found = self.asked(self.root.get_geometry)
        if found is None:
            raise DesktopGone("The desktop went away.")
        return found.width, found.height

    @property
    def screens(self) -> list[Box]:
        """Each part of it that some screen shows. Between them there may be places where no pointer gets to."""
        whole = (0, 0, *self.size)
        if not hasattr(self.root, "xrandr_get_monitors"):
            return [whole]
        found = self.asked(self.root.xrandr_get_monitors)
        each = [(one.x, one.y, one.width_in_pixels, one.height_in_pixels) for one in found.monitors] if found else []
        return [box for box in each if box[2] and box[3]] or [whole]

    @property
    def pointer(self) -> tuple[int, int] | None:
        """Where the pointer is; nowhere of this, where the server has another screen and it is there."""
        found = self.asked(self.root.query_pointer)
        return (found.root_x, found.root_y) if found is not None and found.same_screen else (-1, -1)

    @property
    def is_pressed(self) -> bool:
        """Whether a button is down; one that was let go of is so until whoever holds the pointer has seen its press."""
        found = self.asked(self.root.query_pointer)
        return found is not None and bool(found.mask & _BUTTONS)

    def fake(self, kind: int, detail: int = 0, x: int = 0, y: int = 0, after_ms: int = 0) -> None:
        """Let a key, button or motion happen; :meth:`settle` waits until the server has taken it.

        The server itself counts `after_ms`, so that a busy machine does not make more of them.
        """
        try:
            if kind == X.MotionNotify and len(self.display.display.info.roots) > 1:
                # Of several screens with numbers of their own, only this takes the pointer to the right one.
                self.root.warp_pointer(x, y)
                return
            xtest.fake_input(self.display, kind, detail, after_ms, self.root, x, y)
        except _LOST as lost:
            raise DesktopGone("The desktop went away.") from lost

    def settle(self) -> None:
        """Return once the server has dealt with everything so far."""
        self.asked(lambda: self.display.sync())

    def windows_changed(self) -> bool:
        """Whether a window came, went, moved or was restacked since this was last asked."""
        self.settle()
        changed = False
        while self.asked(self.display.pending_events):
            changed = isinstance(self.asked(self.display.next_event), _STRUCTURE) or changed
        return changed

    def pinged(self, window: Any, secs: float) -> bool:
        """Whether the program behind `window` has dealt with every event so far, waiting at most `secs` for it."""
        self.settle()
        if window is None or self.atom("_NET_WM_PING") not in self.cards(window, "WM_PROTOCOLS"):
            return False
        self._pings += 1
        data = (32, [self.atom("_NET_WM_PING"), self._pings, window.id, 0, 0])
        ping = event.ClientMessage(window=window, client_type=self.atom("WM_PROTOCOLS"), data=data)
        self.asked(lambda: window.send_event(ping))
        self.settle()
        end = time.monotonic() + secs
        while (left := end - time.monotonic()) > 0:
            while self.asked(self.display.pending_events):
                if self._answers(self.asked(self.display.next_event)):
                    return True
            select.select([self.display.fileno()], [], [], left)
        return False

    def _answers(self, came: Any) -> bool:
        if not isinstance(came, event.ClientMessage):
            return False
        ping, number = came.data[1][0], came.data[1][1]
        return bool(ping == self.atom("_NET_WM_PING") and number == self._pings)

    def let_in_own_user(self) -> None:
        """Let programs of this process's user in without a cookie, and still nobody else."""
        who = f"localuser\0#{os.getuid()}".encode()
        self.display.change_hosts(X.HostInsert, X.FamilyServerInterpreted, list(who))
        self.settle()

    def has_manager(self, secs: float) -> bool:
        """Whether a window manager announces itself within `secs`.

        A window that is shown before may never get the keys: the manager finds it there when it starts.
        """
        self.root.change_attributes(event_mask=X.PropertyChangeMask)
        end = time.monotonic() + secs
        while not self.cards(self.root, "_NET_SUPPORTING_WM_CHECK"):
            if (left := end - time.monotonic()) <= 0:
                return False
            if not self.asked(self.display.pending_events):
                select.select([self.display.fileno()], [], [], left)
            while self.asked(self.display.pending_events):
                self.asked(self.display.next_event)
        return True
