"""What a desktop's driver stands on: an X display here, or a desktop that somebody else's server shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PIL import Image

from drivers.desktop.camera import Camera, Shot
from drivers.desktop.keyboard import Check, Keyboard
from drivers.desktop.mapping import Box, Mapping
from drivers.desktop.windows import Window, Windows
from drivers.desktop.xserver import XServer


class Server(Protocol):
    """Takes input, one thing after another. What goes wrong is :class:`drivers.desktop.xserver.DesktopGone`."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    @property
    def screens(self) -> list[Box]:
        """Each part of it that some screen shows."""

    @property
    def pointer(self) -> tuple[int, int] | None:
        """Where the pointer is; None where that is not told."""

    @property
    def is_pressed(self) -> bool:
        """Whether a button is down, for all that is told."""

    @property
    def lacks(self) -> frozenset[str]:
        """Pointer buttons that it cannot press."""

    def fake(self, kind: int, detail: int = 0, x: int = 0, y: int = 0, after_ms: int = 0) -> None:
        """Let a key, button or motion happen, in X's numbers; so long after what was let happen before."""

    def settle(self) -> None:
        """Return once it has dealt with everything so far."""

    def pinged(self, window: object, secs: float) -> bool:
        """Whether the program behind a window has dealt with everything so far."""

    def close(self) -> None:
        """Hang up, also when something is still waiting for an answer in another thread."""


class Seeing(Protocol):
    """Which window is where."""

    def at(self, x: int, y: int) -> Window | None:
        """The topmost window at a point."""

    def with_keys(self) -> Window | None:
        """The window that keys go to."""

    def all(self) -> list[Window]:
        """Every window that is shown."""

    def named(self, words: str) -> Window | None:
        """The window whose title or program holds these words."""

    def belongs(self, window: Window, wanted: Window) -> bool:
        """Whether a window is of the same program as another."""


class Eye(Protocol):
    """Takes pictures; used by one thread at a time."""

    def grab(self, mapping: Mapping) -> Image.Image:
        """What the mapping's rectangle shows now, at the size of its picture."""

    def png(self, mapping: Mapping) -> Shot:
        """A picture without loss."""

    def close(self) -> None:
        """Hang up."""


class Keys(Protocol):
    """Keeps nothing pressed."""

    def require(self, syms: list[int]) -> None:
        """Raise :class:`drivers.errors.NotDone` for keysyms that cannot be sent here for certain."""

    def press(self, words: list[str], check: Check) -> None:
        """Press chords."""

    def key_for(self, sym: int) -> tuple[int, bool]:
        """What to press for a keysym, and whether with Shift."""

    def hold(self, names: list[str]) -> None:
        """Press modifiers and leave them down."""

    def let_go(self, names: list[str]) -> None:
        """Let go of modifiers."""

    def type(self, text: str, check: Check) -> None:
        """Type text letter for letter."""

    def restore(self) -> None:
        """Leave the keyboard as it was found."""


class Ground(Protocol):
    """All of it together."""

    server: Server
    windows: Seeing
    camera: Eye

    def keyboard(self, focused: Callable[[], object]) -> Keys:
        """`focused` gives what keys go to."""

    def beside(self) -> Ground:
        """The same once more, for another thread."""


class XGround:
    """An X display."""

    def __init__(self, name: str, only: str | None = None) -> None:
        """`name` as in ``DISPLAY``; `only`: one window, by words of its title or program.

        Raises :class:`drivers.desktop.xserver.DesktopMissing`.
        """
        self._name = name
        self._only = only
        self._x = XServer(name)
        self.server: Server = self._x
        try:
            windows = Windows(self._x)
            self.windows: Seeing = windows
            self.camera: Eye = Camera(name, lambda: windows.hidden(only))
        except BaseException:
            self._x.close()
            raise

    def keyboard(self, focused: Callable[[], object]) -> Keys:
        """By the layout that the display has."""
        return Keyboard(self._x, focused)

    def beside(self) -> XGround:
        """A connection of its own: one that is used by two threads answers the wrong one."""
        return XGround(self._name, self._only)
