"""The saved runs as a panel: read in a worker, refreshed on wish, opened by a person."""

import logging
import threading
from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.core.errors import SignalboxError
from app.core.untrusted import shown
from app.views.commands import tip
from app.views.runs.run_row import RunRow
from app.views.runs.runs_delegate import RunsDelegate
from app.views.runs.runs_model import RunsModel
from app.views.style import mark

log = logging.getLogger(__name__)

EMPTY = (
    "Saved runs appear here, newest first.\n\n"
    "signalbox demo shows a whole run on an embedded model and site; it needs no key and no network.\n"
    "New run… sets one up and starts it, as signalbox run FILE.toml does with a run file."
)
RESUMABLE = ("cut_off", "stopped", "failed", "needs_reconciling")
"""Of these the form says whether they can go on, and what has to be said first."""

READING = "Reading the saved runs…"


class RunsPanel(QWidget):
    """Shows the newest list that was read. Nothing here changes a run.

    Signals:
        open_wanted: the path of a run that a person wants to see.
        resume_wanted: the path of a run that a person wants to go on with.
        fork_wanted: the path of a run that a person wants to begin a new one from.
        new_wanted: a person wants to set up a run.
        refreshed: a list has been read and is shown.
        chosen_changed: the `RunRow` that is chosen now, or None.
    """

    open_wanted = Signal(object)
    resume_wanted = Signal(object)
    fork_wanted = Signal(object)
    new_wanted = Signal()
    refreshed = Signal()
    chosen_changed = Signal(object)
    _read = Signal(object, str)

    def __init__(self, list_runs: Callable[[], Sequence[RunRow]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("runs_panel")
        self._list_runs = list_runs
        self._reader: threading.Thread | None = None
        self.runs = RunsModel()
        self.runs.setParent(self)
        self.heading = QLabel("Saved runs", self)
        mark(self.heading, role="title")
        self.count = QLabel(self)
        mark(self.count, tone="dim")
        self.refresh_button = QPushButton("Refresh", self)
        self.open_button = QPushButton("Open", self)
        self.resume_button = QPushButton("Resume…", self)
        self.fork_button = QPushButton("Fork…", self)
        self.new_button = QPushButton("New run…", self)
        self.view = QListView(self)
        self.words = QLabel(READING, self)
        self.pages = QStackedWidget(self)
        self._below = QHBoxLayout()
        self._build()
        self._read.connect(self._on_read, Qt.ConnectionType.QueuedConnection)

    def _build(self) -> None:
        self.view.setObjectName("runs_view")
        self.view.setAccessibleName("Saved runs, newest first")
        self.view.setModel(self.runs)
        self.view.setItemDelegate(RunsDelegate(self.view))
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setProperty("bare", True)
        self.view.activated.connect(self._on_activated)
        self.view.selectionModel().currentChanged.connect(self._on_current)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        mark(self.words, tone="dim")
        self.pages.addWidget(self.words)
        self.pages.addWidget(self.view)
        self.open_button.setObjectName("button_open")
        self.open_button.setAccessibleName("Open the chosen run")
        self.open_button.setEnabled(False)
        self.open_button.clicked.connect(lambda: self._on_activated(self.view.currentIndex()))
        self.resume_button.setObjectName("button_resume")
        self.resume_button.setAccessibleName("Resume the chosen run")
        self.resume_button.setToolTip("Go on with a run that was cut off or has stopped; a form comes first")
        self.resume_button.setEnabled(False)
        self.resume_button.clicked.connect(self._on_resume)
        self.fork_button.setObjectName("button_fork")
        self.fork_button.setAccessibleName("Fork the chosen run")
        self.fork_button.setToolTip("Begin a new run with the history of this one; a form comes first")
        self.fork_button.setEnabled(False)
        self.fork_button.clicked.connect(self._on_fork)
        self.new_button.setObjectName("button_new")
        self.new_button.setToolTip(tip("new_run"))
        self.new_button.clicked.connect(self.new_wanted)
        self.refresh_button.setObjectName("button_refresh")
        self.refresh_button.setShortcut("F5")
        self.refresh_button.setToolTip("Read the list again (F5)")
        self.refresh_button.clicked.connect(self.refresh)
        line = QHBoxLayout()
        line.setSpacing(12)
        line.addWidget(self.heading)
        line.addWidget(self.count, 1)
        line.addWidget(self.refresh_button)
        line.addWidget(self.resume_button)
        line.addWidget(self.fork_button)
        line.addWidget(self.open_button)
        line.addWidget(self.new_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(12)
        column.addLayout(line)
        column.addWidget(self.pages, 1)
        self._below.setSpacing(12)
        self._below.addStretch(1)
        column.addLayout(self._below)

    @property
    def chosen(self) -> RunRow | None:
        """The run that is chosen."""
        return self.runs.row_at(self.view.currentIndex().row())

    def add_button(self, button: QPushButton) -> None:
        """Put one more button below the list."""
        self._below.addWidget(button)

    def refresh(self) -> None:
        """Read the list again, in a worker; one reading at a time."""
        if self._reader is not None:
            return
        self._reader = threading.Thread(target=self._work, name="saved-runs", daemon=True)
        self._reader.start()

    def close_down(self) -> None:
        """Wait for a reading that is under way."""
        if self._reader is not None:
            self._reader.join()

    def _work(self) -> None:
        rows: Sequence[RunRow] = ()
        words = EMPTY
        try:
            rows = self._list_runs()
        except SignalboxError as problem:
            words = shown(str(problem))
        except Exception:
            log.exception("the saved runs could not be listed")
            words = "The saved runs could not be listed; the log has the reason."
        self._read.emit(rows, words)

    def _on_read(self, rows: Sequence[RunRow], words: str) -> None:
        """Show them; `words` stand where there are none."""
        self._reader = None
        chosen = self.runs.row_at(self.view.currentIndex().row())
        self.runs.show_rows(rows)
        self.words.setText(words)
        self.pages.setCurrentWidget(self.view if rows else self.words)
        self.count.setText("" if not rows else "1 run" if len(rows) == 1 else f"{len(rows):,} runs")
        paths = [row.path for row in rows]
        at = paths.index(chosen.path) if chosen is not None and chosen.path in paths else 0
        if rows:
            self.view.setCurrentIndex(self.runs.index(at, 0))
        self._on_current(self.view.currentIndex(), QModelIndex())
        self.refreshed.emit()

    def _on_current(self, current: QModelIndex, previous: QModelIndex) -> None:
        row = self.runs.row_at(current.row())
        self.open_button.setEnabled(row is not None and row.status != "unreadable")
        self.resume_button.setEnabled(row is not None and row.status in RESUMABLE)
        self.fork_button.setEnabled(row is not None and row.status not in ("running", "unreadable"))
        self.chosen_changed.emit(row)

    def _on_resume(self) -> None:
        row = self.runs.row_at(self.view.currentIndex().row())
        if row is not None and row.status in RESUMABLE:
            self.resume_wanted.emit(row.path)

    def _on_fork(self) -> None:
        row = self.runs.row_at(self.view.currentIndex().row())
        if row is not None and self.fork_button.isEnabled():
            self.fork_wanted.emit(row.path)

    def _on_activated(self, index: QModelIndex) -> None:
        row = self.runs.row_at(index.row())
        if row is not None and row.status != "unreadable":
            self.open_wanted.emit(row.path)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
