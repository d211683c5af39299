"""Whether what a function, or a person in its place, gives back fits the function's own output schema, in words."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.core.answer_form import json_of, written
from app.core.value import Json

log = logging.getLogger(__name__)

MOST_CHARS = 100_000
"""A longer answer is not looked at: looking must not hold up whoever waits."""
MOST_FAULTS = 20

_TYPES = {
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object with keys",
    "null": "null",
}
_LIMITS = {
    "minimum": "must be at least {}",
    "maximum": "must be at most {}",
    "exclusiveMinimum": "must be more than {}",
    "exclusiveMaximum": "must be less than {}",
    "multipleOf": "must be a multiple of {}",
    "minLength": "must have at least {} characters",
    "maxLength": "must have at most {} characters",
    "pattern": "must fit the pattern {}",
    "minItems": "must have at least {} entries",
    "maxItems": "must have at most {} entries",
    "uniqueItems": "must not name anything twice",
}


@dataclass(frozen=True)
class Fault:
    """What is wrong, and where: keys and numbers that lead to it from outside in; empty for the whole."""

    place: tuple[str | int, ...]
    words: str

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.place)) or 'it'} {self.words}"


def wrong_schema(schema: Json) -> str | None:
    """Why it is no JSON Schema, in words; None where it is one."""
    # Loaded with the first function that declares a schema: most runs have none.
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return str(error.message)
    return None


def faults_of(schema: Json, text: str) -> list[Fault]:
    """What of `text` is not as `schema` says; empty where it fits. Fetches nothing that a schema points to."""
    if len(text) > MOST_CHARS:
        return [Fault((), f"must have at most {MOST_CHARS:,} characters")]
    try:
        value = json_of(text)
    except ValueError as error:
        return [Fault((), str(error))]
    return misfits(schema, value)


def misfits(schema: Json, value: Json) -> list[Fault]:
    """The same for a value."""
    from jsonschema import Draft202012Validator
    from referencing import Registry

    try:
        checker = Draft202012Validator(schema, registry=Registry())
        found = [fault for error in checker.iter_errors(value) for fault in _faults(error)]
    except Exception as error:
        # A reference that leads nowhere, or what is no schema at all: nothing fits it.
        log.info("a schema could not be applied", exc_info=True)
        return [Fault((), f"the function's own schema cannot be applied ({type(error).__name__})")]
    return found[:MOST_FAULTS]


def _faults(error: Any) -> Iterator[Fault]:
    place, wanted = tuple(error.absolute_path), error.validator_value
    match error.validator:
        case "required" if isinstance(error.instance, dict):
            # Each missing key is an error of its own and names it in its text alone.
            yield from (Fault((*place, key), "is missing") for key in wanted if f"{key!r} is a" in error.message)
        case "type":
            kinds = wanted if isinstance(wanted, list) else [wanted]
            yield Fault(place, f"must be {' or '.join(_TYPES.get(kind, str(kind)) for kind in kinds)}")
        case "enum":
            yield Fault(place, f"must be one of {', '.join(map(_said, wanted))}")
        case "const":
            yield Fault(place, f"must be {_said(wanted)}")
        case "additionalProperties" if isinstance(error.instance, dict):
            known = error.schema.get("properties", {})
            yield from (Fault((*place, key), "is no key of it") for key in error.instance if key not in known)
        case "anyOf" | "oneOf" if error.context:
            # The form that came nearest says most; all of them would say too much.
            yield Fault(place, "fits none of the forms that it may have")
        case str(word) if word in _LIMITS:
            yield Fault(place, _LIMITS[word].format(wanted))
        case _:
            yield Fault(place, f"does not fit “{error.validator}” of the output_schema")


def _said(value: Json) -> str:
    return value if isinstance(value, str) else written(value)
