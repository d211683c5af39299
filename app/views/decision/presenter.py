"""Puts held asks to the person one by one, oldest first, and hands the answers to the inbox. Decides nothing itself."""

import logging
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget

from app.core.ask import Ask
from app.core.decision import Answer
from app.core.live import LiveFrame
from app.core.ports import Blobs
from app.core.registrable import registrable_domain
from app.views.decision.attention import Attention
from app.views.decision.buttons import Clock
from app.views.decision.card import Card
from app.views.decision.close_request import CloseRequests
from app.views.decision.desk import Desk, Frames, typing_in
from app.views.decision.queue_list import Waiting
from app.views.decision.quiet import QuietOpening
from app.views.decision.read_out import ReadOut
from app.views.decision.waiting_bar import WaitingBar
from app.views.widgets.text_flow import faces

log = logging.getLogger(__name__)

SPARE_AFTER_MS = 150
"""So long after a card has come on the screen the next one is made: its picture has been read by then."""

OPENS_WITHIN_MS = 100
"""So long other painting gives way to a card that opens; one that nobody can see is never painted."""

JUST_HERE_MS = 500
"""So long after a card has closed the person still counts as being at this window."""


class DecisionPresenter(QObject):
    """At most one card is open. A card never opens over a text field in use: a strip says that a question waits.

    Signals:
        waiting_changed: how many asks wait is another number.
        begins: a card is about to open; other painting waits for `opened`.
        card_opened: a card is on its way to the screen, or there already, and its question waits.
        opened: it has been painted, or its time for that is over.
        trouble: something about asking failed, in words for the person; the ask was denied.
    """

    waiting_changed = Signal(int)
    begins = Signal()
    card_opened = Signal(object)
    opened = Signal()
    trouble = Signal(str)

    def __init__(
        self,
        parent_window: QWidget,
        inbox: Desk,
        blobs: Blobs,
        frames: Frames | None = None,
        *,
        clock: Clock | None = None,
        call_place: Callable[[Ask], tuple[int, int] | None] = lambda ask: None,
    ) -> None:
        """`call_place` gives (call, calls) of an ask within its turn, where it is known."""
        super().__init__(parent_window)
        self._window = parent_window
        self._inbox = inbox
        self._blobs = blobs
        self._frames = frames
        self._clock = clock if clock is not None else Clock()
        self._call_place = call_place
        self._queue: dict[str, Ask] = {}
        self._held_ns: dict[str, int] = {}
        self._closed = False
        self._trouble = ""
        self._wanted = ""
        """The question to be shown next, whichever is the oldest."""
        self.card: Card | None = None
        self._spare: Card | None = None
        """A card without a question, for the next one."""
        self._leaving: Card | None = None
        """An answered card that is still on the screen for a moment."""
        self._was_here = False
        """Whether the person was at this window when the card opened."""
        self._opening = QTimer(self)
        self._opening.setSingleShot(True)
        self._opening.setInterval(OPENS_WITHIN_MS)
        self._opening.timeout.connect(self.opened)
        self.opened.connect(self._on_opened)
        self._spare_later = QTimer(self)
        self._spare_later.setSingleShot(True)
        self._spare_later.setInterval(SPARE_AFTER_MS)
        self._spare_later.timeout.connect(self._make_spare)
        self._attention = Attention(parent_window)
        self.card_opened.connect(self._on_card_opened)
        # A card that closes leaves no window active until the system has moved the keyboard on.
        self._just_here = QTimer(self)
        self._just_here.setSingleShot(True)
        self._just_here.setInterval(JUST_HERE_MS)
        self._close_requests = CloseRequests(parent_window, self._on_close_wanted)
        self.bar = WaitingBar(parent_window)
        self.bar.wanted.connect(self._on_wanted)
        qapp = QApplication.instance()
        assert isinstance(qapp, QApplication)
        qapp.focusChanged.connect(self._on_focus_changed)
        # The fonts and the list of suffixes are read now, not under the first question.
        QTimer.singleShot(0, self, faces)
        QTimer.singleShot(0, self, lambda: registrable_domain("www.example.com"))
        self._spare_later.start()
        for ask in inbox.waiting:
            self.ask_held(ask)

    @property
    def waiting(self) -> int:
        """How many asks stand unanswered, the one on the card included."""
        return len(self._queue)

    @property
    def opening(self) -> bool:
        """Whether a card is on its way to the screen, so that other painting should wait."""
        return self._opening.isActive()

    def ask_announced(self, ask: Ask) -> None:
        """An ask is being written: its card is shown meanwhile, and takes no answer before that ask is held."""
        if self._closed or self._queue or self.card is not None or typing_in(self._window):
            return
        self._begin()
        card = self._next_card()
        try:
            card.put(ask, call_place=self._call_place(ask), asked_ns=self._clock.mono_ns(), held=False)
            self._bring_up(card)
        except Exception:
            # It is tried again, and said, when the ask is held.
            log.info("a card could not be made ready", exc_info=True)
            self.card = None
            card.withdraw()
            card.deleteLater()

    def ask_held(self, ask: Ask) -> None:
        """An ask waits for a person. In the window's thread."""
        if self._closed or ask.ask_id in self._queue or ask.step is not None:
            # A hold is shown in the debugger's bar.
            return
        self._queue[ask.ask_id] = ask
        self._held_ns[ask.ask_id] = self._clock.mono_ns()
        card = self.card
        if card is not None and not card.is_held and card.ask.ask_id == ask.ask_id:
            if card.ask is ask:
                if not self.opening:
                    self._take_up(card)
                # Else once it has been painted: a window that changes on its way to the screen gets there later.
                return
            self._put_away()
        self._show_next()

    def ask_settled(self, ask_id: str) -> None:
        """It no longer waits, or does not come at all, whoever withdrew it. In the window's thread."""
        self._held_ns.pop(ask_id, None)
        shown = self.card is not None and self.card.ask.ask_id == ask_id
        if self._queue.pop(ask_id, None) is None and not shown:
            return
        if shown:
            self._put_away()
        self._show_next()

    def nothing_comes(self) -> None:
        """The run is over: what was announced and never held goes."""
        if self.card is not None and not self.card.is_held and self.card.ask.ask_id not in self._queue:
            self._put_away()
            self._show_next()

    def say_withdrawn(self) -> None:
        """The page had changed under a question. A newer card says what changed; where none comes, this stays."""
        self._say("The page changed, so the question was withdrawn; nothing was done")

    def shut(self) -> None:
        """Close the card without an answer and show no other; whoever closes the inbox denies what waits."""
        self._closed = True
        self._close_requests.stop()
        self._attention.close()
        self._queue.clear()
        self._spare_later.stop()
        if self._spare is not None:
            self._spare.deleteLater()
            self._spare = None
        self._put_away()
        self._let_go()
        self.bar.hide()

    def _show_next(self) -> None:
        self.waiting_changed.emit(self.waiting)
        if not self._closed:
            self._attention.count(self.waiting)
        if self.card is None:
            self._close_requests.stop()
        if self._closed or not self._queue:
            self._show_trouble()
            return
        if self.card is not None:
            self.card.show_queue(self._others(self.card.ask))
            return
        if typing_in(self._window):
            words = "A question waits" if self.waiting == 1 else f"{self.waiting} questions wait"
            self.bar.say(f"{words}; it opens when you leave the text field", with_button=True)
            return
        self._show_trouble()
        wanted, self._wanted = self._queue.get(self._wanted), ""
        self._open(wanted if wanted is not None else next(iter(self._queue.values())))

    def _open(self, ask: Ask) -> None:
        card: Card | None = None
        try:
            self._begin()
            card = self._next_card()
            card.put(ask, call_place=self._call_place(ask), asked_ns=self._held_ns.get(ask.ask_id))
            if others := self._others(ask):
                card.show_queue(others)
            self._attention.call(self.waiting, here=self._window.isActiveWindow())
            self._bring_up(card)
        except Exception as error:
            log.exception("a question could not be shown")
            if card is not None and card is not self.card:
                card.deleteLater()
            self._give_up(ask, f"The question could not be shown and was denied ({type(error).__name__})")
            return
        self.card_opened.emit(ask)

    def _begin(self) -> None:
        self._let_go()
        self._opening.start()
        self.begins.emit()

    def _bring_up(self, card: Card) -> None:
        """On the screen, over this window."""
        ask = card.ask
        card.other_wanted.connect(self._on_other_wanted)
        card.answered.connect(lambda answer: self._on_answered(ask, answer))
        self.card = card
        self._was_here = self._window.isActiveWindow()
        self._close_requests.listen()
        if self._was_here or self._just_here.isActive():
            card.open()
        elif QApplication.platformName() == "xcb":
            QuietOpening(card, self._window)
            card.show()
        else:
            card.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
            card.open()

    def _take_up(self, card: Card) -> None:
        """The question of the card that stands is on record and waits."""
        ask = card.ask
        try:
            card.now_held()
            self._show_next()
            self._attention.call(self.waiting, here=self._was_here or card.isActiveWindow())
        except Exception as error:
            log.exception("a question could not be taken up")
            self._give_up(ask, f"The question could not be shown and was denied ({type(error).__name__})")
            return
        self.card_opened.emit(ask)

    def _put_away(self) -> None:
        """Take the card off the screen unanswered."""
        card, self.card = self.card, None
        if card is None:
            return
        if card.isActiveWindow():
            self._just_here.start()
        card.withdraw()

    def _make_card(self) -> Card:
        card = Card(self._window, blob=self._blobs.blob, live=self._newest_frame, clock=self._clock)
        # The next one is made while this one is being read.
        card.seen.connect(self._on_seen)
        return card

    def _next_card(self) -> Card:
        card, self._spare = self._spare or self._make_card(), None
        return card

    def _on_opened(self) -> None:
        card = self.card
        if card is not None and not card.is_held and card.ask.ask_id in self._queue:
            self._take_up(card)

    def _on_seen(self) -> None:
        self._spare_later.start()
        self._opening.stop()
        self.opened.emit()

    def _make_spare(self) -> None:
        if self._spare is None and not self._closed:
            self._spare = self._make_card()

    def _others(self, shown: Ask) -> list[Waiting]:
        now = self._clock.mono_ns()
        rest = [ask for ask in self._queue.values() if ask.ask_id != shown.ask_id]
        return [Waiting(ask, (now - self._held_ns.get(ask.ask_id, now)) // 1_000_000) for ask in rest]

    def _on_other_wanted(self, ask_id: str) -> None:
        """Put the card away unanswered and show that question; what was put away still waits."""
        card = self.card
        if card is None or ask_id not in self._queue:
            return
        self.card, self._wanted = None, ask_id
        self._just_here.start()
        card.withdraw()
        # Not under the press: the new card must not open below it.
        QTimer.singleShot(0, self, self._show_if_free)

    def _newest_frame(self) -> LiveFrame | None:
        return self._frames.frame if self._frames is not None else None

    def _on_answered(self, ask: Ask, answer: Answer) -> None:
        card, self.card = self.card, None
        if card is not None:
            self._let_go()
            self._leaving = card
            card.finished.connect(self._on_left)
            if card.isActiveWindow():
                # One that was closed from afar leaves the keyboard with whatever program has it.
                self._just_here.start()
        self._trouble = ""
        self._queue.pop(ask.ask_id, None)
        self._held_ns.pop(ask.ask_id, None)
        try:
            counted = self._inbox.answer(ask.ask_id, answer)
        except Exception as error:
            log.exception("an answer could not be handed over")
            self._give_up(ask, f"The answer could not be handed over; the question was denied ({type(error).__name__})")
            return
        if not counted:
            self._say("The question had been settled before; the press counted for nothing")
        # The press that answered is still on the stack: the next card must not open under it.
        QTimer.singleShot(0, self, self._show_next)

    def _let_go(self) -> None:
        """Never two cards at once."""
        if self._leaving is not None:
            self._leaving.leave()

    def _on_left(self) -> None:
        self._leaving = None

    def _give_up(self, ask: Ask, words: str) -> None:
        """Fail closed: the console denies, and says so."""
        broken, self.card = self.card, None
        self._queue.pop(ask.ask_id, None)
        if broken is not None:
            broken.withdraw()
        try:
            self._inbox.refuse(ask.ask_id, words)
        except Exception:
            log.exception("a question could not be denied; it stays held, and nothing is done")
        self._say(words)
        QTimer.singleShot(0, self, self._show_next)

    def _say(self, words: str) -> None:
        self._trouble = words
        self._show_trouble()
        self.trouble.emit(words)

    def _show_trouble(self) -> None:
        """What went wrong stays to be read until the next answer."""
        if self._trouble:
            self.bar.say(self._trouble, with_button=False)
        else:
            self.bar.hide()

    def _on_card_opened(self) -> None:
        if self.card is not None:
            ReadOut(self.card)

    def _on_close_wanted(self) -> None:
        # Not under the native event: closing takes down the filter that called.
        QTimer.singleShot(0, self._window, self._window.close)

    def _on_wanted(self) -> None:
        if (field := typing_in(self._window)) is not None:
            field.clearFocus()
        elif self.card is None:
            self._show_next()

    def _on_focus_changed(self, old: QWidget | None, now: QWidget | None) -> None:
        if self.card is None and self._queue and not self._closed:
            QTimer.singleShot(0, self, self._show_if_free)

    def _show_if_free(self) -> None:
        if self.card is None and self._queue and not self._closed:
            self._show_next()
