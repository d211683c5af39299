"""The page's turn after an input: until the browser has drawn, it puts off what the page's scripts set going."""

from __future__ import annotations

from playwright.async_api import Error

from drivers.browser.tabs import SETTLE_SECS, Tab, Tabs
from drivers.browser.world import World, WorldGone, send
from drivers.errors import BrowserError, PageStuck, bounded

_TURN = "new Promise((done) => { setTimeout(done); })"
"""Timers of one document without a delay fire in the order they were set in: this one after those of the input."""


async def settled(tabs: Tabs, tab: Tab, world: World | None = None) -> None:
    """Wait for a document or a tab that the action set on its way, as far as it can be read; never an error.

    Where none is on its way, the page's turn begins. Nobody waits for it here: the next question to the tab does, so
    that it finds the page as the input left it. A list that puts the focus back where it was, once it was pressed,
    would otherwise do so in the middle of what is typed next.

    *world*: the document that was acted on; None: the tab's own.
    """
    await tabs.all_here()
    if tab.closed:
        return
    if tab.idle.is_set():
        world = world or tab.worlds.newest()
        if world is not None:
            tab.turn = tabs.spawn(_turn(world), "the page's turn")
        return
    try:
        await bounded(tab.idle.wait(), secs=SETTLE_SECS, what="Loading")
    except PageStuck:
        tab.idle.set()  # what never comes is not waited for twice


async def _turn(world: World) -> None:
    question = {"expression": _TURN, "contextId": world.context_id, "awaitPromise": True}
    try:
        await send(world.session, "Runtime.evaluate", question, secs=SETTLE_SECS)
    except (Error, WorldGone, BrowserError):
        return  # it has left, or keeps itself busy
