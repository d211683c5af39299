"""The reviewer's marks as a list, and the note of the one at the cursor. They are kept apart from the evidence."""

import contextlib
import threading

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from app.core import describe
from app.replay.cursor import Seek
from app.replay.marks import MOST_NOTE_CHARS, MarkBook
from app.views.commands import tip
from app.views.inspector.panel import InspectorPanel
from app.views.inspector.rows import SIDE, Row, RowsModel, RowsView
from app.views.models.timeline_model import TimelineModel
from app.views.stage.subject import clock_words
from app.views.style import mark
from app.views.widgets.empty_words import EmptyWords
from app.views.widgets.text_flow import Outside, Run, Words

WRITES_AFTER_MS = 400
"""A note is written to disk once its writer pauses."""

_EMPTY = "Marks that you set on this run appear here, each with a note. They are kept apart from the record."
_LIVE = "Marks can be set once the run is saved: open it from the list of runs."


class MarksPanel(InspectorPanel):
    """One row a mark; the field below holds the note of the event at the cursor, whether it is marked yet or not."""

    _written = Signal()

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(model, "Marks", parent)
        self._timeline_model = model
        self._book = model.marks or MarkBook()
        self._showing = False
        self._writer: threading.Thread | None = None
        self.rows = RowsModel(self)
        self.view = RowsView("Marks", self)
        self.view.setModel(self.rows)
        self.empty_words = EmptyWords(self.view, _EMPTY if model.marks is not None else _LIVE)
        self.field = QLineEdit(self)
        self.button = QPushButton("Mark", self)
        self.problem = QLabel(self)
        self._set_up_foot(can_mark=model.marks is not None)
        self._write_soon = QTimer(self)
        self._write_soon.setSingleShot(True)
        self._write_soon.setInterval(WRITES_AFTER_MS)
        self._write_soon.timeout.connect(self._write)
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)
        self.view.activated.connect(self._on_activated)
        self._book.listen(self._on_book_changed)
        self._written.connect(self._say_problem, Qt.ConnectionType.QueuedConnection)
        self.refresh()

    def _set_up_foot(self, *, can_mark: bool) -> None:
        self.field.setObjectName("mark_note")
        self.field.setAccessibleName("Note on the event at the cursor")
        self.field.setPlaceholderText("Note on this event")
        self.field.setMaxLength(MOST_NOTE_CHARS)
        self.field.textEdited.connect(self._on_edited)
        self.button.setObjectName("button_mark")
        self.button.setAutoDefault(False)
        self.button.setToolTip(tip("toggle_mark"))
        self.button.clicked.connect(self.toggle)
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.problem.setWordWrap(True)
        mark(self.problem, tone="hold", role="secondary")
        for widget in (self.field, self.button):
            widget.setEnabled(can_mark)
        foot = QHBoxLayout()
        foot.setContentsMargins(SIDE, 0, SIDE, 0)
        foot.setSpacing(6)
        foot.addWidget(self.field, 1)
        foot.addWidget(self.button)
        self.column.addWidget(self.view, 1)
        self.column.addWidget(self.problem)
        self.column.addLayout(foot)

    def toggle(self) -> None:
        """Mark the event at the cursor, or take its mark away."""
        seq = self._timeline_model.seq
        if self._timeline_model.marks is None or not seq:
            return
        if self._book.note(seq) is None:
            self._book.put(seq, self.field.text())
        else:
            self._book.remove(seq)

    def edit_note(self) -> None:
        """Put the keyboard into the note of the event at the cursor."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def refresh(self) -> None:
        book, here = self._book, self._timeline_model.seq
        self._showing = True
        try:
            self.rows.show_rows([self._row(seq, here) for seq in book.seqs])
        finally:
            self._showing = False
        note = book.note(here)
        if self.field.text() != (note or ""):
            self.field.setText(note or "")
        self.button.setText("Mark" if note is None else "Remove mark")
        self._say_problem()
        count = len(book.seqs)
        self.say_summary(f"{count:,}" if count else "")

    def close_down(self) -> None:
        """Have everything on the disk."""
        self._write_soon.stop()
        if self._writer is not None:
            self._writer.join()
        if self._book.unwritten:
            self._book.write()

    def _say_problem(self) -> None:
        self.problem.setText(self._book.problem)
        self.problem.setVisible(bool(self._book.problem))

    def _row(self, seq: int, here: int) -> Row:
        events = self._timeline_model.timeline.events
        name, at = "", ""
        if seq <= len(events):
            recorded = events[seq - 1]
            name, at = describe.event_name(recorded.event), clock_words(recorded.wall_ms)
        note = self._book.note(seq) or ""
        runs: list[Run] = [Outside(note, quoted=True)] if note else [Words(name, "dim")]
        return Row(f"{seq:,}", "accent" if seq == here else "dim", tuple(runs), at, seq)

    def _on_edited(self, text: str) -> None:
        seq = self._timeline_model.seq
        if seq and (text or self._book.note(seq) is not None):
            self._book.put(seq, text)

    def _on_book_changed(self) -> None:
        self.refresh()
        self._write_soon.start()

    def _on_current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        if current.isValid() and not self._showing and not self.view.entering:
            self._on_activated(current)

    def _on_activated(self, index: QModelIndex) -> None:
        self._timeline_model.do(Seek(self.rows.row(index.row()).subject))

    def _write(self) -> None:
        """In a thread of its own: the data folder may lie on a slow disk."""
        if self._writer is not None and self._writer.is_alive():
            self._write_soon.start()
            return
        self._writer = threading.Thread(target=self._put_down, name="marks", daemon=True)
        self._writer.start()

    def _put_down(self) -> None:
        self._book.write()
        # The window may have gone meanwhile.
        with contextlib.suppress(RuntimeError):
            self._written.emit()
