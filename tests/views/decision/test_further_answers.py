"""Answers beside Allow once and Deny: for this run, one's own; and what cannot be taken back, and a time limit."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea

from app.core.evidence import DESKTOP, Evidence, FileFacts, Page, Target
from app.core.habit import FAST_FROM, TICKED_FROM, Differs, Habit
from app.core.scope import RunScope
from app.views.stop_all import joined
from app.views.widgets.text_flow import Flow
from tests.views.decision.conftest import CardDesk
from tests.views.decision.samples import ask, ask_of_kind, evidence, target

LOOKUP = RunScope(kind="function_call", source="functions", member="lookup", arguments={"reference": "HT-3"})
LEFT = Qt.MouseButton.LeftButton


def test_for_this_run_says_its_exact_scope_before_the_press(desk: CardDesk) -> None:
    card = desk.open(ask_of_kind("function_call").model_copy(update={"scope": LOOKUP}))
    assert card.for_run is not None
    said = card.for_run.words.shown_text()
    assert "lookup" in said
    assert '{"reference":"HT-3"}' in said
    assert "At most 10 more times, for 15 minutes, in this run only" in said
    QTest.mouseClick(card.for_run.button, LEFT)
    assert [(answer.verdict, answer.for_run) for answer in desk.answers] == [("allow", True)]


def test_a_scope_of_the_page_names_target_and_origin(desk: CardDesk) -> None:
    scope = RunScope(
        kind="browser_action",
        source="browser",
        member="click",
        arguments={},
        origin="https://harbour-table.example",
        frame_origin="https://pay.example",
        role="button",
        label="Reserve table",
        element="e7",
        leads="https://pay.example/now",
    )
    card = desk.open(ask_of_kind("browser_action").model_copy(update={"scope": scope}))
    assert card.for_run is not None
    said = card.for_run.words.shown_text()
    for words in ("Click on a page element", "button", "Reserve table", "https://harbour-table.example", "pay.example"):
        assert words in said
    for words in ("and no other of that name", "leading to https://pay.example/now"):
        assert words in said
    assert "e7" not in said, "the driver's own name for it says nothing to a person"


def test_the_scope_of_a_plain_button_that_leads_elsewhere_stands_there_whole(desk: CardDesk) -> None:
    scope = RunScope(
        kind="browser_action",
        source="browser",
        member="click",
        arguments={},
        origin="http://127.0.0.1:54321",
        role="button",
        label="Reserve table",
        leads="http://127.0.0.1:54321/book",
    )
    card = desk.open(ask_of_kind("browser_action").model_copy(update={"scope": scope}))
    assert card.for_run is not None
    assert not card.for_run.scrolls
    assert card.for_run.button.isEnabled()


def test_a_huge_label_leaves_the_answers_on_the_screen_and_is_read_to_its_end(desk: CardDesk) -> None:
    usual = desk.open(ask_of_kind("function_call").model_copy(update={"scope": LOOKUP}))
    label = " ".join(["Confirm everything at once"] * 36)
    scope = LOOKUP.model_copy(update={"role": "button", "label": label})
    card = desk.open(ask_of_kind("function_call").model_copy(update={"scope": scope}))
    assert card.for_run is not None
    assert label in card.for_run.words.shown_text()
    assert card.height() <= usual.height() + 110
    assert card.allow_button.isEnabled()
    assert not card.for_run.button.isEnabled()
    QTest.mouseClick(card.for_run.button, LEFT)
    assert desk.answers == []
    holder = card.for_run.findChild(QScrollArea)
    assert holder is not None
    holder.verticalScrollBar().setValue(holder.verticalScrollBar().maximum())
    card.grab()
    QTest.mouseClick(card.for_run.button, LEFT)
    assert [answer.for_run for answer in desk.answers] == [True]


def test_for_this_run_is_not_there_without_a_scope_and_takes_no_lone_key(desk: CardDesk) -> None:
    assert desk.open(ask_of_kind("function_call")).for_run is None
    card = desk.open(ask_of_kind("function_call").model_copy(update={"scope": LOOKUP}))
    assert card.for_run is not None
    card.for_run.button.setFocus()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_A):
        QTest.keyClick(card.for_run.button, key)
    assert desk.answers == []


def test_what_cannot_be_taken_back_takes_a_gesture_more(desk: CardDesk) -> None:
    card = desk.open(ask_of_kind("function_call").model_copy(update={"irreversible": True}))
    assert card.body.last_tick is not None
    QTest.mouseClick(card.allow_button, LEFT)
    assert desk.answers == []
    assert "cannot be taken back" in card.state.text()
    QTest.mouseClick(card.body.last_tick, LEFT)
    QTest.mouseClick(card.allow_button, LEFT)
    assert desk.verdicts == ["allow"]


def test_one_s_own_desktop_is_confirmed_in_words(desk: CardDesk) -> None:
    card = desk.open(ask_of_kind("own_desktop"))
    assert card.body.last_tick is not None
    assert "I confirm: this run may see and use my own desktop" in card.body.shown_text()
    QTest.mouseClick(card.allow_button, LEFT)
    assert desk.answers == []
    assert "your own desktop" in card.state.text()
    QTest.mouseClick(card.body.last_tick, LEFT)
    QTest.mouseClick(card.allow_button, LEFT)
    assert desk.verdicts == ["allow"]


def test_a_place_on_a_desktop_is_said_by_screen_and_window(desk: CardDesk) -> None:
    page = Page(tab_id=DESKTOP, url="virtual desktop", origin="", title="list.txt", document="d")
    target = Target(ref="w1", role="window", label="mousepad", frame_origin="", box=None, covered_by=None)
    shown = Evidence(page=page, target=target, aim="point", aimed=True)
    arguments = {"type": "click", "x": 6, "y": 3, "button": "left"}
    card = desk.open(ask("computer_action", "click", arguments, source="computer", evidence=shown))
    text = card.body.shown_text()
    for words in ("Screen: virtual desktop", "Keys go to: “list.txt”", "Window of: “mousepad”"):
        assert words in text
    assert "address" not in text


def test_a_time_limit_is_shown_counting(desk: CardDesk) -> None:
    card = desk.open(ask_of_kind("function_call").model_copy(update={"expires_secs": 30.0}), armed=False)
    card._tell_age()
    assert card.expiry.text() == "Denied by itself in 30 s"
    desk.clock.pass_ms(12_500)
    card._tell_age()
    assert card.expiry.text() == "Denied by itself in 18 s"
    assert desk.answers == []


@pytest.mark.parametrize("offered", [True, False])
def test_an_answer_in_the_function_s_place(desk: CardDesk, offered: bool) -> None:
    card = desk.open(ask_of_kind("function_call").model_copy(update={"own_value": offered}))
    assert card.value_button.isVisible() == offered
    if not offered:
        return
    QTest.mouseClick(card.value_button, LEFT)
    QTest.keyClicks(card.focusWidget(), "open all day")
    QTest.mouseClick(card.value_button, LEFT)
    assert [(answer.verdict, answer.value) for answer in desk.answers] == [("deny", "open all day")]


def test_one_card_for_two_questions_says_so(desk: CardDesk) -> None:
    asked = ask_of_kind("navigation").model_copy(update={"joined": ("browser_action",)})
    card = desk.open(asked)
    assert "2 questions, one answer for each: open an address, act on the page" in card.body.shown_text()


def test_the_keys_of_stop_all_work_on_a_card_and_answer_nothing(desk: CardDesk) -> None:
    stopped: list[str] = []
    leave = joined(lambda: stopped.append("run"))
    card = desk.open(ask())
    QTest.keyClick(card, Qt.Key.Key_F12)
    assert stopped == []
    QTest.keyClick(card, Qt.Key.Key_F12, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    leave()
    assert stopped == ["run"]
    assert desk.answers == []


def test_what_differs_from_a_habit_is_marked_and_must_be_ticked(desk: CardDesk) -> None:
    differs = Differs(what="element", before="Save", now="Pay 900")
    habit = Habit(alike=TICKED_FROM, answered_in_last_minute=FAST_FROM, differs=(differs,))
    card = desk.open(ask(habit=habit, unasked_site=True, evidence=evidence()))
    said = card.body.shown_text()
    assert "another element, was “Save”, now “Pay 900”" in said
    assert "8 questions answered within the last minute" in said
    assert "nobody allowed this site" in said
    assert not card.allow_button.isEnabled()
    assert card.body.difference_tick is not None
    QTest.mouseClick(card.body.difference_tick, LEFT)
    assert card.allow_button.isEnabled()
    card.withdraw()
    few = desk.open(ask(habit=habit.model_copy(update={"alike": TICKED_FROM - 1}), evidence=evidence()))
    assert few.allow_button.isEnabled(), "a gesture of its own only after many"


def test_a_script_stands_as_numbered_lines_however_short_it_is(desk: CardDesk) -> None:
    card = desk.open(ask("script", "run_script", {"source": "return fetch('/pay')", "timeout_ms": 3000}))
    (code,) = card.body.big_values
    (line,) = code._canvas.lines
    flow = Flow(500)
    flow.add(line)
    tones = {atom.text: atom.tone for row in flow.rows for atom in row.atoms}
    assert tones["1"] == "dim", "the number of its line"
    assert tones["fetch"] == "hold"
    assert tones["return"] == "accent"
    assert code.shown_text().endswith("return fetch('/pay')")
    assert card.allow_button.isEnabled()


def test_a_file_is_shown_with_name_size_hash_and_how_it_begins(desk: CardDesk) -> None:
    given = FileFacts(
        direction="upload", name="menu\u202efdp.exe", size=1234, sha256="ab" * 32, preview="#!/bin/sh\nrm -rf"
    )
    card = desk.open(ask("file_grant", "upload_file", {"grant_id": "g1"}, evidence=evidence(file=given)))
    said = card.body.shown_text()
    for words in ("File: “menu⟦U+202E", "Size: 1,234 bytes", "SHA-256: abab", "Begins: “#!/bin/sh", "harbour-table"):
        assert words in said
    card.withdraw()
    fetched = FileFacts(direction="download", url="https://files.example/menu.pdf")
    down = desk.open(ask("file_grant", "download_file", {"grant_id": "g2"}, evidence=evidence(file=fetched)))
    assert "Opens: https:// files.example /menu.pdf" in down.body.shown_text()


def test_a_name_that_is_not_what_the_page_shows_and_a_link_that_leads_away_are_said(desk: CardDesk) -> None:
    shown = target(label="Cancel", reads="Pay 900", leads_to="https://evil.example/x")
    said = desk.open(ask(evidence=evidence(target=shown))).body.shown_text()
    assert "its name is not what it reads on the page: “Pay 900”" in said
    assert "Leads to: ! https:// evil.example /x" in said
    plain = target(label="Reserve table now", reads="Reserve  TABLE", leads_to="https://harbour-table.example/x")
    said = desk.open(ask(evidence=evidence(target=plain), number=8)).body.shown_text()
    assert "its name is not" not in said
    assert "Leads to" not in said
