"""The text editor and the day's calendar."""

from __future__ import annotations

import re

from tests.conformance.miniwob.hands import Hands, Stuck
from tests.conformance.miniwob.sight import near

INKS = {
    "red": (230, 0, 0), "orange": (255, 153, 0), "yellow": (255, 255, 0), "green": (0, 138, 0),
    "blue": (0, 102, 204), "purple": (153, 51, 255),
}  # fmt: skip


async def editor(hands: Hands) -> None:
    """text-editor: choose a word by the keyboard, then press its style."""
    view = await hands.read()
    field = view.of("textbox")[0]
    text = field.value.rstrip("\n")
    await hands.click(field)
    word = re.search(r"give the text (\S+) the", hands.goal)
    if word is None:
        await hands.keys("ctrl+a")
    else:
        at = next(m.start() for m in re.finditer(re.escape(word.group(1)), text)
                  if m.end() == len(text) or text[m.end()] == " ")  # fmt: skip
        await hands.keys("ctrl+Home", *["ArrowRight"] * at, *["shift+ArrowRight"] * len(word.group(1)))
    await hands.pause(150)  # the editor hears of a choice a moment later
    tools = view.of("button")
    style = re.search(r"(bold|italics|underlined)", hands.goal)
    if style:
        await hands.click(tools[1 + ["bold", "italics", "underlined"].index(style.group(1))])
    else:
        ink = INKS[hands.told(r"color (\w+)")]
        await hands.click(tools[0])
        await hands.pause(150)
        sight = await hands.see()
        await hands.point(max(sight.patches(lambda c: near(c, ink, 4), least=40), key=lambda p: p.fill).inside)
    await hands.submit()


async def calendar(hands: Hands) -> None:
    """daily-calendar: drag over free half hours, see that they became what is wanted, name the event."""
    length = hands.told(r"a ([\d.]+ \w+) event")
    slots = round(float(length.split()[0]) * (2 if "hour" in length else 1 / 30))
    first = {"8AM": 16, "12PM": 24, "4PM": 32}[hands.told(r"between (\w+) and")]
    for start in range(first + 8 - slots, first - 1, -1):
        view = await hands.read()
        slot = next(c for c in view.controls if c.label == f"(unnamed clickable, hh-{start})")
        await hands.done("scroll_to", target=slot.ref)
        bottom = 130 + 20.42 * (slots - 1)
        await hands.drag((70, 128), (70, 130), (70, (130 + bottom) / 2), (70, bottom))
        opened = await hands.read()
        if drawn := opened.named("New event"):
            # Drawn elsewhere than dragged, it has not felt the button come up; or it has, and its form lies on it now.
            await hands.call("click", target=drawn[0].ref)
            opened = await hands.read()
        if opened.named("Create", "button"):
            if _half_hours(" ".join(opened.lines)) == (start, start + slots):
                await hands.type(next(c for c in opened.of("textbox")), hands.quoted[0])
                await hands.press("Create", "button")
                return
            await hands.press("Cancel", "button")
    raise Stuck("no room in the day")


def _half_hours(words: str) -> tuple[int, ...]:
    """The two times that the form shows, counted in half hours from midnight."""
    shown = re.search(r"(\d+)(:30)?(am|pm) to (\d+)(:30)?(am|pm)", words)
    if shown is None:
        return ()
    hours = [(shown.group(n), shown.group(n + 1), shown.group(n + 2)) for n in (1, 4)]
    return tuple(int(hour) % 12 * 2 + (half is not None) + 24 * (noon == "pm") for hour, half, noon in hours)
