"""What stands in a field is read back as exactly the value it was written for, whatever that is."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.views.setup import field_text
from tests.unit.app.core.test_plan_toml import TEXTS, VALUES

NUMBERS = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)


@given(TEXTS | st.sampled_from(['"', '"a"', "[]", " a ", "true", "a\nb"]), st.booleans())
def test_a_text(value: str, lines: bool) -> None:
    shown = field_text.write_text(value, lines=lines)
    assert field_text.read_text(shown) == value
    assert shown.replace("\n", "").isprintable()
    assert lines or "\n" not in shown


@given(st.lists(TEXTS | st.sampled_from(["[]", '"a"', " ", "a\nb"]), max_size=3), st.booleans())
def test_texts(values: list[str], optional: bool) -> None:
    assert field_text.read_texts(field_text.write_texts(values, optional=optional), optional=optional) == values


@given(VALUES | st.sampled_from(["auto", "true", "inf", "nan"]))
def test_a_value(value: Any) -> None:
    assert field_text.read_value(field_text.write_value(value)) == value


@given(st.lists(NUMBERS, max_size=3))
def test_numbers(values: list[float]) -> None:
    assert field_text.read_numbers(field_text.write_numbers(values)) == values


def test_what_is_typed_is_taken_as_meant() -> None:
    assert field_text.read_text('"Find it", she said') == '"Find it", she said'
    assert field_text.read_texts(" a \n\n b", optional=True) == ["a", "b"]
    assert field_text.read_numbers("1280 × 800") == [1280, 800]
    assert field_text.read_number("many") == "many"
    assert field_text.read_value('{"tool_names": ["a"]}') == {"tool_names": ["a"]}
