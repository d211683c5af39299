"""A person answers in a function's place with clicks and keys; what the model receives stands on the wire."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from app.core.events import ActionStarted, CallAnswered, DecisionMade
from app.ledger.verify import verify
from app.rehearsal.server import ScriptedModel
from app.views.decision.card import Card
from app.views.decision.own_answer import OwnAnswer
from tests.end2end.test_debugging_tutorial import run_by_hand
from tests.helpers.pilot import Pilot
from tests.unit.app.runner.scenes import DONE, answer, scene

CALLED = 'function = "free_tables"\narguments = { day = "Monday" }'
SCHEMA = {
    "type": "object",
    "properties": {"day": {"enum": ["Monday", "Tuesday"]}, "tables": {"type": "integer", "minimum": 0}},
    "required": ["day", "tables"],
}


async def _never(arguments: dict[str, Any]) -> str:
    raise AssertionError("the function ran")


with_schema = (
    {"type": "function", "name": "free_tables", "parameters": {"type": "object"}, "output_schema": SCHEMA},
    _never,
)
without = ({"type": "function", "name": "free_tables", "parameters": {"type": "object"}}, _never)

RUN_FILE = """
task = "How many tables are free on Monday?"
model = "scripted-model"

[[functions]]
name = "free_tables"
import = "tests.end2end.test_own_answer:{name}"
allow_output_override = true
"""


async def with_a_form(pilot: Pilot, card: Card) -> None:
    """Give a wrong answer first: it is not sent."""
    (form,) = card.findChildren(OwnAnswer)
    (day,) = form.findChildren(QComboBox)
    (tables,) = form.findChildren(QLineEdit)
    day.setCurrentText("Monday")
    QTest.keyClicks(tables, "-3")
    QTest.mouseClick(card.value_button, Qt.MouseButton.LeftButton)
    assert tables.accessibleDescription() == "must be at least 0"
    assert pilot.card() is card
    tables.clear()
    QTest.keyClicks(tables, "3")


async def in_words(pilot: Pilot, card: Card) -> None:
    (line,) = card.findChildren(QLineEdit)
    QTest.keyClicks(line, "three, I asked")


@pytest.mark.parametrize(
    ("name", "typed", "sent"),
    [("with_schema", with_a_form, '{"day": "Monday", "tables": 3}'), ("without", in_words, "three, I asked")],
)
def test_what_a_person_answers_in_a_function_s_place_is_what_the_model_gets(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, typed: Any, sent: str
) -> None:
    async def person(pilot: Pilot) -> None:
        card = await pilot.next_card()
        assert card is not None
        await pilot.until(card.value_button.isEnabled, "the answer of one's own")
        QTest.mouseClick(card.value_button, Qt.MouseButton.LeftButton)
        await pilot.until(card.value_button.isEnabled, "the answer of one's own, once the card stands still")
        await typed(pilot, card)
        QTest.mouseClick(card.value_button, Qt.MouseButton.LeftButton)
        await pilot.until(lambda: pilot.card() is None, "the card closing")
        await pilot.until(pilot.ended, "the end")

    with contextlib.ExitStack() as stack:
        model = ScriptedModel(scene(answer(CALLED), answer(DONE)))
        monkeypatch.setenv("OPENAI_BASE_URL", model.start())
        monkeypatch.setenv("OPENAI_API_KEY", "no-key-is-needed")
        stack.callback(model.stop)
        file = tmp_path / "tables.toml"
        file.write_text(RUN_FILE.format(name=name))
        timeline = run_by_hand(file, tmp_path / "home", person)
        (output,) = [item for item in model.requests[1].body["input"] if item.get("type") == "function_call_output"]
    assert output["output"] == sent
    declared = model.requests[0].body["tools"][0]
    assert declared.get("output_schema") == (SCHEMA if name == "with_schema" else None)
    events = [one.event for one in timeline.events]
    (made,) = [event.decision for event in events if isinstance(event, DecisionMade)]
    assert (made.by, made.verdict, made.value) == ("person", "deny", sent)
    assert [event.output for event in events if isinstance(event, CallAnswered)] == [[sent]]
    assert [event for event in events if isinstance(event, ActionStarted)] == []
    assert timeline.ended[0].status == "finished"
    (ledger,) = (tmp_path / "home").rglob("*.signalbox")
    assert verify(ledger).whole
    assert json.dumps(sent) in json.dumps([event.model_dump(mode="json") for event in events])
