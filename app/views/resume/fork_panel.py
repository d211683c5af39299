"""What the form for a fork holds: the boundaries, newest first, and what is otherwise in the new run."""

from pathlib import Path

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.forking import Boundary, ForkAnswer, ForkOffer
from app.views.stage.subject import clock_words
from app.views.style import mark
from app.views.widgets.outside_text import OutsideCanvas
from app.views.widgets.text_flow import Line, Outside

NOTE_CHARS = 4000
ROW_PIXELS = 26
NOTHING_AFTER = "Nothing was done to the world after this boundary"
STANDS = "What was done after this boundary may still stand: the note says so, and you may change it"


class ForkPanel(QWidget):
    """Starts nothing by itself. Choosing another boundary writes its own warning into a note that nobody changed.

    Signals:
        wanted: a `ForkAnswer`.
        given_up: no new run is wanted.
    """

    wanted = Signal(object)
    given_up = Signal()

    def __init__(self, offer: ForkOffer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fork_panel")
        self.offer = offer
        self._newest_first = list(reversed(offer.boundaries))
        self._own_note = ""
        self.boundaries = QListWidget(self)
        self.boundaries.setObjectName("fork_boundaries")
        self.boundaries.setAccessibleName("Boundaries, newest first")
        for boundary in self._newest_first:
            item = QListWidgetItem(f"{clock_words(boundary.wall_ms)}   {boundary.words}", self.boundaries)
            item.setSizeHint(QSize(0, ROW_PIXELS))
        self.model = QLineEdit(self)
        self.model.setObjectName("fork_model")
        self.model.setPlaceholderText("The same model")
        self.rules = QLineEdit(self)
        self.rules.setObjectName("fork_rules")
        self.rules.setPlaceholderText("The rules on record")
        self.note = QPlainTextEdit(self)
        self.note.setObjectName("fork_note")
        self.note.setAccessibleName("Note for the model")
        self.note.setPlaceholderText("Nothing is added when this is empty")
        self.note.setTabChangesFocus(True)
        self.note.setProperty("field", "true")
        self.stands = QLabel(self)
        self.stands.setWordWrap(True)
        self._build()
        self.boundaries.currentRowChanged.connect(self._on_chosen)
        self.boundaries.setCurrentRow(0)

    def _build(self) -> None:
        inside = QFrame(self)
        inside.setProperty("panel", "true")
        column = QVBoxLayout(inside)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        title = QLabel("Fork this run", inside)
        mark(title, role="title")
        column.addWidget(title)
        about = OutsideCanvas(inside)
        about.set_lines(
            [
                Line((Outside(self.offer.task, quoted=True),), label="Task"),
                Line((Outside(self.offer.model),), label="Model"),
            ]
        )
        column.addWidget(about)
        column.addWidget(_heading("From which boundary", inside))
        column.addWidget(self.boundaries, 1)
        column.addWidget(_heading("What is otherwise in the new run", inside))
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        form.addRow("Model", self.model)
        form.addRow("Rules of the run file", self._rules_row())
        column.addLayout(form)
        column.addWidget(_heading("Note for the model", inside))
        self.note.setFixedHeight(96)
        column.addWidget(self.note)
        column.addWidget(self.stands)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(12, 12, 12, 12)
        whole.setSpacing(8)
        whole.addWidget(inside, 1)
        whole.addLayout(self._buttons())

    def _rules_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        browse = QPushButton("Choose…", self)
        browse.setAutoDefault(False)
        browse.clicked.connect(self._on_browse)
        row.addWidget(self.rules, 1)
        row.addWidget(browse)
        return row

    def _buttons(self) -> QHBoxLayout:
        words = QLabel("The saved run stays as it is; the new one has a record of its own that names it", self)
        mark(words, role="secondary")
        self.leave_button = QPushButton("Close", self)
        self.start_button = QPushButton("Start the fork", self)
        self.start_button.setObjectName("fork_start")
        for button in (self.leave_button, self.start_button):
            button.setAutoDefault(False)
            button.setDefault(False)
        self.leave_button.clicked.connect(self.given_up)
        self.start_button.clicked.connect(self._on_start)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(words, 1)
        row.addWidget(self.leave_button)
        row.addWidget(self.start_button)
        return row

    @property
    def chosen(self) -> Boundary | None:
        """The boundary that is marked."""
        at = self.boundaries.currentRow()
        return self._newest_first[at] if 0 <= at < len(self._newest_first) else None

    def choose_before(self, seq: int) -> None:
        """Mark the newest boundary up to event `seq`; the oldest when there is none."""
        rows = [row for row, boundary in enumerate(self._newest_first) if boundary.seq <= seq]
        self.boundaries.setCurrentRow(rows[0] if rows else len(self._newest_first) - 1)

    def _on_chosen(self, _row: int) -> None:
        boundary = self.chosen
        self.start_button.setEnabled(boundary is not None)
        if boundary is None:
            return
        self.stands.setText(STANDS if boundary.after else NOTHING_AFTER)
        mark(self.stands, tone="hold" if boundary.after else "dim")
        if self.note.toPlainText() == self._own_note:
            self._own_note = boundary.warning
            self.note.setPlainText(boundary.warning)

    def _on_browse(self) -> None:
        dialog = QFileDialog(self, "Run file with the rules")
        dialog.setNameFilter("Run files (*.toml)")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self.rules.setText(str(Path(path))))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_start(self) -> None:
        if (boundary := self.chosen) is None:
            return
        self.start_button.setEnabled(False)
        self.wanted.emit(
            ForkAnswer(
                revision=boundary.revision,
                model=self.model.text().strip(),
                rules_from=self.rules.text().strip(),
                note=self.note.toPlainText().strip()[:NOTE_CHARS],
            )
        )


def _heading(words: str, parent: QWidget) -> QLabel:
    label = QLabel(words, parent)
    mark(label, role="heading")
    return label
