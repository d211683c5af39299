"""Each given threat row of the gate's groups ends as tests that exist, or as a line under "not yet" in the promises."""

import re
from pathlib import Path

import pytest

from tests.helpers.threat_rows import GROUPS, ROWS, given_rows, pass_table

ROOT = Path(__file__).parents[2]


def test_every_row_of_the_gate_s_groups_is_there_once() -> None:
    assert list(ROWS) == [row["id"] for row in given_rows() if row["group"].startswith(GROUPS)]


@pytest.mark.parametrize("test", sorted({test for tests in ROWS.values() for test in tests}))
def test_a_row_s_test_exists(test: str) -> None:
    file, _, name = test.partition("::")
    assert re.search(rf"def {name}\b", (ROOT / file).read_text(encoding="utf-8"))


def test_rows_without_tests_and_only_they_are_said_to_be_not_yet_true() -> None:
    text = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
    said = re.findall(r"^- \*\*(T\d+)\*\*", text, re.MULTILINE)
    assert said == [row for row, tests in ROWS.items() if not tests]


def test_the_table_counts_what_ran_and_names_what_failed() -> None:
    outcomes = {test: {"passed"} for tests in ROWS.values() for test in tests}
    first, counts, *_ = pass_table(outcomes)
    assert first.endswith(f": {len(ROWS)}")
    shown = sum(bool(tests) for tests in ROWS.values())
    assert counts == f"  tried {shown}, passed {shown}, not yet true {len(ROWS) - shown}"
    (only,) = ROWS["T110"][:1]
    outcomes[only] = {"passed", "failed"}
    assert pass_table(outcomes)[-1] == "  NOT PASSED: T110"
    assert pass_table({}) == []
