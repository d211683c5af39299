"""Waits until a page is at an address that fits a pattern of the code's; it is the page that compares.

Playwright compares here, and there are patterns with which one comparison takes hours: nothing else would go on.
"""

import asyncio
import contextlib
import re
from typing import Any

MOST_SECS = 30.0
LOOK_SECS = 0.1
_FITS = """([source, flags]) => new RegExp(source, flags).test(location.href)"""
_FLAGS = {re.IGNORECASE: "i", re.MULTILINE: "m", re.DOTALL: "s"}
_LETTERS = re.compile(r"[.+^$()|\\[\]?]")


async def wait_for_address(page: Any, url: Any, *, timeout: float | None = None, wait_until: str = "load") -> None:
    """`url`: a regular expression, or an address with ``*``, ``**`` and ``{one,two}``; `timeout` in milliseconds."""
    if isinstance(url, re.Pattern):
        source, flags = url.pattern, "".join(letter for flag, letter in _FLAGS.items() if url.flags & flag)
    else:
        source, flags = expression_of(str(url)), ""
    from playwright.async_api import Error

    most_secs = MOST_SECS if timeout is None else timeout / 1000
    try:
        async with asyncio.timeout(most_secs if most_secs > 0 else None):
            while True:
                # A page that is on its way elsewhere has nothing to say for a moment.
                with contextlib.suppress(Error):
                    if await page.evaluate(_FITS, [source, flags]):
                        break
                await asyncio.sleep(LOOK_SECS)
    except TimeoutError as late:
        raise TimeoutError(f"the page was at no such address within {most_secs:g} s") from late
    if wait_until != "commit":
        await page.wait_for_load_state(wait_until, timeout=timeout)


def expression_of(address: str) -> str:
    """The regular expression of an address with stars and braces, as Playwright reads them."""
    if not any(letter in address for letter in "*{"):
        # What the page says of itself has always a path.
        return f"^{_LETTERS.sub(_escaped, address)}/?$"
    parts: list[str] = []
    inside = False
    for part in re.split(r"(\*\*/|\*+|[{},])", address):
        if part == "**/":
            parts.append("(.+/)?" if "".join(parts).endswith("/") else "(.*/)")
        elif part.startswith("*"):
            parts.append("[^/]*" if part == "*" else ".*")
        elif part in "{}" and part:
            inside = part == "{"
            parts.append("(" if inside else ")")
        else:
            parts.append("|" if part == "," and inside else _LETTERS.sub(_escaped, part))
    return f"^{''.join(parts)}$"


def _escaped(letter: re.Match[str]) -> str:
    return f"\\{letter[0]}"
