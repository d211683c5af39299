"""What a screen reader is told when a card opens: what is asked, what Deny does, and why Allow is off."""

from pytestqt.qtbot import QtBot

from app.core.ask import Ask
from app.views.decision.card import Card
from app.views.decision.read_out import MOST_CHARS, ReadOut
from tests.views.decision.office import Office
from tests.views.decision.samples import ask, ask_of_kind


def opened(office: Office, qtbot: QtBot, asked: Ask) -> tuple[Card, ReadOut]:
    """The card, on the screen and active, and what reads it out."""
    office.hold(asked)
    qtbot.waitUntil(lambda: office.presenter.card is not None and office.presenter.card.isActiveWindow())
    card = office.presenter.card
    assert card is not None
    (reader,) = card.findChildren(ReadOut)
    qtbot.waitUntil(lambda: bool(reader.said))
    return card, reader


def test_the_question_and_what_deny_does_are_read_out_and_are_the_card_s_description(
    office: Office, qtbot: QtBot
) -> None:
    card, reader = opened(office, qtbot, ask_of_kind("navigation"))
    said = reader.said[0]
    assert said.startswith("Open an address\nOpens: https:// harbour-table.example /help")
    assert said.endswith("Deny: nothing is done, the model is told, the run goes on")
    assert card.accessibleDescription() == said
    assert card.allow_button.accessibleDescription() == "By keyboard: press and let go of Ctrl+Enter"


def test_a_huge_question_is_cut_and_why_allow_is_off_is_said_once(office: Office, qtbot: QtBot) -> None:
    arguments = {f"argument_{number}": "word " * 12 for number in range(60)} | {"long": "line\n" * 3000}
    card, reader = opened(office, qtbot, ask("function_call", "lookup", arguments, source="functions"))
    assert len(reader.said[0]) < MOST_CHARS + 60
    assert reader.said[0].endswith("read it part by part")
    office.clock.pass_ms(600)
    card.arming.check()
    qtbot.waitUntil(lambda: len(reader.said) == 2)
    assert reader.said[1].startswith("Allow is off: ")
    card.body.changed.emit()
    office.turn()
    assert len(reader.said) == 2
