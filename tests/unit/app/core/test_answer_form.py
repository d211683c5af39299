"""Which fields a person gets for an answer, read off its schema."""

from typing import Any, Literal

import pytest
from pydantic import BaseModel

from app.core.answer_form import DEEPEST, LEFT_OUT, MOST_FIELDS, AnswerField, answer_field, read


class Guest(BaseModel):
    name: str
    phone: str | None


class Table(BaseModel):
    """What a function says that it answers, as its author writes it."""

    seats: int
    place: Literal["inside", "terrace"]
    open: bool
    guest: Guest
    notes: list[str] = []
    price: float | None = None


def flat(of: AnswerField) -> dict[str, Any]:
    return {one.key: flat(one) if one.fields else (one.kind, one.required, one.nullable) for one in of.fields}


def test_a_pydantic_model_s_schema_becomes_its_fields() -> None:
    made = answer_field(Table.model_json_schema())
    assert made.kind == "group"
    assert flat(made) == {
        "seats": ("number", True, False),
        "place": ("choice", True, False),
        "open": ("choice", True, False),
        "guest": {"name": ("text", True, False), "phone": ("text", True, True)},
        "notes": ("texts", False, False),
        "price": ("number", False, True),
    }
    assert made.fields[1].options == ("inside", "terrace")
    assert made.fields[2].options == (True, False)


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"in": schema}}
    return schema


def test_what_no_field_is_made_for_is_written_as_json() -> None:
    itself = {"type": "object", "properties": {"more": {"$ref": "#"}, "next": {"$ref": "#/properties/more"}}}
    many = {"type": "object", "properties": {f"k{n}": {"type": "string"} for n in range(MOST_FIELDS + 1)}}
    elsewhere = {"$ref": "https://schemas.invalid/x"}
    none_made: list[Any] = [True, {}, {"type": "array"}, {"type": "object"}, many, elsewhere, {"anyOf": [{}, {}, {}]}]
    for schema in none_made:
        assert answer_field(schema).kind == "json", schema
    assert [one.kind for one in answer_field(itself).fields] == ["json", "json"]
    made, depth = answer_field(nested(9)), 0
    while made.fields:
        made, depth = made.fields[0], depth + 1
    assert (made.kind, depth) == ("json", DEEPEST)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("text", '"quoted"', '"quoted"'),
        ("text", "", LEFT_OUT),
        ("number", " 12 ", 12),
        ("number", "1.5", 1.5),
        ("texts", "one\n\n two", ["one", " two"]),
        ("json", '{"a": [1, null]}', {"a": [1, None]}),
        ("json", "  ", LEFT_OUT),
    ],
)
def test_what_is_typed_is_what_is_meant(kind: Any, text: str, value: Any) -> None:
    assert read(AnswerField("k", kind), text) == value


def test_an_empty_field_that_must_be_there_and_may_be_null_is_null() -> None:
    assert read(AnswerField("k", "text", required=True, nullable=True), "") is None
    assert read(AnswerField("k", "text", required=False, nullable=True), "") is LEFT_OUT


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("number", "twelve", "must be a number"),
        ("number", '"12"', "must be a number"),
        ("number", "true", "must be a number"),
        ("json", "{'a': 1}", "is no JSON"),
        ("json", "NaN", "NaN is no JSON number"),
        ("json", "[" * 100_000, "is nested too deeply"),
    ],
)
def test_what_stands_for_no_value_says_so(kind: Any, text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read(AnswerField("k", kind), text)
