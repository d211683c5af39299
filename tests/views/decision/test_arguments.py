"""Arguments: whatever JSON comes in, the rows say exactly that and nothing else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.untrusted import unshown
from app.views.decision.arguments import (
    duplicate_keys,
    endpoints,
    entries_of,
    lines_of,
    raw_differs,
    value_of,
)
from app.views.widgets.text_flow import Outside

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=12)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), ANY_TEXT)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(ANY_TEXT, inner, max_size=5), max_leaves=30
)


def _same(one: Any, other: Any) -> bool:
    return json.dumps(one) == json.dumps(other)


@given(JSON)
def test_any_json_is_read_back_from_its_rows(value: Any) -> None:
    assert _same(value_of(entries_of(value)), value)


@given(st.dictionaries(ANY_TEXT, SCALARS, min_size=1, max_size=6))
def test_painted_words_hold_each_key_and_value(arguments: dict[str, Any]) -> None:
    entries = entries_of(arguments)
    for line, (key, value) in zip(lines_of(entries), arguments.items(), strict=True):
        painted = [run.value for run in line.runs if isinstance(run, Outside)]
        assert painted[0] == key
        said = line.shown
        assert key in unshown(said)
        if not isinstance(value, str):
            assert json.dumps(value) in said
        elif "\n" not in value:
            assert painted[1] == value


def test_deep_and_wide_values_become_one_text_and_come_back() -> None:
    deep: Any = "end"
    for _ in range(40):
        deep = {"in": [deep]}
    wide = {"path": [{"x": number, "y": 0} for number in range(1000)]}
    assert _same(value_of(entries_of(deep)), deep)
    assert [entry.kind for entry in entries_of(wide)] == ["json"]
    assert _same(value_of(entries_of({"a": 1, "path": wide["path"]})), {"a": 1, "path": wide["path"]})
    assert endpoints(wide) == ('{"x": 0, "y": 0}', '{"x": 999, "y": 0}')


def test_rows_that_do_not_fit_together_are_refused() -> None:
    entries = entries_of({"a": [1, 2], "b": 3})
    with pytest.raises((ValueError, IndexError)):
        value_of(entries[1:])
    with pytest.raises(ValueError, match="shown twice"):
        value_of([*entries, entries[-1]])
    with pytest.raises(ValueError, match="nothing"):
        value_of([])


def test_a_key_given_twice_is_found_at_any_depth() -> None:
    assert duplicate_keys('{"url": 1, "url": 2}') == ["url"]
    assert duplicate_keys('{"a": {"b": 1, "b": 1}, "c": 1}') == ["b"]
    assert duplicate_keys('{"a": 1}') == []
    assert duplicate_keys("not json") == []


def test_the_models_own_text_is_compared_with_what_will_run() -> None:
    assert not raw_differs('{"a": 1}', {"a": 1})
    assert raw_differs('{"a": 1}', {"a": 2})
    assert raw_differs("not json", {})
