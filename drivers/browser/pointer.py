"""The mouse: aiming at a reference without ever hitting another element, and acting at points of the viewport."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

from playwright.async_api import Error

from drivers.browser.evidence import Witness
from drivers.browser.refs import Refs, refuse_status
from drivers.browser.tabs import Tab, Tabs
from drivers.browser.turn import settled
from drivers.browser.world import World, WorldGone, send
from drivers.errors import BrowserError, Cancelled, NotDone, PageStuck, bounded, stop_if

INPUT_SECS = 10.0
GOING_SECS = 1.0
"""How long something may be on its way off the target, or that on its way into view: most animations end by then."""
POLL_SECS = 0.05
RETRIES = 4

Button = Literal["left", "right", "middle"]


@dataclass(frozen=True)
class Aim:
    """A free point of a target, in CSS pixels of the tab's viewport, with the documents whose guards are up."""

    tab: Tab
    world: World
    points: tuple[tuple[float, float], ...]
    """The same point in each document of the chain, innermost first, in that document's CSS pixels."""

    @property
    def x(self) -> float:
        """From the left edge of the tab's viewport."""
        return self.points[-1][0]

    @property
    def y(self) -> float:
        """From its upper edge."""
        return self.points[-1][1]


class Pointer:
    """Every press is checked three times: what lies under the point is asked first, and once more when the pointer is
    there, and a guard in the page swallows a press that would reach anything else: a page can move things in between.
    """

    def __init__(self, tabs: Tabs, refs: Refs, witness: Witness) -> None:
        self._tabs = tabs
        self._refs = refs
        self._witness = witness

    async def click(self, ref: str, *, tab_id: str | None, cancelled: Cancelled = None) -> None:
        """Press and release on the referenced element."""
        await self._at(ref, tab_id, cancelled, lambda a: a.tab.page.mouse.click(a.x, a.y), guard=True)

    async def hover(self, ref: str, *, tab_id: str | None, cancelled: Cancelled = None) -> None:
        """Move the pointer over the referenced element and leave it there."""
        await self._at(ref, tab_id, cancelled, lambda a: a.tab.page.mouse.move(a.x, a.y), guard=False)

    async def reveal(self, ref: str, *, tab_id: str | None, cancelled: Cancelled = None) -> None:
        """Scroll the referenced element to the middle of the view."""
        tab = self._tabs.get(tab_id)
        world = self._refs.world_of(ref, tab_id=tab.id)
        await tab.turned()
        await self._witness.settle(ref)
        stop_if(cancelled)
        try:
            found = await world.call("reveal", ref)
            if found["status"] != "ok":
                refuse_status(found["status"])
            left, top, width, height = found["box"]
            await self._bring_in(world, left + width / 2, top + height / 2)
        except WorldGone:
            refuse_status("gone")

    async def check(self, ref: str, *, tab_id: str | None, pressed: bool = True) -> tuple[Tab, World]:
        """Scroll to a target and refuse one that is hidden, covered or disabled; nothing is pressed.

        *pressed*: whether it will be; what is set or typed into need not be hit itself by a press there.
        """
        tab, world = await self.meet(ref, tab_id=tab_id)
        await self._aim(ref, tab, world, arm=False, pressed=pressed)
        return tab, world

    async def meet(self, ref: str, *, tab_id: str | None) -> tuple[Tab, World]:
        """The tab and the document of a target, which is as the evidence says that is held for it."""
        tab = self._tabs.get(tab_id)
        world = self._refs.world_of(ref, tab_id=tab.id)
        await tab.turned()
        await self._witness.settle(ref)
        return tab, world

    async def _at(
        self, ref: str, tab_id: str | None, cancelled: Cancelled, act: Callable[[Aim], Awaitable[Any]], *, guard: bool
    ) -> None:
        tab = self._tabs.get(tab_id)
        world = self._refs.world_of(ref, tab_id=tab.id)
        async with self._tabs.in_front(tab):
            await tab.turned()
            await self._witness.settle(ref)
            hit = await self._once(ref, tab, world, cancelled, act, guard=guard)
            for _ in range(RETRIES):
                # The browser finds a frame of another process by its last drawn picture, which a scroll makes stale,
                # and some pages shift what the pointer comes over. What was held back had no effect, so aiming again
                # repeats nothing.
                if hit == "blocked":
                    hit = await self._once(ref, tab, world, cancelled, act, guard=guard)
            await settled(self._tabs, tab, world)
        if hit == "blocked":
            raise NotDone("Another element came under the pointer; the press was held back. Read the page again.")
        if hit == "unseen" and guard:
            raise BrowserError("The press was not seen to reach the element; something else may have got it.")

    async def _once(
        self,
        ref: str,
        tab: Tab,
        world: World,
        cancelled: Cancelled,
        act: Callable[[Aim], Awaitable[Any]],
        *,
        guard: bool,
    ) -> str:
        try:
            aim = await self._aim(ref, tab, world, arm=guard)
            stop_if(cancelled)
        except BaseException:
            await self._disarm(world, guard)
            raise
        free = True
        try:
            free = not guard or await self._still(ref, aim)
            if free:
                await entered(act(aim))
        finally:
            hit = await self._disarm(world, guard)
        return hit if free else "blocked"

    async def _aim(self, ref: str, tab: Tab, world: World, *, arm: bool, pressed: bool = True) -> Aim:
        """A free point of the target. A menu that fades away, or a drawer that slides in, is waited for."""
        loop = asyncio.get_running_loop()
        until, again = loop.time() + GOING_SECS, False
        try:
            while True:
                found = await world.call("aim", ref, arm, pressed, again)
                _refuse_unfit(found)
                refusal = _unreached(found)
                if refusal is None:
                    if world.parent is not None:
                        await world.chain()[-1].call("drawn")
                    points, refusal = await self._outwards(world, *found["point"], arm=arm)
                    if refusal is None:
                        return Aim(tab, world, points)
                if loop.time() > until:
                    raise NotDone(refusal)
                await asyncio.sleep(POLL_SECS)
                again = True
        except WorldGone:
            refuse_status("gone")

    async def _outwards(
        self, world: World, x: float, y: float, *, arm: bool
    ) -> tuple[tuple[tuple[float, float], ...], str | None]:
        """The point in each document around, and what keeps it from being pressed; one out of view is scrolled to."""
        points, at = [(x, y)], world
        while at.parent is not None:
            found = await at.parent.call("through", at.owner, x, y, arm)
            if found["status"] != "ok" or not found["visible"]:
                refuse_status("gone")
            if not found["inside"]:
                await self._bring_in(world, *points[0])
                return (), "The element's frame cannot be brought into view."
            if found["covered_by"]:
                return (), "Something else lies on top of the element's frame."
            x, y = found["point"]
            points.append((x, y))
            at = at.parent
        return tuple(points), None

    async def _bring_in(self, world: World, x: float, y: float) -> None:
        """Scroll each document around to the point, which a frame taller than the view does not show by itself."""
        for at in world.chain():
            if at.parent is not None:
                x, y = (await at.parent.call("revealFrame", at.owner, x, y))["point"]

    async def _still(self, ref: str, aim: Aim) -> bool:
        """Move the pointer to the aim; whether the target is under it then. Moving shows menus, and traps as well."""
        await entered(aim.tab.page.mouse.move(aim.x, aim.y))
        try:
            found = await aim.world.call("still", ref, *aim.points[0])
            for at, (x, y) in zip(aim.world.chain(), aim.points[1:], strict=False):
                if found["free"] and at.parent is not None:
                    found = await at.parent.call("stillThrough", at.owner, x, y)
        except WorldGone:
            refuse_status("gone")
        return bool(found["free"])

    async def _disarm(self, world: World, guard: bool) -> str:
        found = set()
        for at in world.chain() if guard else []:
            try:
                state = await at.call("disarm")
            except (WorldGone, PageStuck):
                found.add("gone")  # the press took the page elsewhere, or keeps it busy
                continue
            found |= {word for word in ("blocked", "seen") if state[word]}
        return next((word for word in ("blocked", "seen", "gone") if word in found), "unseen")

    async def scroll(
        self, tab: Tab, dx: float, dy: float, *, at: tuple[float, float] | None = None, modifiers: int = 0
    ) -> bool:
        """Turn the wheel by CSS pixels over a point (the middle of the view for None); whether anything scrolled.

        *modifiers* are the protocol's bits: Alt 1, Control 2, Meta 4, Shift 8.
        """
        async with self._tabs.in_front(tab):
            try:
                world = await tab.worlds.main()
                size = (await world.call("facts"))["size"]
                await world.call("watchScroll")
                session = await tab.session()
                x, y = (size[0] / 2, size[1] / 2) if at is None else at
                wheel = {"type": "mouseWheel", "x": x, "y": y, "deltaX": dx, "deltaY": dy, "modifiers": modifiers}
                await send(session, "Input.dispatchMouseEvent", wheel, secs=INPUT_SECS)
                moved = await world.call("scrolled")
            except WorldGone:
                return True
            return bool(moved["moved"])

    @asynccontextmanager
    async def holding(self, tab: Tab, keys: list[str]) -> AsyncIterator[None]:
        """Hold modifier keys; they are let go whatever happens."""
        down: list[str] = []
        try:
            for name in keys:
                await entered(tab.page.keyboard.down(name))
                down.append(name)
            yield
        finally:
            for name in reversed(down):
                await entered(tab.page.keyboard.up(name))


async def entered(work: Awaitable[Any]) -> None:
    """Send input; a failure here may come after its effect, so it is no :class:`NotDone`."""
    try:
        await bounded(work, secs=INPUT_SECS, what="The input")
    except Error:
        raise BrowserError("The page or tab went away during the action; it may have happened.") from None


def _refuse_unfit(found: dict[str, Any]) -> None:
    if found["status"] != "ok":
        refuse_status(found["status"])
    if found["disabled"]:
        raise NotDone("The element is disabled.")
    if not found["visible"]:
        raise NotDone("The element is hidden.")


def _unreached(found: dict[str, Any]) -> str | None:
    if found["point"] is not None:
        return None
    return "Something else lies on top of the element." if found["covered_by"] else "The element is out of reach."
