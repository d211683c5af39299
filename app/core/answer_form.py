"""The fields in which a person answers in a function's place, read off the JSON Schema that its answer is to fit."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from app.core.value import Json

Kind = Literal["text", "number", "choice", "texts", "group", "json"]
"""How a field is filled in: `texts` one a line, `group` by fields of its own, `json` written out as JSON."""

LEFT_OUT: Final = object()
"""Nothing is said: the answer does not have the key."""

DEEPEST, MOST_FIELDS = 3, 24
"""What lies deeper, and groups with more fields, are written out as JSON."""

_SIMPLE: dict[str, Kind] = {"string": "text", "integer": "number", "number": "number"}
_SAME = frozenset({"title", "description", "default", "examples"})
"""Keys of a schema that ask for nothing."""


@dataclass(frozen=True)
class AnswerField:
    """One field. The outermost one has no key."""

    key: str
    kind: Kind
    required: bool = True
    nullable: bool = False
    """Left empty although required, it is null."""
    about: str = ""
    options: tuple[Json, ...] = ()
    """Of a choice: the values to choose from."""
    fields: tuple["AnswerField", ...] = ()


def answer_field(schema: Json) -> AnswerField:
    """The form for an answer that is to fit `schema`. What no field is made for is written out as JSON."""
    return _field("", schema, schema, depth=0)


def read(of: AnswerField, text: str) -> Json:
    """The value that `text` in a field stands for, or `LEFT_OUT`.

    Raises:
        ValueError: it stands for none, in words.
    """
    if of.kind == "text":
        return text or _nothing(of)
    if not text.strip():
        return _nothing(of)
    if of.kind == "texts":
        return [line for line in text.split("\n") if line.strip()]
    if of.kind == "number":
        return _number(text)
    return json_of(text)


def json_of(text: str) -> Json:
    """The JSON value that `text` is. Raises `ValueError`, in words."""
    try:
        return json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise ValueError(f"is no JSON: {error.msg}, line {error.lineno}, column {error.colno}") from error
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error


def written(value: Json, *, spread: bool = False) -> str:
    """The answer as the model gets it; `spread` over lines, to be read by a person."""
    return json.dumps(value, ensure_ascii=False, indent=2 if spread else None)


def _nothing(of: AnswerField) -> Json:
    return None if of.nullable and of.required else LEFT_OUT


def _number(text: str) -> Json:
    try:
        value = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        value = None
    if type(value) not in (int, float):
        raise ValueError("must be a number")
    return value


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no JSON number")


def _field(key: str, schema: Json, whole: Json, *, depth: int, required: bool = True) -> AnswerField:
    given, nullable = _without_null(_resolved(schema, whole), whole)
    made = AnswerField(key, "json", required, nullable, _about(given))
    if "const" in given or isinstance(given.get("enum"), list):
        options = tuple(given["enum"]) if isinstance(given.get("enum"), list) else (given["const"],)
        return replace(made, kind="choice", options=options)
    kind = given.get("type")
    if kind == "boolean":
        return replace(made, kind="choice", options=(True, False))
    if kind == "object":
        inside = _inside(given, whole, depth)
        return replace(made, kind="group", fields=inside) if inside and not nullable else made
    if kind == "array":
        entry = _resolved(given.get("items"), whole)
        plain = entry.get("type") == "string" and "enum" not in entry and "const" not in entry
        return replace(made, kind="texts") if plain else made
    return replace(made, kind=_SIMPLE.get(kind, "json") if isinstance(kind, str) else "json")


def _inside(schema: Mapping[str, Any], whole: Json, depth: int) -> tuple[AnswerField, ...]:
    """The fields of a group; none where it is written out as JSON."""
    properties, required = schema.get("properties"), schema.get("required", ())
    if not isinstance(properties, Mapping) or depth >= DEEPEST or not 0 < len(properties) <= MOST_FIELDS:
        return ()
    return tuple(_field(key, of, whole, depth=depth + 1, required=key in required) for key, of in properties.items())


def _resolved(schema: Json, whole: Json) -> Mapping[str, Any]:
    """Where a schema only points to another one within the same document, that one; never anything elsewhere."""
    for _ in range(8):
        if not isinstance(schema, Mapping):
            return {}
        pointer, alone = schema.get("$ref"), schema.get("allOf")
        if isinstance(pointer, str):
            more = {key: schema[key] for key in _SAME & schema.keys()}
            found = _at(pointer, whole)
            schema = {**found, **more} if isinstance(found, Mapping) else None
        elif isinstance(alone, list) and len(alone) == 1 and "type" not in schema:
            schema = {**alone[0], **{key: schema[key] for key in _SAME & schema.keys()}}
        else:
            return schema
    return {}


def _at(pointer: str, whole: Json) -> Json:
    if not pointer.startswith("#/"):
        return None
    found = whole
    for step in pointer[2:].split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def _without_null(schema: Mapping[str, Any], whole: Json) -> tuple[Mapping[str, Any], bool]:
    """The schema of what is there, and whether nothing may be there."""
    kinds = schema.get("type")
    if isinstance(kinds, list) and "null" in kinds and len(kinds) == 2:
        return {**schema, "type": next(kind for kind in kinds if kind != "null")}, True
    for word in ("anyOf", "oneOf"):
        several = schema.get(word)
        if isinstance(several, list) and len(several) == 2 and {"type": "null"} in several:
            left = next(one for one in several if one != {"type": "null"})
            more = {key: schema[key] for key in _SAME & schema.keys()}
            return {**_resolved(left, whole), **more}, True
    return schema, False


def _about(schema: Mapping[str, Any]) -> str:
    """What its author says of it, on one line."""
    said = schema.get("description")
    return " ".join(said.split()) if isinstance(said, str) else ""
