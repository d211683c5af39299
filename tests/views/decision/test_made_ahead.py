"""A card is made before there is a question: no word and no state of one question ever stands on another's card."""

import random
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMainWindow, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.ask import Ask
from app.core.scope import RunScope
from app.views.decision.ask_body import Tick
from app.views.decision.buttons import DecisionButton
from app.views.decision.card import Card
from app.views.widgets.outside_text import OutsideCanvas, OutsideText
from tests.views.decision.clock import StillClock
from tests.views.decision.conftest import CardDesk
from tests.views.decision.office import Office
from tests.views.decision.samples import KINDS, Blobs, ask, ask_of_kind

LEFT = Qt.MouseButton.LeftButton
SEVERAL = 30


def _painted(card: Card) -> list[str]:
    """All that can be read on it."""
    labels = [label.text() for label in card.findChildren(QLabel) if label.isVisibleTo(card)]
    buttons = [button.text() for button in card.findChildren(QPushButton) if button.isVisibleTo(card)]
    canvases = [one.shown_text() for one in card.findChildren(OutsideCanvas) if one.isVisibleTo(card)]
    return [card.accessibleName(), card.windowTitle(), *sorted([*labels, *buttons, *canvases])]


def _state(card: Card) -> dict[str, Any]:
    return {
        "ticks": [tick.isChecked() for tick in card.findChildren(Tick)],
        "fields": [field.text() for field in card.findChildren(QLineEdit)],
        "pages": [value.page for value in card.findChildren(OutsideText)],
        "enabled": [button.text() for button in card.findChildren(DecisionButton) if button.isEnabled()],
        "armed": card.arming.armed,
        "seen": card.body.facts.has_seen_end() or any(value.has_seen_end() for value in card.body.big_values),
        "focus": card.focusWidget() is card,
        "queue": card.queue.isVisibleTo(card) or card.others.isVisibleTo(card),
        "scrolls": card.scrolls,
        "height": card.sizeHint().height(),
    }


def _random_ask(dice: random.Random, number: int) -> Ask:
    asked = ask_of_kind(dice.choice([kind for kind in KINDS if kind != "step"]), number=number)
    more: dict[str, Any] = {"irreversible": dice.random() < 0.3, "own_value": dice.random() < 0.3}
    if dice.random() < 0.4:
        more["scope"] = RunScope(
            kind=asked.kind, source=asked.source, member=asked.member, arguments={}, label=f"label {number}"
        )
    if dice.random() < 0.3:
        long = {"text": f"secret {number}\n" * dice.choice([3, 900])}
        return ask("function_call", "note", long, source="functions", number=number, **more)
    return asked.model_copy(update=more)


def test_one_card_after_the_other_is_as_if_it_were_the_first(
    office: Office, qtbot: QtBot, window: QMainWindow, still_clock: StillClock
) -> None:
    dice = random.Random(23)
    for number in range(1, SEVERAL + 1):
        asked = _random_ask(dice, number)
        if dice.random() < 0.2:
            never = _random_ask(dice, number + 500)
            office.announce(never)
            office.recall(never)
        if dice.random() < 0.7:
            office.announce(asked)
        alone = Card(window, blob=Blobs().blob, clock=still_clock.clock)
        alone.put(asked)
        expected = (_painted(alone), _state(alone))
        alone.deleteLater()
        office.hold(asked)
        card = office.presenter.card
        assert card is not None
        assert card.ask is asked
        qtbot.waitUntil(lambda: office.presenter.card is not None and office.presenter.card.is_held)
        assert _painted(card) == expected[0]
        assert {**_state(card), "seen": False} == expected[1]
        _mess_up(office.card(asked.ask_id), dice)
        office.inbox.refuse(asked.ask_id, "next")
        office.turn()
        office.tasks.pop(asked.ask_id).exception()
        if dice.random() < 0.8:
            office.presenter._make_spare()


def _mess_up(card: Card, dice: random.Random) -> None:
    """Do what a person may do to a card before it goes."""
    for tick in card.findChildren(Tick):
        QTest.mouseClick(tick, LEFT)
    for value in card.body.big_values:
        value.turn_to_end()
    if dice.random() < 0.5:
        QTest.mouseClick(card.note_button, LEFT)
        QTest.keyClicks(_focused(), "a note that must not stay")
    if card.value_button.isVisible():
        QTest.mouseClick(card.value_button, LEFT)
        QTest.keyClicks(_focused(), "a value that must not stay")
    QTest.keyClick(_focused(), Qt.Key.Key_Tab)


def _focused() -> QWidget:
    focus = QApplication.focusWidget()
    assert focus is not None
    return focus


def test_an_ask_that_does_not_come_leaves_nothing_to_the_next(office: Office, qtbot: QtBot) -> None:
    first = ask(number=1, member="type", arguments={"text": "of the first"})
    office.announce(first)
    office.recall(first)
    office.hold(ask(number=2))
    assert "of the first" not in "\n".join(_painted(office.card("a0002")))
    office.turn()
    assert [card.ask.ask_id for card in office.window.findChildren(Card) if card._ask is not None] == ["a0002"]


def test_what_cannot_be_shown_is_said_when_it_is_held_and_not_before(office: Office, expected_log: Any) -> None:
    expected_log("could not be shown")
    false = ask(number=1).model_copy(update={"arguments": {"other": 1}})
    office.announce(false)
    assert office.presenter.card is None
    assert office.presenter.bar.words == ""
    office.hold(false)
    office.turn()
    assert "denied" in office.presenter.bar.words


def test_nothing_is_shown_ahead_over_a_text_field_or_behind_another_question(office: Office) -> None:
    office.field.setFocus()
    office.announce(ask(number=1))
    assert office.presenter.card is None
    office.button.setFocus()
    office.hold(ask(number=2))
    office.announce(ask(number=3))
    assert office.card("a0002").isVisible()
    assert sum(card.isVisible() for card in office.window.findChildren(Card)) == 1


def test_a_card_is_of_one_question_only(desk: CardDesk) -> None:
    card = desk.open(ask(number=1))
    with pytest.raises(RuntimeError, match="one question"):
        card.put(ask(number=2))


def test_a_card_without_a_question_can_answer_nothing(office: Office) -> None:
    office.presenter._make_spare()
    spare = office.presenter._spare
    assert spare is not None
    assert not spare.isVisible()
    assert not any(button.isEnabled() for button in spare.findChildren(DecisionButton))
    assert _painted(spare)[0] == ""


def test_tab_goes_from_the_top_to_the_bottom(desk: CardDesk) -> None:
    scope = RunScope(kind="browser_action", source="browser", member="click", arguments={}, label="Reserve")
    card = desk.open(ask_of_kind("safety_checks").model_copy(update={"scope": scope, "irreversible": True}))
    for tick in card.findChildren(Tick):
        QTest.mouseClick(tick, LEFT)
    card.setFocus()
    tops: list[int] = []
    while not card.allow_button.hasFocus() and len(tops) < 30:
        QTest.keyClick(_focused(), Qt.Key.Key_Tab)
        tops.append(_focused().mapTo(card, QPoint()).y())
    assert len(tops) == 3 + 5
    assert tops == sorted(tops)
