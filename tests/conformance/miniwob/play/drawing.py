"""Tasks of geometry: pressing points, drawing, dragging."""

from __future__ import annotations

import math
import re

from tests.conformance.miniwob.hands import Hands, Point, Stuck
from tests.conformance.miniwob.play.figures import colour_of, shape_of
from tests.conformance.miniwob.sight import Patch, Sight, near

FIELD = (3, 53, 152, 176)
"""The part of a drawing that is surely free: left, top, right, bottom."""


def _dark(colour: tuple[int, int, int]) -> bool:
    return max(colour) < 90


def _blue(colour: tuple[int, int, int]) -> bool:
    return colour[2] > 150 and colour[0] < 90 and colour[1] < 90


def _within(at: Point) -> bool:
    return FIELD[0] <= at[0] <= FIELD[2] and FIELD[1] <= at[1] <= FIELD[3]


async def _marks(hands: Hands) -> tuple[list[Point], list[Point]]:
    """The black and the blue points of a drawing."""
    sight = await hands.see()
    black = [p.centre for p in sight.discs(_dark) if p.box[3] < 190]
    blue = [pixel for patch in sight.patches(_blue, least=1) for pixel in patch.pixels]
    return black, [Patch(frozenset(blue)).centre] if blue else []


async def circle_centre(hands: Hands) -> None:
    """circle-center."""
    rings = (await hands.see()).painted(box=(0, 51, 160, 176))
    await hands.point(max(rings, key=lambda ring: ring.width).centre)
    await hands.submit()


async def midpoint(hands: Hands) -> None:
    """find-midpoint."""
    (ax, ay), (bx, by) = (await _marks(hands))[0][:2]
    await hands.point(((ax + bx) / 2, (ay + by) / 2))
    await hands.submit()


async def bisect(hands: Hands) -> None:
    """bisect-angle."""
    black, blue = await _marks(hands)
    (ax, ay), (bx, by), (vx, vy) = black[0], black[1], blue[0]
    one, two = math.atan2(ay - vy, ax - vx), math.atan2(by - vy, bx - vx)
    turn = (two - one + math.pi) % math.tau - math.pi
    await hands.point(_along((vx, vy), one + turn / 2))
    await hands.submit()


async def right_angle(hands: Hands) -> None:
    """Press beside the corner, square to the line."""
    black, blue = await _marks(hands)
    (ax, ay), (vx, vy) = black[0], blue[0]
    line = math.atan2(ay - vy, ax - vx)
    ends = [_along((vx, vy), line + side * math.pi / 2) for side in (1, -1)]
    await hands.point(max(ends, key=lambda end: math.dist(end, (vx, vy))))
    await hands.submit()


def _along(start: Point, angle: float) -> Point:
    """The farthest free point in a direction, up to sixty pixels away."""
    for reach in range(60, 8, -1):
        end = (start[0] + reach * math.cos(angle), start[1] + reach * math.sin(angle))
        if _within(end):
            return end
    return start


async def draw_circle(hands: Hands) -> None:
    """Around the green mark."""
    mark = max((await hands.see()).coloured("green"), key=lambda p: len(p.pixels)).centre
    room = min(mark[0] - 6, 150 - mark[0], mark[1] - 56, 158 - mark[1])
    radius = max(11, min(30, room))
    turns = [math.tau * n / 24 for n in range(25)]
    await hands.drag(*[(mark[0] + radius * math.cos(t), mark[1] + radius * math.sin(t)) for t in turns])
    await hands.submit()


async def draw_line(hands: Hands) -> None:
    """Through the purple mark."""
    x, y = max((await hands.see()).coloured("purple"), key=lambda p: len(p.pixels)).centre
    if "horizontal" in hands.goal:
        await hands.drag((12, y), (x, y), (148, y))
    else:
        await hands.drag((x, 58), (x, y), (x, 156))
    await hands.submit()


async def box_into_box(hands: Hands) -> None:
    """drag-box."""
    sight = await hands.see()
    small = max(sight.patches(lambda c: near(c, (255, 0, 0), 60)), key=lambda p: len(p.pixels))
    large = max(sight.patches(lambda c: near(c, (0, 0, 255), 60)), key=lambda p: len(p.pixels))
    await hands.drag(small.centre, large.centre)
    await hands.submit()


async def one_way(hands: Hands) -> None:
    """drag-circle, drag-single-shape."""
    sight = await hands.see()
    large = [p for p in sight.painted(box=(0, 51, 160, 180)) if min(p.width, p.height) > 17 and p.box[3] < 177]
    shape = max(large, key=lambda p: p.width * p.height)
    dx, dy = {"left": (-40, 0), "right": (40, 0), "up": (0, -40), "down": (0, 40)}[hands.told(r"(left|right|up|down)")]
    x, y = shape.centre
    await hands.drag((x, y), (min(156, max(3, x + dx)), min(176, max(54, y + dy))))
    await hands.submit()


def _shapes(sight: Sight) -> list[Patch]:
    found = sight.patches(lambda c: max(c) - min(c) > 100 or max(c) < 60, least=40)
    return [p for p in found if 10 <= p.width <= 22 and 10 <= p.height <= 22]


async def shapes_into_boxes(hands: Hands) -> None:
    """drag-shapes, drag-shapes-2."""
    sight = await hands.see()
    frames = [p for p in sight.patches(_dark, least=100) if p.width > 60 and p.height > 40]
    wanted = hands.told(r"Drag all (\w+)")
    left, right = (
        sorted((f.centre for f in frames), key=lambda c: c[0])[:: max(1, len(frames) - 1)][:2]
        if len(frames) > 1
        else (frames[0].centre, None)
    )
    for place, shape in enumerate(_shapes(sight)):
        meant = wanted in (f"{shape_of(shape)}s", colour_of(sight, shape))
        target = left if meant else right
        if target is not None:
            spread = (target[0] + (place % 3 - 1) * 9, target[1] + (place // 3 - 1) * 6)
            await hands.drag(shape.inside, spread)
    await hands.submit()


async def _rows(hands: Hands) -> list[Patch]:
    """The fields of a list that can be sorted."""
    sight = await hands.see()
    fields = sight.patches(lambda c: near(c, (246, 246, 246), 4), least=120, corners=False)
    return [f for f in fields if f.width > 25 and f.height > 12]


def _names(lines: list[str]) -> list[str]:
    return [line.removeprefix("-").strip() for line in lines if line.removeprefix("-").strip() not in ("", "Submit")]


async def drag_item(hands: Hands) -> None:
    """drag-items, drag-items-grid."""
    names = _names((await hands.read()).lines)
    at = names.index(hands.told(r"Drag (\S+)"))
    rows = await _rows(hands)
    grid = len(names) == 9
    await _sort(rows, hands, at, _target(hands.goal, at, len(names), grid=grid))


def _target(goal: str, at: int, count: int, *, grid: bool) -> int:
    steps = {"up by one": -3 if grid else -1, "down by one": 3 if grid else 1, "left by one": -1, "right by one": 1}
    for words, step in steps.items():
        if words in goal:
            return at + step
    if place := re.search(r"to the (\d)(?:st|nd|rd|th) position", goal):
        return int(place.group(1)) - 1
    if not grid:
        return 0 if "top" in goal else count - 1
    row = 0 if "to the top" in goal else 2 if "to the bottom" in goal else 1
    return row * 3 + (0 if "left" in goal else 2 if "right" in goal else 1)


async def _sort(rows: list[Patch], hands: Hands, start: int, end: int) -> None:
    if start == end:
        return
    (x, y), (tx, ty) = rows[start].centre, rows[end].centre
    over = 4 if end > start else -4
    await hands.drag((x, y), (x, y + over), ((x + tx) / 2, (y + ty) / 2), (tx, ty), (tx, ty + over), (tx, ty + over))


async def sort_numbers(hands: Hands) -> None:
    """drag-sort-numbers: one number after the other to its place."""
    for place in range(4):
        numbers = [int(name) for name in _numbers(await hands.read_lines())]
        lowest = min(range(place, len(numbers)), key=lambda n: numbers[n])
        await _sort(await _rows(hands), hands, lowest, place)
    await hands.submit()


def _numbers(lines: list[str]) -> list[str]:
    return [found.group(1) for line in lines if (found := re.fullmatch(r"(?:- )?(-?\d+)", line))]


async def resize(hands: Hands) -> None:
    """resize-textarea: by its lower right corner."""
    sight = await hands.see()
    frame = max(
        sight.patches(lambda c: max(c) < 140, least=30), key=lambda p: p.width * p.height if p.fill < 0.3 else 0
    )
    _, _, right, bottom = frame.box
    step = -22 if "smaller" in hands.goal else 22
    corner = (right - 4, bottom - 4)
    await hands.drag(corner, (corner[0] + step / 2, corner[1] + step / 2), (corner[0] + step, corner[1] + step))
    await hands.submit()


async def highlight(hands: Hands) -> None:
    """highlight-text, highlight-text-2: three presses choose a paragraph."""
    sight = await hands.see()
    button = [p for p in sight.patches(lambda c: near(c, (239, 239, 239), 6), least=300)]
    taken = range(button[0].box[1] - 3, button[0].box[3] + 4) if button else range(0)
    rows = [y for y in range(52, 210) if y not in taken and any(max(sight.at(x, y)) < 110 for x in range(8, 150))]
    groups: list[list[int]] = []
    for y in rows:
        if groups and y - groups[-1][-1] <= 7:
            groups[-1].append(y)
        else:
            groups.append([y])
    place = re.search(r"(\d)(?:st|nd|rd) paragraph", hands.goal)
    if not groups:
        raise Stuck("no text")
    lines = groups[int(place.group(1)) - 1 if place else 0]
    x = next(x for x in range(8, 150) if max(sight.at(x, lines[3])) < 110)
    await hands.point((x + 2, lines[3]), count=3)
    await hands.submit()
