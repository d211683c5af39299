"""Tasks that go on by themselves, and games: looking again and again."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable

from tests.conformance.miniwob.hands import Hands, Point, Stuck
from tests.conformance.miniwob.sight import Patch, Sight, near


async def chase(hands: Hands) -> None:
    """chase-circle: the pointer goes where the disc will be."""
    began, last = time.monotonic(), None
    while time.monotonic() - began < 11:
        discs = (await hands.see()).patches(lambda c: max(c) < 60, box=(0, 51, 160, 211), least=300)
        now = time.monotonic()
        if not discs:
            return
        x, y = max(discs, key=lambda p: len(p.pixels)).centre
        ahead: Point = (x, y)
        if last is not None:
            share = 0.06 / max(0.02, now - last[2])
            ahead = (x + (x - last[0]) * share, y + (y - last[1]) * share)
        last = (x, y, now)
        await hands.hover((min(159, max(1, ahead[0])), min(209, max(51, ahead[1]))))


async def stock(hands: Hands) -> None:
    """stock-market: press when the price is well below the limit."""
    limit = float(hands.told(r"less than \$([\d.]+\d)"))
    buy = (await hands.read()).named("Buy")[0]
    for look in range(90):
        await hands.pause(100)
        words = (await hands.done("get_page_text"))["text"]
        price = re.search(r"Stock price:\s*\$([\d.]+)", words)
        margin = 0.3 if look < 70 else 0.0
        if price and float(price.group(1)) <= limit - margin:
            await hands.click(buy)
            return
    raise Stuck("the price never fell")


async def simon(hands: Hands) -> None:
    """simon-says: watch the buttons blink, then press them in that order."""
    buttons = (await hands.read()).of("button")
    first = await hands.see()
    fields = _quarters(first)
    plain = [None] * 4 if len(fields) != 4 else fields
    order: list[int] = []
    lit: set[int] = set()
    dark = 0
    while dark < (11 if order else 20):
        await hands.pause(100)
        dark += 1
        sight = await hands.see()
        now = {n for n, field in enumerate(plain) if field is not None and _differs(first, sight, field)}
        order += sorted(now - lit)
        if now:
            dark = 0
        lit = now
    if not order:
        raise Stuck("nothing blinked")
    for n in order:
        await hands.click(buttons[n])


def _quarters(sight: Sight) -> list[Patch]:
    """The four buttons, upper left, upper right, lower left, lower right."""
    found = sight.patches(lambda c: max(c) - min(c) > 80, least=600, corners=False)[:4]
    return sorted(found, key=lambda p: (round(p.centre[1] / 30), p.centre[0]))


def _differs(before: Sight, now: Sight, field: Patch) -> bool:
    x, y = (round(n) for n in field.centre)
    return not near(before.at(x, y), now.at(x, y), 12)


async def hot_cold(hands: Hands) -> None:
    """Find the edge of the cold ring on both sides, twice; its middle is hot."""

    async def cold(x: float, y: float) -> int:
        await hands.hover((x, y))
        said = re.search(r"\b(HOT|WARM|ICE COLD|COLD)\b", " ".join(await hands.read_lines()))
        return {"HOT": 3, "WARM": 2, "COLD": 1, "ICE COLD": 0}.get(said.group(1) if said else "", 0)

    spots = [(x, y) for y in (80, 115, 150, 60, 170) for x in (30, 75, 120, 150, 8)]
    start = None
    for x, y in spots:
        if (heat := await cold(x, y)) == 3:
            await hands.point((x, y))
            return
        if heat:
            start = (float(x), float(y))
            break
    if start is None:
        raise Stuck("cold everywhere")
    best = await _climb(cold, start)
    await hands.point(best)


async def _climb(cold: Callable[[float, float], Awaitable[int]], start: Point) -> Point:
    """Walk spirals with ever smaller steps towards the warmth."""
    seen: dict[tuple[int, int], int] = {}

    async def heat(x: float, y: float) -> int:
        spot = (round(min(158, max(2, x))), round(min(174, max(53, y))))
        if spot not in seen:
            seen[spot] = await cold(*spot)
        return seen[spot]

    async def edge(x: float, y: float, dx: int, dy: int) -> float:
        inside, outside = 0.0, 81.0
        while outside - inside > 2:
            middle = (inside + outside) / 2
            px, py = x + dx * middle, y + dy * middle
            off = not (2 <= px <= 158 and 53 <= py <= 174)
            if off or not await heat(px, py):
                outside = middle
            else:
                inside = middle
        return inside

    x, y = start
    for _ in range(2):
        x += (await edge(x, y, 1, 0) - await edge(x, y, -1, 0)) / 2
        y += (await edge(x, y, 0, 1) - await edge(x, y, 0, -1)) / 2
    ring = sorted(
        ((dx, dy) for dx in range(-28, 29, 4) for dy in range(-28, 29, 4)), key=lambda d: d[0] ** 2 + d[1] ** 2
    )
    for dx, dy in ring:
        if await heat(x + dx, y + dy) == 3:
            return round(min(158, max(2, x + dx))), round(min(174, max(53, y + dy)))
    raise Stuck("no hot spot")


async def moving(hands: Hands) -> None:
    """moving-items: press each disc a little ahead of where it was seen."""
    began = time.monotonic()
    last: list[Point] = []
    while time.monotonic() - began < 9.8:
        seen = (await hands.see()).patches(lambda c: max(c) < 60, box=(0, 51, 160, 211), least=120)
        here = [p.centre for p in seen if p.width < 42]
        fast = [(x, y) for x, y in here if 14 < x < 146 and 60 < y < 200]
        if fast:
            x, y = fast[0]
            before = min(last, key=lambda p: (p[0] - x) ** 2 + (p[1] - y) ** 2, default=(x, y))
            ahead = (x + (x - before[0]) * 0.6, y + (y - before[1]) * 0.6)
            await hands.point((min(158, max(1, ahead[0])), min(209, max(52, ahead[1]))))
            last = []
        else:
            last = here


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def best_move(board: str) -> int:
    """A cell for X: win, else prevent a loss, else what wins most often against any answer."""

    def worth(state: str, mine: bool) -> float:
        for a, b, c in LINES:
            if state[a] != "." and state[a] == state[b] == state[c]:
                return 1.0 if state[a] == "x" else -1.0
        free = [n for n, cell in enumerate(state) if cell == "."]
        if not free:
            return -0.3
        after = [worth(state[:n] + ("x" if mine else "o") + state[n + 1 :], not mine) for n in free]
        return max(after) if mine else 0.4 * min(after) + 0.6 * sum(after) / len(after)

    free = [n for n, cell in enumerate(board) if cell == "."]
    return max(free, key=lambda n: worth(board[:n] + "x" + board[n + 1 :], False))


def _marked(sight: Sight, cell: Patch) -> bool:
    left, top, right, bottom = cell.box
    inner = [(x, y) for x in range(left + 6, right - 5) for y in range(top + 6, bottom - 5)]
    return sum(not near(sight.at(x, y), (255, 255, 255), 60) for x, y in inner) > 12


async def tic_tac_toe(hands: Hands) -> None:
    """The crosses are known, what else stands in a cell is the other side's."""
    mine: set[int] = set()
    view = await hands.read()
    controls = [next(c for c in view.controls if f"ttt-{n}" in c.label) for n in range(9)]
    outlines = (await hands.see()).painted(box=(0, 51, 160, 205), least=60)
    cells = sorted((p for p in outlines if p.width > 38), key=lambda p: (p.box[1] // 20, p.box[0]))
    if len(cells) != 9:
        raise Stuck("no board")
    for _ in range(5):
        sight = await hands.see()
        board = "".join("x" if n in mine else "o" if _marked(sight, c) else "." for n, c in enumerate(cells))
        if "." not in board:
            return
        move = best_move(board)
        mine.add(move)
        answer = await hands.call("click", target=controls[move].ref)
        if not answer["ok"] or any(all(n in mine for n in line) for line in LINES):
            return
