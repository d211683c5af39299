"""The functions that the demo registers: their declarations for the model and what runs when they are called."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from app.rehearsal.bookings import CLOSED_WEEKDAY, HOURS
from app.rehearsal.shop import SHOP

Arguments = Mapping[str, Any]
DemoFunction = tuple[dict[str, Any], Callable[[Any], Awaitable[str]]]


async def opening_hours(arguments: Arguments) -> str:
    """The opening hours of one weekday, in one sentence."""
    day = str(arguments.get("day", "")).strip().capitalize()
    if day not in HOURS:
        return f"There is no such day. Use one of: {', '.join(HOURS)}."
    if HOURS.index(day) == CLOSED_WEEKDAY:
        return f"{day}: closed."
    return f"{day}: open from 17:30 to 23:00, the kitchen closes at 22:00."


OPENING_HOURS: dict[str, Any] = {
    "type": "function",
    "name": "opening_hours",
    "description": "Opening hours of Harbour Table on one day of the week.",
    "parameters": {
        "type": "object",
        "properties": {"day": {"type": "string", "enum": list(HOURS)}},
        "required": ["day"],
        "additionalProperties": False,
    },
    "strict": True,
}

DEMO_FUNCTIONS: dict[str, DemoFunction] = {"opening_hours": (OPENING_HOURS, opening_hours), **SHOP}
"""By name: the tool as it is declared, and the function that answers a call of it."""


def declared(function: DemoFunction, *, deferred: bool) -> DemoFunction:
    """The same; `deferred`: the model must look it up before it can call it."""
    tool, execute = function
    return ({**tool, "defer_loading": True} if deferred else tool), execute
