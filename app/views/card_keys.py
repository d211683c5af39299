"""The keys that work while a card stands. They settle nothing: they say where the run is held once it is answered."""

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence, QShortcut

from app.views.commands import BY_KEY
from app.views.debugger.debugger import COMMANDS, Debugger
from app.views.decision.card import Card
from app.views.decision.presenter import DecisionPresenter
from app.views.run_controls import WindowControls

EVERYTHING_HELD = "Everything is held: every further question is put to you"


class CardKeys(QObject):
    """A card is modal, so that the window's own keys do not reach past it; each card gets these of its own."""

    def __init__(self, presenter: DecisionPresenter, debugger: Debugger, controls: WindowControls) -> None:
        super().__init__(presenter)
        self._presenter = presenter
        self._debugger = debugger
        self._controls = controls
        self._last: Card | None = None
        presenter.opened.connect(self._on_opened)

    def _on_opened(self) -> None:
        card = self._presenter.card
        if card is None or card is self._last:
            return
        self._last = card
        for key in (*COMMANDS, "debug_run_to"):
            self._put(card, key, partial(self._on_debug_key, card, key))
        self._put(card, "hold_all", partial(self._on_hold_key, card))
        self._say_stop(card)

    def _put(self, card: Card, key: str, slot: partial[None]) -> None:
        keys = QShortcut(QKeySequence(BY_KEY[key].shortcut), card)
        keys.setAutoRepeat(False)
        keys.activated.connect(slot)

    def _on_debug_key(self, card: Card, key: str) -> None:
        self._debugger.command_ahead(key)
        self._say_stop(card)

    def _say_stop(self, card: Card) -> None:
        stop = self._debugger.next_stop
        card.say_next(f"Once this is answered, the run is held {stop}" if stop else "")

    def _on_hold_key(self, card: Card) -> None:
        # One way only: what lets rules allow again is pressed where nothing stands in front of the window.
        self._controls.hold_everything()
        card.say_next(EVERYTHING_HELD)
