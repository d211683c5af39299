"""Text that tries to deceive, on a whole card: it is shown as what it is, and the window stays quick."""

import json
import time
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.views.decision.card import Card
from tests.helpers.case_files import case_value, spoofing_cases
from tests.views.decision.conftest import CardDesk
from tests.views.decision.samples import ask, ask_of_kind, evidence, picture_of, target


def _words(card: Card) -> str:
    labels = [label.text() for label in card.findChildren(QLabel)]
    return "\n".join([card.body.shown_text(), *labels])


TEXT_CASES = [case for case in spoofing_cases() if isinstance(case_value(case), str)]
IN_ARGUMENTS = {"type.text": "text", "run_script.source": "source", "navigate.url": "url"}


@pytest.mark.parametrize("case", TEXT_CASES, ids=lambda case: case["id"])
def test_a_spoofing_text_shows_what_it_is(desk: CardDesk, qtbot: QtBot, case: dict[str, Any]) -> None:
    value, where = case_value(case), case["where"]
    if where in IN_ARGUMENTS:
        asked = ask(arguments={IN_ARGUMENTS[where]: value})
    elif where == "raw_arguments":
        asked = ask(arguments=json.loads(value), raw_arguments=value)
    elif where == "mcp.server_label":
        asked = ask("mcp_approval", "tool", {}, source="mcp", server_label=value)
    elif where == "tab.title":
        seen = evidence(None)
        assert seen.page is not None
        asked = ask(evidence=seen.model_copy(update={"page": seen.page.model_copy(update={"title": value})}))
    elif where == "safety.message":
        asked = ask_of_kind("safety_checks")
    else:
        asked = ask(evidence=evidence(None, target=target(label=value)))
    card = desk.open(asked)
    for big in card.body.big_values:
        big.turn_to_end()
        qtbot.waitUntil(big.has_seen_end)
    words = _words(card)
    for visible in case["must_be_visible"]:
        assert visible in words
    labels = [label.text() for label in card.findChildren(QLabel)]
    buttons = [button.text() for button in card.findChildren(QPushButton)]
    assert value not in [*labels, *buttons, card.windowTitle()]
    assert not any("&" in text for text in buttons)
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in card.findChildren(QLabel))


def test_a_hundred_thousand_points_are_counted_and_their_ends_shown(desk: CardDesk) -> None:
    [case] = [case for case in spoofing_cases() if case["where"] == "drag.path"]
    card = desk.open(ask("computer_action", "drag", {"type": "drag", "path": case_value(case)}, source="computer"))
    words = card.body.facts.shown_text()
    assert "list of 100,000" in words
    assert 'first {"x": 0, "y": 0}' in words
    assert 'last {"x": 159, "y": 799}' in words


def test_unknown_fields_keys_and_far_places_are_shown(desk: CardDesk) -> None:
    picture = picture_of(desk.picture)
    for case in (case for case in spoofing_cases() if case["where"] == "computer.click"):
        action = case["string"]
        point = {"x": action["x"], "y": action["y"]}
        seen = evidence(picture, target=None, points=(point,))
        card = desk.open(ask("computer_action", "click", action, source="computer", evidence=seen))
        words = _words(card)
        for visible in case["must_be_visible"]:
            assert visible in words
        assert ("1 of 1 points lie outside the picture" in words) == (action["x"] < 0)
        card.withdraw()


def test_a_million_letters_do_not_hold_the_window_up(desk: CardDesk, qtbot: QtBot) -> None:
    asked = ask("function_call", "note", {"text": "A" * 1_000_000}, source="functions")
    begun = time.process_time()
    card = desk.open(asked)
    for value in card.body.big_values:
        value.turn_to_end()
    QApplication.processEvents()
    assert time.process_time() - begun < 1.0
    assert "1,000,000 characters" in _words(card)
