"""A plan written as a run file and read again is the same plan; what TOML cannot say is refused, not changed."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cli.runfile import parse_run_file
from app.core.plan_toml import run_file_text, toml_value, value_of, values_of
from app.rehearsal.plan import plan_of
from app.rehearsal.scenario import list_scenarios, load_scenario

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SCALARS = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
)


@given(st.dictionaries(TEXTS, VALUES, max_size=5))
def test_any_values_come_back_from_the_file(values: dict[str, Any]) -> None:
    assert tomllib.loads(run_file_text(values)) == values


@given(VALUES)
def test_any_value_comes_back_from_its_own_text(value: Any) -> None:
    assert value_of(toml_value(value)) == value


@pytest.mark.parametrize("name", list_scenarios())
def test_every_scenario_s_plan_comes_back(name: str) -> None:
    plan = plan_of(load_scenario(name), "http://127.0.0.1:1", sandbox=False)
    assert parse_run_file(run_file_text(values_of(plan)), source="run.toml") == plan


@pytest.mark.parametrize("value", [None, float("nan"), float("inf"), "\ud800", {"a": [None]}])
def test_what_toml_cannot_say_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="rules"):
        run_file_text({"rules": value})


@pytest.mark.parametrize("text", ["", "1\nx = 2", "1979-05-27", "nan", "a b", "[1", "{", "null x"])
def test_a_text_that_is_no_one_value_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        value_of(text)


def test_what_cannot_be_seen_is_written_so_that_it_can() -> None:
    assert toml_value("a\u202eb\u00a0") == '"a\\u202eb\\u00a0"'
