"""What a driver raises, so that a caller can tell an action that never began from one that may have happened."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

from openai.lib.browser import BrowserCancelledError, BrowserError

__all__ = ["BrowserCancelledError", "BrowserError", "BrowserMissing", "Cancelled", "NotDone", "PageStuck",
           "SandboxUnavailable", "bounded", "stop_if"]  # fmt: skip

Cancelled: TypeAlias = Callable[[], bool] | None
"""The caller's stop predicate, as the SDK hands it on; None when the caller gave none."""

T = TypeVar("T")


class NotDone(BrowserError):
    """Refused before any effect: it is true to say that nothing was done.

    The text is read by the model and by people; it never holds anything taken from a page.
    """


class PageStuck(BrowserError):
    """The page gave no answer within the stated time; what had been asked of it may have happened."""


class SandboxUnavailable(RuntimeError):
    """The browser's sandbox was wanted and cannot be had here."""


class BrowserMissing(RuntimeError):
    """No browser that this driver can use was found on this machine."""


def stop_if(cancelled: Cancelled) -> None:
    """Raise before an effect when the caller has asked for a stop."""
    if cancelled is not None and cancelled():
        raise BrowserCancelledError("Browser execution was cancelled.")


async def bounded(work: Awaitable[T], *, secs: float, what: str) -> T:
    """Wait for *work* at most *secs* seconds; what takes longer is given up as :class:`PageStuck`."""
    try:
        async with asyncio.timeout(secs):  # no task of its own: the question is on its way before anything else runs
            return await work
    except TimeoutError:
        raise PageStuck(f"{what} took longer than {secs:g} s and was given up.") from None
