"""Tools as a user would write them, named by import path in tests."""

from typing import Any


async def _note(text: str) -> str:
    return text


async def _stock(arguments: dict[str, Any]) -> str:
    return "{}"


note = ({"type": "custom", "name": "note"}, _note)
stock = ({"type": "function", "name": "stock", "async": True}, _stock)
