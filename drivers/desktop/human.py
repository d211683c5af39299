"""A person's own hands on a virtual desktop: mouse, keys, pasted text, sent as the desktop's real input."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal

from Xlib import X

from drivers.desktop.ground import Keys, Server
from drivers.desktop.keysyms import KEYS, of_key
from drivers.desktop.pointer import Pointer
from drivers.desktop.screen import TAB, DesktopScreen
from drivers.errors import NotDone

Work = Callable[[Callable[[], None]], Awaitable[None]]
_BUTTONS = {"left": 1, "middle": 2, "right": 3}


class Human:
    """Nothing is refused but what lies outside: a person sees what they do. Whoever calls it says who may.

    Keys and buttons that are down are remembered, so that none stays down.
    """

    def __init__(self, server: Server, screen: DesktopScreen, pointer: Pointer, keyboard: Keys, in_turn: Work) -> None:
        """`in_turn` does one thing after another in the driver's own thread."""
        self._server = server
        self._screen = screen
        self._pointer = pointer
        self._keyboard = keyboard
        self._in_turn = in_turn
        self._keys: dict[str, int] = {}

    @property
    def tab_id(self) -> str | None:
        """What stands in a tab's place."""
        return TAB

    async def mouse(self, kind: Literal["move", "down", "up"], x: float, y: float, button: str, clicks: int) -> None:
        """Move the pointer, and press or let go of a button there."""

        def moved() -> None:
            self._pointer.move(self._screen.point(int(x), int(y)))
            if kind == "down":
                self._pointer.press(_BUTTONS[button])
            elif kind == "up":
                self._pointer.let_go(_BUTTONS[button])

        await self._in_turn(moved)

    async def wheel(self, x: float, y: float, dx: float, dy: float) -> None:
        """Turn the wheel at a point."""
        await self._in_turn(lambda: self._pointer.wheel(self._screen.point(int(x), int(y)), int(dx), int(dy)))

    async def key(self, key: str, down: bool) -> None:
        """Press or let go of a key by its name in the DOM; one that this keyboard lacks does nothing."""

        def pressed() -> None:
            if not down:
                if (code := self._keys.pop(key, None)) is not None:
                    self._server.fake(X.KeyRelease, code)
                    self._server.settle()
            elif key in KEYS or len(key) == 1:
                code, shifted = self._keyboard.key_for(of_key(key))
                if shifted and not {"Shift", "Control", "Alt", "Meta"} & self._keys.keys():
                    # A letter that their keyboard has elsewhere than this one.
                    self._keyboard.type(key, lambda: None)
                    return
                self._keys[key] = code
                self._server.fake(X.KeyPress, code)
                self._server.settle()

        await self._in_turn(pressed)

    async def insert(self, text: str) -> None:
        """Put text in at once, as a paste or a finished composition does: here letter for letter."""
        await self._in_turn(lambda: self._keyboard.type(text, lambda: None))

    async def compose(self, text: str, cursor: int) -> None:
        """What an input method has so far is shown by nobody here; it comes when it is finished."""

    async def switch(self, tab_id: str) -> None:
        """A desktop has no tabs."""
        raise NotDone("A desktop has no tabs.")

    async def secret_focus(self) -> bool | None:
        """Whether what has the focus is a field for secrets: a desktop does not tell."""
        return None

    def void_refs(self) -> None:
        """A desktop gives out no references."""

    async def let_go(self) -> None:
        """Let go of every key and button that is down."""

        def released() -> None:
            for code in self._keys.values():
                self._server.fake(X.KeyRelease, code)
            self._keys.clear()
            self._pointer.let_go()

        await self._in_turn(released)
