"""File transfers under a grant: what was really transferred is checked before it is called completed."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
from pathlib import Path
from typing import Literal

from openai.lib.browser import BrowserFileOutcome
from playwright.async_api import Download, ElementHandle, Error, FileChooser, Frame, Page

from drivers.browser.grants import Grant, Grants, safe_name
from drivers.browser.observation import PageChange
from drivers.browser.refs import Refs
from drivers.browser.tabs import Tab, Tabs
from drivers.browser.world import WorldGone
from drivers.errors import BrowserError, Cancelled, NotDone, PageStuck, bounded, stop_if

log = logging.getLogger(__name__)

CHOOSER_SECS = 5.0
"""How long an upload waits for a page that opens its file chooser late."""
TRANSFER_SECS = 60.0
START_SECS = 20.0

Cleanup = Literal["not_started", "pending", "completed"]


def refused() -> BrowserFileOutcome:
    """Nothing was transferred."""
    return {"version": 1, "status": "refused", "effect": "none", "cleanup": "not_started"}


def completed(cleanup: Cleanup) -> BrowserFileOutcome:
    """All of it was transferred and checked."""
    return {"version": 1, "status": "completed", "effect": "completed", "cleanup": cleanup}


def unknown(cleanup: Cleanup) -> BrowserFileOutcome:
    """It may have been transferred."""
    return {"version": 1, "status": "unknown", "effect": "unknown", "cleanup": cleanup}


def interrupted(effect: Literal["none", "unknown"], cleanup: Cleanup) -> BrowserFileOutcome:
    """It was cut off."""
    return {"version": 1, "status": "interrupted", "effect": effect, "cleanup": cleanup}


class Transfers:
    """Every file chooser of a page is caught, so none ever opens a window; every download without a grant is ended."""

    def __init__(self, tabs: Tabs, refs: Refs, grants: Grants) -> None:
        self._tabs = tabs
        self._refs = refs
        self.grants = grants
        self._choosers: dict[Page, FileChooser] = {}
        self._chosen = asyncio.Event()
        self._expected: dict[str, asyncio.Future[Download]] = {}
        tabs.on_adopt.append(self._adopted)
        tabs.on_download = self._on_download

    def _adopted(self, tab: Tab) -> None:
        tab.page.on("filechooser", self._on_chooser)
        tab.page.on("close", self._gone)

    def _on_chooser(self, chooser: FileChooser) -> None:
        self._choosers[chooser.page] = chooser
        self._chosen.set()

    def _gone(self, page: Page) -> None:
        self._choosers.pop(page, None)

    async def upload(self, grant_id: str, *, cancelled: Cancelled = None) -> BrowserFileOutcome:
        """Give the granted file to the field it is for, the chooser that is open, or the page's only file field."""
        grant = self.grants.take(grant_id, "upload")
        if grant is None or grant.path is None:
            return refused()
        stop_if(cancelled)
        try:
            tab = self._tabs.get(grant.tab_id)
            field = await self._field(tab, grant)
        except (NotDone, WorldGone):
            return refused()
        if field is None:
            return refused()
        try:
            await bounded(field.set_input_files(str(grant.path)), secs=TRANSFER_SECS, what="The upload")
            held = await bounded(field.evaluate("e => [...e.files].map(f => f.size).join()"), secs=5, what="The check")
        except (Error, PageStuck):
            return unknown("pending")
        # The browser reads the private copy when the form is sent, so it stays until the session ends.
        return completed("pending") if held == str(grant.size) else unknown("pending")

    async def _field(self, tab: Tab, grant: Grant) -> ElementHandle | None:
        if grant.target is not None:
            return await self._by_ref(tab, grant.target)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + CHOOSER_SECS
        while True:
            chooser = self._choosers.pop(tab.page, None)
            if chooser is not None:
                return chooser.element
            found = [e for frame in tab.page.frames for e in await self._file_fields(frame)]
            if len(found) == 1:
                return found[0]
            self._chosen.clear()
            try:
                await asyncio.wait_for(self._chosen.wait(), max(0.0, deadline - loop.time()))
            except TimeoutError:
                return None

    async def _file_fields(self, frame: Frame) -> list[ElementHandle]:
        try:
            return list(await bounded(frame.query_selector_all("input[type=file]"), secs=5, what="Looking"))
        except (Error, PageStuck):
            return []

    async def _by_ref(self, tab: Tab, ref: str) -> ElementHandle | None:
        """A marked attribute carries the element from the driver's world to Playwright's; it is gone at once."""
        world = self._refs.world_of(ref, tab_id=tab.id)
        mark = await world.call("mark", ref)
        if mark["status"] != "ok":
            return None
        try:
            for frame in tab.page.frames:
                found = await frame.query_selector(f"input[data-signalbox-file='{mark['mark']}']")
                if found is not None:
                    return found
        finally:
            await world.call("unmark", ref)
        return None

    async def download(self, grant_id: str, *, cancelled: Cancelled = None) -> BrowserFileOutcome:
        """Fetch exactly the granted address from the page it was granted for, into the quarantine folder."""
        grant = self.grants.take(grant_id, "download")
        if grant is None or grant.url in self._expected:
            return refused()
        stop_if(cancelled)
        started: asyncio.Future[Download] = asyncio.get_running_loop().create_future()
        self._expected[grant.url] = started
        try:
            tab = self._tabs.get(grant.tab_id)
            world = await tab.worlds.main()
            await world.call("fetchFile", grant.url)
            download = await bounded(started, secs=START_SECS, what="The download's start")
        except (NotDone, WorldGone):
            return refused()
        except BrowserError:
            return interrupted("unknown", "not_started")
        finally:
            self._expected.pop(grant.url, None)
        return await self._receive(tab, grant, download)

    async def _receive(self, tab: Tab, grant: Grant, download: Download) -> BrowserFileOutcome:
        name = safe_name(download.suggested_filename)
        self._note(tab, download, "started")
        try:
            path = await bounded(self._file(download), secs=TRANSFER_SECS, what="The download")
            size = path.stat().st_size
            if size > grant.most_bytes:
                await download.delete()
                self._note(tab, download, "failed")
                return interrupted("none", "completed")
            await asyncio.to_thread(_keep, path, self.grants.quarantine / name)
        except (Error, BrowserError, OSError):
            await self._end(download)
            self._note(tab, download, "failed")
            return interrupted("unknown", "completed")
        await self._end(download)
        self._note(tab, download, "completed")
        return completed("completed")

    async def _file(self, download: Download) -> Path:
        try:
            return await download.path()
        except Error:
            # A browser elsewhere hands over what it received; one that received nothing fails here, too.
            place = self.grants.scratch()
            await download.save_as(place)
            return place

    def _on_download(self, tab: Tab, download: Download) -> None:
        waiting = self._expected.get(download.url)
        if waiting is not None and not waiting.done():
            waiting.set_result(download)
            return
        self._note(tab, download, "blocked")
        self._tabs.spawn(self._end(download), "end a download that was not granted")

    def _note(self, tab: Tab, download: Download, status: str) -> None:
        name = download.suggested_filename
        self._tabs.journal.record(PageChange("download", tab.id, status, url=download.url, text=name))

    async def _end(self, download: Download) -> None:
        try:
            await download.cancel()
            await download.delete()
        except Error:
            log.debug("a download had ended by itself")


def _keep(source: Path, wanted: Path) -> None:
    """Copy to a name that is not yet taken, readable by its owner alone, and check that all of it arrived."""
    for number in range(1000):
        place = wanted if number == 0 else wanted.with_name(f"{wanted.stem} ({number}){wanted.suffix}")
        try:
            handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        with os.fdopen(handle, "wb") as out, source.open("rb") as data:
            digest = hashlib.sha256()
            while piece := data.read(1 << 20):
                digest.update(piece)
                out.write(piece)
            out.flush()
            os.fsync(out.fileno())
        if hashlib.sha256(place.read_bytes()).hexdigest() != digest.hexdigest():
            raise OSError("the copy differs from what was received")
        return
    raise OSError("no free name for a download")
