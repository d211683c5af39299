"""The modal card: one ask, four answers, given at most once. Everything but a deliberate press of Allow is a denial."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QCloseEvent,
    QKeyEvent,
    QMouseEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from app.core.ask import Ask, DenyEffect
from app.core.decision import Answer, Verdict
from app.core.describe import ask_title, deny_effect
from app.core.live import LiveFrame
from app.views.decision.age_line import AgeLine
from app.views.decision.ask_body import AskBody
from app.views.decision.buttons import AllowButton, Arming, Clock, DecisionButton
from app.views.decision.facts import place_words
from app.views.decision.for_run import ForRunRow
from app.views.decision.own_answer import ROOM, OwnAnswer
from app.views.decision.queue_list import QueueList, Waiting
from app.views.seal import MEANING, seal
from app.views.stop_all import put_key
from app.views.style import colour, theme
from app.views.theme import Tone

WIDTH = 620
_SIDE, _TOP = 24, 20
_BODY_WIDTH = WIDTH - 2 * _SIDE
_EDGE = 4
_GAP = 8
_NOTE_CHARS = 2000
_AGE_EVERY_MS = 500
_TALLEST, _WITHOUT_BODY = 900, 260
"""Pixels of the tallest card, and of what stands around its body."""
_FLAGS = (
    Qt.WindowType.Dialog
    | Qt.WindowType.CustomizeWindowHint
    | Qt.WindowType.WindowTitleHint
    | Qt.WindowType.WindowCloseButtonHint
)

KEYBOARD_WORDS = "By keyboard: Tab to Allow once, then press and let go of Ctrl+Enter. Esc is Deny"
NOTE_SENT = "What the model should know: it reads this with the denial"
NOTES_KEPT: dict[DenyEffect, str] = {
    "run_ends": "Kept on record with the denial; the run ends, and the model is not told",
    "waits_for_whole_answer": "Kept on record with the denial; the model is not told",
}


class Card(QDialog):
    """Asks one question. Opened with `open`, answered once, deleted when it closes.

    Signals:
        answered: the answer that was given, from inside the press that gave it; at most once.
        other_wanted: the id of another question that is to be shown instead.
    """

    answered = Signal(object)
    other_wanted = Signal(str)

    def __init__(
        self,
        ask: Ask,
        parent: QWidget,
        *,
        blob: Callable[[str], bytes],
        live: Callable[[], LiveFrame | None] = lambda: None,
        clock: Clock | None = None,
        call_place: tuple[int, int] | None = None,
        asked_ns: int | None = None,
    ) -> None:
        """`blob` reads a stored picture in another thread; `live` gives the newest live frame.

        `asked_ns`: when the question was asked, by the clock; it may have waited behind others. None means now.

        Raises:
            ValueError: the ask cannot be shown as it was asked.
        """
        super().__init__(parent, _FLAGS)
        self.ask = ask
        self._clock = clock if clock is not None else Clock()
        self._blob = blob
        self._live = live
        self._asked_ns = asked_ns if asked_ns is not None else self._clock.mono_ns()
        self._settled = False
        self._was_painted = False
        self._note: QLineEdit | None = None
        self._value: OwnAnswer | None = None
        self.setWindowTitle("Signalbox asks")
        self.setAccessibleName(ask_title(ask))
        self.setObjectName("card")
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.arming = Arming(self._clock, self)
        self.body = AskBody(ask, _BODY_WIDTH, with_ticks=True, parent=self)
        self._build(call_place)
        self.arming.changed.connect(self._refresh)
        self.body.changed.connect(self._refresh)
        if self.body.offer is not None:
            self.body.offer.picked.connect(self._on_picked)
        self._age_timer = QTimer(self)
        self._age_timer.timeout.connect(self._tell_age)
        self._age_timer.start(_AGE_EVERY_MS)
        self._tell_age()
        self._refresh()
        self.setFocus()
        put_key(self)

    def _build(self, call_place: tuple[int, int] | None) -> None:
        box = QVBoxLayout(self)
        box.setContentsMargins(0, _EDGE + _TOP - 4, 0, 16)
        box.setSpacing(_GAP)
        box.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
        head = _row()
        head.addWidget(_label(ask_title(self.ask), role="title", parent=self))
        head.addStretch(1)
        self.place = _label(place_words(self.ask, call_place), role="secondary", parent=self)
        head.addWidget(self.place)
        self.queue = _label("", role="secondary", parent=self)
        self.queue.hide()
        head.addWidget(self.queue)
        box.addLayout(head)
        waiting = _row()
        self.others = QueueList(self)
        self.others.chosen.connect(self._on_other_chosen)
        waiting.addWidget(self.others)
        box.addLayout(waiting)
        self.for_run = self._for_run_row()
        box.addLayout(self._body_row())
        aged = _row()
        self.age = AgeLine(self.ask, self._asked_ns, self._clock, blob=self._blob, live=self._live, parent=self)
        aged.addWidget(self.age)
        aged.addStretch(1)
        scale = self.body.crop.cut.words if self.body.crop is not None else ""
        self.scale = _label(scale, role="secondary", parent=self)
        aged.addWidget(self.scale)
        box.addLayout(aged)
        told = _row()
        self.deny_words = _label(deny_effect(self.ask), role="secondary", parent=self)
        told.addWidget(self.deny_words)
        told.addStretch(1)
        self.expiry = _label("", role="secondary", parent=self)
        told.addWidget(self.expiry)
        box.addLayout(told)
        self._note_row = _row()
        box.addLayout(self._note_row)
        if self.for_run is not None:
            row = _row()
            row.addWidget(self.for_run)
            box.addLayout(row)
        box.addLayout(self._button_row())
        foot = _row()
        self.state = _label("", role="secondary", parent=self)
        foot.addWidget(self.state, 1)
        self.seal = _label(seal(), role="secondary", parent=self)
        self.seal.setToolTip(MEANING)
        foot.addWidget(self.seal)
        box.addLayout(foot)

    def _body_row(self) -> QHBoxLayout:
        """The body as it is, or behind a scroll bar when the screen is too low for it."""
        height = self.body.sizeHint().height()
        self.body.setFixedHeight(height)
        around = _WITHOUT_BODY + (self.for_run.sizeHint().height() + _GAP if self.for_run is not None else 0)
        around += ROOM if self.ask.own_value and self.ask.output_schema is not None else 0
        most = max(160, min(self.screen().availableGeometry().height(), _TALLEST) - around)
        self.scrolls = height > most
        row = QHBoxLayout()
        if not self.scrolls:
            row.setContentsMargins(_SIDE, 0, _SIDE, 0)
            row.addWidget(self.body)
            return row
        holder = QScrollArea(self)
        holder.setFrameShape(QScrollArea.Shape.NoFrame)
        holder.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        holder.setViewportMargins(_SIDE, 0, 0, 0)
        holder.setWidget(self.body)
        self.body.setAutoFillBackground(False)
        holder.setFixedSize(WIDTH, most)
        holder.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if self.for_run is not None:
            # It was made first, to be measured; by Tab it still comes after what stands above it.
            self.for_run.come_after(holder)
        row.addWidget(holder)
        return row

    def _button_row(self) -> QHBoxLayout:
        row = _row()
        self.stop_button = self._button("Stop run", "text", lambda: self._answer("stop"))
        self.note_button = self._button("Deny with a note…", "danger", self._on_note_chosen)
        self.deny_button = self._button("Deny", "danger", lambda: self._answer("deny"))
        self.allow_button = AllowButton("Allow once", "clear", self)
        self.allow_button.chosen.connect(lambda: self._answer("allow"))
        row.addWidget(self.stop_button)
        self.value_button = self._button("Answer yourself…", "text", self._on_value_chosen)
        self.value_button.setVisible(self.ask.own_value)
        row.addWidget(self.value_button)
        row.addStretch(1)
        for button in (self.note_button, self.deny_button, self.allow_button):
            row.addWidget(button)
        return row

    def _for_run_row(self) -> ForRunRow | None:
        if self.ask.scope is None:
            return None
        offered = ForRunRow(self.ask.scope, _BODY_WIDTH, self)
        offered.words.end_seen.connect(self._refresh)
        offered.chosen.connect(lambda: self._answer("allow", for_run=True))
        return offered

    def _button(self, words: str, tone: Tone, do: Callable[[], None]) -> DecisionButton:
        button = DecisionButton(words, tone, self)
        button.chosen.connect(do)
        return button

    def show_queue(self, others: Sequence[Waiting]) -> None:
        """Say that `others` wait too, the riskiest first; nothing when there are none."""
        self.queue.setText(f" · 1 of {1 + len(others)} waiting")
        self.queue.setVisible(bool(others))
        taken = self.sizeHint().height() - (self.others.height() if self.others.isVisibleTo(self) else 0)
        self.others.show_others(others, self.screen().availableGeometry().height() - taken)

    def _on_other_chosen(self, ask_id: str) -> None:
        """Another question is to be looked at first; this one stays unanswered."""
        if not self._settled and self.arming.armed:
            self.other_wanted.emit(ask_id)

    def withdraw(self) -> None:
        """Close without an answer: the ask was settled elsewhere. A press that comes after it counts for nothing."""
        self._settled = True
        self.done(QDialog.DialogCode.Rejected)

    def may_allow(self) -> bool:
        """Whether a press of Allow counts now."""
        return not self._settled and self.arming.armed and self.body.unseen() is None

    def _answer(self, verdict: Verdict, *, for_run: bool = False) -> None:
        if self._settled or not self.arming.armed or (verdict == "allow" and not self.may_allow()):
            return
        if for_run and (self.for_run is None or not self.for_run.words.has_seen_end()):
            return
        self._settle(verdict, for_run=for_run)

    def _on_picked(self, candidate_id: str) -> None:
        """Nothing is done for this question; the next one is about the candidate that was picked."""
        if not self._settled and self.arming.armed:
            self._settle("deny", picked=candidate_id)

    def _settle(self, verdict: Verdict, **more: Any) -> None:
        """`more`: fields of the answer."""
        self._settled = True
        note = self._note.text() if self._note is not None and verdict == "deny" else ""
        answer = Answer(verdict=verdict, by="person", note=note, shown_digest=self.body.shown_digest, **more)
        self._refresh()
        self.answered.emit(answer)
        self.done(QDialog.DialogCode.Rejected)

    def _on_note_chosen(self) -> None:
        if self._note is not None:
            self._answer("deny")
        elif self.arming.armed and not self._settled:
            self._note = QLineEdit(self)
            self._note.setAccessibleName("Note to the model")
            self._note.setPlaceholderText(NOTES_KEPT.get(self.ask.on_deny, NOTE_SENT))
            self._note.setMaxLength(_NOTE_CHARS)
            self._note_row.addWidget(self._note)
            self._note.show()
            self.note_button.setText("Deny with this note")
            self.deny_button.hide()
            self.value_button.hide()
            self._note.setFocus()

    def _on_value_chosen(self) -> None:
        if self._settled or not self.arming.armed:
            return
        if self._value is None:
            room = max(ROOM, self.screen().availableGeometry().height() - self.sizeHint().height())
            self._value = OwnAnswer(self.ask.output_schema, room, self)
            self._note_row.addWidget(self._value)
            self._value.show()
            self.value_button.setText("Give this answer")
            self.note_button.hide()
            self._value.start()
        elif self._value.fits():
            self._settle("deny", value=self._value.text())

    def _refresh(self) -> None:
        ready = self.arming.armed and not self._settled
        for button in (self.stop_button, self.value_button, self.note_button, self.deny_button):
            button.setEnabled(ready)
        if self.body.offer is not None:
            self.body.offer.set_ready(ready)
        unseen = self.body.unseen()
        self.allow_button.setEnabled(ready and unseen is None)
        if self.for_run is not None:
            self.for_run.button.setEnabled(ready and unseen is None and self.for_run.words.has_seen_end())
        if not self.isActiveWindow() and self.isVisible():
            words = "Click here first: this window does not have the keyboard yet"
        elif not self.arming.armed:
            words = "Takes an answer in half a second"
        else:
            words = KEYBOARD_WORDS if unseen is None else f"Allow is off: {unseen}"
        self.state.setText(words)

    def _tell_age(self) -> None:
        if self.ask.expires_secs is not None:
            left = self.ask.expires_secs - (self._clock.mono_ns() - self._asked_ns) / 1e9
            self.expiry.setText(f"Denied by itself in {max(0, math.ceil(left))} s")
        self.age.tell()

    def _restart_arming(self) -> None:
        if self.isVisible() and self.isActiveWindow():
            self.arming.restart()
        else:
            self.arming.stop()
        self._refresh()

    def reject(self) -> None:
        """Esc is Deny, once the card takes answers."""
        self._answer("deny")

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._settled:
            self._settle("deny")
        super().closeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._restart_arming()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._restart_arming()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            self._restart_arming()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # Without a window manager a click gives no window the keyboard; then the card would never take an answer.
        if not self.isActiveWindow():
            self.activateWindow()
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not event.isAutoRepeat():
            super().keyPressEvent(event)
        else:
            # A letter, Enter or Space that reached no field does nothing at all.
            event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().panel)
        painter.fillRect(0, 0, self.width(), _EDGE, colour("hold"))
        painter.end()
        if not self._was_painted:
            self._was_painted = True
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))
            # Only now: a second thread would take turns from the card's first paint.
            QTimer.singleShot(0, self, lambda: self.body.read_picture(self._blob))


def _row() -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(_SIDE, 0, _SIDE, 0)
    row.setSpacing(8)
    return row


def _label(words: str, *, role: str, parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", role)
    label.setText(words)
    return label
