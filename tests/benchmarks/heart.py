"""How long the window's loop stood still: a timer of one millisecond that notes when it was late."""

import time

from PySide6.QtCore import QObject, Qt, QTimer

BEAT_MS = 1


class Heart(QObject):
    """Beats in the window's thread from `start` to `stop`; `gaps` are the times between beats in milliseconds."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.gaps: list[float] = []
        self._last_ns = 0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        """Begin."""
        self._last_ns = time.monotonic_ns()
        self._timer.start(BEAT_MS)

    def stop(self) -> None:
        """End."""
        self._timer.stop()

    def _beat(self) -> None:
        now = time.monotonic_ns()
        self.gaps.append((now - self._last_ns) / 1e6)
        self._last_ns = now
