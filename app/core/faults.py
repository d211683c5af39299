"""A run plan out of plain JSON values, and what is wrong with such values: each fault at its place, in words."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from app.core.plan import RunPlan
from app.core.toml_place import Place, placed
from app.core.value import Json

FOLLOWS = "default_factory_not_called"
"""Type of a complaint that only says that there are others: a value left out follows from those that were given."""

_NO_TABLE = ("model_type", "dict_type", "model_attributes_type")


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong."""

    place: tuple[str | int, ...]
    """Keys and numbers that lead to it (``("mcp", 0, "headers")``); empty for the whole."""
    words: str


def plan_of_values(values: Mapping[str, Json]) -> RunPlan:
    """The plan. By way of JSON: lists stand for tuples there, and nothing else is taken for what it is not.

    Raises:
        ValidationError: `faults_of` says it in words.
        ValueError, TypeError: a value that JSON cannot say.
    """
    return RunPlan.model_validate_json(json.dumps(values, default=_no_json, allow_nan=False), strict=True)


def faults_of(error: ValidationError) -> list[Fault]:
    """What is wrong, in the order in which it was found."""
    faults = []
    for problem in error.errors(include_url=False, include_input=False):
        if problem["type"] == FOLLOWS:
            continue
        # A step that begins with "=" is no key: it says which form of a value was meant.
        place = _keys(problem["loc"])
        words = problem["msg"].removeprefix("Value error, ")
        if problem["type"] == "extra_forbidden":
            words = "there is no such key"
        elif problem["type"] in _NO_TABLE:
            words = "must be a table"
        elif not place:
            place, words = placed(words)
        faults.append(Fault(place, words))
    return faults


def _keys(place: Place) -> tuple[str | int, ...]:
    return tuple(step for step in place if not str(step).startswith("="))


def _no_json(value: object) -> object:
    raise TypeError(f"{value} ({type(value).__name__})")
