"""Values from outside (a model, a page) as they are kept and compared: any text, any JSON, one form, one digest."""

import hashlib
import json
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, PlainValidator


def _exact_text(value: object) -> str:
    if type(value) is not str:
        raise ValueError("must be text")
    return value


Text = Annotated[str, PlainValidator(_exact_text)]
"""Any Python string, lone surrogates included: pydantic's own ``str`` refuses what a model may legally send in JSON."""

Json = Any
"""A JSON value: None, bool, int, float, str, list, dict with text keys."""


class Frozen(BaseModel):
    """A value of the file format: never changes after it is made, and knows all of its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def canonical_json(value: Json) -> bytes:
    """One spelling for one value: sorted keys, no spaces, ASCII only, so that lone surrogates survive as escapes.

    Raises:
        ValueError: for NaN and infinities, which are not JSON.
        TypeError: for anything that is not JSON at all.
    """
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def json_to_read(value: Json, *, indent: int | None = None) -> str:
    """`value` as JSON for people. What Python does not write (numbers of thousands of digits, nesting without end, both
    possible in a ledger from elsewhere) is said instead.
    """
    try:
        return json.dumps(value, ensure_ascii=False, indent=indent)
    except (ValueError, TypeError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else "a number of too many digits"
        return f"(cannot be written as JSON: {why})"


def digest_of(value: Json) -> str:
    """SHA-256 (hex) of the canonical form: what ties a question, its answer and the executed call together."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def call_digest(member: str, arguments: Json) -> str:
    """The digest of one action as the gate and the driver both compute it."""
    return digest_of([member, arguments])
