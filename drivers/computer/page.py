"""The computer tool on a browser page: actions in CSS pixels of the picture that it returns."""

from __future__ import annotations

import asyncio
from typing import Any, TypeAlias

from openai.types.responses import computer_action as modern
from openai.types.responses import response_computer_tool_call as legacy
from openai.types.responses.response_computer_tool_call_output_screenshot_param import (
    ResponseComputerToolCallOutputScreenshotParam,
)

from drivers.browser.camera import data_url
from drivers.browser.driver import BrowserDriver
from drivers.browser.pointer import Button
from drivers.errors import Cancelled, NotDone, stop_if

Click: TypeAlias = modern.Click | legacy.ActionClick
DoubleClick: TypeAlias = modern.DoubleClick | legacy.ActionDoubleClick
Drag: TypeAlias = modern.Drag | legacy.ActionDrag
Keypress: TypeAlias = modern.Keypress | legacy.ActionKeypress
Move: TypeAlias = modern.Move | legacy.ActionMove
Scroll: TypeAlias = modern.Scroll | legacy.ActionScroll
Type: TypeAlias = modern.Type | legacy.ActionType
Wait: TypeAlias = modern.Wait | legacy.ActionWait

WAIT_SECS = 1.0
_POLL_SECS = 0.05
_BUTTONS: dict[str, Button] = {"left": "left", "right": "right", "wheel": "middle"}


class PageComputer:
    """Acts on the browser driver's active tab, whichever that is at the moment of the action.

    A refusal (:class:`drivers.errors.NotDone`) comes before any effect of that action; earlier actions of the same
    batch stay done.
    """

    def __init__(self, driver: BrowserDriver) -> None:
        self._driver = driver

    async def check(self, action: Any) -> None:
        """Refuse a point that does not lie on the page, before anybody is asked about it."""
        path = action.path if action.type == "drag" else [action] if hasattr(action, "x") else []
        if path:
            await self._driver.points.refuse_outside(self._driver.tabs.get(None), [(one.x, one.y) for one in path])

    async def click(self, action: Click, *, cancelled: Cancelled = None) -> None:
        """Press once; the back and forward buttons go through the tab's history."""
        tab, points = self._driver.tabs.get(None), self._driver.points
        at = (action.x, action.y)
        if action.button in ("back", "forward"):
            await points.refuse_outside(tab, [at])
            await self._driver.navigator.go(tab, action.button, cancelled=cancelled)
            return
        button = _BUTTONS[action.button]
        await points.click(tab, at, button=button, keys=action.keys or (), cancelled=cancelled)

    async def double_click(self, action: DoubleClick, *, cancelled: Cancelled = None) -> None:
        """Press twice."""
        at = (action.x, action.y)
        tab = self._driver.tabs.get(None)
        await self._driver.points.click(tab, at, count=2, keys=action.keys or (), cancelled=cancelled)

    async def drag(self, action: Drag, *, cancelled: Cancelled = None) -> None:
        """Press at the first point and let go at the last."""
        path = [(point.x, point.y) for point in action.path]
        tab = self._driver.tabs.get(None)
        await self._driver.points.drag(tab, path, keys=action.keys or (), cancelled=cancelled)

    async def keypress(self, action: Keypress, *, cancelled: Cancelled = None) -> None:
        """Press a chord."""
        await self._driver.typist.press(self._driver.tabs.get(None), list(action.keys), cancelled=cancelled)

    async def move(self, action: Move, *, cancelled: Cancelled = None) -> None:
        """Move the pointer."""
        tab = self._driver.tabs.get(None)
        await self._driver.points.move(tab, (action.x, action.y), keys=action.keys or (), cancelled=cancelled)

    async def scroll(self, action: Scroll, *, cancelled: Cancelled = None) -> None:
        """Turn the wheel over a point by CSS pixels."""
        tab, at = self._driver.tabs.get(None), (action.x, action.y)
        keys = action.keys or ()
        await self._driver.points.wheel(tab, at, action.scroll_x, action.scroll_y, keys=keys, cancelled=cancelled)

    async def type(self, action: Type, *, cancelled: Cancelled = None) -> None:
        """Type at the focus; a line break is the Enter key."""
        tab = self._driver.tabs.get(None)
        await self._driver.typist.type_at_focus(tab, action.text, breaks_allowed=True, cancelled=cancelled)

    async def wait(self, action: Wait, *, cancelled: Cancelled = None) -> None:
        """Wait a second, or until the caller asks for a stop."""
        loop = asyncio.get_running_loop()
        end = loop.time() + WAIT_SECS
        while (left := end - loop.time()) > 0:
            stop_if(cancelled)
            await asyncio.sleep(min(_POLL_SECS, left))

    async def screenshot(self) -> ResponseComputerToolCallOutputScreenshotParam:
        """The active tab as a PNG, one image pixel for each CSS pixel."""
        if self._driver.tabs.active is None:
            raise NotDone("There is no open tab. Open one first.")
        picture = await self._driver.camera.take(self._driver.tabs.active, css_pixels=True)
        return {"type": "computer_screenshot", "image_url": data_url(picture)}
