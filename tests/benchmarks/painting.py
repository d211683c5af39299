"""When a pass of painting was over: the moment at which what was drawn is on its way to the screen."""

import asyncio
import time
from typing import Any

from PySide6.QtCore import QEvent, QObject

from app.views.window import ConsoleWindow


class WatchedWindow(ConsoleWindow):
    """The console's window, which notes the end of each pass of painting that drew its timeline.

    The end of the pass, and not the drawing of a view: that is what a repaint of a single widget waits for as well.
    """

    passed_ns = 0
    """Monotonic, the end of the first such pass since `passed` was cleared."""
    _drawn = False

    def __init__(self) -> None:
        super().__init__()
        self.passed = asyncio.Event()

    def _fill(self, key: str) -> None:
        super()._fill(key)
        panel: Any = self.docks[key].panel
        if key == "timeline":
            panel.strip.viewport().installEventFilter(self)
            panel.lanes.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self._drawn = self._drawn or event.type() == QEvent.Type.Paint
        return False

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.UpdateRequest and self._drawn:
            self._drawn = False
            if not self.passed.is_set():
                self.passed_ns = time.monotonic_ns()
                self.passed.set()
        return done
