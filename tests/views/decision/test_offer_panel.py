"""The card of a selected candidate: everything that was offered, whose choice it is, and another one in its place."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.core.ask import Ask
from app.core.offer import Candidate, ChosenBy, Offer
from app.views.decision.ask_body import AskBody
from tests.views.decision.conftest import CardDesk
from tests.views.decision.samples import ask, evidence, picture_of

LEFT = Qt.MouseButton.LeftButton


PAGE = "Page: Book a table\nFields: empty"


def offer(chosen_by: ChosenBy = "model", observation: Any = PAGE, many: int = 0) -> Offer:
    more = tuple(Candidate(candidate_id=f"more-{n}", description=f"Press “More {n}”") for n in range(many))
    return Offer(
        question="Select the supplied action.",
        observation=observation,
        candidates=(
            Candidate(candidate_id="press-reserve-table", description="Press “Reserve table”"),
            Candidate(candidate_id="press-help", description="Press “Help”\n3  Press “Nothing” chosen by the model"),
            *more,
            Candidate(candidate_id="done", description="The table is reserved", done=True),
        ),
        chosen="press-reserve-table",
        chosen_by=chosen_by,
        confidence=0.75,
        input_tokens=1200,
        output_tokens=2,
        total_tokens=1202,
    )


def candidate_ask(desk: CardDesk, made: Offer) -> Ask:
    return ask(
        "candidate", source="decisions", evidence=evidence(picture_of(desk.picture)), offer=made, on_deny="run_ends"
    )


def test_the_card_shows_the_question_all_candidates_the_observation_and_the_usage(desk: CardDesk) -> None:
    card = desk.open(candidate_ask(desk, offer()))
    words = card.body.shown_text()
    for told in (
        "“Select the supplied action.”",
        "chosen by the model · the model's confidence 0.75 · 1,200 + 2 tokens",
        "1  Press “Reserve table”  chosen by the model",
        "3  The table is reserved  ends the run",
        "Page: Book a table",
        "Fields: empty",
    ):
        assert told in words
    assert "the run ends" in card.deny_words.text()


def test_a_description_stays_in_its_row(desk: CardDesk) -> None:
    card = desk.open(candidate_ask(desk, offer()))
    assert card.body.offer is not None
    rows = card.body.offer.candidates.shown_text().splitlines()
    assert len(rows) == 3
    assert [row for row in rows if row.endswith("  chosen by the model")] == [rows[0]]


def test_another_candidate_denies_this_one_and_names_what_to_ask_about(desk: CardDesk) -> None:
    card = desk.open(candidate_ask(desk, offer()))
    panel = card.body.offer
    assert panel is not None
    assert panel.number is not None
    assert panel.instead is not None
    panel.number.setValue(2)
    QTest.mouseClick(panel.instead, LEFT)
    (answer,) = desk.answers
    assert (answer.verdict, answer.by, answer.picked) == ("deny", "person", "press-help")


@pytest.mark.parametrize("number", [1, 3])
def test_neither_the_same_one_nor_the_one_that_ends_the_run_can_be_picked(desk: CardDesk, number: int) -> None:
    card = desk.open(candidate_ask(desk, offer()))
    panel = card.body.offer
    assert panel is not None
    assert panel.number is not None
    assert panel.instead is not None
    panel.number.setValue(number)
    assert not panel.instead.isEnabled()
    QTest.mouseClick(panel.instead, LEFT)
    assert desk.answers == []


def test_a_fresh_card_takes_no_pick(desk: CardDesk) -> None:
    card = desk.open(candidate_ask(desk, offer()), armed=False)
    panel = card.body.offer
    assert panel is not None
    assert panel.instead is not None
    assert panel.number is not None
    panel.number.setValue(2)
    assert not panel.instead.isEnabled()
    panel.picked.emit("press-help")
    assert desk.answers == []


def test_what_the_operator_chose_is_never_called_the_model_s(desk: CardDesk) -> None:
    card = desk.open(candidate_ask(desk, offer("operator")))
    panel = card.body.offer
    assert panel is not None
    assert panel.instead is None, "a pick is not picked away"
    words = card.body.shown_text()
    assert "chosen by you, not by the model" in words
    assert "chosen by the model" not in words.replace("“Nothing” chosen by the model", "")


def test_as_many_candidates_as_there_can_be_keep_the_card_on_the_screen(desk: CardDesk) -> None:
    card = desk.open(candidate_ask(desk, offer(many=252)))
    assert card.height() <= card.screen().availableGeometry().height()
    assert card.body.offer is not None
    assert "255 candidates" in card.body.offer.head.shown_text()
    assert "254  Press “More 251”" in card.body.offer.candidates.shown_text()


def test_a_picture_in_the_observation_is_named(desk: CardDesk) -> None:
    parts = [{"type": "input_text", "text": "Page: Book"}, {"picture": "ab" * 32}]
    card = desk.open(candidate_ask(desk, offer(observation=parts)))
    assert "(a picture of the page, abababababab)" in card.body.shown_text()


def test_a_saved_question_shows_the_same_without_a_pick(desk: CardDesk) -> None:
    asked = candidate_ask(desk, offer())
    body = AskBody(asked, 560, with_ticks=False, parent=desk.window)
    assert body.offer is not None
    assert body.offer.instead is None
    assert "2  Press “Help”" in body.offer.candidates.shown_text()
    body.deleteLater()


def test_a_note_is_not_said_to_reach_the_model_when_the_run_ends(desk: CardDesk) -> None:
    card = desk.open(candidate_ask(desk, offer()))
    QTest.mouseClick(card.note_button, LEFT)
    (note,) = [field for field in card.findChildren(QLineEdit) if field.accessibleName() == "Note to the model"]
    assert note.placeholderText() == "Kept on record with the denial; the run ends, and the model is not told"
