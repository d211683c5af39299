"""The ask of the moment as it was shown, and its answer. Nothing here can be pressed."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.core import describe
from app.core.settle import FOUND_WORDS
from app.core.timeline import AskRecord
from app.core.untrusted import beginning
from app.views.decision.ask_body import AskBody
from app.views.models.timeline_model import TimelineModel
from app.views.stage.subject import clock_words
from app.views.style import mark
from app.views.theme import Tone
from app.views.timeline.dots import CALL_TONES

EMPTY = "Each question of the run appears here as it was shown, with its answer."
SETTLES_MS = 80
"""Questions that are scrubbed past are not built, and while the panel is being resized none is built anew."""
MOST_NOTE_CHARS = 2000


class AskPanel(QWidget):
    """Shows the newest ask at the cursor; what it says about the answer is what was known there.

    Signals:
        summary_changed: which ask of how many it is, in words.
    """

    summary_changed = Signal(str)

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("ask_panel")
        self.setAccessibleName("Ask as it was shown")
        self._model = model
        self._record: AskRecord | None = None
        self.body: AskBody | None = None
        self.title = _label(self, "ask_title")
        self.answer = _label(self, "ask_answer")
        self.note = _label(self, "ask_note")
        self.became = _label(self, "ask_became")
        mark(self.title, role="strong")
        mark(self.note, role="secondary")
        mark(self.became, role="secondary")
        self._inside = QWidget(self)
        self._inside.setProperty("bare", True)
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(12, 0, 12, 12)
        self._column.setSpacing(6)
        for label in (self.title, self.answer, self.note, self.became):
            self._column.addWidget(label)
        self._column.addStretch(1)
        self.holder = QScrollArea(self)
        self.holder.setAccessibleName("The question in full")
        self.holder.setFrameShape(QFrame.Shape.NoFrame)
        self.holder.setWidgetResizable(True)
        self.holder.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.holder.setWidget(self._inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.holder)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.timeout.connect(self._on_settled)
        model.moment_changed.connect(self.refresh)
        self._say_title()
        self.refresh()

    @property
    def summary(self) -> str:
        """For the title line."""
        asked = self._model.moment.asked
        timeline = self._model.timeline
        return f"{asked} of {len(timeline.asks) - len(timeline.steps)}" if asked else ""

    def refresh(self) -> None:
        """Show the newest ask at the cursor."""
        record = self._model.timeline.asks.last(self._model.seq)
        if record is not self._record:
            self._record = record
            self._say_title()
            self._drop_body()
            self._settle.start(SETTLES_MS)
        self._say_answer()
        self.summary_changed.emit(self.summary)

    @property
    def busy(self) -> bool:
        """Whether the question itself is still to come."""
        return self._settle.isActive()

    def _say_title(self) -> None:
        if self._record is None:
            mark(self.title, role="secondary")
            self._say(self.title, EMPTY, "dim")
        else:
            mark(self.title, role="strong")
            self._say(self.title, describe.ask_title(self._record.ask), "text")

    def _drop_body(self) -> None:
        if self.body is not None:
            self._column.removeWidget(self.body)
            self.body.hide()
            self.body.deleteLater()
            self.body = None

    def _build_body(self) -> None:
        self._drop_body()
        if self._record is None:
            return
        ask = self._record.ask
        try:
            self.body = AskBody(ask, self._width(), with_ticks=False, parent=self._inside)
        except ValueError:
            self._say(self.title, "This question does not match its record and is not shown", "danger")
            return
        self.body.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._column.insertWidget(self._column.count() - 1, self.body)
        self.body.read_picture(self._model.blobs.blob)

    def _width(self) -> int:
        return max(160, self.holder.viewport().width() - 24)

    def _say_answer(self) -> None:
        record, seq = self._record, self._model.seq
        for label in (self.answer, self.note, self.became):
            label.setVisible(False)
        if record is None:
            return
        decision = record.decision if record.decided_seq is not None and record.decided_seq <= seq else None
        if decision is None:
            dropped = record.dropped_seq is not None and record.dropped_seq <= seq
            unanswered = dropped or self._model.moment.over
            self._say(self.answer, "no decision was made" if unanswered else "waiting for an answer", "hold")
            return
        when = self._model.timeline.events.between((record.decided_seq or 0) - 1, record.decided_seq or 0)
        at = f" · {clock_words(when[0].wall_ms)}" if when else ""
        waited = f" · after {decision.waited_ms / 1000:.1f} s" if decision.waited_ms else ""
        words = (
            describe.step_answer(record.ask.step, decision) if record.ask.step else describe.decision_words(decision)
        )
        self._say(self.answer, f"{words}{at}{waited}", _tone(decision.allowed))
        said = [f"Reason: {beginning(decision.reason, MOST_NOTE_CHARS)}"] if decision.reason else []
        said += [f"Note to the model: “{beginning(decision.note, MOST_NOTE_CHARS)}”"] if decision.note else []
        if decision.value is not None:
            said += [f"Given in its place: “{beginning(decision.value, MOST_NOTE_CHARS)}”"]
        if said:
            self._say(self.note, "\n".join(said), "dim")
        call = self._model.timeline.call(record.ask.call_id)
        if call is not None and decision.allowed and record.ask.step is None:
            state = self._model.moment.state_of(call)
            found = [
                one.found for one in self._model.timeline.reconciled.upto(seq) if one.call_id == record.ask.call_id
            ]
            word = f" · {FOUND_WORDS[found[-1]]}" if found else ""
            self._say(self.became, f"The call: {describe.CALL_STATES[state]}{word}", CALL_TONES[state])

    def _on_settled(self) -> None:
        if self.body is None or self.body.width() != self._width():
            self._build_body()

    @staticmethod
    def _say(label: QLabel, words: str, tone: Tone) -> None:
        label.setText(words)
        mark(label, tone=tone)
        label.setVisible(True)

    def close_down(self) -> None:
        """Build nothing more."""
        self._settle.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._settle.start(SETTLES_MS)


def _label(parent: QWidget, name: str) -> QLabel:
    label = QLabel(parent)
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label


def _tone(allowed: bool) -> Tone:
    return "clear" if allowed else "danger"
