"""How long a working thread may keep the window waiting for the interpreter: short while anybody has asked for it."""

import sys

SHORT_SECS = 0.0001
"""With Python's own 5 ms each of the many Qt calls of one repaint can wait that long while another thread computes."""


class ShortTurns:
    """Threads take short turns as long as somebody needs it. Used in the window's thread only."""

    _needed = 0
    _before = 0.0

    @classmethod
    def take(cls) -> None:
        """Short turns from now on."""
        if cls._needed == 0:
            cls._before = sys.getswitchinterval()
            sys.setswitchinterval(SHORT_SECS)
        cls._needed += 1

    @classmethod
    def give_back(cls) -> None:
        """Not needed any more by who called `take`."""
        cls._needed -= 1
        if cls._needed == 0:
            sys.setswitchinterval(cls._before)
