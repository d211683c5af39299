"""Choosing two saved runs to be put beside each other: press once on the one, then again on the other."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QPushButton

from app.views.runs.run_row import RunRow
from app.views.runs.runs_panel import RunsPanel

FIRST, OTHER, WITH = "Compare…", "Now choose the other run", "Compare with it"


class RunsCompare(QObject):
    """Remembers the first of the two until the second is chosen or the first is pressed again.

    Signals:
        compare_wanted: the paths of two runs, as a pair.
    """

    compare_wanted = Signal(object)

    def __init__(self, panel: RunsPanel) -> None:
        super().__init__(panel)
        self._panel = panel
        self._first: RunRow | None = None
        self.button = QPushButton(FIRST, panel)
        self.button.setObjectName("button_compare")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self._on_pressed)
        panel.add_button(self.button)
        panel.chosen_changed.connect(self._on_chosen)
        self._on_chosen(panel.chosen)

    def _on_chosen(self, row: RunRow | None) -> None:
        first = self._first
        self.button.setEnabled(row is not None and row.status != "unreadable")
        same = first is not None and row is not None and row.path == first.path
        self.button.setText(FIRST if first is None else OTHER if same else WITH)
        self.button.setToolTip(
            "Choose this run, then another one"
            if first is None
            else "Press again to compare nothing"
            if same
            else f"The other one is {first.run_id}"
        )

    def _on_pressed(self) -> None:
        row, first = self._panel.chosen, self._first
        if row is None or not self.button.isEnabled():
            return
        if first is None:
            self._first = row
        else:
            self._first = None
            if row.path != first.path:
                self.compare_wanted.emit((first.path, row.path))
        self._on_chosen(row)
