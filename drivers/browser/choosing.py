"""Lists and boxes: options and states are chosen, and what became of them is looked at after the page's turn."""

from __future__ import annotations

import asyncio
from typing import Any

from drivers.browser.pointer import GOING_SECS, POLL_SECS, Pointer
from drivers.browser.refs import Refs, refuse_status
from drivers.browser.tabs import Tab, Tabs
from drivers.browser.turn import settled
from drivers.browser.world import World, WorldGone
from drivers.errors import BrowserError, Cancelled, NotDone, stop_if

DIFFERENT = "The page changed the choice; read the list again."
NO_SIGN = "The list shows no sign of the choice; read the page again."
CLOSED = "The options were pressed, each once, and the list has closed; read the page to see what is chosen."
_NONE = "The list has no such option."
_WORDS = {
    "disabled": "The list is disabled.", "single": "This list takes exactly one option.", "missing": _NONE,
    "disabled option": "That option is disabled.",
}  # fmt: skip


class Chooser:
    """Nothing is pressed before every option that was asked for has been found; what fails after a press says so."""

    def __init__(self, tabs: Tabs, refs: Refs, pointer: Pointer) -> None:
        self._tabs = tabs
        self._refs = refs
        self._pointer = pointer

    async def choose(
        self, ref: str, values: list[str], *, tab_id: str | None, cancelled: Cancelled = None
    ) -> str | None:
        """Choose options by value, else by label; on a multiple list exactly these become chosen."""
        if not values:
            raise NotDone("Name at least one option.")
        tab, world = await self._pointer.meet(ref, tab_id=tab_id)
        if not await self._native(world, ref):
            # Its options are pressed, each checked by itself: an open list may well lie on what opened it.
            stop_if(cancelled)
            return await self._custom(tab, world, ref, values, cancelled)
        await self._pointer.check(ref, tab_id=tab_id, pressed=False)
        stop_if(cancelled)
        try:
            done = await world.call("choose", ref, values)
        except WorldGone:
            raise BrowserError("The page was replaced under the action; it may have happened.") from None
        if done["status"] in _WORDS:
            raise NotDone(_WORDS[done["status"]])
        if done["status"] != "ok":
            refuse_status(done["status"])
        try:
            kept = bool((await world.call_here("chosen", ref, values))["same"])
        except WorldGone:
            kept = True  # choosing led elsewhere
        await settled(self._tabs, tab, world)
        return None if kept else DIFFERENT

    async def _native(self, world: World, ref: str) -> bool:
        try:
            found = await world.call("listKind", ref)
        except WorldGone:
            refuse_status("gone")
        if found["status"] != "ok":
            refuse_status(found["status"])
        return bool(found["native"])

    async def check_box(self, ref: str, checked: bool, *, tab_id: str | None, cancelled: Cancelled = None) -> None:
        """Press a box, or the label that stands for it, unless it already is as wanted; then see that it is."""
        tab, world = await self._pointer.check(ref, tab_id=tab_id)
        before = await self._box(world, ref)
        if before["checked"] == checked:
            return
        if before["radio"] and not checked:
            raise NotDone("A radio button is let go by choosing another one.")
        await self._pointer.click(ref, tab_id=tab.id, cancelled=cancelled)
        try:
            after = await self._box_after(world, ref)
            if before["checked"] is None and after["checked"] is not None and after["checked"] != checked:
                # Neither on nor off becomes on first.
                await self._pointer.click(ref, tab_id=tab.id)
                after = await self._box_after(world, ref)
        except NotDone:
            raise BrowserError("The box was pressed, and its page or name changed; read the page again.") from None
        if after["checked"] != checked:
            raise BrowserError("The box was pressed and did not take the wanted state; read the page again.")

    async def _box_after(self, world: World, ref: str) -> dict[str, Any]:
        try:
            await world.call_here("turned")
        except WorldGone:
            refuse_status("gone")
        return await self._box(world, ref, again=True)

    async def _box(self, world: World, ref: str, *, again: bool = False) -> dict[str, Any]:
        try:
            found: dict[str, Any] = await world.call("checked", ref, again)
        except WorldGone:
            refuse_status("gone")
        if found["status"] == "unfit":
            raise NotDone("The element is neither a checkbox nor a radio button.")
        if found["status"] != "ok":
            refuse_status(found["status"])
        return found

    # A list of ordinary elements ------------------------------------------------------------------------------------

    async def _custom(self, tab: Tab, world: World, ref: str, values: list[str], cancelled: Cancelled) -> str | None:
        look = await self._look(world, ref, values)
        if look["status"] != "ok":
            refuse_status(look["status"])
        to_open = look["empty"] or (look["missing"] and look["folded"])  # a folded one may hold but a part of them
        _refuse_unfit(look, values, opened=to_open)
        if not look["press"] and not to_open:
            return None
        if not look["closed"] and not to_open:
            await self._pointer.click(look["press"][0]["ref"], tab_id=tab.id, cancelled=cancelled)
            return await self._rest(tab, world, ref, values, look)
        await self._pointer.click(ref, tab_id=tab.id, cancelled=cancelled)
        try:
            look = await self._opened(world, ref, values)
            if look["status"] != "ok":
                refuse_status(look["status"])
            _refuse_unfit(look, values, opened=False)
            if look["press"]:
                await self._pointer.click(look["press"][0]["ref"], tab_id=tab.id)
        except NotDone as refusal:
            raise BrowserError(f"The list was pressed, and then: {refusal}") from None
        return await self._rest(tab, world, ref, values, look)

    async def _rest(self, tab: Tab, world: World, ref: str, values: list[str], before: dict[str, Any]) -> str | None:
        """Press what is left, each once, and say when the list does not show the choice."""
        pressed = {entry["key"] for entry in before["press"][:1]}
        while True:
            now = await self._look_again(world, ref, values)
            if now["status"] != "ok":
                return None if len(values) == 1 else DIFFERENT  # the choice led elsewhere, or took the list away
            if not before["multi"]:
                return None if _took(before, now) else NO_SIGN
            if now["closed"] and any(entry["key"] not in pressed for entry in before["press"]):
                now = await self._opened_again(tab, world, ref, values)  # many a list closes at each choice
            left = [] if now["closed"] else [entry for entry in now["press"] if entry["key"] not in pressed]
            if not left:
                if any(entry["key"] not in pressed for entry in before["press"]):
                    return DIFFERENT
                if now["closed"] and not now["marked"]:
                    return CLOSED
                return None if _took(before, now) else NO_SIGN
            pressed.add(left[0]["key"])
            try:
                await self._pointer.click(left[0]["ref"], tab_id=tab.id)
            except NotDone as refusal:
                raise BrowserError(f"Some of the options were pressed, and then: {refusal}") from None

    async def _opened_again(self, tab: Tab, world: World, ref: str, values: list[str]) -> dict[str, Any]:
        try:
            await self._pointer.click(ref, tab_id=tab.id)
        except NotDone as refusal:
            raise BrowserError(f"Some of the options were pressed, and then: {refusal}") from None
        now = await self._opened(world, ref, values)
        if now["status"] != "ok":
            raise BrowserError("Some of the options were pressed, and then the list was gone; read the page again.")
        return now

    async def _opened(self, world: World, ref: str, values: list[str]) -> dict[str, Any]:
        """The list once it shows what is wanted of it: many a one fetches its options, or slides open."""
        loop = asyncio.get_running_loop()
        until = loop.time() + GOING_SECS
        while True:
            now = await self._look_again(world, ref, values)
            there = now["status"] != "ok" or not (now["missing"] or now["closed"])
            if there or loop.time() > until:
                return now
            await asyncio.sleep(POLL_SECS)

    async def _look_again(self, world: World, ref: str, values: list[str]) -> dict[str, Any]:
        try:
            await world.call_here("turned")
        except WorldGone:
            return {"status": "gone"}
        return await self._look(world, ref, values, again=True)

    async def _look(self, world: World, ref: str, values: list[str], *, again: bool = False) -> dict[str, Any]:
        async with self._refs.issuing:
            try:
                found: dict[str, Any] = await world.call(
                    f"{self._refs.start}, signalbox.customList", ref, values, again
                )
            except WorldGone:
                return {"status": "gone"}
            self._refs.issued(world, int(found["next"]))
        return found


def _refuse_unfit(look: dict[str, Any], values: list[str], *, opened: bool) -> None:
    """*opened*: the list may get its options only when it is opened."""
    if look["off"]:
        raise NotDone(_WORDS["disabled"])
    if opened:
        return
    if look["missing"]:
        raise NotDone(_NONE)
    if len(values) > 1 and not look["multi"]:
        raise NotDone(_WORDS["single"])
    if look["disabled"]:
        raise NotDone(_WORDS["disabled option"])


def _took(before: dict[str, Any], now: dict[str, Any]) -> bool:
    if now["marked"] and not now["press"] and not now["missing"]:
        return True
    if not now["multi"] and (now["shows"] or (now["around"] and not before["around"])):
        return True
    still_offered = now["marked"] and not now["closed"] and not now["missing"]
    return not still_offered and bool(before["sign"] != now["sign"])
