"""Any values that the form can be given: of the right kind for each field, sensible or not."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from app.core.plan import RunPlan
from app.views.setup.fields import Field, fields_of

LETTERS = 'ab1 "[]{}=#,\\\n\t\r\0\x85\u00a0\u00e9\u202e\u2028\u4e2d\ufffc\ufdd0'
"""Few letters, so that no font is looked for in vain: plain, quoting, and those that text fields change or hide."""

TEXTS = st.text(st.sampled_from(LETTERS), max_size=8)
SCALARS = st.booleans() | st.integers(-9, 9) | st.floats(0, 9) | TEXTS
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2))
NUMBERS = st.integers(0, 10_000) | st.floats(0, 100)
TABLES = st.dictionaries(TEXTS, VALUES, max_size=2)


def values_of_field(field: Field) -> st.SearchStrategy[Any]:
    """Any value for one field."""
    match field.kind:
        case "flag" | "tristate":
            return st.booleans()
        case "choice":
            return st.sampled_from(field.options)
        case "number":
            return NUMBERS
        case "numbers":
            return st.lists(NUMBERS, min_size=1, max_size=3)
        case "text":
            return TEXTS
        case "texts":
            return st.lists(TEXTS | st.sampled_from(field.options or ("click",)), max_size=3)
        case "values":
            return st.lists(TABLES, max_size=2)
        case "value":
            return TABLES | st.sampled_from([*field.options, ["a", "b"]])
    assert field.model is not None
    table = values_of_table(fields_of(field.model))
    return table if field.kind == "table" else st.lists(table, min_size=1 if field.optional else 0, max_size=2)


def values_of_table(fields: Sequence[Field]) -> st.SearchStrategy[dict[str, Any]]:
    """Any values for a table, with each key there or not; a key that must be there always is."""
    kinds = {field.key: values_of_field(field) for field in fields}
    needed = {field.key: kinds.pop(field.key) for field in fields if field.required and field.kind == "choice"}
    return st.fixed_dictionaries(needed, optional=kinds)


WHOLE_RUN_FILES = values_of_table(fields_of(RunPlan))


def without_defaults(values: dict[str, Any], fields: Sequence[Field]) -> dict[str, Any]:
    """The same run file with what it says unnecessarily taken out."""
    left = {}
    for field in fields:
        if field.key not in values:
            continue
        value = values[field.key]
        if field.model is not None and field.kind == "table":
            value = without_defaults(value, fields_of(field.model))
        elif field.model is not None:
            value = [without_defaults(one, fields_of(field.model)) for one in value]
        if field.required or value != field.default or type(value) is not type(field.default):
            left[field.key] = value
    return left
