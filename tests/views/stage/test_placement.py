"""A picture is laid whole into its area, never stretched, never enlarged, and places on the page keep their places."""

from hypothesis import given
from hypothesis import strategies as st

from app.core.evidence import Box, Point
from app.views.stage.placement import Subject, place

SIZES = st.integers(1, 4000)
ROOMS = st.floats(1, 3000)
RATIOS = st.sampled_from([1.0, 1.25, 1.5, 2.0, 3.0])


@given(SIZES, SIZES, ROOMS, ROOMS, RATIOS)
def test_never_enlarged_never_outside(width: int, height: int, room_x: float, room_y: float, ratio: float) -> None:
    laid = place(Subject(width, height, width, height), area_width=room_x, area_height=room_y, device_pixel_ratio=ratio)
    assert laid.width * ratio <= width + 1e-6
    assert laid.height * ratio <= height + 1e-6
    assert laid.x >= 0
    assert laid.y >= 0
    assert laid.x + laid.width <= max(room_x, 1 / ratio) + 1 / ratio
    assert laid.y + laid.height <= max(room_y, 1 / ratio) + 1 / ratio


@given(st.integers(200, 4000), st.integers(200, 4000), st.floats(200, 3000), st.floats(200, 3000), RATIOS)
def test_never_stretched(width: int, height: int, room_x: float, room_y: float, ratio: float) -> None:
    laid = place(Subject(width, height, width, height), area_width=room_x, area_height=room_y, device_pixel_ratio=ratio)
    scale = min(1.0, room_x * ratio / width, room_y * ratio / height)
    # Whole screen pixels: each side is at most half a pixel off the exact size.
    assert abs(laid.width * ratio - width * scale) <= 0.5 + 1e-6 or laid.width * ratio == 1
    assert abs(laid.height * ratio - height * scale) <= 0.5 + 1e-6 or laid.height * ratio == 1


def test_one_to_one_where_it_fits() -> None:
    laid = place(Subject(600, 400, 600, 400), area_width=1000, area_height=500, device_pixel_ratio=1)
    assert (laid.x, laid.y, laid.width, laid.height, laid.exact) == (200, 50, 600, 400, True)


def test_one_picture_pixel_is_one_screen_pixel_on_a_dense_screen() -> None:
    laid = place(Subject(600, 400, 300, 200), area_width=1000, area_height=500, device_pixel_ratio=2)
    assert (laid.width, laid.height, laid.exact) == (300, 200, True)
    assert laid.point(Point(x=300, y=200)) == (laid.x + 300, laid.y + 200)


def test_boxes_are_in_css_pixels_of_the_page() -> None:
    laid = place(Subject(1280, 800, 640, 400), area_width=640, area_height=400, device_pixel_ratio=1)
    assert laid.box(Box(x=100, y=50, width=20, height=10)) == (100, 50, 20, 10)
    assert not laid.exact
