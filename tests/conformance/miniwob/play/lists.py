"""Tasks of boxes, lists, menus, sliders and spinners."""

from __future__ import annotations

import re

from tests.conformance.miniwob.hands import Control, Hands, Stuck, View
from tests.conformance.miniwob.sight import QUERY_BOTTOM, RIGHT, Patch, Sight, near


def _names(hands: Hands) -> list[str]:
    """Between "Select" and what comes after the names."""
    words = hands.told(r"Select (.+?)(?: from the| and click)")
    return [] if words == "nothing" else words.split(", ")


async def checkboxes(hands: Hands) -> None:
    """click-checkboxes and its kin."""
    view = await hands.read()
    for name in _names(hands):
        box = view.named(name, "checkbox")[0]
        await hands.done("set_checked", target=box.ref, checked=True)
    await hands.submit()


async def option(hands: Hands) -> None:
    """click-option."""
    radio = (await hands.read()).named(_names(hands)[0], "radio")[0]
    await hands.done("set_checked", target=radio.ref, checked=True)
    await hands.submit()


async def choose(hands: Hands) -> None:
    """choose-list, click-scroll-list."""
    box = (await hands.read()).of("combobox", "listbox")[0]
    names = [hands.told(r"Select (.+?) from the")] if box.role == "combobox" else _names(hands)
    await hands.done("select_option", target=box.ref, values=names)
    await hands.submit()


async def number_checkboxes(hands: Hands) -> None:
    """The example is a picture of four columns and seven rows."""
    sight = await hands.see()
    frame = max(sight.patches(lambda c: max(c) < 120, box=(85, 51, 160, 211)), key=lambda p: p.width * p.height)
    left, top, right, bottom = (n + margin for n, margin in zip(frame.box, (5, 5, -5, -6), strict=True))
    view = await hands.read()
    boxes = view.of("checkbox")[:28]
    for index, box in enumerate(boxes):
        row, column = divmod(index, 4)
        x = left + (right - left + 1) * (2 * column + 1) / 8
        y = top + (bottom - top + 1) * (2 * row + 1) / 14
        if min(sight.at(round(x), round(y))) > 160:
            await hands.done("set_checked", target=box.ref, checked=True)
    await hands.submit()


async def spinner(hands: Hands) -> None:
    """use-spinner."""
    wanted = int(hands.told(r"Select (-?\d+)"))
    await hands.click((await hands.read()).of("textbox")[0])
    if wanted:
        await hands.keys(*["ArrowUp" if wanted > 0 else "ArrowDown"] * abs(wanted))
    await hands.submit()


async def _slide(hands: Hands, which: int, wanted: int) -> None:
    for _ in range(3):
        view = await hands.read()
        now = _numbers(view)[which]
        if now == wanted:
            return
        handle = view.unnamed[which]
        await hands.click(handle)
        await hands.keys(*["ArrowRight" if wanted > now else "ArrowLeft"] * abs(wanted - now))
    raise Stuck("the slider does not go there")


def _numbers(view: View) -> list[int]:
    return [int(line) for line in view.lines if re.fullmatch(r"-?\d+", line)]


async def sliders(hands: Hands) -> None:
    """use-slider, use-slider-2: the handle takes the arrow keys."""
    listed = re.search(r"\[(.+)\]", hands.goal)
    wanted = [int(n) for n in listed.group(1).split(",")] if listed else [int(hands.told(r"Select (-?\d+)"))]
    for which, number in enumerate(wanted):
        await _slide(hands, which, number)
    await hands.submit()


def _place(hands: Hands, what: str) -> int:
    return int(hands.told(rf"(\d)(?:st|nd|rd) {what}")) - 1


async def slider_and_box(hands: Hands) -> None:
    """form-sequence."""
    await _slide(hands, 0, int(hands.told(r"Select (-?\d+)")))
    box = (await hands.read()).of("checkbox")[_place(hands, "checkbox")]
    await hands.done("set_checked", target=box.ref, checked=True)
    await hands.submit()


async def radio_and_field(hands: Hands) -> None:
    """form-sequence-2."""
    view = await hands.read()
    radio = view.of("radio")[_place(hands, "radio")]
    await hands.done("set_checked", target=radio.ref, checked=True)
    await hands.type(view.of("textbox")[_place(hands, "textbox")], hands.quoted[0])
    await hands.submit()


async def dropdown_and_button(hands: Hands) -> None:
    """form-sequence-3."""
    wanted = hands.told(r"Choose (.+) from the")
    view = await hands.read()
    list_below = await hands.call("select_option", target=view.of("combobox")[0].ref, values=[wanted])
    if not list_below["ok"]:  # another list is painted over it
        await hands.click(view.of("button")[0])
        await hands.press(wanted)
    await hands.press(hands.quoted[0], "button")


async def menu(hands: Hands) -> None:
    """click-menu: each step of the path opens under the pointer."""
    *path, last = hands.told(r"Select (.+)$").split(">")
    for name, following in zip(path, [*path[1:], last], strict=True):
        view = await hands.until(lambda v, n=name: v.named(n), name)  # type: ignore[misc]
        await hands.done("hover", target=view.named(name)[-1].ref)
        await hands.until(lambda v, n=following: v.named(n), following)  # type: ignore[misc]
    await hands.press(last)


async def menu_of_icons(hands: Hands) -> None:
    """click-menu-2: by its words, or by the icon that the instruction shows."""
    await hands.press("Menu", "button")
    view = await hands.until(lambda v: v.named("Playback"), "the menu")
    wanted = hands.quoted[1] if hands.quoted[1:] else None
    if wanted is None or not view.named(wanted):
        await hands.done("hover", target=view.named("Playback")[-1].ref)
        await hands.until(lambda v: v.named("Prev"), "the inner menu")
    if wanted is None:
        wanted = _shown_icon(await hands.see())
    await hands.press(wanted)


def _shown_icon(sight: Sight) -> str:
    """The entry whose icon stands in the instruction."""
    grounds = [
        p for p in sight.patches(lambda c: near(c, (241, 241, 241), 4), least=200, corners=False) if p.width > 40
    ]
    middle = min(p.box[0] for p in grounds) + 30  # the entry that is open parts the ground of its menu
    outer, inner = (Patch(frozenset(q for p in grounds if (p.box[0] < middle) == first for q in p.pixels))
                    for first in (True, False))  # fmt: skip
    names = {outer: ("Save", "Zoom In", "Zoom Out"), inner: ("Prev", "Stop", "Play", "Next")}
    asked = {(x, y) for y in range(QUERY_BOTTOM) for x in range(RIGHT) if max(sight.at(x, y)) < 140}
    likeness = {
        name: _best_fit(icon, asked)
        for menu, entries in names.items()
        for name, icon in zip(entries, _icons(sight, menu), strict=False)
    }
    return max(likeness, key=lambda name: likeness[name])


def _icons(sight: Sight, menu: Patch) -> list[set[tuple[int, int]]]:
    """The dark pixels of each icon in a menu's first column."""
    left, top, _, bottom = menu.box
    dark = [(x, y) for y in range(top + 1, bottom) for x in range(left + 4, left + 20) if max(sight.at(x, y)) < 140]
    icons: list[set[tuple[int, int]]] = []
    for x, y in dark:
        if not icons or y - max(other for _, other in icons[-1]) > 3:
            icons.append(set())
        icons[-1].add((x, y))
    return icons


def _best_fit(icon: set[tuple[int, int]], asked: set[tuple[int, int]]) -> float:
    """How well an icon fits anywhere in the instruction: 1 where every pixel of its box is the same."""
    left, top = min(x for x, _ in icon) - 1, min(y for _, y in icon) - 1
    width, height = max(x for x, _ in icon) - left + 2, max(y for _, y in icon) - top + 2
    shape = {(x - left, y - top) for x, y in icon}
    spots = [(x, y) for y in range(QUERY_BOTTOM - height) for x in range(RIGHT - width)]

    def same(at: tuple[int, int]) -> float:
        there = {(x, y) for x in range(width) for y in range(height) if (at[0] + x, at[1] + y) in asked}
        return 1 - len(there ^ shape) / len(there | shape)

    return max(same(spot) for spot in spots)


async def pie(hands: Hands) -> None:
    """click-pie: the slices come out of the middle."""
    await hands.press("+")
    for _ in range(4):
        slices = (await hands.read()).named(hands.quoted[0])
        if not slices:
            return
        await hands.call("click", target=slices[-1].ref)
        await hands.pause(150)
        view = await hands.read()
        if again := view.named(hands.quoted[0]):  # the letter did not take it: the slice under it
            await hands.call("click", target=view.controls[view.controls.index(again[-1]) - 1].ref)


async def food(hands: Hands) -> None:
    """order-food."""
    view = await hands.read()
    names, kinds = list[str](), list[str]()
    for line in view.lines:
        if line.startswith("[image"):
            kinds[-1] += line
        elif line != "- +" and not line.startswith("#") and line != "Order!":
            names.append(line)
            kinds.append("")
    adders = view.named("+")
    if "one of each" in hands.goal:
        wanted = [names.index(name) for name in hands.goal.split(": ", 1)[1].split(", ")]
        for index in wanted:
            await hands.click(adders[index])
    else:
        kind = hands.told(r"that are (.+)$")
        first = next(index for index, kinds_here in enumerate(kinds) if f"[image: {kind}]" in kinds_here)
        for _ in range(int(hands.told(r"Order (\d+)"))):
            await hands.click(adders[first])
    await hands.press("Order!", "button")


def _minutes(words: str) -> int:
    hours, minutes = re.findall(r"\d+", words)[:2]
    return int(hours) * 60 + int(minutes)


async def ticket(hands: Hands) -> None:
    """buy-ticket."""
    view = await hands.read()
    await best_offer(hands, view, shortest="shortest" in hands.goal, longest="longest" in hands.goal,
                     cheapest="cheapest" in hands.goal)  # fmt: skip


async def best_offer(hands: Hands, view: View, *, shortest: bool, longest: bool, cheapest: bool) -> None:
    """Press the offer that is best in one way."""
    times = [_minutes(line) for line in view.lines if re.fullmatch(r"(Duration:? ?)?\d+h \d+m", line)]
    offers: list[Control] = [c for c in view.of("button") if "$" in c.label]
    prices = [int(c.label.split("$")[1]) for c in offers]
    order = sorted(range(len(offers)), key=lambda n: times[n] if shortest or longest else prices[n])
    await hands.click(offers[order[0 if shortest or cheapest else -1]])
