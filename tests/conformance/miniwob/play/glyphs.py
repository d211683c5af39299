"""Telling letters apart by their look, against a sheet of letters that the player opens in a tab of its own."""

from __future__ import annotations

from tests.conformance.miniwob.hands import Hands
from tests.conformance.miniwob.letters import CHARACTERS, COLUMNS, PITCH, SHEET
from tests.conformance.miniwob.sight import COLOURS, Patch, Sight

Ink = dict[tuple[int, int], float]
"""How much of each pixel is covered, from the upper left of what is drawn."""


async def learn(hands: Hands) -> dict[str, dict[str, Ink]]:
    """Open the sheets and look at them: size to character to what it looks like."""
    looks: dict[str, dict[str, Ink]] = {}
    for name, size in (("small", 10), ("large", 20)):
        opened = await hands.call("new_tab", url=f"{hands.aid}{SHEET}?{size}")
        sight = await hands.see()
        looks[name] = {}
        for n, character in enumerate(CHARACTERS):
            left, top = n % COLUMNS * PITCH, n // COLUMNS * PITCH
            found = {
                (x, y): 1 - sight.at(x, y)[1] / 255
                for x in range(left, left + PITCH)
                for y in range(top, min(top + PITCH, sight.height))
            }
            looks[name][character] = _trimmed(found)
        active = next(tab["id"] for tab in opened["state"]["tabs"] if tab["active"])
        await hands.call("close_tab", tab_id=active)
    return looks


def _trimmed(found: Ink) -> Ink:
    inked = [spot for spot, cover in found.items() if cover > 0.25]
    if not inked:
        return {}
    left, top = min(x for x, _ in inked), min(y for _, y in inked)
    return {(x - left, y - top): cover for (x, y), cover in found.items() if cover > 0.08}


def likeliest(sight: Sight, patch: Patch, colour: str, looks: dict[str, Ink]) -> str:
    """The character that a patch of a colour looks most like."""
    channel = min(range(3), key=lambda n: COLOURS[colour][n])
    full = 255 - COLOURS[colour][channel]
    left, top, right, bottom = patch.box
    around = [(x, y) for x in range(left - 2, right + 3) for y in range(top - 2, bottom + 3)]
    ink = _trimmed({(x, y): (255 - sight.at(x, y)[channel]) / full for x, y in around if sight.inside(x, y)})
    return min(looks, key=lambda character: _apart(ink, looks[character]))


def _apart(one: Ink, other: Ink) -> float:
    """The least difference over shifts of a pixel."""
    return min(
        sum(
            abs(one.get((x, y), 0.0) - other.get((x + dx, y + dy), 0.0))
            for x, y in one.keys() | {(ox - dx, oy - dy) for ox, oy in other}
        )
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
    )
