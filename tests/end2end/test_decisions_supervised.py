"""A person at the window of a decisions run in a real browser: allows, takes another candidate, denies; replayed."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.core.describe import ending_words
from app.views.decision.card import Card
from tests.end2end.supervised import check_replay, supervise
from tests.helpers.pilot import Pilot

SCENARIO = """name = "taken"
title = "The model errs once"
summary = "The model wants to leave the form; the operator takes another candidate."
task = "Book a table for Ada Park."
engine = "decisions"
start = "/book?date=2027-05-03&time=19:00&guests=2"
members = []
[choosing]
texts = { Name = "Ada Park" }
verify_text = "Your table is reserved"
picture = true
[[decisions]]
choose = "press-help"
[[decisions]]
choose = "press-reserve-table"
[[decisions]]
choose = "done"
[check]
claim = ""
bookings = []
"""


def scenario(folder: Path) -> str:
    file = folder / "taken.toml"
    file.write_text(SCENARIO, encoding="utf-8")
    return str(file)


async def take_instead(pilot: Pilot, card: Card, candidate_id: str) -> None:
    """Set the number and press, as a person does."""
    panel = card.body.offer
    assert panel is not None
    assert panel.number is not None
    button = panel.instead
    assert button is not None
    ids = [one.candidate_id for one in card.ask.offer.candidates] if card.ask.offer else []
    panel.number.setValue(ids.index(candidate_id) + 1)
    await pilot.until(button.isEnabled, "the button for another candidate")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    await pilot.until(lambda: pilot.card() is not card, "the card closing")


def test_another_candidate_is_taken_and_the_page_verifies_the_end(qtbot: QtBot, tmp_path: Path) -> None:
    async def person(pilot: Pilot) -> None:
        card = await pilot.next_card()
        assert card is not None
        # The console has looked at the page for this card; that is no call of the model's.
        assert card.place.text().endswith("call 1 of 1 in turn 1")
        await take_instead(pilot, card, "type-name")
        await pilot.answer_all(lambda ask: "allow")

    ran = supervise(scenario(tmp_path), tmp_path / "home", person)
    assert ran.exit_code == 0
    assert [booking.name for booking in ran.bookings] == ["Ada Park"]
    assert ending_words(ran.timeline.ended[0]) == "finished · verified"
    asked = [record.ask for record in ran.timeline.asks]
    offers = [ask.offer for ask in asked if ask.offer is not None]
    assert [(offer.chosen, offer.chosen_by) for offer in offers] == [
        ("press-help", "model"),
        ("type-name", "operator"),
        ("press-reserve-table", "model"),
    ]
    assert [(decision.by, decision.verdict, decision.picked) for decision in ran.timeline.decisions] == [
        ("person", "deny", "type-name"),
        ("person", "allow", ""),
        ("person", "allow", ""),
    ]
    sent = ran.requests[1]["input"][1]["content"]
    assert sent[1]["image_url"].startswith("data:image/png;base64,")
    assert "(chosen by the operator in place of your choice)" in sent[0]["text"]
    assert asked[1].evidence.target is not None
    assert asked[1].evidence.target.label == "Name"
    check_replay(ran)


def test_a_denied_candidate_ends_the_run_with_nothing_done(qtbot: QtBot, tmp_path: Path) -> None:
    async def person(pilot: Pilot) -> None:
        await pilot.answer_all(lambda ask: "deny")

    ran = supervise(scenario(tmp_path), tmp_path / "home", person)
    assert ran.exit_code == 1
    assert len(ran.pilot.asked) == 1
    ended = ran.timeline.ended[0]
    assert (ended.status, ended.attempted, ended.completed) == ("stopped", ("press-help",), ())
    assert len(ran.requests) == 1
    assert [started.member for started in ran.timeline.actions if not started.reads_only] == []
    check_replay(ran)
