"""Tasks about figures that only a picture shows: colours, shapes, counting."""

from __future__ import annotations

import cmath
import colorsys
import math

from tests.conformance.miniwob.hands import Hands, Stuck
from tests.conformance.miniwob.play.glyphs import learn, likeliest
from tests.conformance.miniwob.sight import COLOURS, Patch, Sight, near


async def colour_box(hands: Hands) -> None:
    """click-color."""
    boxes = (await hands.see()).coloured(hands.told(r"on the (\w+) colored"), least=400)
    await hands.point(max(boxes, key=lambda box: len(box.pixels)).inside)


async def shades(hands: Hands) -> None:
    """click-shades."""
    hue = {"red": 0.0, "green": 1 / 3, "blue": 2 / 3}[hands.told(r"shades of (\w+)")]
    sight = await hands.see()
    for patch in sight.patches(lambda c: max(c) - min(c) > 12, least=60):
        red, green, blue = sight.at(*patch.inside)
        off = abs(colorsys.rgb_to_hls(red / 255, green / 255, blue / 255)[0] - hue)
        if min(off, 1 - off) < 1 / 8:
            await hands.point(patch.inside)
    await hands.submit()


def colour_of(sight: Sight, patch: Patch) -> str:
    """The name of a patch's colour, by its most certain pixel."""
    names = ["red", "green", "blue", "aqua", "black", "magenta", "yellow"]

    def off(name: str, pixel: tuple[int, int]) -> int:
        return sum(abs(a - b) for a, b in zip(sight.at(*pixel), COLOURS[name], strict=True))

    return min(names, key=lambda name: min(off(name, pixel) for pixel in patch.pixels))


def shape_of(patch: Patch) -> str | None:
    """Rectangle, circle or triangle; None for anything else, such as a letter."""
    if abs(patch.width - patch.height) > 3 or patch.width < 8:
        return None
    left, top, right, bottom = patch.box
    rows = [sum((x, y) in patch.pixels for x in range(left, right + 1)) / patch.width for y in range(top, bottom + 1)]
    third = len(rows) // 3
    above, between, below = (sum(part) / len(part) for part in (rows[:third], rows[third:-third], rows[-third:]))
    if patch.fill > 0.93:
        return "rectangle"
    if patch.fill > 0.66 and between > 0.9 and 0.75 < above / below < 1.33:
        return "circle"
    return "triangle" if 0.4 < patch.fill < 0.68 and above < 0.6 * between and between < 0.9 * below else None


async def identify(hands: Hands) -> None:
    """identify-shape: what has a word is a letter or a number, what has none is a figure."""
    view = await hands.read()
    first = view.controls[0]
    if not first.unnamed and len(first.label) == 1:
        await hands.press("Number" if first.label.isdigit() else "Letter", "button")
        return
    sight = await hands.see()
    figure = max(sight.patches(lambda c: max(c) - min(c) > 60 or max(c) < 60, box=(0, 51, 160, 130)),
                 key=lambda patch: len(patch.pixels))  # fmt: skip
    await hands.press({"rectangle": "Rectangle", "circle": "Circle"}.get(shape_of(figure) or "", "Triangle"), "button")


async def sides(hands: Hands) -> None:
    """count-sides: the distance of the outline from the middle rises and falls once a side."""
    sight = await hands.see()
    line = max(sight.patches(lambda c: max(c) < 120, box=(0, 51, 160, 165)), key=lambda p: p.width * p.height)
    x0 = sum(x for x, _ in line.pixels) / len(line.pixels)
    y0 = sum(y for _, y in line.pixels) / len(line.pixels)
    reach = [list[float]() for _ in range(120)]
    for x, y in line.pixels:
        reach[int((math.atan2(y - y0, x - x0) / math.tau % 1) * 120) % 120].append(math.hypot(x - x0, y - y0))
    known = [(n, sum(r) / len(r)) for n, r in enumerate(reach) if r]

    def strength(count: int) -> float:
        return abs(sum(r * cmath.exp(-2j * math.pi * count * n / 120) for n, r in known))

    await hands.press(str(max(range(3, 8), key=strength)), "button")


async def blocks(hands: Hands) -> None:
    """visual-addition."""
    sight = await hands.see()
    fills = sight.patches(lambda c: c[2] > 180 and c[2] - c[0] > 60, box=(0, 51, 160, 150), least=16, corners=False)
    await hands.type((await hands.read()).of("textbox")[0], str(len(fills)))
    await hands.submit()


class Described:
    """What a description such as "small green letter" asks for."""

    def __init__(self, words: str) -> None:
        parts = words.split()
        self.size = parts.pop(0) if parts[0] in ("small", "large") else None
        self.colour = parts.pop(0) if parts[0] in COLOURS and len(parts) > 1 else None
        self.kind = parts[0]

    def fits(self, size: str, colour: str, kind: str | None, glyph: str | None) -> bool:
        """Whether a thing is meant. *kind* is a figure's; *glyph* a letter or digit."""
        if self.size not in (None, size) or self.colour not in (None, colour):
            return False
        if self.kind == "item":
            return True
        if kind is not None:
            return self.kind in ("shape", kind)
        word = "digit" if glyph is not None and glyph.isdigit() else "letter"
        return self.kind in (word, glyph)


async def _things(hands: Hands, rows: int = 7) -> list[tuple[Patch, str, str, str | None]]:
    """Patch, size, colour and figure of each thing on the field of twenty-pixel squares."""
    sight = await hands.see()
    out = []
    for row in range(rows):
        for column in range(7):
            corner = (2 + 20 * column, 52 + 20 * row)
            square = (corner[0], corner[1], corner[0] + 20, corner[1] + 20)
            found = sight.patches(lambda c: not near(c, (255, 255, 255), 70), box=square, least=5)
            if not found:
                continue
            patch = Patch(frozenset(set().union(*(p.pixels for p in found))))
            figure = shape_of(patch)
            size = "large" if patch.height > (15 if figure else 9) else "small"
            out.append((patch, size, colour_of(sight, patch), figure))
    return out


async def _fitting(hands: Hands, wanted: Described, rows: int = 7) -> list[Patch]:
    """The things that a description means; letters are read only where it speaks of letters."""
    things = await _things(hands, rows)
    words = wanted.kind not in ("item", "shape", *_FIGURES)
    looks, sight = (await learn(hands), await hands.see()) if words else ({}, None)
    there = {c.label for c in (await hands.read()).controls if len(c.label) == 1}
    looks = {size: {c: ink for c, ink in inks.items() if c in there} for size, inks in looks.items()}
    out = []
    for patch, size, colour, figure in things:
        glyph = None
        if figure is None and sight is not None:
            glyph = likeliest(sight, patch, colour, looks[size])
        if wanted.fits(size, colour, figure, glyph):
            out.append(patch)
    return out


async def click_shape(hands: Hands) -> None:
    """One of the things that fit."""
    wanted = Described(hands.told(r"Click on an? (.+)$"))
    found = await _fitting(hands, wanted)
    if not found:
        raise Stuck("nothing fits")
    await hands.point(found[0].inside)


_FIGURES = ("rectangle", "circle", "triangle")


async def count_shape(hands: Hands) -> None:
    """How many fit."""
    wanted = Described(hands.told(r"How many (.+)s are there"))
    if wanted.size is None and wanted.colour is None and wanted.kind not in ("item", "shape", *_FIGURES):
        glyphs = [c.label for c in (await hands.read()).controls if len(c.label) == 1][:-5]  # the last are the answers
        await hands.press(str(sum(wanted.fits("", "", None, glyph) for glyph in glyphs)), "button")
        return
    await hands.press(str(len(await _fitting(hands, wanted, 6))), "button", which=-1)
