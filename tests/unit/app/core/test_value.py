"""One spelling and one digest for one value, whatever a model may legally send."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.ids import RUN_ID_ALPHABET, ask_id, run_id
from app.core.value import call_digest, canonical_json, digest_of, json_to_read

TEXT = st.text(st.characters(exclude_categories=()), max_size=8)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_the_canonical_form_reads_back_as_the_same_value(value: Any) -> None:
    assert json.loads(canonical_json(value)) == value


@given(st.dictionaries(TEXT, VALUES, max_size=4))
def test_the_order_of_keys_does_not_count(value: dict[str, Any]) -> None:
    assert digest_of(dict(reversed(value.items()))) == digest_of(value)


@pytest.mark.parametrize(
    ("one", "other"), [(1, True), (0, False), (1, 1.0), ("1", 1), (None, ""), ([], {}), ("é", "e\u0301"), ("a", "a ")]
)
def test_values_that_look_alike_have_digests_of_their_own(one: Any, other: Any) -> None:
    assert call_digest("click", one) != call_digest("click", other)


def test_a_member_cannot_pass_for_an_argument() -> None:
    assert call_digest("a", ["b"]) != call_digest("b", ["a"])


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [float("-inf")]])
def test_what_json_has_no_word_for_has_no_digest(value: Any) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(value)


def test_ids_are_readable_and_sort_by_time() -> None:
    name = run_id("20261129-2105", bytes(range(250, 256)))
    assert name.startswith("20261129-2105-")
    assert len(name) == 20
    assert set(name[-6:]) <= set(RUN_ID_ALPHABET)
    assert not set("0oO1ilu") & set(RUN_ID_ALPHABET)
    assert [ask_id(number) for number in (1, 12)] == ["a0001", "a0012"]


def test_what_cannot_be_written_as_json_is_said() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert json_to_read({"a": [1, "ü"]}) == '{"a": [1, "ü"]}'
    assert json_to_read(10**5000) == "(cannot be written as JSON: a number of too many digits)"
    assert json_to_read(deep) == "(cannot be written as JSON: nested too deeply)"
