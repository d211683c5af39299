"""Fields and keys: filling and pressing; what a field holds afterwards is read back and a difference said."""

from __future__ import annotations

import asyncio
import re
from typing import Any

from playwright.async_api import Error

from drivers.browser.evidence import Witness
from drivers.browser.keys import chords, struck
from drivers.browser.pointer import Pointer, entered
from drivers.browser.refs import refuse_status
from drivers.browser.tabs import Tab, Tabs
from drivers.browser.turn import settled
from drivers.browser.world import World, WorldGone
from drivers.errors import BrowserError, Cancelled, NotDone, bounded, stop_if

KEYED_CHARACTERS = 200
"""Longer text is put in at once, as a paste would; a page that counts key presses sees none."""
TYPE_SECS = 30.0
FIRST_KEYS, AT_ONCE = 4, 24
"""After so many keys it is asked whether the field has the focus still."""
FOCUS_SECS = 1.0
FIRST_LED_SECS, LED_SECS = 0.2, 1.0
"""How long after the page's turn the first field of a row may lead on to the next, and how long each further one."""
POLL_SECS = 0.02

_FORMATS = {
    "date": "YYYY-MM-DD", "month": "YYYY-MM", "week": "YYYY-Www", "time": "HH:MM or HH:MM:SS",
    "datetime-local": "YYYY-MM-DDTHH:MM", "color": "#rrggbb", "range": "a number within the field's limits",
}  # fmt: skip

_MOVED = "The page moved the focus out of the field."
_FILLING = re.compile(r"[\s\u200b\u2060\ufeff]+")


class Typist:
    """Acts on fields by reference, or on whatever has the focus."""

    def __init__(self, tabs: Tabs, witness: Witness, pointer: Pointer) -> None:
        self._tabs = tabs
        self._witness = witness
        self._pointer = pointer

    async def fill(self, ref: str, text: str, *, tab_id: str | None, cancelled: Cancelled = None) -> str | None:
        """Replace what a field holds. Date and time fields take the format of their HTML value."""
        text = _lines(text)
        tab, world = await self._pointer.check(ref, tab_id=tab_id, pressed=False)
        try:
            field = await world.call("field", ref)
        except WorldGone:
            refuse_status("gone")
        if field["status"] != "ok":
            refuse_status(field["status"])
        _refuse_field(field, text)
        stop_if(cancelled)
        exact = True
        if field["kind"] == "set":
            taken, exact = await self._put(world, ref, text)
            held = await self._read_back(world, ref)
        else:
            taken = text
            async with self._tabs.in_front(tab):
                spread = await self._replace(tab, world, ref, text)
                held = await self._read_back(world, ref)
            if spread is not None:
                await settled(self._tabs, tab, world)
                return spread
        await settled(self._tabs, tab, world)
        if held is None:
            return None  # typing led elsewhere
        if held["status"] != "ok":
            return "The page put another in the place of the field; read it again."
        if not _same(held["value"], taken, rich=field["kind"] == "rich"):
            return "The field does not hold exactly what was typed; read it again."
        return None if exact else "The field holds the nearest value that it allows; read it again."

    async def type_at_focus(
        self, tab: Tab, text: str, *, breaks_allowed: bool = False, cancelled: Cancelled = None
    ) -> str | None:
        """Send text to whatever has the focus. A line break in a single-line field would press Enter there."""
        text = _lines(text)
        async with self._tabs.in_front(tab):
            await tab.turned()
            await self._witness.settle_focus(tab)
            kind, breaks = await self._focused(tab)
            if kind == "line" and "\n" in text and not breaks_allowed:
                raise NotDone("The focused field takes a single line. Type without a line break, then press Enter.")
            stop_if(cancelled)
            await self._send(tab, text, breaks="Enter" if breaks_allowed else breaks)
            await settled(self._tabs, tab)
        return "No field has the focus; the keys were sent to the page." if kind == "none" else None

    async def press(self, tab: Tab, keys: list[str], *, cancelled: Cancelled = None) -> None:
        """Press each chord in turn; every key that went down comes up again."""
        pressed = [struck(chord) for chord in chords(keys)]
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

    async def _put(self, world: World, ref: str, text: str) -> tuple[str, bool]:
        """Set a field as a picker would; what it took, the nearest value that it allows, and whether that is *text*."""
        try:
            put = await world.call("put", ref, text)
        except WorldGone:
            raise BrowserError("The page was replaced under the action; it may have happened.") from None
        if put["status"] == "format":
            raise NotDone(f"A {put['type']} field takes {_FORMATS[put['type']]}, within the field's own limits.")
        if put["status"] != "ok":
            refuse_status(put["status"])
        return str(put["value"]), bool(put["same"])

    async def _replace(self, tab: Tab, world: World, ref: str, text: str) -> str | None:
        """Put text in the place of what a field holds; words for where it is when the page led it over several."""
        found = await self._enter(world, ref)
        if found["status"] not in ("ok", "unfocused", "moved"):
            refuse_status(found["status"])
        if found["status"] == "unfocused":
            await self._pointer.click(ref, tab_id=tab.id)
            await tab.turned()
            found = await self._enter(world, ref)
        if found["status"] != "ok":
            raise BrowserError("The field does not keep the focus; nothing was typed. Read the page again.")
        if world.parent is not None and not await self._has_focus(world, ref):
            raise BrowserError(f"{_MOVED} Nothing was typed.")
        if not found["shows"]:
            await entered(tab.page.keyboard.press("ControlOrMeta+a"))
        if len(text) > 1 and found["row"] > 1:
            if await self._led_on(tab, world, ref, text):
                return await self._in_a_row(world, ref, text)
            text = text[1:]
        if text:
            await self._send(tab, text, to=(world, ref), breaks=found["breaks"])
        elif not (found["empty"] and found["shows"]):
            await entered(tab.page.keyboard.press("Delete"))
        return None

    async def _enter(self, world: World, ref: str) -> dict[str, Any]:
        try:
            found: dict[str, Any] = await world.call("enter", ref)
        except WorldGone:
            raise BrowserError("The page was replaced when the field got the focus; nothing was typed.") from None
        return found

    async def _led_on(self, tab: Tab, world: World, ref: str, text: str) -> bool:
        """Type into a row of alike small fields, each of which leads on to the next, as it does for a person's keys.

        False when the first does not lead on: it holds the first character and has the focus still.
        """
        for count, letter in enumerate(text, start=1):
            await entered(tab.page.keyboard.type(letter))
            if count == len(text):
                break
            now = await self._row_at(world, ref, count)
            if count == 1 and now["at"] == 0:
                return False
            if now["at"] != count:
                held = [one == typed for one, typed in zip(now["holds"], text[:count], strict=False)]
                there = held.index(False) if False in held else len(held)
                where = "the rest was not typed" if there == count else "what was typed next may be elsewhere"
                raise BrowserError(f"{_MOVED} Characters that are in, each in a field of its own: {there}; {where}.")
        return True

    async def _row_at(self, world: World, ref: str, wanted: int) -> dict[str, Any]:
        """Which field of a row has the focus; one that leads on a moment later is waited for."""
        until = asyncio.get_running_loop().time() + (FIRST_LED_SECS if wanted == 1 else LED_SECS)
        while True:
            try:
                now: dict[str, Any] = await world.call_here("rowAt", ref)
            except WorldGone:
                raise BrowserError("The page went away while typing; part of the text may be in.") from None
            if now["at"] == wanted or asyncio.get_running_loop().time() > until:
                return now
            await asyncio.sleep(POLL_SECS)

    async def _in_a_row(self, world: World, ref: str, text: str) -> str | None:
        try:
            holds = (await world.call_here("rowAt", ref))["holds"][: len(text)]
        except WorldGone:
            return None  # the last character led elsewhere
        if "".join(holds) != text:
            return "The fields do not hold exactly what was typed, one character each; read them again."
        return f"The page led on: {len(text)} fields hold one character each."

    async def _send(self, tab: Tab, text: str, *, to: tuple[World, str] | None = None, breaks: str = "Enter") -> None:
        work = self._keyed if len(text) <= KEYED_CHARACTERS else self._at_once
        try:
            await bounded(work(tab, text, to, breaks), secs=TYPE_SECS, what="Typing")
        except (Error, WorldGone):
            raise BrowserError("The page or tab went away while typing; part of the text may be in.") from None

    async def _at_once(self, tab: Tab, text: str, to: tuple[World, str] | None, breaks: str) -> None:
        if breaks == "text":
            await tab.page.keyboard.insert_text(text)
            return
        for number, line in enumerate(text.split("\n")):
            if number:
                await self._break(tab, breaks)
            if number and to is not None and not await self._has_focus(*to):
                raise BrowserError(f"{_MOVED} Part of the text is in, and some of it may be elsewhere.")
            if line:
                await tab.page.keyboard.insert_text(line)

    async def _keyed(self, tab: Tab, text: str, to: tuple[World, str] | None, breaks: str) -> None:
        # A field that leads on does so at its first keys, mostly.
        done = 0
        while done < len(text):
            if done and to is not None and not await self._has_focus(*to):
                raise BrowserError(f"{_MOVED} Part of the text is in, and some of it may be elsewhere.")
            part = text[done : done + (AT_ONCE if done else FIRST_KEYS)]
            for number, line in enumerate(part.split("\n")):
                if number:
                    await self._break(tab, breaks)
                await tab.page.keyboard.type(line)
            done += len(part)

    async def _break(self, tab: Tab, breaks: str) -> None:
        if breaks == "text":
            await tab.page.keyboard.insert_text("\n")
        else:
            await tab.page.keyboard.press(breaks)

    async def _has_focus(self, world: World, ref: str) -> bool:
        """Whether keys go to the field: it has the focus in its document, and its frame in each one around it.

        The browser tells the documents around a frame of another process a moment later.
        """
        until = asyncio.get_running_loop().time() + FOCUS_SECS
        around = [(at.parent, at.owner) for at in world.chain() if at.parent is not None]
        while True:
            mine, *others = await asyncio.gather(
                world.call_here("keepsFocus", ref), *(outer.call_here("focused") for outer, _ in around)
            )
            led = all(one.get("frame") == owner for one, (_, owner) in zip(others, around, strict=True))
            if (mine["keeps"] and led) or not mine["keeps"] or asyncio.get_running_loop().time() > until:
                return bool(mine["keeps"] and led)
            await asyncio.sleep(POLL_SECS)

    async def _read_back(self, world: World, ref: str) -> dict[str, Any] | None:
        try:
            held: dict[str, Any] = await world.call_here("held", ref)
        except WorldGone:
            return None
        return held

    async def _focused(self, tab: Tab) -> tuple[str, str]:
        """What kind of field has the focus, and what a line break is put in as there."""
        try:
            world = await tab.worlds.main()
            while True:
                found = await world.call("focused")
                if "frame" not in found:
                    return str(found["kind"]), str(found["breaks"])
                inner = await tab.worlds.child(world, found["frame"])
                if inner is None:
                    return "unknown", "Enter"
                world = inner
        except WorldGone:
            return "unknown", "Enter"

    async def _answered(self, tab: Tab) -> None:
        """One question to the page, so that what the key set off has begun."""
        try:
            world = await tab.worlds.main()
            await world.evaluate("0")
        except (WorldGone, NotDone):
            return  # a key may close the tab


def _lines(text: str) -> str:
    """Each line break as one: a carriage return presses Enter just so."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _same(held: str, text: str, *, rich: bool) -> bool:
    if not rich:
        return _lines(held) == text
    # What makes up lines there, and what keeps an empty place open, is the page's own.
    return _FILLING.sub("", held) == _FILLING.sub("", text)


def _refuse_field(field: dict[str, str], text: str) -> None:
    if field["disabled"]:
        raise NotDone("The field is disabled.")
    if field["readonly"]:
        raise NotDone("The field is read-only; it is filled in another way, such as a calendar beside it.")
    if field["kind"] == "none":
        raise NotDone("This element takes no text.")
    if field["kind"] == "line" and "\n" in text:
        raise NotDone("The field takes a single line. Type without a line break, then press Enter.")
