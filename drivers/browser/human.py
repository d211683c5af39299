"""A person's own input: mouse, keys, pasted and composed text sent to the tab in front as the browser's real input."""

from __future__ import annotations

from typing import Literal

from playwright.async_api import Error

from drivers.browser.pointer import INPUT_SECS, Button, entered
from drivers.browser.refs import Refs
from drivers.browser.tabs import Tabs
from drivers.browser.world import WorldGone, send
from drivers.errors import BrowserError, NotDone, PageStuck


class Human:
    """Nothing is checked and nothing refused: a person sees what they do. Whoever calls it says who may.

    Keys and buttons that are down are remembered, so that none stays down.
    """

    def __init__(self, tabs: Tabs, refs: Refs) -> None:
        self._tabs = tabs
        self._refs = refs
        self._keys: list[str] = []
        self._buttons: list[Button] = []

    @property
    def tab_id(self) -> str | None:
        """The tab that the input goes to."""
        return self._tabs.active.id if self._tabs.active is not None else None

    async def mouse(self, kind: Literal["move", "down", "up"], x: float, y: float, button: Button, clicks: int) -> None:
        """Move the pointer, and press or let go of a button there."""
        mouse = self._tabs.get(None).page.mouse
        await entered(mouse.move(x, y))
        if kind == "down":
            self._buttons.append(button)
            await entered(mouse.down(button=button, click_count=clicks))
        elif kind == "up" and button in self._buttons:
            self._buttons.remove(button)
            await entered(mouse.up(button=button, click_count=clicks))

    async def wheel(self, x: float, y: float, dx: float, dy: float) -> None:
        """Turn the wheel at a point."""
        mouse = self._tabs.get(None).page.mouse
        await entered(mouse.move(x, y))
        await entered(mouse.wheel(dx, dy))

    async def key(self, key: str, down: bool) -> None:
        """Press or let go of a key, by its name in the DOM; a letter that no key has is put in as text."""
        board = self._tabs.get(None).page.keyboard
        if down:
            try:
                await board.down(key)
            except Error as error:
                if "Unknown key" not in str(error):
                    raise BrowserError("The page or tab went away under the input.") from None
                await self.insert(key)
                return
            if key not in self._keys:
                self._keys.append(key)
        elif key in self._keys:
            self._keys.remove(key)
            await entered(board.up(key))

    async def insert(self, text: str) -> None:
        """Put text in at once, as a paste or a finished composition does."""
        await entered(self._tabs.get(None).page.keyboard.insert_text(text))

    async def compose(self, text: str, cursor: int) -> None:
        """Show what an input method has so far; empty text takes it away."""
        session = await self._tabs.get(None).session()
        shown = {"text": text, "selectionStart": cursor, "selectionEnd": cursor}
        try:
            await send(session, "Input.imeSetComposition", shown, secs=INPUT_SECS)
        except (Error, WorldGone):
            raise BrowserError("The page or tab went away under the input.") from None

    async def switch(self, tab_id: str) -> None:
        """Bring a tab to the front."""
        await self._tabs.switch(self._tabs.get(tab_id))

    async def secret_focus(self) -> bool | None:
        """Whether what has the focus is a field for secrets; None where that cannot be told."""
        tab = self._tabs.active
        if tab is None:
            return None
        try:
            world = await tab.worlds.main()
            while True:
                found = await world.call("focused")
                if "frame" not in found:
                    secret = found["secret"]
                    return secret if secret is None else bool(secret)
                inner = await tab.worlds.child(world, found["frame"])
                if inner is None:
                    return None
                world = inner
        except (WorldGone, PageStuck, NotDone, Error):
            return None

    def void_refs(self) -> None:
        """No reference given out so far means anything any more."""
        self._refs.void()

    async def let_go(self) -> None:
        """Let go of every key and button that is down."""
        keys, self._keys = self._keys, []
        buttons, self._buttons = self._buttons, []
        if self._tabs.active is None:
            return
        page = self._tabs.active.page
        for key in reversed(keys):
            await entered(page.keyboard.up(key))
        for button in buttons:
            await entered(page.mouse.up(button=button))
