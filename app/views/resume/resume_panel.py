"""What the form holds: on the left the record and the answers, on the right the live page."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core.resuming import PageLook, ResumeAnswer, ResumeOffer
from app.views.resume.doubt_view import DoubtView
from app.views.resume.look_view import LookView
from app.views.resume.words import changed_lines, left_lines, unfinished_lines
from app.views.style import mark
from app.views.widgets.outside_text import OutsideCanvas
from app.views.widgets.text_flow import Line, Outside

BODY_WIDTH = 520
NOTE_ROWS_PIXELS = 64
NOTE_CHARS = 4000
GO_ON = "Resume run"
MISSING = "Say what became of each effect that may have happened"
READY = "The run goes on in the same record, as a new segment; the model is told what stands here"


class ResumePanel(QWidget):
    """Goes on only by a press of its button, and only when every effect in doubt has its answer.

    Signals:
        went_on: the answer, a `ResumeAnswer`.
        given_up: the run is to stay as it is.
    """

    went_on = Signal(object)
    given_up = Signal()

    def __init__(
        self, offer: ResumeOffer, look: PageLook | None, blob: Callable[[str], bytes], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("resume_panel")
        self.offer = offer
        self.doubts = [DoubtView(doubt, BODY_WIDTH, blob, self) for doubt in offer.left.in_doubt]
        self.look: LookView | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 12, 12, 12)
        row.setSpacing(12)
        row.addLayout(self._left(), 0)
        if look is not None and offer.start_url is not None:
            self.look = LookView(look, offer.left.page_url or offer.start_url, self)
            row.addWidget(self.look, 1)
        self._refresh()

    def _left(self) -> QVBoxLayout:
        inside = QFrame(self)
        inside.setProperty("panel", "true")
        column = QVBoxLayout(inside)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        title = QLabel("Resume this run", inside)
        mark(title, role="title")
        column.addWidget(title)
        for heading, lines in (
            ("As it was left", left_lines(self.offer)),
            ("What is otherwise", changed_lines(self.offer)),
            ("Calls without an output", unfinished_lines(self.offer)),
        ):
            if lines:
                column.addWidget(_heading(heading, inside))
                column.addWidget(_canvas(lines, inside))
        if self.doubts:
            column.addWidget(_heading("What may have happened", inside))
            for doubt in self.doubts:
                doubt.answered.connect(self._refresh)
                column.addWidget(doubt)
        self._add_places(column, inside)
        column.addWidget(_heading("Note for the model", inside))
        self.note = QPlainTextEdit(inside)
        self.note.setObjectName("resume_note")
        self.note.setAccessibleName("Note for the model")
        self.note.setPlaceholderText("Nothing is added when this is empty")
        self.note.setTabChangesFocus(True)
        self.note.setProperty("field", "true")
        self.note.setFixedHeight(NOTE_ROWS_PIXELS)
        column.addWidget(self.note)
        column.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFixedWidth(BODY_WIDTH + 32 + 14)
        whole = QVBoxLayout()
        whole.setSpacing(8)
        whole.addWidget(scroll, 1)
        whole.addLayout(self._buttons())
        return whole

    def _add_places(self, column: QVBoxLayout, inside: QWidget) -> None:
        self.places: list[tuple[QRadioButton, str]] = []
        start, last = self.offer.start_url, self.offer.left.page_url
        if start is None:
            return
        column.addWidget(_heading("Where the browser opens", inside))
        group = QButtonGroup(inside)
        both = [("Where the run began", start), ("Where it stood last", last)]
        for words, url in both if last and last != start else both[:1]:
            button = QRadioButton(words, inside)
            group.addButton(button)
            column.addWidget(button)
            column.addWidget(_canvas([Line((Outside(url, quoted=True),), label="")], inside))
            self.places.append((button, url))
        self.places[0][0].setChecked(True)

    def _buttons(self) -> QHBoxLayout:
        self.ready = QLabel(self)
        self.ready.setWordWrap(True)
        mark(self.ready, role="secondary")
        self.leave_button = QPushButton("Leave it", self)
        self.leave_button.setObjectName("resume_leave")
        self.go_button = QPushButton(GO_ON, self)
        self.go_button.setObjectName("resume_go")
        for button in (self.leave_button, self.go_button):
            button.setAutoDefault(False)
            button.setDefault(False)
        self.leave_button.clicked.connect(self.given_up)
        self.go_button.clicked.connect(self._on_go)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.ready, 1)
        row.addWidget(self.leave_button)
        row.addWidget(self.go_button)
        return row

    @property
    def answer(self) -> ResumeAnswer:
        """What has been said so far."""
        chosen = next((url for button, url in self.places if button.isChecked()), None)
        return ResumeAnswer(
            found={doubt.doubt.place: doubt.found for doubt in self.doubts if doubt.found is not None},
            note=self.note.toPlainText().strip()[:NOTE_CHARS],
            start_url=chosen if chosen != self.offer.start_url else None,
        )

    def close_down(self) -> None:
        """End what works beside the window."""
        if self.look is not None:
            self.look.close_down()

    def _refresh(self) -> None:
        ready = self.answer.covers(self.offer.left.in_doubt)
        self.go_button.setEnabled(ready)
        self.ready.setText(READY if ready else MISSING)
        mark(self.ready, tone="dim" if ready else "hold")

    def _on_go(self) -> None:
        if (answer := self.answer).covers(self.offer.left.in_doubt):
            self.go_button.setEnabled(False)
            self.went_on.emit(answer)


def _heading(words: str, parent: QWidget) -> QLabel:
    label = QLabel(words, parent)
    mark(label, role="heading")
    return label


def _canvas(lines: list[Line], parent: QWidget) -> OutsideCanvas:
    canvas = OutsideCanvas(parent)
    canvas.set_lines(lines)
    canvas.fix_width(BODY_WIDTH)
    return canvas
