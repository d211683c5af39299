"""Input at points of the viewport, in CSS pixels at every device scale."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from drivers.browser.evidence import Witness
from drivers.browser.keys import key, modifiers, struck
from drivers.browser.pointer import INPUT_SECS, Button, Pointer, entered
from drivers.browser.tabs import Tab, Tabs
from drivers.browser.turn import settled
from drivers.browser.world import WorldGone, send
from drivers.errors import Cancelled, NotDone, stop_if

Point = tuple[float, float]

MOST_PATH = 1000
_STEPS = 5
"""Moves between two points of a drag; a page that follows the pointer sees it travel."""
_FEW = 10
"""Points at each of which a page gets time to follow; a longer path takes its time anyway."""
_FOLLOWS_SECS = 0.05
"""Many a page takes in a move only some time after the one before: where the drag ends, it is told twice more."""
_BITS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}


class Points:
    """Refuses a point outside of the viewport before anything happens."""

    def __init__(self, tabs: Tabs, witness: Witness, pointer: Pointer) -> None:
        self._tabs = tabs
        self._witness = witness
        self._pointer = pointer

    async def click(
        self, tab: Tab, point: Point, *, button: Button = "left", count: int = 1, keys: Sequence[str] = (),
        cancelled: Cancelled = None,
    ) -> None:  # fmt: skip
        """Press *count* times at a point with modifier keys held."""
        async with self._ready(tab, [point], keys, cancelled):
            await entered(tab.page.mouse.click(*point, button=button, click_count=count))

    async def move(self, tab: Tab, point: Point, *, keys: Sequence[str] = (), cancelled: Cancelled = None) -> None:
        """Move the pointer to a point and leave it there."""
        async with self._ready(tab, [point], keys, cancelled):
            await entered(tab.page.mouse.move(*point))

    async def drag(
        self, tab: Tab, path: Sequence[Point], *, keys: Sequence[str] = (), cancelled: Cancelled = None
    ) -> None:
        """Press at the first point, travel through the others, let go at the last; native drag and drop works."""
        if len(path) < 2:
            raise NotDone("A drag needs at least two points.")
        if len(path) > MOST_PATH:
            raise NotDone(f"A drag takes at most {MOST_PATH} points.")
        async with self._ready(tab, path, keys, cancelled):
            mouse = tab.page.mouse
            await entered(mouse.move(*path[0]))
            await entered(mouse.down())
            try:
                for point in path[1:]:
                    await entered(mouse.move(*point, steps=_STEPS))
                    if len(path) <= _FEW:
                        await asyncio.sleep(_FOLLOWS_SECS)
                for _ in range(2):
                    await asyncio.sleep(_FOLLOWS_SECS)
                    await entered(mouse.move(*path[-1]))
            finally:
                await entered(mouse.up())

    async def wheel(
        self, tab: Tab, point: Point, dx: float, dy: float, *, keys: Sequence[str] = (), cancelled: Cancelled = None
    ) -> bool:
        """Turn the wheel over a point by CSS pixels; whether anything scrolled."""
        held = modifiers(list(keys))
        async with self._ready(tab, [point], keys, cancelled):
            bits = sum(_BITS[name] for name in held)
            return await self._pointer.scroll(tab, dx, dy, at=point, modifiers=bits)

    async def hold(self, tab: Tab, names: Sequence[str], millis: int, *, cancelled: Cancelled = None) -> None:
        """Hold keys down together for a time, then let them go in reverse order."""
        pressed = struck([key(name) for name in names])
        if len(set(pressed)) < len(pressed):
            raise NotDone("A key is named twice.")
        async with self._tabs.in_front(tab):
            await tab.ready()
            stop_if(cancelled)
            async with self._pointer.holding(tab, pressed):
                await asyncio.sleep(millis / 1000)
            await self._answered(tab)

    @asynccontextmanager
    async def _ready(
        self, tab: Tab, points: Sequence[Point], keys: Sequence[str], cancelled: Cancelled
    ) -> AsyncIterator[None]:
        held = modifiers(list(keys))
        async with self._tabs.in_front(tab):
            await tab.ready()
            await self.refuse_outside(tab, points)
            await self._witness.settle_point(tab, *points[0])
            stop_if(cancelled)
            async with self._pointer.holding(tab, held):
                yield
            await self._answered(tab)

    async def refuse_outside(self, tab: Tab, points: Sequence[Point]) -> None:
        """:class:`NotDone` when a point lies outside of the viewport."""
        width, height = await self.viewport(tab)
        for x, y in points:
            if not (0 <= x < width and 0 <= y < height):
                raise NotDone(f"A point lies outside of the viewport of {width} by {height} CSS pixels.")

    async def viewport(self, tab: Tab) -> tuple[int, int]:
        """Width and height in CSS pixels, scroll bars included."""
        size = tab.page.viewport_size
        if size is not None:
            return size["width"], size["height"]
        metrics = await send(await tab.session(), "Page.getLayoutMetrics", secs=INPUT_SECS)
        view = metrics["cssLayoutViewport"]
        return int(view["clientWidth"]), int(view["clientHeight"])

    async def _answered(self, tab: Tab) -> None:
        """One question to the page, so that what the input set off has begun; then wait for a new document."""
        # A document or a tab that went away under the question is what is waited for next.
        with contextlib.suppress(WorldGone, NotDone):
            world = await tab.worlds.main()
            await world.evaluate("0")
        await settled(self._tabs, tab)
