"""The one real clock; everything else gets it handed in."""

import time

NANOS_PER_MILLI = 1_000_000


class SystemClock:
    """This machine's time, as `core.ports.Clock` wants it."""

    def wall_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return time.time_ns() // NANOS_PER_MILLI

    def mono_ns(self) -> int:
        """Monotonic nanoseconds."""
        return time.monotonic_ns()
