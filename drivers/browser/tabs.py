"""The tabs of one session: which is active, how each is doing, and what it reported about itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Dialog, Download, Error, Frame, Page

from drivers.browser.leaving import Leaving
from drivers.browser.observation import DialogKind, Journal, PageChange
from drivers.browser.scripts import first
from drivers.browser.world import ANSWER_SECS, NAME, WorldGone, Worlds, send
from drivers.errors import BrowserError, NotDone, PageStuck, bounded

log = logging.getLogger(__name__)

OPEN_SECS = 15.0
CLOSE_SECS = 5.0
SETTLE_SECS = 5.0
"""How long an action waits for the page that it set on its way."""
POPUP_SECS = 5.0
"""How long an action waits for a tab that it opened to be there."""
TURN_SECS = 3.0
"""How long what follows an action waits for what the page's scripts put off at it."""
MOST_DIALOGS, DIALOG_SECS = 30, 5.0
"""A tab that opens more dialogs in that time is closed: it would never do anything else."""
MOST_TABS = 50
"""A page that opens more has each further one closed at once."""


_DOCUMENTS = ("http:", "https:", "about:", "blob:", "data:")


class Tab:
    """One page; its id is never used again in the session."""

    def __init__(self, tab_id: str, page: Page) -> None:
        self.id = tab_id
        self.page = page
        self.worlds = Worlds(self)
        self.target_id = ""
        self.closed = False
        self.crashed = False
        self.refused: str | None = None
        """Set by the guard when it stopped this tab's own document from loading: "first" or "later" hop."""
        self.dialogs: list[float] = []
        """When this tab lately opened dialogs, in the loop's seconds."""
        self.leaving = Leaving()
        self.idle = self.leaving.idle
        """Set while no document of this tab is on its way."""
        self.kept = asyncio.Event()
        """Set when the page was asked whether it may be left, and was kept."""
        self.attached: asyncio.Task[None] | None = None
        self.turn: asyncio.Task[None] | None = None
        """Ends when the page's scripts have done what they put off at the last input."""
        self._session: CDPSession | None = None
        self._frames: dict[Frame, tuple[str, CDPSession]] = {}

    async def session(self) -> CDPSession:
        """The protocol session of the page, ready to use."""
        if self.attached is not None and not self.attached.done():
            await bounded(asyncio.shield(self.attached), secs=OPEN_SECS, what="Opening the tab")
        await self.turned()
        if self._session is None or self.closed:
            raise NotDone("The tab is closed.")
        if self.crashed:
            raise NotDone("The page has crashed. Navigate or close the tab.")
        return self._session

    async def ready(self) -> CDPSession:
        """The same where the page is asked something next and nothing was done yet; it answers."""
        session = await self.session()
        await self.leaving.answered(session)
        return session

    async def turned(self) -> None:
        """Wait until the page has done what its scripts put off at the last input; a page that goes on and on may."""
        turn, self.turn = self.turn, None
        if turn is not None:
            await asyncio.wait({turn}, timeout=TURN_SECS)

    async def attach(self, prepare: Callable[[Tab, CDPSession], Awaitable[None]]) -> None:
        """Open the protocol session and listen to the page's own life."""
        try:
            session = await self.page.context.new_cdp_session(self.page)
            info = await send(session, "Target.getTargetInfo", secs=ANSWER_SECS)
            self.target_id = info["targetInfo"]["targetId"]
            session.on("Page.frameStartedLoading", self._on_started)
            session.on("Page.frameRequestedNavigation", self._on_started)
            session.on("Page.frameStoppedLoading", self._on_stopped)
            session.on("Page.downloadWillBegin", self._on_stopped)
            session.on("Page.domContentEventFired", lambda _: self.leaving.ends())
            self._session = session
            await prepare(self, session)
            await send(session, "Page.enable", secs=ANSWER_SECS)
            before = {"source": first(), "worldName": NAME}
            await send(session, "Page.addScriptToEvaluateOnNewDocument", before, secs=ANSWER_SECS)
        except (Error, WorldGone, BrowserError):
            if not self.page.is_closed():
                log.warning("a tab could not be attached to")

    async def frame_session(self, frame_id: str) -> CDPSession | None:
        """The session of a frame that lives in another process; None when there is none."""
        for frame in [f for f in self._frames if f.is_detached()]:
            del self._frames[frame]
        for frame in self.page.frames[1:]:
            session = await self.own_session(frame)
            if session is not None and self._frames[frame][0] == frame_id:
                return session
        return None

    async def own_session(self, frame: Frame) -> CDPSession | None:
        """A frame's own session; None for a frame that lives in its parent's process."""
        known = self._frames.get(frame)
        if known is None or not await self._alive(known[1]):
            self._frames.pop(frame, None)
            known = await self._open_frame(frame)
            if known is None:
                return None
            self._frames[frame] = known
        return known[1]

    async def _open_frame(self, frame: Frame) -> tuple[str, CDPSession] | None:
        try:
            session = await self.page.context.new_cdp_session(frame)
            tree = await send(session, "Page.getFrameTree", secs=ANSWER_SECS)
        except (Error, WorldGone):
            return None  # the frame lives in its parent's process
        return tree["frameTree"]["frame"]["id"], session

    async def _alive(self, session: CDPSession) -> bool:
        try:
            await send(session, "Runtime.evaluate", {"expression": "1"}, secs=ANSWER_SECS)
        except (Error, WorldGone):
            return False
        return True

    def _on_started(self, event: dict[str, Any]) -> None:
        if not str(event.get("url", "http:")).startswith(_DOCUMENTS):
            return  # mailto: and the like bring no document
        if event.get("frameId") == self.target_id and event.get("disposition", "currentTab") == "currentTab":
            self.idle.clear()
            self.leaving.begins()

    def _on_stopped(self, event: dict[str, Any]) -> None:
        if event.get("frameId") == self.target_id:
            self.leaving.ends()


class Tabs:
    """All tabs in the order they came; exactly one is active while there are any.

    The active tab changes only by the driver's own members, never because a page opened another one: an action
    that was approved for one tab cannot land in a popup.
    """

    def __init__(self, context: BrowserContext, journal: Journal) -> None:
        self.context = context
        self.journal = journal
        self.all: list[Tab] = []
        self.active: Tab | None = None
        self.on_switch: Callable[[], None] | None = None
        self.on_adopt: list[Callable[[Tab], None]] = []
        """Called for each new tab at once."""
        self.on_download: Callable[[Tab, Download], None] | None = None
        self.prepare: list[Callable[[Tab, CDPSession], Awaitable[None]]] = []
        """Run for each new tab before anything else is done with it."""
        self._fronting: asyncio.Task[None] | None = None
        self._count = 0
        self._coming = 0
        self._all_here = asyncio.Event()
        self._all_here.set()
        self._tasks: set[asyncio.Task[None]] = set()
        context.on("page", self._on_page)

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Run something of the session's own; it is ended with the session and its failure is logged."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.warning("%s failed: %s", task.get_name(), type(task.exception()).__name__)

    async def end_tasks(self) -> None:
        """Cancel what is still under way and wait for it."""
        for task in (tasks := list(self._tasks)):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _on_window_open(self, event: dict[str, Any]) -> None:
        if event["url"] and not str(event["url"]).startswith(_DOCUMENTS):
            return
        self._coming += 1
        self._all_here.clear()

    async def all_here(self) -> None:
        """Wait for the tabs that pages have said they open; one that the browser keeps from opening, not for long."""
        try:
            await bounded(self._all_here.wait(), secs=POPUP_SECS, what="Opening a tab")
        except PageStuck:
            self._came(self._coming)

    def _came(self, count: int) -> None:
        self._coming = max(0, self._coming - count)
        if self._coming == 0:
            self._all_here.set()

    def _on_page(self, page: Page) -> None:
        tab = self.adopt(page)
        self._came(1)
        if sum(not one.crashed for one in self.all) > MOST_TABS:
            self.spawn(self._shut(tab), "close one tab too many")

    async def _shut(self, tab: Tab) -> None:
        try:
            await self.close(tab)
        except (Error, BrowserError):
            log.debug("a tab too many had closed by itself")

    def adopt(self, page: Page) -> Tab:
        """Take a page in; called for each page the browser opens, whoever asked for it."""
        known = next((t for t in self.all if t.page is page), None)
        if known is not None:
            return known
        self._count += 1
        tab = Tab(f"t{self._count}", page)
        self.all.append(tab)
        self.journal.record(PageChange("tab_opened", tab.id, url=page.url))
        page.on("close", lambda _: self._closed(tab))
        page.on("crash", lambda _: self._crashed(tab))
        page.on("dialog", lambda dialog: self._dialog(tab, dialog))
        page.on("framenavigated", lambda frame: self._navigated(tab, frame))
        page.on("download", lambda download: self._download(tab, download))
        for listener in self.on_adopt:
            listener(tab)
        tab.attached = self.spawn(tab.attach(self._prepare), f"attach {tab.id}")
        if self.active is None:
            self._activate(tab)
        else:
            self._fronting = self.spawn(self._front(self.active), "keep the active tab in front")
        return tab

    async def _prepare(self, tab: Tab, session: CDPSession) -> None:
        session.on("Page.windowOpen", self._on_window_open)
        for step in self.prepare:
            await step(tab, session)

    async def _front(self, tab: Tab) -> None:
        try:
            await bounded(tab.page.bring_to_front(), secs=ANSWER_SECS, what="Bringing the tab to the front")
        except (Error, BrowserError):
            log.debug("a tab closed or hung while it was brought to the front")

    def get(self, tab_id: str | None) -> Tab:
        """The named tab, or the active one for None; :class:`NotDone` when there is none."""
        if tab_id is None:
            if self.active is None:
                raise NotDone("There is no open tab. Open one first.")
            return self.active
        for tab in self.all:
            if tab.id == tab_id:
                return tab
        raise NotDone("There is no tab with this id.")

    @asynccontextmanager
    async def in_front(self, tab: Tab) -> AsyncIterator[None]:
        """Have a tab drawn and take input for a moment; the active one is in front again afterwards."""
        if self._fronting is not None and not self._fronting.done():
            await asyncio.wait({self._fronting}, timeout=ANSWER_SECS)  # a popup has just come up before it
        if tab is self.active:
            yield
            return
        await self._front(tab)
        try:
            yield
        finally:
            if self.active is not None:
                await self._front(self.active)

    async def open(self) -> Tab:
        """A new blank tab, made the active one."""
        if len(self.all) >= MOST_TABS:
            raise NotDone(f"There are {MOST_TABS} tabs open. Close one first.")
        tab = self.adopt(await self._new_page())
        await self.switch(tab)
        return tab

    async def _new_page(self) -> Page:
        try:
            return await bounded(self.context.new_page(), secs=OPEN_SECS, what="Opening a tab")
        except Error:
            raise BrowserError("No tab could be opened: the browser is no longer running.") from None

    async def switch(self, tab: Tab) -> None:
        """Make a tab the active one and bring it to the front, a crashed one too: it is left by opening an address."""
        if not tab.crashed:
            await tab.session()
        if self.active is not tab:
            self._activate(tab)
        await self._front(tab)

    async def replace(self, crashed: Tab) -> Tab:
        """A blank tab in the place of a crashed one, which Playwright can do nothing more with than close it."""
        active = self.active
        tab = self.adopt(await self._new_page())
        await tab.session()
        if active is crashed:
            self._activate(tab)
        await self.close(crashed)
        return tab

    async def close(self, tab: Tab) -> None:
        """Close a tab without asking its page; the one opened last before it becomes active."""
        await bounded(tab.page.close(run_before_unload=False), secs=CLOSE_SECS, what="Closing the tab")
        self._closed(tab)
        if self.active is not None:
            await self._front(self.active)

    def _activate(self, tab: Tab | None) -> None:
        self.active = tab
        if tab is not None:
            self.journal.record(PageChange("tab_switched", tab.id))
        if self.on_switch is not None:
            self.on_switch()

    def _closed(self, tab: Tab) -> None:
        if tab.closed:
            return
        tab.closed = True
        tab.idle.set()
        at = self.all.index(tab)
        self.all.remove(tab)
        self.journal.record(PageChange("tab_closed", tab.id))
        if self.active is tab:
            self._activate(self.all[max(0, at - 1)] if self.all else None)

    def _crashed(self, tab: Tab) -> None:
        tab.crashed = True
        tab.idle.set()

    def _navigated(self, tab: Tab, frame: Frame) -> None:
        if frame == tab.page.main_frame and not tab.closed:
            tab.crashed = False
            tab.leaving.commits()
            self.journal.record(PageChange("navigation", tab.id, url=frame.url))

    def _dialog(self, tab: Tab, dialog: Dialog) -> None:
        kinds: dict[str, DialogKind] = {
            "alert": "alert", "confirm": "confirm", "prompt": "prompt", "beforeunload": "beforeunload",
        }  # fmt: skip
        kind = kinds.get(dialog.type, "other")
        self.journal.record(PageChange("dialog_dismissed", tab.id, kind, url=tab.page.url, text=dialog.message))
        self.spawn(self._dismiss(tab, dialog), "dismiss a dialog")
        now = asyncio.get_running_loop().time()
        tab.dialogs = [*(then for then in tab.dialogs if now - then < DIALOG_SECS), now]
        if len(tab.dialogs) > MOST_DIALOGS:
            tab.dialogs.clear()
            self.spawn(self._shut(tab), "close a tab that does nothing but ask")

    async def _dismiss(self, tab: Tab, dialog: Dialog) -> None:
        try:
            await dialog.dismiss()
        except Error:
            log.debug("a dialog was gone before it was dismissed")
            return
        if dialog.type == "beforeunload":
            tab.leaving.ends()  # it stays: nothing is on its way
            tab.kept.set()

    def _download(self, tab: Tab, download: Download) -> None:
        if self.on_download is not None:
            self.on_download(tab, download)
            return
        self.journal.record(
            PageChange("download", tab.id, "blocked", url=download.url, text=download.suggested_filename)
        )
