"""*Resume…* and *Fork from here…* in the window of a saved run that was opened from the list."""

from PySide6.QtCore import QObject, Signal

from app.views.commands import make_action
from app.views.window import ConsoleWindow


class GoingOn(QObject):
    """Adds both to the window's menu. Whether the run can be gone on with is said by the form that comes first.

    Signals:
        resume_wanted: the run is to go on; the window will be closed, since its file is about to be written.
        fork_wanted: a new run is wanted from the boundary before this event.
    """

    resume_wanted = Signal()
    fork_wanted = Signal(int)

    def __init__(self, window: ConsoleWindow) -> None:
        super().__init__(window)
        self._window = window
        resume = make_action(window, "resume_run", self.resume_wanted.emit)
        fork = make_action(window, "fork_here", self._on_fork)
        window.header.add_to_menu(None, resume, fork)

    def _on_fork(self) -> None:
        if (model := self._window.model) is not None:
            self.fork_wanted.emit(model.seq)
