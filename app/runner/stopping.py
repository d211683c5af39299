"""Whether a run must end, and why: set from any thread, told in the run's own loop."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from app.core.events import StopBy

STOP_WORDS: dict[StopBy, str] = {
    "person": "stopped by you",
    "scripted": "stopped by the script",
    "signal": "stopped by a signal",
    "window_closed": "the window was closed",
    "console": "stopped by the console",
}


@dataclass
class Stopping:
    """Set once and never taken back. Calling it gives the reason, or None while the run may go on."""

    by: StopBy | None = None
    detail: str = ""
    interrupt: Callable[[], None] = field(default=lambda: None)
    """Called in the run's loop once the stop is on record: what need not be waited for is given up."""
    drained: bool = False
    """The last turn is over; what remains is to close what the run acted on."""
    # A signal's handler may come while its own thread is in here.
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __call__(self) -> str | None:
        """Why the run must end."""
        return STOP_WORDS[self.by] if self.by is not None else None

    def request(self, by: StopBy, detail: str) -> bool:
        """Ask for the end; False when somebody did before."""
        with self._lock:
            if self.by is not None:
                return False
            self.detail = detail
            self.by = by
            return True
