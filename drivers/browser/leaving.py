"""A document that a tab is on its way to: until it comes the browser holds every question to the one that is shown."""

from __future__ import annotations

import asyncio
import logging

from playwright.async_api import CDPSession, Error

from drivers.browser.world import ANSWER_SECS, WorldGone, send
from drivers.errors import PageStuck

log = logging.getLogger(__name__)

LOAD_SECS = 30.0
"""A document on its way for longer is given up when a question to the tab stays without an answer."""


class LoadGivenUp(PageStuck):
    """What the tab was on its way to did not come, and is no longer waited for."""


class Leaving:
    """Whether a tab is on its way to another document, and since when."""

    def __init__(self) -> None:
        self.idle = asyncio.Event()
        """Set while no document of the tab is on its way, or one that is has been waited for long enough."""
        self.idle.set()
        self._since: float | None = None

    def begins(self) -> None:
        """A document is on its way from now on."""
        self._since = asyncio.get_running_loop().time()

    def commits(self) -> None:
        """It is there as far as questions go, which are held no longer."""
        self._since = None

    def ends(self) -> None:
        """It has come, or will not."""
        self._since = None
        self.idle.set()

    async def answered(self, session: CDPSession) -> None:
        """Make sure that the page answers, where one on its way may keep it from that.

        Raises:
            LoadGivenUp: the document on its way did not come; the one before it answers again.
            PageStuck: it may come yet.
        """
        if self._since is None:
            return
        try:
            await send(session, "Runtime.evaluate", {"expression": "0"}, secs=ANSWER_SECS)
        except PageStuck:
            await self._give_up(session)
        except (Error, WorldGone):
            log.debug("a tab came to another document while it was asked")

    async def _give_up(self, session: CDPSession) -> None:
        if self._since is None:
            return  # it came in this very moment
        if asyncio.get_running_loop().time() - self._since < LOAD_SECS:
            raise PageStuck("Another page is on its way and has not come; until it does, nothing here can be read.")
        try:
            await send(session, "Page.stopLoading", secs=ANSWER_SECS)
        except (Error, WorldGone):
            log.debug("a tab was gone before its loading was given up")
        self.ends()
        raise LoadGivenUp(
            "Another page was on its way and did not come; its loading was given up. The page before it can be read."
        )
