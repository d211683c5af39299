"""Rectangles without what lies on top of them."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.desktop.windows import without

BOXES = st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(1, 12), st.integers(1, 12))


def pixels(box: tuple[int, int, int, int]) -> set[tuple[int, int]]:
    left, top, width, height = box
    return {(x, y) for x in range(left, left + width) for y in range(top, top + height)}


@given(BOXES, BOXES)
def test_what_is_left_is_what_is_not_covered(box: tuple[int, int, int, int], above: tuple[int, int, int, int]) -> None:
    parts = [pixels(part) for part in without(box, above)]
    assert set().union(*parts) == pixels(box) - pixels(above)
    assert sum(map(len, parts)) == len(pixels(box) - pixels(above))
