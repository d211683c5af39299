"""Key paths are found in the text of a TOML file."""

import pytest

from app.core.toml_place import Place, key_path, line_of

TEXT = """\
top = 1
[table]
key = 2
[[list]]
[[list.inner]]
a = 1
[[list.inner]]
a = { b = 2 }
[[list]]
[[list.inner]]
a = 3
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("top",), 1),
        (("table", "key"), 3),
        (("list", 0, "inner", 1, "a", "b"), 8),
        (("list", 1, "inner", 0, "a"), 11),
        (("list", 1, "inner", 0, "gone"), 10),
        (("gone",), None),
    ],
)
def test_lines(place: Place, line: int | None) -> None:
    assert line_of(TEXT, place) == line


def test_a_path_reads_as_people_write_it() -> None:
    assert key_path(("answers", 2, "output", 0, "browser")) == "answers[2].output[0].browser"
    assert key_path(()) == "the file"
