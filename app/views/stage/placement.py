"""Where the picture lies in its area, and how a place on the page becomes a place in the window. No Qt."""

from dataclasses import dataclass

from app.core.evidence import Box, Point


@dataclass(frozen=True)
class Subject:
    """What a picture shows: its size, and the part of the page that size stands for."""

    width: int
    """In picture pixels, as its own header says."""
    height: int
    css_width: float
    """In CSS pixels of the viewport."""
    css_height: float


@dataclass(frozen=True)
class Placement:
    """A picture laid into an area: whole, never stretched, never enlarged above one picture pixel a screen pixel.

    `x`, `y`, `width`, `height` are in device-independent pixels of the area and lie on whole screen pixels.
    """

    x: float
    y: float
    width: float
    height: float
    scale_x: float
    """Device-independent pixels a CSS pixel."""
    scale_y: float
    exact: bool
    """Whether one picture pixel is one screen pixel."""

    def box(self, box: Box) -> tuple[float, float, float, float]:
        """`box` as x, y, width, height in the area."""
        x, y = self.point(Point(x=box.x, y=box.y))
        return x, y, box.width * self.scale_x, box.height * self.scale_y

    def point(self, point: Point) -> tuple[float, float]:
        """`point` as x, y in the area."""
        return self.x + point.x * self.scale_x, self.y + point.y * self.scale_y


def place(subject: Subject, *, area_width: float, area_height: float, device_pixel_ratio: float) -> Placement:
    """Lay `subject` into the middle of an area given in device-independent pixels."""
    room_width, room_height = area_width * device_pixel_ratio, area_height * device_pixel_ratio
    width, height = max(1, subject.width), max(1, subject.height)
    scale = min(1.0, room_width / width, room_height / height)
    exact = scale == 1.0
    shown_width, shown_height = max(1, round(width * scale)), max(1, round(height * scale))
    left, top = int(max(0.0, room_width - shown_width) / 2), int(max(0.0, room_height - shown_height) / 2)
    return Placement(
        x=left / device_pixel_ratio,
        y=top / device_pixel_ratio,
        width=shown_width / device_pixel_ratio,
        height=shown_height / device_pixel_ratio,
        scale_x=shown_width / device_pixel_ratio / (subject.css_width or width),
        scale_y=shown_height / device_pixel_ratio / (subject.css_height or height),
        exact=exact,
    )
