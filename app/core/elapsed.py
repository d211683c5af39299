"""How long a run has taken at each of its events: by the clock that nobody sets, wherever one process wrote both."""

from app.core.events import Recorded, RunResumed

NANOS_PER_MILLI = 1_000_000


class Elapsed:
    """Milliseconds since the first event, by `seq`; never decreasing, whatever was done to the clock on the wall."""

    def __init__(self) -> None:
        self._nanos: list[int] = []
        self._newest: Recorded | None = None

    def add(self, recorded: Recorded) -> None:
        """The next event."""
        before, self._newest = self._newest, recorded
        if before is None:
            self._nanos.append(0)
            return
        gap = recorded.mono_ns - before.mono_ns
        if gap < 0 or isinstance(recorded.event, RunResumed):
            # Another process wrote on, perhaps after a restart of the machine: only wall time spans both.
            gap = max(0, recorded.wall_ms - before.wall_ms) * NANOS_PER_MILLI
        self._nanos.append(self._nanos[-1] + gap)

    def at(self, seq: int) -> int:
        """Up to event `seq`; 0 before the first."""
        return self._nanos[min(seq, len(self._nanos)) - 1] // NANOS_PER_MILLI if self._nanos and seq > 0 else 0

    def now(self, mono_ns: int) -> int:
        """Up to `mono_ns` by the clock of the process that wrote the newest event."""
        if self._newest is None:
            return 0
        return (self._nanos[-1] + max(0, mono_ns - self._newest.mono_ns)) // NANOS_PER_MILLI
