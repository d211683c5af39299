"""A time limit that holds by the console's clock: through a machine's sleep, a stopped process, and a late press."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from app.core.ports import Clock

T = TypeVar("T")

NANOS_PER_SEC = 1_000_000_000
LOOK_EVERY_SECS = 1.0
"""A loop's own timers stand still while the machine sleeps, so the clock is looked at again and again."""


class TooLate(Exception):
    """So long has passed; whatever came after it does not count."""


async def in_time(clock: Clock, secs: float | None, work: Awaitable[T]) -> T:
    """What `work` gives, if it comes within `secs` by `clock`; None: whenever it comes. What is too late is cancelled.

    Raises:
        TooLate: it did not come in time, or came late because nothing of this process ran meanwhile.
    """
    if secs is None:
        return await work
    until_ns = clock.mono_ns() + round(secs * NANOS_PER_SEC)
    loop = asyncio.get_running_loop()
    timer: list[asyncio.Handle] = []
    try:
        async with asyncio.timeout(None) as limit:

            def look() -> None:
                left_secs = (until_ns - clock.mono_ns()) / NANOS_PER_SEC
                if left_secs <= 0:
                    limit.reschedule(loop.time())
                else:
                    timer[:] = [loop.call_later(min(left_secs, LOOK_EVERY_SECS), look)]

            look()
            try:
                found = await work
            finally:
                for one in timer:
                    one.cancel()
    except TimeoutError:
        if not limit.expired():
            raise
        raise TooLate from None
    if clock.mono_ns() >= until_ns:
        raise TooLate
    return found
