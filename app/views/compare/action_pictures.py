"""The screen before and after the action at the cursor, with its aim; or a pinned picture beside any other."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialog, QPushButton, QVBoxLayout, QWidget

from app.core import describe
from app.core.timeline import Frame
from app.core.untrusted import beginning
from app.replay.cursor import Seek
from app.replay.pairs import ActionPair, AfterIs, next_action, pair_at, previous_action
from app.views.compare.pair_panel import PairPanel
from app.views.compare.picture_pair import Side
from app.views.compare.sides import marks_of, side_of
from app.views.models.timeline_model import TimelineModel
from app.views.room import begin_at
from app.views.stage.marks import Marks
from app.views.stage.subject import recorded_words
from app.views.style import mark
from app.views.widgets.elided_label import ElidedLabel

FIRST_WIDTH, FIRST_HEIGHT = 1100, 620
MOST_NAME_CHARS = 80

AFTER: dict[AfterIs, str] = {
    "later": "after",
    "next_ask": "after · shown with the next ask",
    "as_it_ended": "after · the newest as it ended",
}

NO_ACTION = "No action had been asked about or begun by then. Move on along the timeline."
NO_BEFORE = "No picture from before it is on record."
NO_AFTER = "No picture from after it is on record."
NOTHING_DONE = "Nothing was done, so nothing came after it."


class ActionPictures(QDialog):
    """Stays beside the run's window and follows its cursor; closing the window closes it."""

    def __init__(self, model: TimelineModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("action_pictures")
        self.setWindowTitle("Before and after")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(False)
        begin_at(self, FIRST_WIDTH, FIRST_HEIGHT)
        self._model = model
        self._pinned: Frame | None = None
        self.head = ElidedLabel(parent=self)
        mark(self.head, role="strong")
        self.back = QPushButton("Action before", self)
        self.on = QPushButton("Next action", self)
        self.pin = QPushButton("Pin this picture", self)
        self.panel = PairPanel(self)
        self._set_up()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self.refresh)
        model.moment_changed.connect(self._soon.start)
        self.finished.connect(self._on_finished)
        self.refresh()

    def _set_up(self) -> None:
        for button, name, purpose, slot in (
            (self.back, "previous_action", "To where the action before began", self.to_previous),
            (self.on, "next_action", "To where the next action begins", self.to_next),
            (self.pin, "pin_picture", "Keep the picture of the cursor's place beside whatever comes", self.toggle_pin),
        ):
            button.setObjectName(f"button_{name}")
            button.setToolTip(purpose)
            button.setAutoDefault(False)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.clicked.connect(lambda _checked=False, slot=slot: slot())
        for button in (self.back, self.on, self.pin):
            self.panel.modes.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.head)
        column.addWidget(self.panel, 1)

    def to_previous(self) -> None:
        """Move the run's cursor to where the action before began."""
        if (seq := previous_action(self._model.timeline, self._model.seq)) is not None:
            self._model.do(Seek(seq))

    def to_next(self) -> None:
        """Move the run's cursor to where the next action begins."""
        if (seq := next_action(self._model.timeline, self._model.seq)) is not None:
            self._model.do(Seek(seq))

    def toggle_pin(self) -> None:
        """Keep the picture of the moment at the left, or show actions again."""
        self._pinned = None if self._pinned is not None else self._model.moment.frame
        self.refresh()

    def refresh(self) -> None:
        """Show what belongs to the moment."""
        timeline, seq = self._model.timeline, self._model.seq
        self.back.setEnabled(previous_action(timeline, seq) is not None)
        self.on.setEnabled(next_action(timeline, seq) is not None)
        self.pin.setText("Unpin" if self._pinned is not None else "Pin this picture")
        self.pin.setEnabled(self._pinned is not None or self._model.moment.frame is not None)
        if self._pinned is not None:
            self._show_pinned(self._pinned)
        elif (pair := pair_at(timeline, seq)) is not None:
            self._show_pair(pair)
        else:
            self.head.say(f"event {seq:,}")
            self.panel.show_sides(Side("", words=NO_ACTION), Side("", words=""), ("before", "after"))

    def _show_pair(self, pair: ActionPair) -> None:
        pictures = self._model.pictures
        phrase = describe.member_phrase(pair.source, pair.member)
        name = phrase or f"Call {beginning(pair.member, MOST_NAME_CHARS)}"
        self.head.say(f"event {pair.seq:,} · {name} · {_outcome_words(pair)}")
        before = side_of(pictures, pair.before, marks_of(pair.ask, target=True), NO_BEFORE)
        missing = NO_AFTER if pair.started else NOTHING_DONE
        after = side_of(pictures, pair.after, marks_of(pair.ask, target=False), missing)
        asked = pair.ask is not None and pair.ask.evidence.picture is not None
        words = "before · shown with the ask" if asked else "before · the newest on record by then"
        later = AFTER[pair.after_is]
        same = " · the very same picture" if pair.after is not None and after.key == before.key else ""
        self.panel.show_sides(before, after, (words, later + same))

    def _show_pinned(self, pinned: Frame) -> None:
        frame, pictures = self._model.moment.frame, self._model.pictures
        self.head.say(f"event {pinned.seq:,} beside event {self._model.seq:,}")
        left = side_of(pictures, pinned.picture, Marks(), NO_BEFORE)
        right = side_of(pictures, frame.picture if frame is not None else None, Marks(), NO_AFTER)
        words = recorded_words(frame) if frame is not None else ""
        same = " · the very same picture" if right.key == left.key else ""
        self.panel.show_sides(left, right, (f"pinned · {recorded_words(pinned)}", words + same))

    def _on_finished(self, result: int) -> None:
        self._model.moment_changed.disconnect(self._soon.start)
        self._soon.stop()
        self.panel.close_down()


def _outcome_words(pair: ActionPair) -> str:
    if pair.outcome is not None:
        return describe.OUTCOMES[pair.outcome]
    return "no end on record" if pair.started else "asked about, never begun"
