"""Older formats made new, one step a version, on the stored JSON of an event and never on the file itself."""

from collections.abc import Callable
from typing import Any

from app.core.errors import LedgerProblem
from app.ledger.schema import FORMAT

Converter = Callable[[dict[str, Any]], dict[str, Any]]

CONVERTERS: dict[int, Converter] = {}
"""From a format number to what makes an event of the next one. The first format has none before it."""


def upgraded(body: object, version: int) -> dict[str, Any]:
    """An event's body as this program's format has it. One of a newer format is handed back as it is.

    Raises:
        LedgerProblem: it is no event, or no chain of converters leads here.
    """
    if not isinstance(body, dict):
        raise LedgerProblem("a stored event is not an object")
    for step in range(version, FORMAT):
        if step not in CONVERTERS:
            raise LedgerProblem(f"nothing reads format {step} any more")
        body = CONVERTERS[step](body)
    return body
