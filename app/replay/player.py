"""Playing a saved run: the cursor moves as the run did, at a chosen speed, with long waits made short."""

from typing import Protocol

from app.core.timeline import Timeline
from app.replay.cursor import Cursor, Seek

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
LONGEST_WAIT_SECS = 2.0
"""A person who thought for ten minutes is not waited for again."""

NANOS_PER_SEC = 1_000_000_000


class Ticking(Protocol):
    """A monotonic clock."""

    def mono_ns(self) -> int:
        """Monotonic nanoseconds."""


class Player:
    """Moves one cursor. It has no timer: whoever owns it calls `tick` when `tick` said so."""

    def __init__(self, timeline: Timeline, cursor: Cursor, clock: Ticking) -> None:
        self._timeline = timeline
        self._cursor = cursor
        self._clock = clock
        self._speed = 1.0
        self._left_ns = 0
        """Clock time at which the cursor came to where it stands; only while playing."""
        self._at: int | None = None

    @property
    def playing(self) -> bool:
        """Whether it moves by itself. Any other move of the cursor goes on from there."""
        return self._at is not None

    @property
    def speed(self) -> float:
        """How many times as fast as the run was."""
        return self._speed

    def play(self, speed: float | None = None) -> float | None:
        """Go on from where the cursor stands. Returns as `tick` does.

        Raises:
            ValueError: `speed` is not above nothing.
        """
        if speed is not None:
            if speed <= 0:
                raise ValueError("speed must be above 0")
            self._speed = speed
        self._at, self._left_ns = self._cursor.seq, self._clock.mono_ns()
        return self.tick()

    def pause(self) -> None:
        """Stand still."""
        self._at = None

    def tick(self) -> float | None:
        """Move to where the run would be by now. Returns the seconds until the next call is due; None when it ended."""
        if self._at is None:
            return None
        now = self._clock.mono_ns()
        if self._cursor.seq != self._at:
            self._at, self._left_ns = self._cursor.seq, now
        at = self._at
        while at < self._timeline.last_seq:
            due = self._left_ns + self._wait_ns(at)
            if due > now:
                break
            at, self._left_ns = at + 1, due
        if at != self._at:
            self._at = at
            self._cursor.do(Seek(at))
        if at >= self._timeline.last_seq:
            self.pause()
            return None
        return max(0, self._left_ns + self._wait_ns(at) - now) / NANOS_PER_SEC

    def _wait_ns(self, seq: int) -> int:
        """From event `seq` to the one after it, as it is played."""
        here, following = self._timeline.events.between(seq - 1, seq + 1)
        gap = following.mono_ns - here.mono_ns
        if gap < 0:
            # Another process wrote on: only wall time spans both, and it may have been set back.
            gap = max(0, following.wall_ms - here.wall_ms) * 1_000_000
        return int(min(gap, LONGEST_WAIT_SECS * NANOS_PER_SEC) / self._speed)
