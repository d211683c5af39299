"""What can be seen in a picture of a task: patches of colour, their size and shape."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

Colour = tuple[int, int, int]
Pixel = tuple[int, int]

QUERY_BOTTOM = 51
"""The instruction stands above this line."""
RIGHT = 160
BOTTOM = 211
Box = tuple[int, int, int, int]
FIELD: Box = (0, QUERY_BOTTOM, RIGHT, BOTTOM)

COLOURS: dict[str, Colour] = {
    "red": (255, 0, 0), "green": (0, 128, 0), "blue": (0, 0, 255), "aqua": (0, 255, 255), "cyan": (0, 255, 255),
    "black": (0, 0, 0), "magenta": (255, 0, 255), "yellow": (255, 255, 0), "olive": (128, 128, 0),
    "lime": (0, 255, 0), "white": (255, 255, 255), "grey": (128, 128, 128), "gray": (128, 128, 128),
    "purple": (128, 0, 128), "orange": (255, 165, 0), "pink": (255, 192, 203), "maroon": (128, 0, 0),
    "navy": (0, 0, 128), "silver": (192, 192, 192), "teal": (0, 128, 128), "gold": (255, 215, 0),
}  # fmt: skip


def near(one: Colour, other: Colour, reach: int = 40) -> bool:
    """Whether two colours look alike."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= reach


@dataclass(frozen=True)
class Patch:
    """Pixels that touch each other."""

    pixels: frozenset[Pixel]

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom; the last two inclusive."""
        xs, ys = [x for x, _ in self.pixels], [y for _, y in self.pixels]
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the box."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2

    @property
    def width(self) -> int:
        """Of the box."""
        return self.box[2] - self.box[0] + 1

    @property
    def height(self) -> int:
        """Of the box."""
        return self.box[3] - self.box[1] + 1

    @property
    def fill(self) -> float:
        """The part of the box that is covered: 1 for a rectangle, 0.79 for a disc, 0.5 for a triangle."""
        return len(self.pixels) / (self.width * self.height)

    @property
    def inside(self) -> Pixel:
        """A pixel of the patch near its middle."""
        x, y = self.centre
        return min(self.pixels, key=lambda p: (p[0] - x) ** 2 + (p[1] - y) ** 2)


class Sight:
    """One picture; points are CSS pixels."""

    def __init__(self, picture: Image.Image) -> None:
        self._picture = picture
        self.width, self.height = picture.size
        data = picture.tobytes()
        self._rows = [
            [tuple(data[at : at + 3]) for at in range(y * self.width * 3, (y + 1) * self.width * 3, 3)]
            for y in range(self.height)
        ]

    @classmethod
    def of(cls, data: bytes) -> Sight:
        """Decode a PNG."""
        return cls(Image.open(io.BytesIO(data)).convert("RGB"))

    def at(self, x: int, y: int) -> Colour:
        """The colour of a pixel."""
        red, green, blue = self._rows[y][x]
        return red, green, blue

    def inside(self, x: int, y: int) -> bool:
        """Whether a point lies in the picture."""
        return 0 <= x < self.width and 0 <= y < self.height

    def patches(
        self,
        wanted: Callable[[Colour], bool],
        *,
        box: Box = FIELD,
        least: int = 12,
        corners: bool = True,
    ) -> list[Patch]:
        """The patches of wanted colours of at least so many pixels, from top to bottom and left to right."""
        left, top, right, bottom = box[0], box[1], min(box[2], self.width), min(box[3], self.height)
        open_pixels = {(x, y) for y in range(top, bottom) for x in range(left, right) if wanted(self.at(x, y))}
        found = []
        steps = [(-1, 0), (1, 0), (0, -1), (0, 1)] + ([(-1, -1), (1, 1), (-1, 1), (1, -1)] if corners else [])
        while open_pixels:
            patch, edge = set(), [open_pixels.pop()]
            while edge:
                x, y = edge.pop()
                patch.add((x, y))
                for dx, dy in steps:
                    if (x + dx, y + dy) in open_pixels:
                        open_pixels.discard((x + dx, y + dy))
                        edge.append((x + dx, y + dy))
            if len(patch) >= least:
                found.append(Patch(frozenset(patch)))
        return sorted(found, key=lambda p: (p.box[1], p.box[0]))

    def coloured(self, name: str, *, least: int = 12) -> list[Patch]:
        """The patches of a colour by its name."""
        colour = COLOURS[name]
        return self.patches(lambda c: near(c, colour, 12), least=least)

    def painted(self, *, box: Box = FIELD, least: int = 12) -> list[Patch]:
        """The patches that differ from white."""
        return self.patches(lambda c: not near(c, (255, 255, 255), 24), box=box, least=least)

    def discs(self, wanted: Callable[[Colour], bool], reach: int = 2) -> list[Patch]:
        """The marks of some size among thin lines: what is left when the rim is taken off."""
        kept = self.patches(wanted, least=1)
        every = set().union(*(p.pixels for p in kept)) if kept else set()
        near_by = [
            (dx, dy) for dx in range(-reach, reach + 1) for dy in range(-reach, reach + 1) if abs(dx) + abs(dy) <= reach
        ]
        core = {(x, y) for x, y in every if all((x + dx, y + dy) in every for dx, dy in near_by)}
        found = []
        while core:
            patch, edge = set(), [core.pop()]
            while edge:
                x, y = edge.pop()
                patch.add((x, y))
                for other in [o for o in core if abs(o[0] - x) <= 1 and abs(o[1] - y) <= 1]:
                    core.discard(other)
                    edge.append(other)
            found.append(Patch(frozenset(patch)))
        return sorted(found, key=lambda p: (p.box[1], p.box[0]))
