"""What stands in a field for a value, and back: plain where it can be, quoted as in a run file where it cannot.

For every value `read(write(value)) == value`; hidden characters of a file from elsewhere are written out.
"""

from collections.abc import Sequence
from typing import Any

from app.core.plan_toml import toml_value, value_of
from app.core.value import Json

EMPTY_LIST = "[]"


def write_text(value: str, *, lines: bool = False) -> str:
    """A text; `lines`: the field takes more than one."""
    seen = value.replace("\n", "").isprintable() if lines else value.isprintable()
    return value if value and seen and read_text(value) == value else toml_value(value)


def read_text(text: str) -> str:
    """The text that is meant: what stands in quotes as a whole is read as in a run file."""
    if text.startswith('"'):
        try:
            value = value_of(text)
        except ValueError:
            return text
        if isinstance(value, str):
            return value
    return text


def write_texts(values: Sequence[str], *, optional: bool) -> str:
    """One a line; in an optional field the empty list is written out, since nothing at all means "not said"."""
    if not values:
        return EMPTY_LIST if optional else ""
    return "\n".join(_line(value) for value in values)


def _line(value: str) -> str:
    plain = write_text(value)
    return toml_value(value) if plain == EMPTY_LIST or plain != plain.strip() else plain


def read_texts(text: str, *, optional: bool) -> list[str]:
    """The texts on the lines; empty lines count for nothing."""
    if optional and text.strip() == EMPTY_LIST:
        return []
    return [read_text(line.strip()) for line in text.split("\n") if line.strip()]


def write_value(value: Json) -> str:
    """Anything, as a run file says it; a plain word stands without its quotes."""
    if isinstance(value, str) and value.isidentifier() and value.isascii() and read_value(value) == value:
        return value
    return toml_value(value)


def read_value(text: str) -> Any:
    """The value; a text that spells none stands for itself, and the check says what is wrong with it."""
    try:
        return value_of(text.strip())
    except ValueError:
        return text


def write_number(value: float) -> str:
    """A number."""
    return toml_value(value)


def read_number(text: str) -> Any:
    """The number; what is none stands for itself, and the check says so."""
    value = read_value(text)
    return value if type(value) in (int, float) else text


def write_numbers(values: Sequence[float]) -> str:
    """Numbers with commas between them."""
    return ", ".join(map(write_number, values)) if values else EMPTY_LIST


def read_numbers(text: str) -> list[Any]:
    """The numbers, each as `read_number` takes it."""
    if text.strip() == EMPTY_LIST:
        return []
    return [read_number(part.strip()) for part in text.replace("×", ",").split(",")]
