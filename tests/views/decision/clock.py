"""A clock that stands still."""

from app.views.decision.buttons import Clock


class StillClock:
    """Monotonic time that passes only when it is told to."""

    def __init__(self) -> None:
        self.now_ns = 1_000_000_000
        self.clock = Clock(mono_ns=lambda: self.now_ns)

    def pass_ms(self, milliseconds: float) -> None:
        """Let time pass."""
        self.now_ns += round(milliseconds * 1e6)
