"""The start window: the list of saved runs, painted bare at first like every window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.views.bare_window import BareWindow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from app.core.keeping import Keeping
    from app.views.runs.run_row import RunRow
    from app.views.runs.runs_care import RunsCare
    from app.views.runs.runs_panel import RunsPanel
    from app.views.warming import Warming


class RunsWindow(BareWindow):
    """Stays open while runs are looked at in windows of their own.

    Signals:
        open_wanted: the path of a run that a person wants to see.
        resume_wanted: the path of a run that a person wants to go on with.
        fork_wanted: the path of a run that a person wants to begin a new one from.
        new_wanted: a person wants to set up a run.
        compare_wanted: the paths of two runs, as a pair, that a person wants beside each other.
    """

    open_wanted = Signal(object)
    resume_wanted = Signal(object)
    fork_wanted = Signal(object)
    new_wanted = Signal()
    compare_wanted = Signal(object)

    def __init__(self, *, settings_path: Path | None = None) -> None:
        super().__init__("runs_window", width=960, height=680, settings_path=settings_path)
        self.panel: RunsPanel | None = None
        self.care: RunsCare | None = None
        self.warming: Warming | None = None
        # What was said belongs to what was done before.
        for wanted in (self.open_wanted, self.resume_wanted, self.fork_wanted, self.new_wanted, self.compare_wanted):
            wanted.connect(self._hush)

    def show_runs(self, list_runs: Callable[[], Sequence[RunRow]], keeping: Keeping | None = None) -> None:
        """Fill the window. Called once. Without `keeping` runs can be looked at only."""
        self.furnish()
        from app.views.commands import make_action
        from app.views.runs.runs_compare import RunsCompare
        from app.views.runs.runs_panel import RunsPanel
        from app.views.warming import Warming

        self.panel = RunsPanel(list_runs, self)
        self.panel.open_wanted.connect(self.open_wanted)
        self.panel.resume_wanted.connect(self.resume_wanted)
        self.panel.fork_wanted.connect(self.fork_wanted)
        self.panel.new_wanted.connect(self.new_wanted)
        RunsCompare(self.panel).compare_wanted.connect(self.compare_wanted)
        if keeping is not None:
            from app.views.runs.runs_care import RunsCare

            self.care = RunsCare(self.panel, keeping)
        self.setCentralWidget(self.panel)
        self.panel.view.setFocus()
        self.warming = Warming(self)
        make_action(self, "new_run", self.new_wanted.emit)
        make_action(self, "close_window", self.close)
        make_action(self, "toggle_theme", self._toggle_theme)

    def _hush(self) -> None:
        if self.statusBar().currentMessage():
            self.statusBar().clearMessage()

    def _toggle_theme(self) -> None:
        choice = self.looks.toggled
        self.looks.choose(choice)
        self.memory.theme = choice

    def _close_down(self) -> None:
        if self.care is not None:
            self.care.close_down()
        if self.panel is not None:
            self.panel.close_down()
