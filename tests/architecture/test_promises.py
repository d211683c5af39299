"""docs/promises.md names only tests that exist, and lists all promises."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[^`]+?\.py)(?:::(\w+))?`", TEXT)))


@pytest.mark.parametrize(("file", "test"), NAMED, ids=lambda part: str(part))
def test_a_named_test_exists(file: str, test: str) -> None:
    path = ROOT / file
    assert path.is_file(), file
    assert not test or re.search(rf"def {test}\b", path.read_text(encoding="utf-8")), f"{file} has no {test}"


def test_every_promise_is_listed_once_and_in_order() -> None:
    assert re.findall(r"^\| (C\d+) \|", TEXT, re.MULTILINE) == [f"C{number}" for number in range(1, 28)]
