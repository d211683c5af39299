"""The other questions on a card: riskiest first, with their age; showing one answers nothing."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.views.decision.queue_list import Waiting
from tests.views.decision.conftest import CardDesk
from tests.views.decision.office import Office
from tests.views.decision.samples import ask, ask_of_kind

LEFT = Qt.MouseButton.LeftButton


def test_the_riskiest_stands_first_with_its_age(office: Office) -> None:
    office.hold(ask_of_kind("protected_read", number=1))
    office.clock.pass_ms(5_000)
    office.hold(ask_of_kind("protected_read", number=2))
    office.hold(ask_of_kind("code", number=3))
    office.hold(ask(number=4).model_copy(update={"irreversible": True}))
    office.clock.pass_ms(42_000)
    card = office.card("a0001")
    office.hold(ask_of_kind("function_call", number=5))
    assert card.others.words == [
        "Click on a page element · cannot be taken back",
        "Run code · runs code",
        "Call a function · acts elsewhere",
        "Read the page's text · reads",
    ]
    ages = [label.text() for label in card.others._ages]
    assert ages[3].startswith("waits 42 s")
    assert ages[2] == "waits 0.0 s"


def test_another_one_is_shown_without_answering_and_the_first_still_waits(office: Office) -> None:
    for number in (1, 2, 3):
        office.hold(ask(number=number))
    first = office.card("a0001")
    QTest.mouseClick(first.others.buttons[1], LEFT)
    third = office.card("a0003")
    assert [held.ask_id for held in office.inbox.waiting] == ["a0001", "a0002", "a0003"]
    QTest.mouseClick(third.allow_button, LEFT)
    assert office.answer_of("a0003").verdict == "allow"
    QTest.mouseClick(office.card("a0001").deny_button, LEFT)
    assert office.answer_of("a0001").verdict == "deny"


def test_a_card_that_is_not_armed_shows_no_other(desk: CardDesk) -> None:
    card = desk.open(ask(number=1), armed=False)
    wanted: list[str] = []
    card.other_wanted.connect(wanted.append)
    card._on_other_chosen("a0002")
    assert wanted == []


def test_on_a_low_screen_the_answers_come_before_the_list(desk: CardDesk) -> None:
    card = desk.open(ask(number=1))
    others = [Waiting(ask(number=number), 0) for number in range(2, 12)]
    for room, rows in ((1000, 4), (95, 2), (40, 0)):
        card.others.show_others(others, room)
        assert len(card.others.words) == rows
        assert card.others.isVisibleTo(card) == (rows > 0)
