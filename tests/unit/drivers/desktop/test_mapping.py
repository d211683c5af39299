"""Points of a scaled picture and points of the screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.desktop.mapping import Mapping

TABLE = [
    # rectangle of the screen, at most, size of the picture, point of the picture, point of the screen
    ((0, 0, 1280, 800), None, (1280, 800), (0, 0), (0, 0)),
    ((0, 0, 1280, 800), None, (1280, 800), (1279, 799), (1279, 799)),
    ((0, 0, 1280, 800), (1280, 800), (1280, 800), (640, 400), (640, 400)),
    ((0, 0, 2560, 1600), (1280, 800), (1280, 800), (0, 0), (1, 1)),
    ((0, 0, 2560, 1600), (1280, 800), (1280, 800), (1279, 799), (2559, 1599)),
    ((0, 0, 3840, 2160), (1280, 800), (1280, 720), (640, 360), (1921, 1081)),
    ((0, 0, 1920, 1080), (1280, 800), (1280, 720), (1279, 719), (1919, 1079)),
    ((0, 0, 1080, 1920), (1280, 800), (450, 800), (449, 799), (1078, 1918)),
    ((-1920, -200, 3200, 1280), (1600, 1000), (1600, 640), (0, 0), (-1919, -199)),
    ((300, 200, 401, 299), None, (401, 299), (400, 298), (700, 498)),
]


@pytest.mark.parametrize(("box", "at_most", "size", "point", "on_screen"), TABLE)
def test_table_of_scales(
    box: tuple[int, int, int, int],
    at_most: tuple[int, int] | None,
    size: tuple[int, int],
    point: tuple[int, int],
    on_screen: tuple[int, int],
) -> None:
    mapping = Mapping.of(box, at_most)
    assert (mapping.image_width, mapping.image_height) == size
    assert mapping.screen_from_image(*point) == on_screen


SIDE = st.integers(1, 8000)
PLACE = st.integers(-4000, 4000)
WIDEST = st.one_of(st.none(), st.tuples(SIDE, SIDE))


@given(
    st.tuples(PLACE, PLACE, SIDE, SIDE), WIDEST, st.floats(0, 1, exclude_max=True), st.floats(0, 1, exclude_max=True)
)
def test_every_point_lands_in_the_part_of_the_screen_that_its_pixel_shows(
    box: tuple[int, int, int, int], at_most: tuple[int, int] | None, across: float, down: float
) -> None:
    mapping = Mapping.of(box, at_most)
    point = (int(across * mapping.image_width), int(down * mapping.image_height))
    assert mapping.holds(*point)
    left, top, width, height = box
    for at, start, size, pixels, pixel in zip(
        mapping.screen_from_image(*point), (left, top), (width, height),
        (mapping.image_width, mapping.image_height), point, strict=True,
    ):  # fmt: skip
        inside = at - start
        assert 0 <= inside < size
        assert pixel * size // pixels <= inside <= -(-(pixel + 1) * size // pixels)
    assert at_most is None or (mapping.image_width <= at_most[0] and mapping.image_height <= at_most[1])
    assert (mapping.image_width, mapping.image_height) <= (width, height)


@pytest.mark.parametrize("point", [(-1, 0), (0, -1), (1280, 0), (0, 800), (10**9, 10**9)])
def test_what_lies_outside_is_not_held(point: tuple[int, int]) -> None:
    assert not Mapping.of((0, 0, 1280, 800), None).holds(*point)


def test_a_box_of_the_screen_is_shown_where_the_picture_has_it() -> None:
    mapping = Mapping.of((100, 50, 2560, 1600), (1280, 800))
    assert mapping.image_from_screen((100, 50, 2560, 1600)) == (0, 0, 1280, 800)
    assert mapping.image_from_screen((300, 250, 200, 100)) == (100, 100, 100, 50)
