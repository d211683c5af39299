"""What a person does with saved runs beside looking at them: hand one on, remove one, set how long they are kept."""

import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QPushButton

from app.core.errors import SignalboxError
from app.core.keeping import Keeping, Leaving
from app.core.retention import Retention
from app.views.export.export_dialog import ExportDialog
from app.views.runs.removal_dialog import RemovalDialog
from app.views.runs.retention_dialog import RetentionDialog
from app.views.runs.run_row import RunRow
from app.views.runs.runs_panel import RunsPanel

log = logging.getLogger(__name__)


class RunsCare(QObject):
    """Adds its buttons to a list of runs. What reads the disk runs beside the window; one such look at a time."""

    _done = Signal(object, object)

    def __init__(self, panel: RunsPanel, keeping: Keeping) -> None:
        super().__init__(panel)
        self._panel = panel
        self._keeping = keeping
        self._thread: threading.Thread | None = None
        self.dialog: ExportDialog | RemovalDialog | RetentionDialog | None = None
        self.export_button = QPushButton("Export…", panel)
        self.remove_button = QPushButton("Remove…", panel)
        self.keeping_button = QPushButton("Keeping…", panel)
        self.overdue_button = QPushButton(panel)
        self._build()
        self._done.connect(self._on_done, Qt.ConnectionType.QueuedConnection)
        panel.chosen_changed.connect(self._on_chosen)
        panel.refreshed.connect(self.look)
        self._on_chosen(None)

    def _build(self) -> None:
        for button, name, tip, slot in (
            (self.overdue_button, "button_overdue", "By what you set under Keeping…", self.show_overdue),
            (self.keeping_button, "button_keeping", "How long runs are kept", self.set_retention),
            (
                self.remove_button,
                "button_remove_run",
                "Remove the chosen run; you are asked first",
                self.remove,
            ),
            (self.export_button, "button_export_run", "Hand the chosen run on as one file", self.export),
        ):
            button.setObjectName(name)
            button.setToolTip(tip)
            button.clicked.connect(lambda _checked=False, slot=slot: slot())
            self._panel.add_button(button)
        self.overdue_button.setVisible(False)

    def export(self) -> None:
        """Ask how the chosen run is to be handed on."""
        row = self._panel.chosen
        if row is not None:
            self._open(ExportDialog(row.path, self._keeping.exporter, self._panel.window()))

    def remove(self) -> None:
        """Ask whether the chosen run is to go."""
        row = self._panel.chosen
        if row is not None:
            path = row.path
            self._beside(lambda: self._keeping.leaving(path), lambda found: self._ask((found,)))

    def set_retention(self) -> None:
        """Let a person set how long runs are kept."""
        self._beside(self._keeping.retention, self._open_retention)

    def show_overdue(self) -> None:
        """Ask whether the runs that may go are to go."""
        self._beside(self._keeping.overdue, lambda found: self._ask(found) if found else self._say_overdue(()))

    def look(self) -> None:
        """See whether runs may go; the button that says so shows them."""
        self._beside(self._keeping.overdue, self._say_overdue)

    def close_down(self) -> None:
        """Wait for what is under way."""
        if self._thread is not None:
            self._thread.join()
        if isinstance(self.dialog, ExportDialog | RemovalDialog):
            self.dialog.close_down()

    def _ask(self, found: Sequence[Leaving]) -> None:
        dialog = RemovalDialog(found, self._keeping.remove, self._panel.window())
        dialog.removed.connect(self._panel.refresh)
        self._open(dialog)

    def _open_retention(self, retention: Retention) -> None:
        dialog = RetentionDialog(retention, self._panel.window())
        dialog.chosen.connect(self._on_retention)
        self._open(dialog)

    def _on_retention(self, retention: Retention) -> None:
        self._beside(lambda: self._keeping.keep(retention), lambda _: self.show_overdue())

    def _say_overdue(self, found: Sequence[Leaving]) -> None:
        count = len(found)
        self.overdue_button.setText("1 run may go…" if count == 1 else f"{count:,} runs may go…")
        self.overdue_button.setVisible(count > 0)

    def _on_chosen(self, row: RunRow | None) -> None:
        self.export_button.setEnabled(row is not None and row.status != "unreadable")
        self.remove_button.setEnabled(row is not None and row.status != "running")

    def _open(self, dialog: ExportDialog | RemovalDialog | RetentionDialog) -> None:
        self.dialog = dialog
        dialog.destroyed.connect(self._on_destroyed)
        dialog.open()

    def _on_destroyed(self) -> None:
        self.dialog = None

    def _beside(self, work: Callable[[], Any], then: Callable[[Any], object]) -> None:
        """Do `work` in a thread of its own and hand what it found to `then` in this one."""
        if self._thread is not None:
            return
        self._say("")

        def found() -> tuple[Callable[[Any], object] | None, Any]:
            try:
                return then, work()
            except SignalboxError as problem:
                return None, str(problem)
            except Exception:
                log.exception("the saved runs could not be looked after")
                return None, "That did not work; the log has the reason."

        def run() -> None:
            done = found()
            # The window may have gone meanwhile.
            with contextlib.suppress(RuntimeError):
                self._done.emit(*done)

        self._thread = threading.Thread(target=run, name="keeping runs", daemon=True)
        self._thread.start()

    def _on_done(self, then: Callable[[Any], object] | None, found: Any) -> None:
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if then is not None:
            then(found)
            return
        self._say(found)

    def _say(self, words: str) -> None:
        """What went wrong last; gone as soon as something else is done."""
        said = getattr(self._panel.window(), "statusBar", None)
        if said is not None and (words or said().currentMessage()):
            said().showMessage(words)
