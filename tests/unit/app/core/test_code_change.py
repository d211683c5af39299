"""Which lines of code are new against the piece before, and what of it is gone."""

import pytest

from app.core.code_change import MOST_PAIRS, CodeChange, code_change, code_of


@pytest.mark.parametrize(
    ("before", "now", "lines", "gone"),
    [
        ("a\nb", "a\nb", (), ()),
        ("a\nb\nc", "a\nX\nc", ((2, 2),), ("b",)),
        ("a\nc", "a\nb\nc", ((2, 2),), ()),
        ("a\nb\nc", "a\nc", (), ("b",)),
        ("a", "", ((1, 1),), ("a",)),
        ("a\nb\nc\nd\ne", "0\na\nb\nX\nY\nd", ((1, 1), (4, 5)), ("c", "e")),
        ("a\r\nb", "a\u2028b", ((1, 1),), ("a\r", "b")),
    ],
)
def test_new_lines_and_lines_that_are_gone(
    before: str, now: str, lines: tuple[tuple[int, int], ...], gone: tuple[str, ...]
) -> None:
    assert code_change("a0001", before, now) == CodeChange(ask_id="a0001", lines=lines, gone=gone, gone_lines=len(gone))


def test_many_alike_lines_are_compared_by_where_the_first_and_the_last_difference_is() -> None:
    same = ["x"] * (MOST_PAIRS + 1)
    change = code_change("a0001", "\n".join(["head", *same, "y", "tail"]), "\n".join(["head", "z", *same, "tail"]))
    assert change.lines == ((2, MOST_PAIRS + 3),)
    assert (len(change.gone), change.gone_lines) == (8, MOST_PAIRS + 2)


@pytest.mark.parametrize(
    ("arguments", "code"), [({"code": "a"}, "a"), ({"source": "b"}, "b"), ({"code": 1}, None), ([], None)]
)
def test_what_is_run_as_code(arguments: object, code: str | None) -> None:
    assert code_of(arguments) == code
