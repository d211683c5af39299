"""While a card stands, its window's keys for stepping and for Hold all work, and none of them answers anything."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.core.step import NEXT_STOPS, StepCommand
from app.views.card_keys import EVERYTHING_HELD
from app.views.decision.card import KEYBOARD_WORDS
from app.views.live_run import LiveRun
from tests.helpers.journals import booking
from tests.views.debugger.test_debug_bar import hold
from tests.views.test_live_run import WAIT_MS, Begin, begin

__all__ = ["begin"]

KEYS: dict[Qt.Key, StepCommand] = {
    Qt.Key.Key_Pause: "pause",
    Qt.Key.Key_F8: "step_turn",
    Qt.Key.Key_F10: "step_call",
    Qt.Key.Key_F11: "step_action",
    Qt.Key.Key_F5: "run",
}
HOLD_ALL = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def test_a_step_pressed_at_a_card_is_kept_for_when_it_is_answered(begin: Begin, qtbot: QtBot) -> None:
    run, window = begin(booking())
    live, bar = window.findChild(LiveRun), window.debug_bar
    assert live is not None
    assert bar is not None
    with qtbot.waitExposed(window):
        window.activateWindow()
    run.start()
    qtbot.waitUntil(lambda: live.presenter.card is not None and live.presenter.card.may_allow(), timeout=WAIT_MS)
    card = live.presenter.card
    assert card is not None
    size, waiting = card.size(), run.inbox.waiting
    assert card.state.text() == KEYBOARD_WORDS
    for key, command in KEYS.items():
        QTest.keyClick(card, key)
        words = f"Once this is answered, the run is held {NEXT_STOPS[command]}"
        assert card.state.text() == (words if NEXT_STOPS[command] else KEYBOARD_WORDS)
        assert run.stepper.next_stop == NEXT_STOPS[command]
        assert not bar.isHidden()
    assert run.by_hand.did == []
    QTest.keyClick(card, Qt.Key.Key_K, HOLD_ALL)
    assert run.by_hand.did == [("hold_all", True)]
    assert card.state.text() == EVERYTHING_HELD
    assert (card.isVisible(), card.size(), run.inbox.waiting) == (True, size, waiting)
    assert run.answers == []
    assert run.stops == []
    # A hold that stands meanwhile is not gone on from by a key that was pressed for the card.
    live.debugger.ask_held(hold())
    QTest.keyClick(card, Qt.Key.Key_F10)
    assert live.debugger.held is not None
    assert run.stepper.next_stop == ""
