"""Fields and keys: filling, choosing, pressing; what a field holds afterwards is read back and a difference said."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Error

from drivers.browser.evidence import Witness
from drivers.browser.keys import chords
from drivers.browser.pointer import Pointer, entered
from drivers.browser.refs import Refs, refuse_status
from drivers.browser.tabs import Tab, Tabs
from drivers.browser.turn import settled
from drivers.browser.world import World, WorldGone
from drivers.errors import BrowserError, Cancelled, NotDone, bounded, stop_if

KEYED_CHARACTERS = 200
"""Longer text is put in at once, as a paste would; a page that counts key presses sees none."""
TYPE_SECS = 30.0

_FORMATS = {
    "date": "YYYY-MM-DD", "month": "YYYY-MM", "week": "YYYY-Www", "time": "HH:MM or HH:MM:SS",
    "datetime-local": "YYYY-MM-DDTHH:MM", "color": "#rrggbb", "range": "a number within the field's limits",
}  # fmt: skip


class Typist:
    """Acts on fields by reference, or on whatever has the focus."""

    def __init__(self, tabs: Tabs, refs: Refs, witness: Witness, pointer: Pointer) -> None:
        self._tabs = tabs
        self._refs = refs
        self._witness = witness
        self._pointer = pointer

    async def fill(self, ref: str, text: str, *, tab_id: str | None, cancelled: Cancelled = None) -> str | None:
        """Replace what a field holds. Date and time fields take the format of their HTML value."""
        tab, world = await self._pointer.check(ref, tab_id=tab_id)
        try:
            field = await world.call("field", ref)
            if field["status"] != "ok":
                refuse_status(field["status"])
            _refuse_field(field, text)
            stop_if(cancelled)
            if field["kind"] == "set":
                return await self._put(world, ref, text)
            async with self._tabs.in_front(tab):
                await self._replace(tab, world, ref, text)
                held = await self._read_back(world, ref)
        except WorldGone:
            refuse_status("gone")
        await settled(self._tabs, tab, world)
        if held is not None and field["kind"] != "rich" and held.replace("\r\n", "\n") != text.replace("\r\n", "\n"):
            return "The field does not hold exactly what was typed; read it again."
        return None

    async def type_at_focus(
        self, tab: Tab, text: str, *, breaks_allowed: bool = False, cancelled: Cancelled = None
    ) -> str | None:
        """Send text to whatever has the focus. A line break in a single-line field would press Enter there."""
        async with self._tabs.in_front(tab):
            await tab.turned()
            await self._witness.settle_focus(tab)
            kind = await self._focused(tab)
            if kind == "line" and "\n" in text and not breaks_allowed:
                raise NotDone("The focused field takes a single line. Type without a line break, then press Enter.")
            stop_if(cancelled)
            await self._send(tab, text)
            await settled(self._tabs, tab)
        return "No field has the focus; the keys were sent to the page." if kind == "none" else None

    async def press(self, tab: Tab, keys: list[str], *, cancelled: Cancelled = None) -> None:
        """Press each chord in turn; every key that went down comes up again."""
        pressed = chords(keys)
        async with self._tabs.in_front(tab):
            await tab.session()
            await self._witness.settle_focus(tab)
            for chord in pressed:
                stop_if(cancelled)
                *held, last = chord
                async with self._pointer.holding(tab, held):
                    await entered(tab.page.keyboard.press(last))
            await self._answered(tab)
            await settled(self._tabs, tab)

    async def choose(
        self, ref: str, values: list[str], *, tab_id: str | None, cancelled: Cancelled = None
    ) -> str | None:
        """Choose options by value, else by label; on a multiple list exactly these become chosen."""
        tab, world = await self._pointer.check(ref, tab_id=tab_id)
        if not values:
            raise NotDone("Name at least one option.")
        stop_if(cancelled)
        try:
            done = await world.call("choose", ref, values)
            if done["status"] == "custom":
                return await self._choose_custom(tab, world, ref, values, cancelled)
        except WorldGone:
            refuse_status("gone")
        words = {
            "disabled": "The list is disabled.", "single": "This list takes exactly one option.",
            "missing": "The list has no such option.", "disabled option": "That option is disabled.",
        }  # fmt: skip
        if done["status"] in words:
            raise NotDone(words[done["status"]])
        if done["status"] not in ("ok", "different"):
            refuse_status(done["status"])
        await settled(self._tabs, tab, world)
        return "The page changed the choice; read the list again." if done["status"] == "different" else None

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
            after = await self._box(world, ref)
        except NotDone:
            raise BrowserError("The box was pressed, and its page or name changed; read the page again.") from None
        if after["checked"] != checked:
            raise BrowserError("The box was pressed and did not take the wanted state; read the page again.")

    async def _box(self, world: World, ref: str) -> dict[str, Any]:
        try:
            found: dict[str, Any] = await world.call("checked", ref)
        except WorldGone:
            refuse_status("gone")
        if found["status"] == "unfit":
            raise NotDone("The element is neither a checkbox nor a radio button.")
        if found["status"] != "ok":
            refuse_status(found["status"])
        return found

    async def _choose_custom(
        self, tab: Tab, world: World, ref: str, values: list[str], cancelled: Cancelled
    ) -> str | None:
        for number, value in enumerate(values):
            option = await self._custom_option(world, ref, value)
            if option["status"] == "closed" and number == 0:
                await self._pointer.click(ref, tab_id=tab.id, cancelled=cancelled)
                option = await self._custom_option(world, ref, value)
            if option["status"] != "ok":
                raise NotDone("The list has no such option.")
            if not option["selected"]:
                await self._pointer.click(option["ref"], tab_id=tab.id, cancelled=cancelled)
        return None

    async def _custom_option(self, world: World, ref: str, value: str) -> dict[str, str]:
        async with self._refs.issuing:
            found: dict[str, str] = await world.call(f"{self._refs.start}, signalbox.customOption", ref, value)
            if "next" in found:
                self._refs.issued(world, int(found["next"]))
        return found

    async def _put(self, world: World, ref: str, text: str) -> str | None:
        put = await world.call("put", ref, text)
        if put["status"] == "format":
            raise NotDone(f"A {put['type']} field takes {_FORMATS[put['type']]}, within the field's own limits.")
        if put["status"] != "ok":
            refuse_status(put["status"])
        return None if put["value"] == text else "The field holds the nearest value that it allows; read it again."

    async def _replace(self, tab: Tab, world: World, ref: str, text: str) -> None:
        entered_field = await world.call("enter", ref)
        if entered_field["status"] == "unfocused":
            await self._pointer.click(ref, tab_id=tab.id)
            entered_field = await world.call("enter", ref)
        if entered_field["status"] != "ok":
            raise NotDone("The field does not take the focus.")
        if text:
            await self._send(tab, text)
        elif not entered_field["empty"]:
            await entered(tab.page.keyboard.press("Delete"))

    async def _send(self, tab: Tab, text: str) -> None:
        board = tab.page.keyboard
        work = board.type(text) if len(text) <= KEYED_CHARACTERS else board.insert_text(text)
        try:
            await bounded(work, secs=TYPE_SECS, what="Typing")
        except Error:
            raise BrowserError("The page or tab went away while typing; part of the text may be in.") from None

    async def _read_back(self, world: World, ref: str) -> str | None:
        try:
            held = await world.call("held", ref)
        except WorldGone:
            return None
        return held["value"] if held["status"] == "ok" else None

    async def _focused(self, tab: Tab) -> str:
        try:
            world = await tab.worlds.main()
            while True:
                found = await world.call("focused")
                if "frame" not in found:
                    return str(found["kind"])
                inner = await tab.worlds.child(world, found["frame"])
                if inner is None:
                    return "unknown"
                world = inner
        except WorldGone:
            return "unknown"

    async def _answered(self, tab: Tab) -> None:
        """One question to the page, so that what the key set off has begun."""
        try:
            world = await tab.worlds.main()
            await world.evaluate("0")
        except WorldGone:
            return


def _refuse_field(field: dict[str, str], text: str) -> None:
    if field["disabled"]:
        raise NotDone("The field is disabled.")
    if field["readonly"]:
        raise NotDone("The field is read-only; it is filled in another way, such as a calendar beside it.")
    if field["kind"] == "none":
        raise NotDone("This element takes no text.")
    if field["kind"] == "line" and "\n" in text:
        raise NotDone("The field takes a single line. Type without a line break, then press Enter.")
