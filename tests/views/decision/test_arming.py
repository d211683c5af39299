"""When a card takes an answer: not at once, and not from a press made while the machine slept or all stood still."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.views.decision.buttons import DecisionButton
from tests.views.decision.conftest import CardDesk
from tests.views.decision.samples import ask

LEFT = Qt.MouseButton.LeftButton


def test_a_fresh_card_takes_no_answer(desk: CardDesk) -> None:
    card = desk.open(ask(), armed=False)
    for button in card.findChildren(DecisionButton):
        assert not button.isEnabled()
        QTest.mouseClick(button, LEFT)
    QTest.keyClick(card, Qt.Key.Key_Escape)
    desk.clock.pass_ms(499)
    card.arming.check()
    assert not card.may_allow()
    assert desk.answers == []
    desk.clock.pass_ms(2)
    card.arming.check()
    QTest.mouseClick(card.allow_button, LEFT)
    assert desk.verdicts == ["allow"]


def test_a_card_under_which_the_machine_slept_is_a_fresh_one(desk: CardDesk) -> None:
    """What was pressed on a screen that stood still, or right after waking it, answers nothing."""
    card = desk.open(ask(), armed=False)
    desk.clock.pass_ms(3_600_000)
    card.arming.check()
    QTest.mouseClick(card.allow_button, LEFT)
    assert desk.answers == []
    desk.clock.pass_ms(501)
    card.arming.check()
    QTest.mouseClick(card.allow_button, LEFT)
    assert desk.verdicts == ["allow"]


def test_a_press_that_wakes_the_machine_allows_nothing(desk: CardDesk) -> None:
    """The card was armed before; the press comes before anything else of the window has gone on."""
    card = desk.open(ask())
    desk.clock.pass_ms(3_600_000)
    QTest.mouseClick(card.allow_button, LEFT)
    assert desk.answers == []
    assert not card.allow_button.isEnabled()
    assert card.state.text() == "Takes an answer in half a second"
    desk.clock.pass_ms(501)
    card.arming.check()
    QTest.mouseClick(card.allow_button, LEFT)
    assert desk.verdicts == ["allow"]
