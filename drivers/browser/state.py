"""The tab list in the SDK's form, by one question to the browser: it answers even when a page hangs."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Browser, CDPSession, Error

from drivers.browser.observation import Journal, shown_url
from drivers.browser.tabs import Tab, Tabs
from drivers.browser.world import WorldGone, send
from drivers.errors import BrowserError

STATE_SECS = 2.0
TITLE_CHARACTERS = 1024


class StateReader:
    """Never raises: when the browser gives no answer, the last titles stand."""

    def __init__(self, browser: Browser, tabs: Tabs, journal: Journal) -> None:
        self._browser = browser
        self._tabs = tabs
        self._journal = journal
        self._session: CDPSession | None = None
        self._titles: dict[str, str] = {}  # by target

    async def begin(self) -> None:
        """Open the browser's own protocol session."""
        self._session = await self._browser.new_browser_cdp_session()

    async def read(self) -> dict[str, Any]:
        """Tabs in their order, with observation metadata."""
        await self._ask()
        # IMPORTANT: no await below. The tabs and the journal are of one moment.
        tabs = [
            {
                "id": tab.id,
                "title": self._title(tab),
                "url": shown_url(tab.page.url),
                "active": tab is self._tabs.active,
            }
            for tab in self._tabs.all
        ]
        return {"tabs": tabs, "observation": self._journal.observation()}

    async def _ask(self) -> None:
        if self._session is None:
            return
        try:
            only_pages = {"filter": [{"type": "page"}]}
            found = await send(self._session, "Target.getTargets", only_pages, secs=STATE_SECS)
        except (Error, WorldGone, BrowserError):
            return
        self._titles = {info["targetId"]: _own_title(info) for info in found["targetInfos"]}

    def _title(self, tab: Tab) -> str:
        if tab.page.url.startswith("chrome-error:"):
            return ""
        return self._titles.get(tab.target_id, "")[:TITLE_CHARACTERS]


def _own_title(info: dict[str, Any]) -> str:
    """A page without a title is listed under its address, and a failed load under its host: neither is a title."""
    title, url = str(info["title"]), str(info["url"])
    bare = url.split("://", 1)[-1]
    host = bare.split("/", 1)[0].rsplit("@", 1)[-1]
    if title in ("about:blank", url, bare, bare.removesuffix("/"), host, host.rsplit(":", 1)[0]):
        return ""
    return title.encode("utf-8", errors="replace").decode("utf-8")
