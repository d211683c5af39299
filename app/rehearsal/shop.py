"""A small shop's functions for the demos of programs and background jobs: stock, demand, prices, weather, orders."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Arguments = Mapping[str, Any]

STOCK = {"sku_123": 42, "sku_456": 3, "sku_789": 0}
DEMAND = {"sku_123": 31, "sku_456": 20, "sku_789": 12}
PRICES = {"WIDGET": (1200, 0.8), "GADGET": (1500, 0.4)}
"""Cents, and the seconds that looking it up takes."""
WEATHER = {"Paris": {"city": "Paris", "temperature_c": 22, "condition": "Clear", "source": "demo weather snapshot"}}
WEATHER_SECS = 1.0


async def get_inventory(arguments: Arguments) -> str:
    """Units on the shelf."""
    sku = arguments["sku"]
    return json.dumps({"sku": sku, "available_units": STOCK.get(sku, 0)})


async def get_demand(arguments: Arguments) -> str:
    """Units that are wanted."""
    sku = arguments["sku"]
    return json.dumps({"sku": sku, "requested_units": DEMAND.get(sku, 0)})


async def order_units(arguments: Arguments) -> str:
    """Order from the supplier."""
    return json.dumps({"sku": arguments["sku"], "ordered_units": arguments["units"]})


async def get_weather(arguments: Arguments) -> str:
    """A snapshot; it takes its time."""
    await asyncio.sleep(WEATHER_SECS)
    return json.dumps(WEATHER[arguments["city"]])


async def lookup_price(arguments: Arguments) -> str:
    """A price; it takes its time."""
    cents, secs = PRICES[arguments["sku"]]
    await asyncio.sleep(secs)
    told = {"task_handle": arguments["task_handle"], "price_cents": cents, "currency": "USD"}
    return json.dumps(told, separators=(",", ":"))


async def post_note(text: str) -> str:
    """Put a note on the shop's board."""
    return f"Posted: {len(text)} characters."


def _function(name: str, description: str, fields: Mapping[str, str], **more: Any) -> dict[str, Any]:
    return {
        "type": "function",
        "name": name,
        "description": description,
        "parameters": _object(fields),
        **more,
    }


def _object(fields: Mapping[str, str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in fields.items()},
        "required": list(fields),
        "additionalProperties": False,
    }


_SKU = {"sku": "string"}
_BY_PROGRAMS: dict[str, Any] = {"allowed_callers": ["programmatic"]}

SHOP: dict[str, tuple[dict[str, Any], Callable[[Any], Awaitable[str]]]] = {
    "get_inventory": (
        _function(
            "get_inventory",
            "Return an object with sku (string) and available_units (number).",
            _SKU,
            output_schema=_object({"sku": "string", "available_units": "number"}),
            **_BY_PROGRAMS,
        ),
        get_inventory,
    ),
    "get_demand": (
        _function(
            "get_demand",
            "Return an object with sku (string) and requested_units (number).",
            _SKU,
            output_schema=_object({"sku": "string", "requested_units": "number"}),
            **_BY_PROGRAMS,
        ),
        get_demand,
    ),
    "order_units": (
        _function(
            "order_units",
            "Order units of one sku. Returns an object with sku and ordered_units, or with error.",
            {"sku": "string", "units": "integer"},
            allowed_callers=["direct", "programmatic"],
        ),
        order_units,
    ),
    "get_weather": (
        _function("get_weather", "Read a demo weather snapshot for a city.", {"city": "string"}, strict=True)
        | {"async": True},
        get_weather,
    ),
    "lookup_price": (
        _function(
            "lookup_price",
            "Look up a price in the background. Give each call a fresh task_handle, never used before in this run.",
            {"sku": "string", "task_handle": "string"},
            strict=True,
        )
        | {"async": True},
        lookup_price,
    ),
    "post_note": (
        {"type": "custom", "name": "post_note", "description": "Post a note, as free text, on the shop's board."},
        post_note,
    ),
}
"""By name: the tool as it is declared, and what answers a call of it."""

SHOP_READS = frozenset({"get_inventory", "get_demand", "get_weather", "lookup_price"})
"""Those that change nothing."""
