"""Which fields a run file has, read off its pydantic models: a key that is added there is in the form at once."""

import types
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

Kind = Literal[
    "text",
    "flag",
    "tristate",
    "choice",
    "number",
    "numbers",
    "texts",
    "value",
    "values",
    "table",
    "tables",
]
"""How a field is filled in: `value` is anything that TOML can say, `values` a list of such, `table` a model."""

HIDDEN = frozenset({"broken_rules"})
"""What no run file says."""


@dataclass(frozen=True)
class Field:
    """One key of a table."""

    key: str
    kind: Kind
    default: Any
    """As JSON says it; None where leaving it out is a value of its own."""
    required: bool
    optional: bool
    """Whether it may be left out in a way that no value says."""
    options: tuple[str, ...] = ()
    model: type[BaseModel] | None = None


@lru_cache(maxsize=64)
def fields_of(model: type[BaseModel]) -> tuple[Field, ...]:
    """The fields of a table, in their order."""
    return tuple(_field(name, info) for name, info in model.model_fields.items() if name not in HIDDEN)


def _field(name: str, info: FieldInfo) -> Field:
    kind, options, model, optional = _kind(info.annotation)
    required = info.is_required()
    default = None if required else info.get_default(call_default_factory=True, validated_data={})
    if isinstance(default, BaseModel):
        default = {}
    elif isinstance(default, tuple):
        default = list(default)
    return Field(info.alias or name, kind, default, required, optional, options, model)


def _kind(annotation: Any) -> tuple[Kind, tuple[str, ...], type[BaseModel] | None, bool]:
    """Kind, words to choose from, the table's model, and whether None is a value."""
    given = _plain(annotation)
    origin, arguments = get_origin(given), get_args(given)
    if origin in (Union, types.UnionType):
        left = [one for one in arguments if one is not type(None)]
        optional = len(left) < len(arguments)
        if len(left) > 1:
            return "value", _words(left), None, optional
        kind, options, model, _ = _kind(left[0])
        return ("tristate" if kind == "flag" and optional else kind), options, model, optional
    if origin is Literal:
        return "choice", tuple(map(str, arguments)), None, False
    if origin is tuple:
        return (*_several([_plain(one) for one in arguments if one is not Ellipsis], len(arguments)), False)
    if isinstance(given, type):
        simple: dict[type, Kind] = {bool: "flag", int: "number", float: "number", str: "text"}
        if given in simple:
            return simple[given], (), None, False
        if issubclass(given, BaseModel):
            return "table", (), given, False
    return "value", (), None, False


def _several(entries: Sequence[Any], count: int) -> tuple[Kind, tuple[str, ...], type[BaseModel] | None]:
    first = entries[0]
    if all(one in (int, float) for one in entries):
        return "numbers", (), None
    if first is str:
        return "texts", (), None
    if get_origin(first) is Literal:
        return "texts", tuple(map(str, get_args(first))), None
    if isinstance(first, type) and issubclass(first, BaseModel):
        return "tables", (), first
    return "values", (), None


def _plain(annotation: Any) -> Any:
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return annotation


def _words(choices: Sequence[Any]) -> tuple[str, ...]:
    """The words among several forms of a value."""
    plain = [_plain(one) for one in choices]
    return tuple(str(word) for one in plain if get_origin(one) is Literal for word in get_args(one))
