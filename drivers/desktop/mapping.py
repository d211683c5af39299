"""How a point of the picture that a model sees becomes a point of the screen, exactly, at every scale."""

from __future__ import annotations

from dataclasses import dataclass

Box = tuple[int, int, int, int]
"""Left, top, width, height."""


@dataclass(frozen=True)
class Mapping:
    """One rectangle of the screen and the picture of it. All are pixels; sizes are at least 1.

    A picture pixel stands for the screen pixel under its middle, so that no rounding adds up and every pixel of the
    picture lands inside the rectangle.
    """

    left: int
    top: int
    width: int
    height: int
    image_width: int
    image_height: int

    @classmethod
    def of(cls, box: Box, at_most: tuple[int, int] | None) -> Mapping:
        """The rectangle at its own size, or scaled down to fit within `at_most`; never scaled up."""
        left, top, width, height = box
        image = (width, height)
        if at_most is not None and (width > at_most[0] or height > at_most[1]):
            # Whole numbers throughout: the tighter of the two sides is met exactly.
            if width * at_most[1] >= height * at_most[0]:
                image = (at_most[0], max(1, height * at_most[0] // width))
            else:
                image = (max(1, width * at_most[1] // height), at_most[1])
        return cls(left, top, width, height, *image)

    def holds(self, x: int, y: int) -> bool:
        """Whether a point lies in the picture."""
        return 0 <= x < self.image_width and 0 <= y < self.image_height

    def screen_from_image(self, x: int, y: int) -> tuple[int, int]:
        """The screen pixel that the middle of a picture pixel lies in."""
        return (
            self.left + (2 * x + 1) * self.width // (2 * self.image_width),
            self.top + (2 * y + 1) * self.height // (2 * self.image_height),
        )

    def image_from_screen(self, box: Box) -> tuple[float, float, float, float]:
        """A rectangle of the screen as the picture shows it; parts beyond the picture are kept."""
        across, down = self.image_width / self.width, self.image_height / self.height
        left, top, width, height = box
        return ((left - self.left) * across, (top - self.top) * down, width * across, height * down)
