"""Tasks whose whole answer is which thing to press."""

from __future__ import annotations

import re

from tests.conformance.miniwob.hands import Control, Hands, Stuck, View


async def press_the_only(hands: Hands) -> None:
    """click-test, focus-text."""
    await hands.click((await hands.read()).controls[0])


async def press_quoted(hands: Hands) -> None:
    """click-button, click-link, unicode-test."""
    await hands.press(hands.quoted[0], "button")


async def press_in_order(hands: Hands) -> None:
    """click-test-2, click-button-sequence."""
    for name in re.findall(r"button (\w+)", hands.goal):
        await hands.press(name, "button")


async def button_delay(hands: Hands) -> None:
    """Press one, wait for the seconds told, press the other."""
    view = await hands.read()
    await hands.click(view.named("ONE")[0])
    await hands.pause(int(hands.told(r"wait (\d+)")) * 1000)
    await hands.click(view.named("TWO")[0])


async def dialog(hands: Hands) -> None:
    """click-dialog, click-dialog-2: the cross of a dialog is called Close."""
    wanted = hands.quoted[0]
    await hands.press("Close" if wanted == "x" else wanted, "button")


async def tab(hands: Hands) -> None:
    """click-tab."""
    await hands.press(hands.told(r"(Tab #\d+)"), "button")


async def behind_sections(hands: Hands) -> None:
    """click-tab-2, click-collapsible-2: open one section after the other until the link is there."""
    wanted = hands.quoted[0]
    sections = [c.label for c in (await hands.read()).controls if re.fullmatch(r"(Tab #|Section #)?\d+", c.label)]
    for section in dict.fromkeys(sections):
        if (await hands.read()).named(wanted, "button"):
            break
        await hands.press(section, "button")
        await hands.pause(350 if "Section" in section else 1)
    if (await hands.read()).named(wanted, "button"):
        await hands.press(wanted, "button")


async def collapsible(hands: Hands) -> None:
    """Open the section, then submit."""
    view = await hands.read()
    await hands.click(next(c for c in view.controls if c.label.startswith("Section")))
    await hands.submit()


async def widget(hands: Hands) -> None:
    """click-widget: a text area takes a line break, a text field refuses one."""
    kind = hands.quoted[0]
    view = await hands.read()
    if kind in ("text", "textarea"):
        for field in view.of("textbox"):
            lines = await hands.call("type", target=field.ref, text="a\nb")
            if lines["ok"] == (kind == "textarea"):
                fields = (await hands.read()).of("textbox")
                await hands.click(fields[view.of("textbox").index(field)])
                return
        raise Stuck("no such field")
    await hands.click(view.of(kind)[0])


async def greatest(hands: Hands) -> None:
    """find-greatest."""
    cards = [c for c in (await hands.read()).controls if re.fullmatch(r"-?\d+", c.label)]
    await hands.click(max(cards, key=lambda card: int(card.label)))
    await hands.submit()


async def ascending(hands: Hands) -> None:
    """ascending-numbers."""
    count = len((await hands.read()).controls)
    await hands.press("1")  # this hides the others' numbers; they stand in the page in their order
    for _ in range(count - 1):
        await hands.click((await hands.read()).unnamed[0])


async def grid_coordinate(hands: Hands) -> None:
    """The points of the grid have no words of their own, so they are called by their names in the page."""
    wanted = hands.told(r"(\(-?\d,-?\d\))")
    await hands.click(next(c for c in (await hands.read()).controls if wanted in c.label))


async def generate_number(hands: Hands) -> None:
    """Draw numbers until one fits."""
    for _ in range(40):
        await hands.press("Generate", "button")
        number = next(int(line) for line in (await hands.read()).lines if re.fullmatch(r"\d+", line))
        words = hands.goal
        fits = (
            number < int(hands.told(r"less than (\d+)")) if "less than" in words
            else number > int(hands.told(r"greater than (\d+)")) if "greater than" in words
            else number % 2 == ("odd" in words)
        )  # fmt: skip
        if fits:
            await hands.submit()
            return
    raise Stuck("no number fits")


async def odd_or_even(hands: Hands) -> None:
    """Mark each number."""
    view = await hands.read()
    numbers = [int(n) for n in re.findall(r"-?\d+", " ".join(view.lines))]
    for index, number in enumerate(numbers):
        await hands.click(view.named("Odd" if number % 2 else "Even")[index])
    await hands.submit()


async def social_media(hands: Hands) -> None:
    """Posts have four marks each without words: reply, retweet, like, and share or more."""
    view = await hands.read()
    user, action = hands.told(r"(@\w+)"), hands.quoted[0]
    posts = [line for line in view.lines if re.search(r"@\w+", line)]
    marks = view.unnamed
    mine = [index for index, line in enumerate(posts) if user in line.split()]
    if len(marks) < 4 * len(posts):
        raise Stuck("posts without marks")
    order = {"Reply": 0, "Retweet": 1, "Like": 2, "Share": 3}
    if "posts" in hands.goal or "post by" in hands.goal:
        count = len(mine) if "all posts" in hands.goal else int(hands.told(r"on (\d+) post"))
        for index in mine[:count]:
            await hands.click(marks[4 * index + order[action]])
        await hands.submit()
    elif action in order:
        await hands.click(marks[4 * mine[0] + order[action]])
    else:
        await hands.click(marks[4 * mine[0] + 3])
        menu = await hands.until(lambda v: [c for c in v.controls if c.label.startswith(action)], action)
        await hands.press(next(c.label for c in menu.controls if c.label.startswith(action)))


async def phone_book(hands: Hands) -> None:
    """Turn the pages until the name stands at the top."""
    name = hands.told(r"Find (\S+) in")
    while (view := await hands.read()).lines[0] != f"## {name}":
        await hands.click(view.named(">")[0])
    entries = view.of("button")
    wanted = {"phone": r"[\d-]+", "email": r".*@.*", "address": r".* .*"}
    pattern = next(p for word, p in wanted.items() if word in hands.goal.split("their")[1])
    await hands.click(next(c for c in entries if re.fullmatch(pattern, c.label)))


async def search_engine(hands: Hands) -> None:
    """Three results a page, three pages."""
    number = int(hands.told(r"(\d+)(?:st|nd|rd|th)")) - 1
    view = await hands.read()
    await hands.type(view.of("textbox")[0], hands.quoted[0])
    await hands.press("Search", "button")
    if number >= 3:
        await hands.press(str(number // 3 + 1), "button")
    results = [c for c in (await hands.read()).of("button") if c.label != "Search"]
    await hands.click(results[number % 3])


async def tree(hands: Hands) -> None:
    """navigate-tree: open folders until the name is there."""
    name, opened = hands.quoted[0], set[str]()
    for _ in range(20):
        view = await hands.read()
        found = view.named(name)
        if found:
            await hands.click(found[-1])
            return
        folder = next((c for c in _folders(view) if c.ref not in opened), None)
        if folder is None:
            raise Stuck("no folder left")
        opened.add(folder.ref)
        await hands.click(folder)
    raise Stuck("too deep")


def _folders(view: View) -> list[Control]:
    """What stands after the small cross that opens it."""
    pairs = zip(view.controls, view.controls[1:], strict=False)
    return [name for cross, name in pairs if cross.unnamed and not name.unnamed]


async def focus_nth(hands: Hands) -> None:
    """focus-text-2."""
    place = int(hands.told(r"(\d)(?:st|nd|rd)"))
    await hands.click((await hands.read()).of("textbox")[place - 1])
