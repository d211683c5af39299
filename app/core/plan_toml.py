"""A run plan as the text of a run file: what differs from the defaults, in the keys that a run file has."""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from app.core.plan import RunPlan
from app.core.value import Json

NOT_IN_A_FILE = frozenset({"broken_rules"})
_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


def values_of(plan: RunPlan) -> dict[str, Json]:
    """The plan as plain JSON values, without what is as it would be anyway."""
    values: dict[str, Json] = plan.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return {key: value for key, value in values.items() if key not in NOT_IN_A_FILE}


def run_file_text(values: Mapping[str, Json]) -> str:
    """The run file that says these values.

    Raises:
        ValueError: a value that TOML has no word for (null, an infinity, half of a character); names its key.
    """
    lines: list[str] = []
    plain = {key: value for key, value in values.items() if not _is_table(value) and not _is_tables(value)}
    for key, value in plain.items():
        lines.append(f"{_key(key)} = {toml_value(value, key)}")
    for key, value in values.items():
        if _is_table(value):
            _table(lines, f"[{_key(key)}]", key, value)
        elif _is_tables(value):
            for number, entry in enumerate(value):
                _table(lines, f"[[{_key(key)}]]", f"{key}[{number}]", entry)
    return "\n".join(lines).lstrip("\n") + "\n"


def toml_value(value: Json, place: str = "value") -> str:
    """One value as TOML writes it behind an equals sign. Raises `ValueError` as `run_file_text` does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value, place)
    if isinstance(value, int | float):
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError(f"{place}: a run file holds no {value}")
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(entry, f"{place}[{at}]") for at, entry in enumerate(value)) + "]"
    if isinstance(value, Mapping):
        entries = [f"{_key(key)} = {toml_value(entry, f'{place}.{key}')}" for key, entry in value.items()]
        return "{ " + ", ".join(entries) + " }" if entries else "{}"
    raise ValueError(f"{place}: a run file has no word for {value!r}")


def value_of(text: str) -> Json:
    """The value that `text` spells as TOML (or as JSON, for what is pasted from elsewhere).

    Raises:
        ValueError: it spells none.
    """
    try:
        found: dict[str, Any] = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise ValueError("it is no value of a run file") from error
    if set(found) != {"value"}:
        raise ValueError("it is more than one value")
    json.dumps(found, allow_nan=False, default=_no_json)
    return found["value"]


def _no_json(value: object) -> object:
    raise ValueError(f"{value} is nothing that a key takes")


def _is_table(value: Json) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _table(lines: list[str], header: str, place: str, table: Mapping[str, Json]) -> None:
    lines += ["", header]
    lines += [f"{_key(key)} = {toml_value(value, f'{place}.{key}')}" for key, value in table.items()]


def _key(key: str) -> str:
    return key if _BARE.match(key) else _text(key, "a key")


def _text(value: str, place: str) -> str:
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise ValueError(f"{place}: half of a character cannot be written to a file")
    return '"' + "".join(_letter(letter) for letter in value) + '"'


def _letter(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if letter.isprintable():
        return letter
    # What cannot be seen is written so that it can.
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"
