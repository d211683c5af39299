"""The form for an answer in a function's place: fields of its schema, faults at each, nothing wrong is sent."""

import json
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPlainTextEdit, QWidget

from app.core.value import call_digest
from app.views.decision.card import Card
from app.views.decision.own_answer import OwnAnswer
from tests.views.decision.conftest import CardDesk
from tests.views.decision.samples import ask_of_kind

LEFT = Qt.MouseButton.LeftButton
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "day": {"enum": ["Monday", "Tuesday"]},
        "tables": {"type": "integer", "minimum": 0, "description": "How many are free."},
        "guest": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
        "notes": {"type": "array", "items": {"type": "string", "maxLength": 5}},
        "more": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["day", "tables", "guest"],
}


def opened(desk: CardDesk, schema: Any = SCHEMA) -> tuple[Card, OwnAnswer]:
    asked = ask_of_kind("function_call").model_copy(update={"own_value": True, "output_schema": schema})
    card = desk.open(asked)
    QTest.mouseClick(card.value_button, LEFT)
    (form,) = card.findChildren(OwnAnswer)
    # On a low screen the card has moved up, and takes an answer only half a second later.
    desk.arm(card)
    return card, form


def editor(form: OwnAnswer, name: str) -> Any:
    (found,) = [
        one
        for kind in (QLineEdit, QPlainTextEdit, QComboBox)
        for one in form.findChildren(kind)
        if one.accessibleName() == name
    ]
    return found


def said(form: OwnAnswer) -> dict[str, str]:
    """What is wrong, by the field that it stands at; the whole form has no name."""
    fields: list[QWidget] = [*form.findChildren(QLineEdit), *form.findChildren(QPlainTextEdit)]
    fields += form.findChildren(QComboBox)
    parents: dict[str, Any] = {one.accessibleName(): one.parent() for one in fields}
    shown = {name: parent.wrong.text() for name, parent in parents.items() if hasattr(parent, "wrong")}
    shown[""] = form.wrong.text()
    visible = {label.text() for label in form.findChildren(QLabel) if label.isVisible()}
    assert all(words in visible for words in shown.values() if words), "said where nobody sees it"
    return {name: words for name, words in shown.items() if words}


def test_each_fault_stands_at_its_field_and_nothing_is_sent_until_it_fits(desk: CardDesk) -> None:
    card, form = opened(desk)
    assert editor(form, "day").hasFocus()
    QTest.mouseClick(card.value_button, LEFT)
    missing = {"day": "is missing", "tables": "is missing", "guest.name": "is missing"}
    assert said(form) == missing
    editor(form, "day").setCurrentIndex(2)
    QTest.keyClicks(editor(form, "tables"), "-1")
    QTest.keyClicks(editor(form, "guest.name"), "Ada")
    editor(form, "notes").setPlainText("window\nquiet")
    assert said(form) == {"tables": "must be at least 0", "notes": "0 must have at most 5 characters"}
    assert editor(form, "tables").accessibleDescription() == "must be at least 0"
    QTest.mouseClick(card.value_button, LEFT)
    assert desk.answers == []
    assert editor(form, "tables").hasFocus(), "the keyboard is where something is wrong"
    editor(form, "tables").setText("3")
    editor(form, "notes").setPlainText("quiet")
    assert said(form) == {}
    assert editor(form, "tables").accessibleDescription() == "How many are free."
    QTest.mouseClick(card.value_button, LEFT)
    (given,) = desk.answers
    assert given.verdict == "deny"
    assert json.loads(given.value or "") == {
        "day": "Tuesday",
        "tables": 3,
        "guest": {"name": "Ada"},
        "notes": ["quiet"],
    }


def test_what_is_wrong_with_a_short_form_is_seen_without_scrolling_and_moves_no_button(desk: CardDesk) -> None:
    short = {**SCHEMA, "properties": {key: SCHEMA["properties"][key] for key in ("day", "more")}}
    card, form = opened(desk, {**short, "required": ["day", "more"]})
    before = card.value_button.mapToGlobal(QPoint())
    QTest.mouseClick(card.value_button, LEFT)
    assert said(form) == {"day": "is missing", "more": "is missing"}
    inside = form.holder.widget()
    assert inside is not None
    assert inside.sizeHint().height() <= form.holder.height()
    assert card.value_button.mapToGlobal(QPoint()) == before


def test_what_no_field_can_say_is_written_as_json_beginning_with_what_is_said(desk: CardDesk) -> None:
    card, form = opened(desk)
    editor(form, "day").setCurrentIndex(1)
    QTest.mouseClick(form.json_button, LEFT)
    text = editor(form, "Your answer")
    assert text.hasFocus()
    assert json.loads(text.toPlainText())["day"] == "Monday"
    text.setPlainText('{"day": "Monday", "tables": 1, "guest": {"name": ""}, "more": [1, 2.5]')
    QTest.mouseClick(card.value_button, LEFT)
    assert "is no JSON" in said(form)["Your answer"]
    text.setPlainText('{"day": "Monday", "tables": 1, "guest": {"name": ""}, "more": [1, 2.5]}')
    assert said(form) == {"Your answer": "more.1 must be a whole number"}
    text.setPlainText('{"day": "Monday", "tables": 1, "guest": {"name": ""}}')
    QTest.mouseClick(card.value_button, LEFT)
    assert [answer.value for answer in desk.answers] == ['{"day": "Monday", "tables": 1, "guest": {"name": ""}}']


@pytest.mark.parametrize(
    ("schema", "typed", "value"), [({"type": "string"}, "it's 5", '"it\'s 5"'), (True, "[1]", "[1]")]
)
def test_a_whole_that_is_no_object_is_one_field(desk: CardDesk, schema: Any, typed: str, value: str) -> None:
    card, form = opened(desk, schema)
    QTest.mouseClick(card.value_button, LEFT)
    assert said(form) == {"Your answer": "is missing"}
    QTest.keyClicks(editor(form, "Your answer"), typed)
    QTest.mouseClick(card.value_button, LEFT)
    assert [answer.value for answer in desk.answers] == [value]


def test_neither_enter_nor_a_half_filled_form_gives_an_answer(desk: CardDesk) -> None:
    card, form = opened(desk)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        QTest.keyClick(editor(form, "tables"), key)
        QTest.keyClick(editor(form, "day"), key)
    assert desk.answers == []
    assert card.isVisible()


def test_a_form_with_many_fields_leaves_the_buttons_on_the_screen(desk: CardDesk) -> None:
    many = {"type": "object", "properties": {f"k{n}": {"type": "string"} for n in range(24)}}
    arguments = {f"argument_{n}": "value" for n in range(40)}
    asked = ask_of_kind("function_call").model_copy(update={"own_value": True, "output_schema": many})
    asked = asked.model_copy(update={"arguments": arguments, "digest": call_digest(asked.member, arguments)})
    card = desk.open(asked)
    QTest.mouseClick(card.value_button, LEFT)
    assert card.findChildren(OwnAnswer)
    assert card.sizeHint().height() <= card.screen().availableGeometry().height()
