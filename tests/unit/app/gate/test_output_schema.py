"""What is wrong with an answer, in words and at its place."""

from typing import Any

import pytest

from app.gate.output_schema import MOST_CHARS, faults_of, wrong_schema

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "day": {"enum": ["Monday", 2]},
        "seats": {"type": "integer", "minimum": 1, "maximum": 8},
        "code": {"type": "string", "pattern": "^HT", "maxLength": 4},
        "rows": {"type": "array", "items": {"type": "object", "required": ["id"]}, "maxItems": 2},
        "either": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["day", "seats"],
    "additionalProperties": False,
}
WHOLE = '{"day": "Monday", "seats": 2}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (WHOLE, []),
        ("{}", ["day is missing", "seats is missing"]),
        ("[]", ["it must be an object with keys"]),
        ('{"day": "Tuesday", "seats": 2.5}', ["day must be one of Monday, 2", "seats must be a whole number"]),
        ('{"day": 2, "seats": 0}', ["seats must be at least 1"]),
        ('{"day": 2, "seats": 9, "x": 1}', ["seats must be at most 8", "x is no key of it"]),
        (
            '{"day": 2, "seats": 2, "code": "XT123"}',
            ["code must fit the pattern ^HT", "code must have at most 4 characters"],
        ),
        ('{"day": 2, "seats": 2, "rows": [{"id": 1}, {}]}', ["rows.1.id is missing"]),
        ('{"day": 2, "seats": 2, "either": 4}', ["either fits none of the forms that it may have"]),
        ("{", ["it is no JSON: Expecting property name enclosed in double quotes, line 1, column 2"]),
        ('{"day": 2, "seats": NaN}', ["it NaN is no JSON number"]),
        (" " * (MOST_CHARS + 1), ["it must have at most 100,000 characters"]),
    ],
)
def test_each_fault_has_its_place_and_its_words(text: str, said: list[str]) -> None:
    assert sorted(map(str, faults_of(SCHEMA, text))) == sorted(said)


@pytest.mark.parametrize(
    "schema", [{"$ref": "http://127.0.0.1:9/schema"}, {"type": "objekt"}, {"pattern": "("}, 3, {"$ref": "#/nowhere"}]
)
def test_a_schema_that_cannot_be_applied_lets_nothing_through(schema: Any) -> None:
    (fault,) = faults_of(schema, '"x"')
    assert "the function's own schema cannot be applied" in fault.words


def test_a_schema_that_is_none_is_said() -> None:
    assert wrong_schema(SCHEMA) is None
    assert "objekt" in (wrong_schema({"type": "objekt"}) or "")
