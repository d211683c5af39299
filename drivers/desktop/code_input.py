"""What code on a desktop has of it: pointer, keys and pictures, by the names that pyautogui has for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from openai.types.responses import computer_action as modern

from drivers.desktop.driver import DesktopDriver
from drivers.errors import NotDone

NOTCH_PIXELS = 100
MOST_TIMES = 50


class DesktopInput:
    """Points are pixels of its own pictures. Each act is checked and done by the driver, as if the model had asked.

    Where no point is given, the one of the act before counts.
    """

    def __init__(self, driver: DesktopDriver) -> None:
        self._driver = driver
        self._at: tuple[int, int] | None = None

    async def size(self) -> list[int]:
        """Width and height of the picture."""
        return list(await self._driver.size())

    async def screenshot(self) -> bytes:
        """The desktop now, as a PNG."""
        return (await self._driver.picture_to_point_at()).data

    async def move_to(self, x: float, y: float) -> None:
        """Move the pointer."""
        at = self._point(x, y)
        await self._do(modern.Move(type="move", x=at[0], y=at[1], keys=None))

    async def click(
        self, x: float | None = None, y: float | None = None, clicks: int = 1, button: str = "left"
    ) -> None:
        """Press, `clicks` times in a row."""
        at = self._point(x, y)
        button = {"middle": "wheel"}.get(button, button)
        if button not in ("left", "right", "wheel", "back", "forward"):
            raise NotDone(f"Not done: there is no button {button!r}.")
        while clicks >= 2 and button == "left":
            await self._do(modern.DoubleClick(type="double_click", x=at[0], y=at[1], keys=None))
            clicks -= 2
        for _ in range(min(clicks, MOST_TIMES)):
            await self._do(modern.Click.model_validate({"type": "click", "x": at[0], "y": at[1], "button": button}))

    async def double_click(self, x: float | None = None, y: float | None = None) -> None:
        """Press twice."""
        await self.click(x, y, clicks=2)

    async def right_click(self, x: float | None = None, y: float | None = None) -> None:
        """Press the right button."""
        await self.click(x, y, button="right")

    async def drag_to(self, x: float, y: float) -> None:
        """Drag with the left button from where the act before was."""
        if self._at is None:
            raise NotDone("Not done: move somewhere first; a drag begins there.")
        path = [{"x": place[0], "y": place[1]} for place in (self._at, self._point(x, y))]
        await self._do(modern.Drag.model_validate({"type": "drag", "path": path}))

    async def scroll(self, clicks: int, x: float | None = None, y: float | None = None) -> None:
        """Turn the wheel by notches; up where `clicks` is positive."""
        at = self._point(x, y)
        down = -clicks * NOTCH_PIXELS
        await self._do(modern.Scroll(type="scroll", x=at[0], y=at[1], scroll_x=0, scroll_y=down, keys=None))

    async def write(self, text: str) -> None:
        """Type `text` at the focus."""
        await self._do(modern.Type(type="type", text=text))

    async def press(self, keys: str | Sequence[str], presses: int = 1) -> None:
        """Press one key after the other, and all of that `presses` times."""
        each = [keys] if isinstance(keys, str) else list(keys)
        for key in each * min(presses, MOST_TIMES):
            await self.hotkey(key)

    async def hotkey(self, *keys: str) -> None:
        """Press keys together."""
        await self._do(modern.Keypress(type="keypress", keys=list(keys)))

    moveTo, dragTo, doubleClick, rightClick, typewrite = move_to, drag_to, double_click, right_click, write

    def _point(self, x: float | None, y: float | None) -> tuple[int, int]:
        if x is None or y is None:
            if self._at is None:
                raise NotDone("Not done: say where; nothing was done anywhere before.")
            return self._at
        return int(x), int(y)

    async def _do(self, action: Any) -> None:
        await self._driver.check(action)
        await getattr(self._driver, action.type)(action)
        if action.type == "drag":
            self._at = (action.path[-1].x, action.path[-1].y)
        elif hasattr(action, "x"):
            self._at = (action.x, action.y)
