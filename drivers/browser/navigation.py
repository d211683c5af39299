"""Going somewhere and waiting for it: waits that neither hang nor lie about what was reached."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable
from typing import TypeVar

from openai.lib.browser import BrowserCancelledError
from playwright.async_api import Error, Response
from playwright.async_api import TimeoutError as PlaywrightTimeout

from drivers.browser.guard import origin_of
from drivers.browser.leaving import LoadGivenUp
from drivers.browser.observation import PageChange, shown_url
from drivers.browser.proxy import Proxy
from drivers.browser.reads import Reader
from drivers.browser.tabs import Tab, Tabs
from drivers.errors import BrowserError, Cancelled, NotDone, PageStuck, bounded, stop_if

GOTO_SECS = 30.0
DOCUMENT_SECS = 15.0
"""After the server has answered, how long the document itself is waited for."""
LOAD_SECS = 4.0
"""After the document can be read, how long its pictures and scripts are waited for."""
ERROR_PAGE_SECS = 2.0
POLL_SECS = 0.1
KEPT = "The page asked to stay open, and was kept."

_ERROR_PAGE = re.compile(r"chrome-error:")
_HISTORY = ("back", "forward", "reload")
_CODE = re.compile(r"net::(ERR_[A-Z0-9_]+)")
T = TypeVar("T")


class TabKept(Exception):
    """The page was asked whether it may be left, and stays."""


class Navigator:
    """Takes tabs to addresses; what was reached is told by origin and status, never by the page's words."""

    def __init__(self, tabs: Tabs, reader: Reader) -> None:
        self._tabs = tabs
        self._reader = reader
        self.proxy: Proxy | None = None
        """What may have stopped a navigation below the page."""

    async def go(self, tab: Tab, url: str, *, cancelled: Cancelled = None) -> str:
        """Open an address, or go ``back``, ``forward`` or ``reload``."""
        word = url.strip()
        if tab.crashed and word.lower() in ("back", "forward"):
            raise NotDone("The page has crashed, and where it had been before is lost. Open an address.")
        if tab.crashed and word.lower() == "reload":
            word = tab.page.url
        if word.lower() not in _HISTORY:
            self.refuse_scheme(tab, word)
        stop_if(cancelled)
        if tab.crashed:
            tab = await self._tabs.replace(tab)
            return f"The page had crashed. It is tab {tab.id} now. " + await self._lead(tab, word, cancelled)
        await tab.session()
        return await self._lead(tab, word, cancelled)

    async def _lead(self, tab: Tab, word: str, cancelled: Cancelled) -> str:
        tab.refused = None
        tab.kept.clear()
        before = self._tabs.journal.sequence
        out = (self.proxy.refusals, self.proxy.passed) if self.proxy is not None else (0, 0)
        async with self._tabs.in_front(tab):
            try:
                tab.leaving.begins()  # given up or not, it may go on; what then holds the tab's answers is known
                response = await until(self._start(tab, word), cancelled, ended=tab.kept)
            except TabKept:
                raise BrowserError(KEPT) from None
            except PlaywrightTimeout:
                raise BrowserError(f"The page had not answered after {GOTO_SECS:g} s; it may still load.") from None
            except Error as error:
                await self._error_page(tab, str(error))
                raise self._failure(tab, word, str(error), before, out) from None
            ready = await self._loaded(tab)
        if response is None and word.lower() in ("back", "forward") and self._tabs.journal.sequence == before:
            raise NotDone(f"There is nothing to go {word.lower()} to.")
        return self._reached(tab, word, response) + ("" if ready else " It is still loading.")

    def _start(self, tab: Tab, word: str) -> Awaitable[Response | None]:
        page, millis = tab.page, GOTO_SECS * 1000
        match word.lower():
            case "back":
                return page.go_back(wait_until="commit", timeout=millis)
            case "forward":
                return page.go_forward(wait_until="commit", timeout=millis)
            case "reload":
                return page.reload(wait_until="commit", timeout=millis)
        return page.goto(word, wait_until="commit", timeout=millis)

    def refuse_scheme(self, tab: Tab | None, url: str) -> None:
        """Refuse an address that is no page's."""
        scheme = re.match(r"([a-zA-Z][a-zA-Z0-9+.-]*):", url)
        if url != "about:blank" and (scheme is None or scheme[1].lower() not in ("http", "https")):
            at = tab.id if tab is not None else None
            self._tabs.journal.record(PageChange("navigation_refused", at, "unsupported", url=url))
            raise NotDone("Only http and https addresses, back, forward and reload can be opened.")

    async def _error_page(self, tab: Tab, text: str) -> None:
        """The browser puts its own page in place of one that failed; it comes late and would break off what is next."""
        code = _CODE.search(text)
        if code is None or code[1] == "ERR_ABORTED":
            return
        with contextlib.suppress(Error):
            await tab.page.wait_for_url(_ERROR_PAGE, wait_until="commit", timeout=ERROR_PAGE_SECS * 1000)

    async def _loaded(self, tab: Tab) -> bool:
        """Whether the document itself is there; pictures and the like get a little time more."""
        # Not Playwright's own wait: a page that tries to lead elsewhere and is stopped never ends it.
        try:
            await bounded(tab.idle.wait(), secs=DOCUMENT_SECS, what="Loading")
        except PageStuck:
            return False
        with contextlib.suppress(Error):
            await tab.page.wait_for_load_state("load", timeout=LOAD_SECS * 1000)
        return True

    def _reached(self, tab: Tab, asked: str, response: Response | None) -> str:
        there = shown_url(tab.page.url)
        words = f"Opened {there}."
        if response is not None and response.status >= 400:
            words += f" The server answered {response.status}."
        if re.match(r"https?:", asked, re.IGNORECASE) and shown_url(asked) != there:
            words += " It is another origin than the one asked for."
        return words

    def _failure(self, tab: Tab, asked: str, text: str, before: int, out: tuple[int, int]) -> BrowserError:
        recent = self._tabs.journal.observation()["changes"]
        fresh = [change for change in recent if change["sequence"] > before and change["tab_id"] == tab.id]
        if self.proxy is not None and self.proxy.refusals > out[0] and tab.refused is None:
            where, nothing_left = origin_of(asked), self.proxy.passed == out[1]
            first = nothing_left or (where is not None and self.proxy.was_refused(*where))
            tab.refused = "first" if first else "later"
        if tab.refused is not None:
            hop = tab.refused
            words = (
                "The address is not allowed here."
                if hop == "first"
                else "The address led to one that is not allowed here."
            )
            return NotDone(words) if hop == "first" else BrowserError(words)
        if any(c["type"] == "dialog_dismissed" and c["kind"] == "beforeunload" for c in fresh):
            return BrowserError(KEPT)
        if any(c["type"] == "download" for c in fresh) or "Download is starting" in text:
            return BrowserError("The address is a file to download, not a page; it was not kept.")
        code = _CODE.search(text)
        if code is not None and code[1] == "ERR_ABORTED":
            return BrowserError("The navigation was broken off; the server may have sent no page.")
        if code is not None:
            return BrowserError(f"The page could not be opened ({code[1]}).")
        return BrowserError("The page could not be opened.")

    async def wait_for(self, tab: Tab, text: str, millis: int, *, cancelled: Cancelled = None) -> str:
        """Return once the text can be read in the page or one of its frames; :class:`NotDone` when it never can."""
        wanted = " ".join(text.split()).casefold()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + millis / 1000
        while True:
            stop_if(cancelled)
            began = loop.time()
            try:
                left = max(0.05, deadline - began)
                seen = await until(bounded(self._reader.plain(tab), secs=left, what="Reading"), cancelled)
            except LoadGivenUp:
                raise
            except PageStuck:
                seen = ""
            if wanted in seen.casefold():
                return "The text is there."
            now = loop.time()
            if now >= deadline:
                raise NotDone(f"The text did not appear within {millis} ms.")
            await until(asyncio.sleep(min(max(POLL_SECS, 2 * (now - began)), deadline - now)), cancelled)


async def until(work: Awaitable[T], cancelled: Cancelled, *, ended: asyncio.Event | None = None) -> T:
    """Wait for *work*, giving it up as soon as the caller asks for a stop.

    Raises:
        TabKept: *ended* was set, after which nothing more comes.
    """
    task = asyncio.ensure_future(work)
    try:
        while True:
            done, _ = await asyncio.wait({task}, timeout=POLL_SECS)
            if done:
                return task.result()
            if cancelled is not None and cancelled():
                raise BrowserCancelledError("Browser execution was cancelled.")
            if ended is not None and ended.is_set():
                raise TabKept
    finally:
        if not task.done():
            task.cancel()
