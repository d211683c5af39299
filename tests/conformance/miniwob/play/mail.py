"""The mailbox tasks and the flight search: several pages in a row."""

from __future__ import annotations

import re
from datetime import date

from tests.conformance.miniwob.hands import Control, Hands, Stuck, View
from tests.conformance.miniwob.play.forms import pick_day
from tests.conformance.miniwob.play.lists import best_offer


async def mailbox(hands: Hands) -> None:
    """Delete, star, answer or forward the mail by somebody."""
    sender = hands.fields.get("by") or hands.told(r"email by (\w+)")
    view = await hands.read()
    row = next(i for i, c in enumerate(view.controls) if re.match(rf"{re.escape(sender)}\b", c.label))
    task = hands.fields.get("task") or (
        "forward" if "forward" in hands.goal or "to" in hands.fields else "reply" if "reply" in hands.goal
        else "delete" if "delete" in hands.goal else "important"
    )  # fmt: skip
    if task in ("delete", "trash"):
        await hands.click(view.controls[row + 1])
    elif task in ("important", "star"):
        await hands.click(view.controls[row + 2])
    else:
        await hands.click(view.controls[row])
        await (_forward(hands) if task == "forward" else _reply(hands))


async def _reply(hands: Hands) -> None:
    await hands.press("Reply")
    await hands.type((await hands.read()).of("textbox")[0], hands.fields.get("message") or hands.quoted[0])
    await _send(hands)


async def _forward(hands: Hands) -> None:
    await hands.press("Forward")
    to = hands.fields.get("to") or hands.told(r"to (\w+)\.")
    await hands.type((await hands.read()).of("textbox")[0], to)
    await _send(hands)


async def _send(hands: Hands) -> None:
    """The arrow has no words; the page calls it so."""
    await hands.click(next(c for c in (await hands.read()).controls if "send-" in c.label))


async def flight(hands: Hands) -> None:
    """book-flight."""
    origin, goal, day = re.search(r"from: (.+) to: (.+) on ([\d/]+)", hands.goal).groups()  # type: ignore[union-attr]
    for index, city in enumerate((origin, goal)):
        await hands.click(await _offered(hands, index, city))
    view = await hands.read()
    await hands.click(view.of("textbox", "combobox")[2])
    month, number, year = (int(n) for n in day.split("/"))
    await pick_day(hands, date(year, month, number))
    await hands.press("Search", "button")
    view = await hands.until(lambda v: [c for c in v.of("button") if "$" in c.label], "flights")
    await best_offer(hands, view, shortest="shortest" in hands.goal, longest=False, cheapest="cheapest" in hands.goal)


async def _offered(hands: Hands, index: int, city: str) -> Control:
    """The city in the list that the page opens below a field."""
    exact = rf"(^|\(){re.escape(city)}(\)| \()"

    def offered(view: View) -> list[Control]:
        return [control for control in view.of("button") if re.search(exact, control.label)]

    await hands.type((await hands.read()).of("textbox", "combobox")[index], city)
    return offered(await hands.until(offered, city))[0]


async def terminal(hands: Hands) -> None:
    """List the files and remove one."""
    await _command(hands, "ls")
    lines = (await hands.read()).lines
    files = lines[max(i for i, line in enumerate(lines) if re.search(r"user\$ ?ls\b", line)) + 1].split()
    ending = re.search(r"extension (\.\S+)", hands.goal)
    fits = [f for f in files if (f.endswith(ending.group(1)) if ending else "." not in f)]
    if not fits:
        raise Stuck("no such file")
    await _command(hands, f"rm {fits[0]}")


async def _command(hands: Hands, words: str) -> None:
    await hands.call("type", target=(await hands.read()).of("textbox")[0].ref, text=words)
    await hands.keys("Enter")
