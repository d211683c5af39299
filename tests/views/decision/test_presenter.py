"""The presenter: one card at a time, oldest first, never over a text field, and every failure is a denial."""

import random
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot

from app.core.decision import Answer
from app.core.ports import InboxClosed
from app.views.decision.card import Card
from app.views.decision.presenter import DecisionPresenter
from tests.views.decision.clock import StillClock
from tests.views.decision.office import Office
from tests.views.decision.samples import ask, ask_of_kind, page_picture, picture_of

LEFT = Qt.MouseButton.LeftButton


def test_a_click_reaches_the_run_with_the_digest_of_what_was_shown(office: Office) -> None:
    asked = ask(number=1)
    office.hold(asked)
    QTest.mouseClick(office.card("a0001").allow_button, LEFT)
    answer = office.answer_of("a0001")
    assert (answer.verdict, answer.by, answer.shown_digest) == ("allow", "person", asked.digest)
    assert office.presenter.card is None
    assert office.presenter.waiting == 0


def test_asks_are_shown_oldest_first_and_counted(office: Office) -> None:
    for number in (1, 2, 3):
        office.hold(ask(number=number))
    card = office.card("a0001")
    assert "1 of 3 waiting" in card.queue.text()
    QTest.mouseClick(card.deny_button, LEFT)
    second = office.card("a0002")
    assert "1 of 2 waiting" in second.queue.text()
    assert second.isVisible()
    QTest.mouseClick(second.allow_button, LEFT)
    QTest.mouseClick(office.card("a0003").stop_button, LEFT)
    assert [office.answer_of(f"a000{number}").verdict for number in (1, 2, 3)] == ["deny", "allow", "stop"]


def test_a_fresh_card_after_an_answer_is_not_armed(office: Office) -> None:
    office.hold(ask(number=1))
    office.hold(ask(number=2))
    QTest.mouseClick(office.card("a0001").allow_button, LEFT)
    office._qtbot.waitUntil(lambda: office.presenter.card is not None)
    assert office.presenter.card is not None
    QTest.mouseClick(office.presenter.card.allow_button, LEFT)
    assert [held.ask_id for held in office.inbox.waiting] == ["a0002"]


def test_a_card_closes_when_its_ask_is_settled_elsewhere(office: Office) -> None:
    office.hold(ask(number=1))
    office.hold(ask(number=2))
    office.card("a0001")
    assert office.inbox.answer("a0001", Answer(verdict="deny", by="scripted"))
    office.card("a0002")
    assert office.answer_of("a0001").by == "scripted"


def test_a_press_that_comes_too_late_counts_for_nothing_and_says_so(office: Office) -> None:
    office.hold(ask(number=1))
    card = office.card("a0001")
    office.inbox.answer("a0001", Answer(verdict="deny", by="scripted"))
    QTest.mouseClick(card.allow_button, LEFT)
    assert office.answer_of("a0001").verdict == "deny"
    assert "counted for nothing" in office.troubles[0]
    assert "counted for nothing" in office.presenter.bar.words


def test_a_question_that_cannot_be_shown_is_denied_by_the_console(office: Office, expected_log: Any) -> None:
    expected_log("could not be shown")
    office.hold(ask(number=1).model_copy(update={"arguments": {"other": 1}}))
    office.turn()
    with pytest.raises(InboxClosed, match="could not be shown"):
        office.answer_of("a0001")
    assert "denied" in office.presenter.bar.words
    for card in office.window.findChildren(Card):
        card.deleteLater()


def test_an_inbox_that_fails_leaves_nothing_allowed(office: Office, expected_log: Any, monkeypatch: Any) -> None:
    expected_log("could not be handed over")
    office.hold(ask(number=1))
    card = office.card("a0001")

    def fail(ask_id: str, answer: Answer) -> bool:
        raise OSError("gone")

    monkeypatch.setattr(office.inbox, "answer", fail)
    QTest.mouseClick(card.allow_button, LEFT)
    with pytest.raises(InboxClosed):
        office.answer_of("a0001")
    assert "OSError" in office.troubles[0]


def test_no_card_opens_over_a_text_field_in_use(office: Office, qtbot: QtBot) -> None:
    office.field.setFocus()
    office.hold(ask(number=1))
    assert office.presenter.card is None
    assert "A question waits" in office.presenter.bar.words
    QTest.keyClicks(office.field, "still typing")
    office.hold(ask(number=2))
    assert "2 questions wait" in office.presenter.bar.words
    assert office.field.text() == "still typing"
    office.page.setFocus()
    office.turn()
    assert office.presenter.card is None
    QTest.mouseClick(office.presenter.bar.button, LEFT)
    card = office.card("a0001")
    assert card.isVisible()
    assert office.presenter.bar.words == ""


def test_leaving_the_field_opens_what_waits(office: Office) -> None:
    office.field.setFocus()
    office.hold(ask(number=1))
    office.button.setFocus()
    assert office.card("a0001").isVisible()


def test_a_storm_of_keys_into_fields_loses_no_letter_and_answers_nothing(office: Office) -> None:
    dice = random.Random(11)
    typed = {id(office.field): "", id(office.page): ""}
    office.field.setFocus()
    for number in range(20):
        office.hold(ask(number=number + 1))
        for _ in range(100):
            if dice.random() < 0.05:
                QTest.mouseClick(office.field if dice.random() < 0.5 else office.page.viewport(), LEFT)
            field = QApplication.focusWidget()
            assert field in (office.field, office.page)
            letter = dice.choice("12yaAN ")
            typed[id(field)] += letter
            QTest.keyClicks(field, letter)
            QTest.keyClick(field, dice.choice([Qt.Key.Key_Return, Qt.Key.Key_F5]), Qt.KeyboardModifier.AltModifier)
    assert len(office.inbox.waiting) == 20
    assert sorted(office.field.text()) == sorted(typed[id(office.field)])
    assert sorted(office.page.toPlainText()) == sorted(typed[id(office.page)])


@pytest.mark.timeout(600)  # two thousand cards: on a machine that has others to serve two minutes are not enough
def test_asks_under_two_windows_and_double_clicks_get_one_decision_each(
    office: Office, qtbot: QtBot, still_clock: StillClock
) -> None:
    count, dice = 1000, random.Random(5)
    second = QMainWindow()
    qtbot.addWidget(second)
    second.show()
    others = DecisionPresenter(second, office.inbox, office.blobs, clock=still_clock.clock)
    office.crossing.held.connect(others.ask_held, Qt.ConnectionType.QueuedConnection)
    office.crossing.settled.connect(others.ask_settled, Qt.ConnectionType.QueuedConnection)
    settled: list[str] = []
    office.crossing.settled.connect(settled.append)
    pressed: dict[str, str] = {}
    for number in range(count):
        asked = ask(number=number + 1)
        office.hold(asked)
        qtbot.waitUntil(lambda: office.presenter.card is not None and others.card is not None, timeout=60_000)
        cards = [office.presenter.card, others.card]
        dice.shuffle(cards)
        for card in cards:
            assert card is not None
            # Both are armed as if a person had had each in front of them: the race is between the presses.
            card.arming._set(True)
            button = card.allow_button if dice.random() < 0.5 else card.deny_button
            card.body.unseen = lambda: None  # type: ignore[method-assign]
            card._refresh()
            QTest.mouseClick(button, LEFT)
            QTest.mouseDClick(button, LEFT)
            pressed.setdefault(asked.ask_id, "allow" if button is card.allow_button else "deny")
        office.turn()
        assert office.answer_of(asked.ask_id).verdict == pressed[asked.ask_id], "the first press counts, and only it"
    assert len(settled) == count == len(set(settled))
    others.shut()
    second.close()


def test_a_picture_ages_while_its_question_waits_behind_another(office: Office) -> None:
    picture = page_picture()
    office.blobs.by_digest[picture.digest] = picture.data
    office.hold(ask(number=1))
    office.hold(ask_of_kind("browser_action", picture_of(picture), number=2))
    first = office.card("a0001")
    office.clock.pass_ms(42_000)
    QTest.mouseClick(first.deny_button, LEFT)
    assert office.card("a0002").age.text().startswith("Picture 42 s old")


def test_shutting_down_leaves_no_card_and_no_answer(office: Office) -> None:
    office.hold(ask(number=1))
    office.card("a0001")
    office.presenter.shut()
    assert office.presenter.card is None
    assert [held.ask_id for held in office.inbox.waiting] == ["a0001"]
    office.hold(ask(number=2))
    assert office.presenter.card is None


def test_twenty_questions_that_end_at_once_leave_no_card_and_allow_nothing(office: Office, qtbot: QtBot) -> None:
    """As *Stop all runs* does, from another thread's hand, while more arrive and one stands under a press."""
    for number in range(1, 21):
        office.hold(ask(number=number))
    card = office.card("a0001")
    assert office.presenter.waiting == 20
    QTest.mousePress(card.allow_button, Qt.MouseButton.LeftButton)
    office.inbox.close("all runs were stopped at once")
    late = ask(number=21)
    office.hold(late)
    QTest.mouseRelease(card.allow_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: office.presenter.waiting == 0 and office.presenter.card is None)
    office.turn()
    assert all(isinstance(task.exception(), InboxClosed) for task in office.tasks.values())
    assert len(office.tasks) == 21
    assert not [one for one in office.window.findChildren(Card) if one.isVisible()]
