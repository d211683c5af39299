"""The one real clock; everything else gets it handed in."""

import time

NANOS_PER_MILLI = 1_000_000


_CLOCK: int | None = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
"""The system's clock that is never set and goes on while the machine sleeps, which Python's own does not everywhere:
Linux has one for it, macOS has it as its plain one, and on Windows Python's own is that."""


def mono_ns() -> int:
    """Monotonic nanoseconds, those included in which the machine slept: what is allowed for a while ends with it."""
    return time.monotonic_ns() if _CLOCK is None else time.clock_gettime_ns(_CLOCK)


class SystemClock:
    """This machine's time, as `core.ports.Clock` wants it."""

    def wall_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return time.time_ns() // NANOS_PER_MILLI

    def mono_ns(self) -> int:
        """See `mono_ns`."""
        return mono_ns()
