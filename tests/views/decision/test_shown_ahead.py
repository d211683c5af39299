"""A card may stand before its question is on disk: it takes no answer then, and goes if the question never comes."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.core.ask import Ask
from app.core.evidence import Blob
from app.views.decision.card import Card
from app.views.decision.read_out import ReadOut
from tests.views.decision.office import Office
from tests.views.decision.samples import ask, ask_of_kind, page_picture, picture_of

LEFT = Qt.MouseButton.LeftButton


def shown(office: Office, qtbot: QtBot, asked: Ask) -> Card:
    """The card of a question that is still being written: on the screen, active, and painted to its end."""
    office.announce(asked)
    card = office.presenter.card
    assert card is not None
    qtbot.waitUntil(lambda: card.isActiveWindow() and card.body.facts.has_seen_end() and not office.presenter.opening)
    return card


def press_everything(office: Office, card: Card) -> None:
    """Whatever a person can do to a card that would settle it, after much more than half a second."""
    office.clock.pass_ms(5000)
    card.arming.check()
    for button in (card.allow_button, card.deny_button, card.note_button, card.value_button, card.stop_button):
        QTest.mouseClick(button, LEFT)
    card.allow_button.setFocus()
    QTest.keyClick(card, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(card, Qt.Key.Key_Space)
    QTest.keyClick(card, Qt.Key.Key_Escape)
    card.reject()
    card.close()
    office.turn()


def test_nothing_settles_a_card_before_its_question_is_held(office: Office, qtbot: QtBot) -> None:
    asked = ask(number=1)
    card = shown(office, qtbot, asked)
    answers: list[Any] = []
    card.answered.connect(answers.append)
    press_everything(office, card)
    assert answers == []
    assert card.isVisible(), "closing it counts only once there is something to deny"
    assert "on record" in card.state.text()
    assert not card.arming.armed
    office.hold(asked)
    assert office.presenter.card is card
    office.clock.pass_ms(400)
    card.arming.check()
    assert not card.may_allow(), "half a second begins when the question is on disk"
    QTest.mouseClick(card.allow_button, LEFT)
    assert answers == []
    # That press began the half second anew.
    office.clock.pass_ms(600)
    card.arming.check()
    QTest.mouseClick(card.allow_button, LEFT)
    assert office.answer_of("a0001").verdict == "allow"
    assert len(answers) == 1


@pytest.mark.parametrize("way", ["escape", "close"])
def test_once_it_is_held_escape_and_closing_deny(office: Office, qtbot: QtBot, way: str) -> None:
    asked = ask(number=1)
    card = shown(office, qtbot, asked)
    office.hold(asked)
    office.card("a0001")
    if way == "escape":
        QTest.keyClick(card, Qt.Key.Key_Escape)
    else:
        card.close()
    assert office.answer_of("a0001").verdict == "deny"


def test_a_card_that_is_held_before_it_was_painted_waits_half_a_second_from_its_paint(
    office: Office, qtbot: QtBot
) -> None:
    asked = ask(number=1)
    office.inbox.announce(asked)
    office.tasks["a0001"] = office.loop.create_task(office.inbox.hold(asked))
    office.turn()
    card = office.presenter.card
    assert card is not None
    qtbot.waitUntil(lambda: card.is_held)
    card.was_painted = False
    card._restart_arming()
    office.clock.pass_ms(600)
    card.arming.check()
    assert not card.arming.armed
    card.update()
    qtbot.waitUntil(lambda: card.was_painted)
    card.arming.check()
    assert not card.arming.armed
    office.card("a0001")
    assert card.arming.armed


def test_what_is_never_held_goes_at_once_and_nothing_was_asked(office: Office, qtbot: QtBot) -> None:
    card = shown(office, qtbot, ask(number=1))
    card.destroyed.connect(lambda: gone.append(True))
    gone: list[bool] = []
    QTest.mouseClick(card.deny_button, LEFT)
    office.recall(ask(number=1))
    qtbot.waitUntil(lambda: bool(gone))
    presenter = office.presenter
    assert (presenter.card, presenter.waiting, presenter.bar.words, office.troubles) == (None, 0, "", [])
    assert (presenter._attention.announced, presenter._attention.beeps) == ("", 0)
    office.hold(ask(number=2))
    assert office.card("a0002").isVisible()


def test_a_run_that_is_over_leaves_no_card_that_cannot_be_answered(office: Office, qtbot: QtBot) -> None:
    card = shown(office, qtbot, ask(number=1))
    office.presenter.nothing_comes()
    assert not card.isVisible()
    office.hold(ask(number=2))
    held = office.card("a0002")
    office.presenter.nothing_comes()
    assert held.isVisible(), "what waits is not touched"


def test_people_are_told_of_it_once_and_only_when_it_is_held(office: Office, qtbot: QtBot) -> None:
    asked = ask(number=1)
    waiting: list[int] = []
    office.presenter.waiting_changed.connect(waiting.append)
    card = shown(office, qtbot, asked)
    attention = office.presenter._attention
    assert (attention.announced, attention.badge, waiting) == ("", 0, [])
    assert not card.findChildren(ReadOut)
    office.hold(asked)
    assert (attention.announced, attention.said) == ("A question waits", ""), "heard only: the person is here"
    assert waiting == [1]
    (reader,) = card.findChildren(ReadOut)
    qtbot.waitUntil(lambda: len(reader.said) == 1)


def test_announced_twice_and_another_held_first_are_asked_one_by_one(office: Office, qtbot: QtBot) -> None:
    first, second, third = (ask(number=number) for number in (1, 2, 3))
    card = shown(office, qtbot, first)
    office.announce(first)
    office.announce(second)
    assert office.presenter.card is card
    office.hold(third)
    assert office.presenter.card is card
    assert "1 of 2 waiting" in card.queue.text()
    office.hold(first)
    QTest.mouseClick(office.card("a0001").allow_button, LEFT)
    assert office.answer_of("a0001").verdict == "allow"
    assert office.card("a0003") is not card
    office.recall(second)
    assert office.card("a0003").isVisible()


def test_one_that_is_recalled_gives_way_to_one_that_waits(office: Office, qtbot: QtBot) -> None:
    shown(office, qtbot, ask(number=1))
    office.hold(ask(number=2))
    office.recall(ask(number=1))
    card = office.card("a0002")
    QTest.mouseClick(card.allow_button, LEFT)
    assert office.answer_of("a0002").verdict == "allow"


def test_held_in_other_words_than_it_was_announced_it_is_shown_anew(office: Office, qtbot: QtBot) -> None:
    card = shown(office, qtbot, ask(number=1, member="type", arguments={"text": "as announced"}))
    office.hold(ask(number=1, member="type", arguments={"text": "as it was written"}))
    other = office.card("a0001")
    assert other is not card
    assert "as it was written" in other.body.shown_text()


def test_its_picture_is_read_once_it_is_stored(office: Office, qtbot: QtBot) -> None:
    blob: Blob = page_picture()
    asked = ask_of_kind("browser_action", number=1)
    evidence = asked.evidence.model_copy(update={"picture": picture_of(blob)})
    asked = asked.model_copy(update={"evidence": evidence})
    card = shown(office, qtbot, asked)
    office.turn()
    assert card.body.crop is not None
    assert not card.body._readers, "it is not stored yet"
    assert not card.body.crop.failed
    office.blobs.by_digest[blob.digest] = blob.data
    office.hold(asked)
    qtbot.waitUntil(lambda: card.body.crop is not None and card.body.crop.was_painted)


def test_closing_the_window_takes_it_away(office: Office, qtbot: QtBot) -> None:
    card = shown(office, qtbot, ask(number=1))
    office.presenter.shut()
    assert not card.isVisible()
    assert QApplication.activeModalWidget() is None
