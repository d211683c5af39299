"""The modal card: one ask, four answers, given at most once. Everything but a deliberate press of Allow is a denial."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QCloseEvent,
    QMouseEvent,
    QMoveEvent,
    QPaintEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from app.core.ask import Ask, DenyEffect
from app.core.decision import Answer, Verdict
from app.core.describe import ask_title, deny_effect
from app.core.live import LiveFrame
from app.views.decision.buttons import Arming, Clock, DecisionButton, PressedOff
from app.views.decision.card_frame import TITLE_BAR, CardFrame
from app.views.decision.facts import place_words
from app.views.decision.for_run import ForRunRow
from app.views.decision.own_answer import ROOM, OwnAnswer
from app.views.decision.queue_list import Waiting

_NOTE_CHARS = 2000
_AGE_EVERY_MS = 500
LEAVES_AFTER_MS = 8
"""So long an answered card stands still: half a frame, in which the run has its answer recorded and begins to act."""

KEYBOARD_WORDS = "By keyboard: Tab to Allow once, then press and let go of Ctrl+Enter. Esc is Deny"
NOTE_SENT = "What the model should know: it reads this with the denial"
NOTES_KEPT: dict[DenyEffect, str] = {
    "run_ends": "Kept on record with the denial; the run ends, and the model is not told",
    "waits_for_whole_answer": "Kept on record with the denial; the model is not told",
}


class Card(CardFrame):
    """Asks one question. Made ahead, given its question by `put`, opened with `open`, answered once, deleted.

    Signals:
        answered: the answer that was given, from inside the press that gave it; at most once.
        other_wanted: the id of another question that is to be shown instead.
        seen: it has been painted for the first time.

    A card may stand before its question is on record. It then takes no answer, neither a press nor a key nor being
    closed, until `now_held`.
    """

    answered = Signal(object)
    other_wanted = Signal(str)
    seen = Signal()

    def __init__(
        self,
        parent: QWidget,
        *,
        blob: Callable[[str], bytes],
        live: Callable[[], LiveFrame | None] = lambda: None,
        clock: Clock | None = None,
    ) -> None:
        """`blob` reads a stored picture in another thread; `live` gives the newest live frame."""
        self._ask: Ask | None = None
        self._clock = clock if clock is not None else Clock()
        self._blob = blob
        self._live = live
        self._asked_ns = 0
        self._settled = False
        self.was_painted = False
        """Whether it has been on the screen."""
        self._was_seen = False
        """Whether its first pass of painting is over, too."""
        self.is_held = False
        """Whether its question is on record and waits for an answer."""
        self._next = ""
        self._note: QLineEdit | None = None
        self._value: OwnAnswer | None = None
        self.for_run: ForRunRow | None = None
        super().__init__(parent, self._clock)
        self.arming = Arming(self._clock, self)
        self.arming.changed.connect(self._refresh)
        self._pressed_off = PressedOff(self)
        self._pressed_off.pressed.connect(self._on_pressed_off)
        self._age_timer = QTimer(self)
        self._age_timer.timeout.connect(self._tell_age)
        self.others.chosen.connect(self._on_other_chosen)
        self.stop_button.chosen.connect(lambda: self._answer("stop"))
        self.value_button.chosen.connect(self._on_value_chosen)
        self.note_button.chosen.connect(self._on_note_chosen)
        self.deny_button.chosen.connect(lambda: self._answer("deny"))
        self.allow_button.chosen.connect(lambda: self._answer("allow"))

    @property
    def ask(self) -> Ask:
        """The question. There is one from `put` on."""
        assert self._ask is not None
        return self._ask

    def put(
        self,
        ask: Ask,
        *,
        call_place: tuple[int, int] | None = None,
        asked_ns: int | None = None,
        held: bool = True,
    ) -> None:
        """Be the card of this question; once.

        `asked_ns`: when the question was asked, by the clock; it may have waited behind others. None means now.
        `held`: its question is on record and waits; otherwise the card takes no answer before `now_held`.

        Raises:
            ValueError: the ask cannot be shown as it was asked.
        """
        if self._ask is not None:
            raise RuntimeError("a card asks one question only")
        self.body.put(ask)
        self._ask = ask
        self.is_held = held
        self._asked_ns = asked_ns if asked_ns is not None else self._clock.mono_ns()
        self.setAccessibleName(ask_title(ask))
        self.title.setText(ask_title(ask))
        self.place.setText(place_words(ask, call_place))
        self.scale.setText(self.body.crop.cut.words if self.body.crop is not None else "")
        self.deny_words.setText(deny_effect(ask))
        if ask.own_value:
            self.value_button.show()
        self.age.ask_about(ask, self._asked_ns, blob=self._blob, live=self._newest)
        if ask.scope is not None:
            self.for_run = self._for_run_row
            self.for_run.offer(ask.scope)
            self.for_run.words.end_seen.connect(self._refresh)
            self.for_run.chosen.connect(lambda: self._answer("allow", for_run=True))
        room = ROOM if ask.own_value and ask.output_schema is not None else 0
        self._fit_body(room, with_for_run=self.for_run is not None)
        self.body.changed.connect(self._refresh)
        if self.body.offer is not None:
            self.body.offer.picked.connect(self._on_picked)
        self._tell_age()
        self._refresh()
        self.setFocus()
        self._lay_out()

    def show_queue(self, others: Sequence[Waiting]) -> None:
        """Say that `others` wait too, the riskiest first; nothing when there are none."""
        before = self.sizeHint().height()
        self.queue.setText(f" · 1 of {1 + len(others)} waiting")
        self.queue.setVisible(bool(others))
        stands = self.others.isVisibleTo(self) or self.others.keeps_its_place
        taken = self.sizeHint().height() - (self.others.height() if stands else 0)
        self.others.show_others(others, self._screen_height() - TITLE_BAR - taken)
        self._make_room()
        if self.sizeHint().height() != before:
            # The answers stand elsewhere now: a press on its way to one of them would land on another.
            self._restart_arming()

    def _on_other_chosen(self, ask_id: str) -> None:
        """Another question is to be looked at first; this one stays unanswered."""
        if not self._settled and self.arming.armed:
            self.other_wanted.emit(ask_id)

    def say_next(self, words: str) -> None:
        """What follows once this is answered: the keys for that work here too, and answer nothing."""
        if words != self._next:
            self._next = words
            self._refresh()
            if words:
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    def now_held(self) -> None:
        """Its question is on record and waits: the half second before it takes an answer begins no sooner than now."""
        self.is_held = True
        self._restart_arming()
        self._refresh()
        if self.was_painted:
            self._on_asked()

    def withdraw(self) -> None:
        """Close without an answer: the ask was settled elsewhere. A press that comes after it counts for nothing."""
        self._settled = True
        self.done(QDialog.DialogCode.Rejected)

    def may_allow(self) -> bool:
        """Whether a press of Allow counts now."""
        return not self._settled and self.arming.counts() and self.body.unseen() is None

    def _answer(self, verdict: Verdict, *, for_run: bool = False) -> None:
        if self._settled or not self.arming.armed or (verdict == "allow" and not self.may_allow()):
            return
        if for_run and (self.for_run is None or not self.for_run.words.has_seen_end()):
            return
        self._settle(verdict, for_run=for_run)

    def _on_pressed_off(self) -> None:
        """Whoever clicks on through a fresh card has not read it: the half second is one without a press."""
        if not self._settled and not self.arming.armed:
            self._restart_arming()

    def _on_picked(self, candidate_id: str) -> None:
        """Nothing is done for this question; the next one is about the candidate that was picked."""
        if not self._settled and self.arming.armed:
            self._settle("deny", picked=candidate_id)

    def _settle(self, verdict: Verdict, **more: Any) -> None:
        """`more`: fields of the answer."""
        self._settled = True
        note = self._note.text() if self._note is not None and verdict == "deny" else ""
        answer = Answer(verdict=verdict, by="person", note=note, shown_digest=self.body.shown_digest, **more)
        # First to whoever waits for it: closing takes longer than the answer's way to the run, and from its turns.
        self.answered.emit(answer)
        QTimer.singleShot(LEAVES_AFTER_MS, self, self.leave)

    def leave(self) -> None:
        """Go from the screen, answered."""
        if self.isVisible():
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
            self._make_room()
            self._note.setFocus()

    def _on_value_chosen(self) -> None:
        if self._settled or not self.arming.armed:
            return
        if self._value is None:
            room = max(ROOM, self._screen_height() - self.sizeHint().height())
            self._value = OwnAnswer(self.ask.output_schema, room, self)
            self._note_row.addWidget(self._value)
            self._value.show()
            self.value_button.setText("Give this answer")
            self.note_button.hide()
            # The form needs the room, and whoever writes another answer does not allow the like of it.
            self._for_run_row.hide()
            self._make_room()
            self._value.start()
        elif self._value.fits():
            self._settle("deny", value=self._value.text())

    def _refresh(self) -> None:
        if self._ask is None:
            return
        ready = self.arming.armed and not self._settled
        for button in (self.stop_button, self.value_button, self.note_button, self.deny_button):
            button.setEnabled(ready)
        if self.body.offer is not None:
            self.body.offer.set_ready(ready)
        unseen = self.body.unseen()
        self.allow_button.setEnabled(ready and unseen is None)
        if self.for_run is not None:
            self.for_run.button.setEnabled(ready and unseen is None and self.for_run.words.has_seen_end())
        if self._was_seen and not self.isActiveWindow() and self.isVisible():
            words = "Click here first: this window does not have the keyboard yet"
        elif not self.is_held:
            words = "Takes an answer once the question is on record"
        elif not self.arming.armed:
            words = "Takes an answer in half a second"
        else:
            words = (self._next or KEYBOARD_WORDS) if unseen is None else f"Allow is off: {unseen}"
        self.state.setText(words)

    def _tell_age(self) -> None:
        if self.ask.expires_secs is not None:
            left = self.ask.expires_secs - (self._clock.mono_ns() - self._asked_ns) / 1e9
            self.expiry.setText(f"Denied by itself in {max(0, math.ceil(left))} s")
        self.age.tell()

    def _newest(self) -> LiveFrame | None:
        """What the picture of the question is compared with; nothing before that picture has been stored."""
        return self._live() if self.is_held else None

    def _restart_arming(self) -> None:
        if self._may_arm():
            self.arming.restart()
        else:
            self.arming.stop()
        if self._was_seen:
            # On its way to the screen it comes and goes several times; what it says then stands already.
            self._refresh()

    def _may_arm(self) -> bool:
        return self.is_held and self.was_painted and self.isVisible() and self.isActiveWindow()

    def reject(self) -> None:
        """Esc is Deny, once the card takes answers."""
        self._answer("deny")

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._settled and not self.is_held:
            event.ignore()
            return
        if not self._settled:
            self._settle("deny")
        super().closeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._age_timer.start(_AGE_EVERY_MS)
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

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.was_painted:
            self.was_painted = True
            if self._may_arm():
                # What has not been on the screen can have been read by nobody.
                self.arming.restart()
            # Only now: a second thread would take turns from the card's first paint.
            QTimer.singleShot(0, self, self._on_first_painted)

    def _on_first_painted(self) -> None:
        self._was_seen = True
        self._pressed_off.watch(self.findChildren(DecisionButton))
        self._refresh()
        if self.is_held:
            self._on_asked()
        self.seen.emit()

    def _on_asked(self) -> None:
        """It is on record and on the screen: it is told of, and its picture can be read."""
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))
        self.body.read_picture(self._blob)
