"""Loads what a run's window needs before anybody waits for it: while its file is read, or in idle turns."""

import importlib

from PySide6.QtCore import QObject, QTimer, Signal

from app.views.docks import DOCKS

FIRST = (
    "app.views.saved_run",
    "app.views.run_header",
    "app.views.stage.stage_panel",
    "app.views.timeline.timeline_panel",
    "app.views.debugger.debug_bar",
)
"""What is needed for the first picture of a run."""

BETWEEN_MS = 20
"""Between two modules, so that the list answers to its keys meanwhile."""


def load_first() -> None:
    """Load what the first picture of a run needs."""
    for module in FIRST:
        importlib.import_module(module)


class Warming(QObject):
    """Loads the modules of a run's window one by one, as long as its parent lives.

    Signals:
        done: all of them are loaded.
    """

    done = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.left = [*FIRST, *(spec.module for spec in DOCKS)]
        """What is still to be loaded."""
        QTimer.singleShot(BETWEEN_MS, self, self._next)

    def _next(self) -> None:
        importlib.import_module(self.left.pop(0))
        if self.left:
            QTimer.singleShot(BETWEEN_MS, self, self._next)
        else:
            self.done.emit()
