"""The live picture of the active tab: every frame acknowledged at once, the newest kept."""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.async_api import CDPSession, Error

from drivers.browser.tabs import Tab, Tabs
from drivers.browser.world import ANSWER_SECS, WorldGone, send
from drivers.errors import BrowserError

log = logging.getLogger(__name__)

QUALITY = 80
SILENCE_SECS = 0.25
"""After the last frame of a burst, when the picture is taken once more."""


@dataclass(frozen=True)
class Frame:
    """One picture of a tab as the browser drew it."""

    data: bytes
    """JPEG."""
    width: int
    """Image pixels."""
    height: int
    css_width: int
    css_height: int
    taken_at: float
    """Seconds on the loop's monotonic clock when it arrived."""
    tab_id: str


class Screencast:
    """Follows the active tab. A frame of a tab that is no longer active is acknowledged and dropped.

    A page that has come to rest costs one more picture and then nothing.
    """

    def __init__(self, tabs: Tabs) -> None:
        self._tabs = tabs
        self.newest: Frame | None = None
        self._on_frame: Callable[[Frame], None] | None = None
        self._limits: dict[str, int] = {}
        self._running: tuple[Tab, CDPSession] | None = None
        self._listening: set[CDPSession] = set()
        self._turn = asyncio.Lock()
        self._count = 0
        self._confirmed = 0
        self._silence: asyncio.TimerHandle | None = None

    async def start(
        self, on_frame: Callable[[Frame], None], *, max_width: int | None = None, max_height: int | None = None
    ) -> None:
        """Call *on_frame* on this loop for each frame, at once and in order; it must be quick and not raise."""
        self._on_frame = on_frame
        self._limits = {k: v for k, v in (("maxWidth", max_width), ("maxHeight", max_height)) if v is not None}
        await self.follow()

    async def stop(self) -> None:
        """No further frame is delivered after this returns."""
        self._on_frame = None
        await self.follow()

    async def follow(self) -> None:
        """Show the tab that is active now, and only that one."""
        async with self._turn:
            wanted = self._tabs.active if self._on_frame is not None else None
            if self._running is not None and self._running[0] is wanted:
                return
            if self._silence is not None:
                self._silence.cancel()
            if self._running is not None:
                await self._quietly(self._running[1], "Page.stopScreencast", {})
                self._running = None
            if wanted is None:
                return
            try:
                session = await wanted.session()
            except BrowserError:
                return  # closed or crashed in the meantime: the next switch starts again
            self._running = (wanted, session)
            if session not in self._listening:
                self._listening.add(session)
                session.on("Page.screencastFrame", lambda event: self._arrived(wanted, session, event))
            await self._quietly(session, "Page.startScreencast", {"format": "jpeg", "quality": QUALITY, **self._limits})

    def _arrived(self, tab: Tab, session: CDPSession, event: dict[str, Any]) -> None:
        # IMPORTANT: acknowledge before anything else. A late acknowledgement ends on a stale picture.
        ack = self._quietly(session, "Page.screencastFrameAck", {"sessionId": event["sessionId"]})
        self._tabs.spawn(ack, "acknowledge a frame")
        if self._shows(tab):
            meta = event["metadata"]
            self._deliver(tab, event["data"], (round(meta["deviceWidth"]), round(meta["deviceHeight"])))
            self._await_silence(tab, session)

    def _shows(self, tab: Tab) -> bool:
        return self._on_frame is not None and self._running is not None and self._running[0] is tab

    def _deliver(self, tab: Tab, encoded: str, css: tuple[int, int]) -> None:
        data = base64.b64decode(encoded)
        size = jpeg_size(data)
        if size is None or self._on_frame is None:
            return
        self.newest = Frame(data, *size, *css, asyncio.get_running_loop().time(), tab.id)
        self._count += 1
        self._on_frame(self.newest)

    def _await_silence(self, tab: Tab, session: CDPSession) -> None:
        """The browser drops frames while two are unacknowledged, and the last of a burst may be among them."""
        if self._silence is not None:
            self._silence.cancel()
        confirm = self._confirm
        self._silence = asyncio.get_running_loop().call_later(
            SILENCE_SECS, lambda: self._tabs.spawn(confirm(tab, session), "confirm the live picture")
        )

    async def _confirm(self, tab: Tab, session: CDPSession) -> None:
        """One picture after a burst, so that what is shown last is what the page shows."""
        before, newest = self._count, self.newest
        # The picture itself makes the browser send one more frame, and a single frame cannot have lost another.
        if newest is None or not self._shows(tab) or before - self._confirmed < 2:
            return
        self._confirmed = before
        wanted: dict[str, Any] = {"format": "jpeg", "quality": QUALITY, "optimizeForSpeed": True}
        try:
            shot = await send(session, "Page.captureScreenshot", wanted, secs=ANSWER_SECS)
        except (Error, WorldGone, BrowserError):
            return
        if self._shows(tab) and self._count == before:
            self._confirmed += 1
            self._deliver(tab, shot["data"], (newest.css_width, newest.css_height))

    async def _quietly(self, session: CDPSession, method: str, params: dict[str, Any]) -> None:
        try:
            await send(session, method, params, secs=ANSWER_SECS)
        except (Error, WorldGone, BrowserError):
            log.debug("the screencast's %s found no page", method)


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height from a JPEG's frame header; None for anything else."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None
