"""Puts runs to a person before they are removed, and removes them when the person says so."""

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QListWidget, QPushButton, QVBoxLayout, QWidget

from app.core.errors import SignalboxError
from app.core.keeping import Leaving
from app.core.untrusted import beginning
from app.views.style import mark

log = logging.getLogger(__name__)

MOST_TASK_CHARS = 120
MOST_WRONG = 5
FOR_GOOD = (
    "Each run goes with its pictures and checkpoints, the files beside it and those that it fetched. "
    "It cannot be got back. A run that is in use stays."
)


class RemovalDialog(QDialog):
    """Opened with `open()`. No key and no close removes anything: only a press of the one button does.

    Signals:
        removed: the removal has ended; how many runs went.
    """

    removed = Signal(int)
    _over = Signal(object)

    def __init__(self, runs: Sequence[Leaving], remove: Callable[[Path], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("removal_dialog")
        self.setWindowTitle("Remove runs")
        self._runs = tuple(runs)
        self._remove = remove
        self._thread: threading.Thread | None = None
        count = len(self._runs)
        self.question = QLabel("Remove this run?" if count == 1 else f"Remove these {count} runs?", self)
        self.words = QLabel(FOR_GOOD, self)
        self.list = QListWidget(self)
        self.said = QLabel(self)
        self.keep_button = QPushButton("Keep", self)
        self.remove_button = QPushButton("Remove" if count == 1 else f"Remove {count} runs", self)
        self._build()
        self._over.connect(self._on_over, Qt.ConnectionType.QueuedConnection)

    def _build(self) -> None:
        mark(self.question, role="title")
        mark(self.words, tone="dim")
        mark(self.said, tone="danger")
        mark(self.remove_button, tone="danger")
        for label in (self.words, self.said):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setVisible(False)
        self.list.setAccessibleName("Runs to be removed")
        self.list.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.addItems([row_words(run) for run in self._runs])
        self.keep_button.setObjectName("button_keep")
        self.remove_button.setObjectName("button_remove")
        for button in (self.keep_button, self.remove_button):
            button.setAutoDefault(False)
        self.keep_button.clicked.connect(self.reject)
        self.remove_button.clicked.connect(self._on_remove)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addStretch(1)
        line.addWidget(self.keep_button)
        line.addWidget(self.remove_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(12)
        for part in (self.question, self.words, self.list, self.said):
            column.addWidget(part, 1 if part is self.list else 0)
        column.addLayout(line)
        self.resize(620, min(520, 240 + 26 * len(self._runs)))
        self.keep_button.setFocus()

    def close_down(self) -> None:
        """Wait for a removal that is under way."""
        if self._thread is not None:
            self._thread.join()

    def _on_remove(self) -> None:
        if self._thread is not None:
            return
        self.remove_button.setEnabled(False)
        self.keep_button.setEnabled(False)
        self._thread = threading.Thread(target=self._work, name="removing runs", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        wrong: list[str] = []
        for run in self._runs:
            try:
                self._remove(run.path)
            except SignalboxError as problem:
                wrong.append(str(problem))
            except Exception as error:
                log.exception("a run could not be removed")
                wrong.append(f"{type(error).__name__}: {run.path}")
        self._over.emit(wrong)

    def _on_over(self, wrong: Sequence[str]) -> None:
        self._thread = None
        self.removed.emit(len(self._runs) - len(wrong))
        if not wrong:
            self.accept()
            self.deleteLater()
            return
        more = [f"and {len(wrong) - MOST_WRONG} more"] if len(wrong) > MOST_WRONG else []
        self.said.setText("\n".join([*wrong[:MOST_WRONG], *more]))
        self.said.setVisible(True)
        self.keep_button.setText("Close")
        self.keep_button.setEnabled(True)

    def reject(self) -> None:
        if self._thread is None:
            super().reject()
            self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._thread is not None:
            event.ignore()
            return
        super().closeEvent(event)


def row_words(run: Leaving) -> str:
    """``29 Nov 2026, 21:05 · 12.3 MB · older than 30 days · Book a table``."""
    task = beginning(run.task, MOST_TASK_CHARS) if run.task else run.path.name
    parts = (run.started, f"{run.size_bytes / 1e6:.1f} MB", run.reason, task)
    return " · ".join(part for part in parts if part)
