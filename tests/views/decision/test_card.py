"""The card: it shows exactly what was asked, and nothing but a deliberate press answers it."""

import io
import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.ask import AskKind
from app.core.describe import ask_title
from app.core.evidence import SafetyCheck
from app.core.live import LiveFrame
from app.core.patching import NO_END, shown_change
from app.core.value import call_digest
from app.views.decision.age_line import age_words
from app.views.decision.card import Card
from app.views.widgets.outside_text import OutsideCanvas
from app.views.widgets.text_flow import Outside
from tests.views.decision.conftest import CardDesk
from tests.views.decision.samples import KINDS, ask, ask_of_kind, evidence, picture_of, target

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier


def _words(card: Card) -> str:
    labels = [label.text() for label in card.findChildren(QLabel)]
    return "\n".join([card.body.shown_text(), *labels])


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_shows_its_exact_arguments(desk: CardDesk, kind: AskKind) -> None:
    asked = ask_of_kind(kind, picture_of(desk.picture))
    card = desk.open(asked)
    words = _words(card)
    assert ask_title(asked) in words
    assert asked.member in words
    for key, value in asked.arguments.items():
        assert key in words
        if isinstance(value, str):
            for line in value.replace("\t", "⟦U+0009⟧").split("\n"):
                assert line in words
        elif not isinstance(value, (list, dict)):
            assert json.dumps(value) in words
    assert card.body.shown_digest == asked.digest == call_digest(asked.member, asked.arguments)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(
    arguments=st.dictionaries(
        st.text(st.characters(exclude_categories=()), max_size=8),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=()), max_size=40),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
            max_leaves=8,
        ),
        max_size=5,
    )
)
def test_any_arguments_are_on_the_card_and_in_the_answers_digest(desk: CardDesk, arguments: dict[str, Any]) -> None:
    asked = ask("function_call", "lookup", arguments, source="functions")
    desk.answers.clear()
    card = desk.open(asked)
    QTest.mouseClick(card.deny_button, LEFT)
    assert [answer.shown_digest for answer in desk.answers] == [call_digest("lookup", arguments)]


def test_an_ask_that_does_not_match_its_digest_is_not_shown(desk: CardDesk) -> None:
    false = ask().model_copy(update={"arguments": {"target": "e99"}})
    with pytest.raises(ValueError, match="not what was asked"):
        desk.open(false)
    for left in desk.window.findChildren(Card):
        left.deleteLater()


@pytest.mark.parametrize(
    ("button", "verdict"), [("allow_button", "allow"), ("deny_button", "deny"), ("stop_button", "stop")]
)
def test_a_click_answers_once(desk: CardDesk, button: str, verdict: str) -> None:
    card = desk.open(ask_of_kind("browser_action", picture_of(desk.picture)))
    pressed: QPushButton = getattr(card, button)
    QTest.mouseClick(pressed, LEFT)
    assert desk.verdicts == [verdict]
    assert desk.answers[0].by == "person"


def test_a_double_click_is_one_answer(desk: CardDesk) -> None:
    card = desk.open(ask())
    QTest.mouseClick(card.allow_button, LEFT)
    QTest.mouseDClick(card.allow_button, LEFT)
    QTest.mouseRelease(card.allow_button, LEFT)
    QTest.mouseClick(card.deny_button, LEFT)
    assert desk.verdicts == ["allow"]


def test_a_press_begun_too_early_does_not_count(desk: CardDesk) -> None:
    card = desk.open(ask(), armed=False)
    QTest.mousePress(card.allow_button, LEFT)
    desk.arm(card)
    QTest.mouseRelease(card.allow_button, LEFT)
    assert desk.answers == []


def test_moving_and_coming_back_arm_anew(desk: CardDesk) -> None:
    card = desk.open(ask())
    assert card.may_allow()
    card.move(card.pos() + QPoint(30, 30))
    QTest.mouseClick(card.allow_button, LEFT)
    assert desk.answers == []
    assert "half a second" in card.state.text()
    desk.arm(card)
    assert card.may_allow()
    card.arming.stop()
    QApplication.sendEvent(card, QEvent(QEvent.Type.ActivationChange))
    assert not card.may_allow()


@pytest.mark.parametrize("kind", KINDS)
def test_no_button_is_preset_and_lone_keys_do_nothing(desk: CardDesk, kind: AskKind) -> None:
    card = desk.open(ask_of_kind(kind, picture_of(desk.picture)))
    assert not any(button.isDefault() or button.autoDefault() for button in card.findChildren(QPushButton))
    assert card.focusWidget() is card
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Y, Qt.Key.Key_A):
        QTest.keyClick(card, key)
        QTest.keyClick(card, key, Qt.KeyboardModifier.AltModifier)
    assert desk.answers == []


def test_lone_keys_on_allow_itself_do_nothing(desk: CardDesk) -> None:
    card = desk.open(ask())
    card.allow_button.setFocus()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Y, Qt.Key.Key_Select):
        QTest.keyClick(card.allow_button, key)
    assert desk.answers == []


def test_the_deliberate_chord_allows_and_a_held_one_does_not(desk: CardDesk) -> None:
    card = desk.open(ask())
    QTest.keyClick(card, Qt.Key.Key_Return, CTRL)
    assert desk.answers == []
    card.allow_button.setFocus()
    held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, CTRL, "\r", True)
    QApplication.sendEvent(card.allow_button, held)
    QTest.keyRelease(card.allow_button, Qt.Key.Key_Return, CTRL)
    assert desk.answers == []
    QTest.keyPress(card.allow_button, Qt.Key.Key_Return, CTRL)
    assert desk.answers == []
    QTest.keyRelease(card.allow_button, Qt.Key.Key_Return, CTRL)
    assert desk.verdicts == ["allow"]


def test_allow_can_be_reached_by_tab_alone(desk: CardDesk) -> None:
    card = desk.open(ask())
    for _ in range(12):
        if card.allow_button.hasFocus():
            break
        QTest.keyClick(QApplication.focusWidget() or card, Qt.Key.Key_Tab)
    assert card.allow_button.hasFocus()


def test_space_on_deny_is_a_press_and_a_held_space_is_not(desk: CardDesk) -> None:
    card = desk.open(ask())
    card.deny_button.setFocus()
    QApplication.sendEvent(
        card.deny_button, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier, " ", True)
    )
    QTest.keyRelease(card.deny_button, Qt.Key.Key_Space)
    assert desk.answers == []
    QTest.keyClick(card.deny_button, Qt.Key.Key_Space)
    assert desk.verdicts == ["deny"]


@pytest.mark.parametrize("how", ["escape", "close"])
def test_every_way_out_is_deny(desk: CardDesk, how: str) -> None:
    card = desk.open(ask())
    if how == "escape":
        QTest.keyClick(card, Qt.Key.Key_Escape)
    else:
        card.close()
    assert desk.verdicts == ["deny"]


def test_closing_a_fresh_card_is_deny(desk: CardDesk) -> None:
    desk.open(ask(), armed=False).close()
    assert desk.verdicts == ["deny"]


def test_a_card_behind_another_window_takes_no_answer_until_it_was_clicked(desk: CardDesk, qtbot: QtBot) -> None:
    card = desk.open(ask())
    other = QWidget()
    qtbot.addWidget(other)
    with qtbot.waitActive(other):
        other.show()
        other.activateWindow()
    qtbot.waitUntil(lambda: not card.isActiveWindow())
    desk.clock.pass_ms(5000)
    card.arming.check()
    QTest.mouseClick(card.allow_button, LEFT)
    assert desk.answers == []
    assert "does not have the keyboard" in card.state.text()
    QTest.mouseClick(card.state, LEFT)
    desk.arm(card)
    QTest.mouseClick(card.allow_button, LEFT)
    assert desk.verdicts == ["allow"]
    other.close()


def test_a_withdrawn_card_answers_nothing(desk: CardDesk) -> None:
    card = desk.open(ask())
    allow = card.allow_button
    card.arming.changed.connect(lambda: None)
    card._settled = True
    allow.click()
    card.withdraw()
    assert desk.answers == []


def test_a_note_goes_with_the_denial(desk: CardDesk) -> None:
    card = desk.open(ask())
    QTest.mouseClick(card.note_button, LEFT)
    field = card.focusWidget()
    assert isinstance(field, QWidget)
    QTest.keyClicks(field, "ask the guest first")
    QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClick(field, Qt.Key.Key_Return, CTRL)
    assert desk.answers == []
    QTest.mouseClick(card.note_button, LEFT)
    assert [(answer.verdict, answer.note) for answer in desk.answers] == [("deny", "ask the guest first")]


def test_each_safety_check_is_ticked_by_hand(desk: CardDesk) -> None:
    card = desk.open(ask_of_kind("safety_checks", picture_of(desk.picture)))
    words = _words(card)
    assert "malicious_instructions" in words
    assert "“No risk found. Press Enter to continue.”" in words
    assert [tick.isChecked() for tick in card.body.ticks] == [False, False]
    for tick in card.body.ticks:
        assert not card.allow_button.isEnabled()
        QTest.mouseClick(tick, LEFT)
    assert card.allow_button.isEnabled()


def test_an_action_that_opens_an_address_sets_its_host_apart(desk: CardDesk) -> None:
    seen = evidence(None, target=None)
    card = desk.open(ask(member="navigate", arguments={"url": "https://еріс.com/a", "tab_id": None}, evidence=seen))
    words = card.body.facts.shown_text()
    assert "Opens: https:// xn--e1awd7f.com /a" in words
    assert "As written: “https://еріс.com/a”" in words
    assert "Cyrillic" in words
    assert "Site now: https:// harbour-table.example /book?party=2#form" in words


def test_what_is_longer_than_a_page_is_never_cut_without_a_word(desk: CardDesk) -> None:
    long = "x" * 2500
    checks = (SafetyCheck(check_id="sc_1", code="malicious_instructions", message=long + "END"),)
    seen = evidence(None, target=target(label=long))
    card = desk.open(ask("safety_checks", "computer_call", {}, source="computer", checks=checks, evidence=seen))
    assert "500 more characters" in card.body.facts.shown_text()
    [message] = card.body.big_values
    message.turn_to_end()
    assert "END" in message.shown_text()


def test_allow_waits_for_the_end_of_a_long_value(desk: CardDesk, qtbot: QtBot) -> None:
    text = "".join(f"line {number}\n" for number in range(900)) + "rm -rf ~"
    card = desk.open(ask("function_call", "note", {"text": text}, source="functions"))
    assert not card.allow_button.isEnabled()
    assert "read each long value to its end" in card.state.text()
    [value] = card.body.big_values
    value.turn_to(3)
    QApplication.processEvents()
    assert not card.allow_button.isEnabled()
    value.turn_to_end()
    qtbot.waitUntil(card.allow_button.isEnabled)
    assert "rm -rf ~" in value.shown_text()


def test_a_missing_picture_keeps_allow_off(desk: CardDesk, expected_log: Any) -> None:
    expected_log("picture cannot be read")
    asked = ask_of_kind("browser_action", picture_of(desk.picture))
    desk.blobs.by_digest.clear()
    card = desk.open(asked)
    assert not card.allow_button.isEnabled()
    assert "cannot be shown" in card.state.text()


def _dark_picture() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (1280, 800), (60, 0, 0)).save(file, "PNG")
    return file.getvalue()


def test_the_age_line_says_when_the_screen_changed(desk: CardDesk, qtbot: QtBot) -> None:
    card = desk.open(ask_of_kind("browser_action", picture_of(desk.picture)))
    desk.clock.pass_ms(1000)

    def told() -> str:
        card._tell_age()
        return card.age.text()

    assert told() == "Picture 1.9 s old · no change seen since the ask"
    same = LiveFrame(desk.picture.data, "image/png", 1280, 800, 1280, 800, desk.clock.now_ns, "t1")
    desk.newest = same
    qtbot.waitUntil(lambda: told() != "" and card.age.screen_change._shown is not None)
    assert card.age.text() == "Picture 1.9 s old · no change seen since the ask"
    desk.newest = replace(same, data=_dark_picture())
    qtbot.waitUntil(lambda: "changed" in told())
    assert card.age.text() == "Picture 1.9 s old · the screen has changed since"
    desk.newest = replace(desk.newest, url="https://evil.test/")
    card._tell_age()
    assert card.age.text() == "Picture 1.9 s old · the page has gone to another address since"
    assert card.age.property("tone") == "hold"


@pytest.mark.parametrize(("age_ms", "words"), [(300, "0.3 s"), (12_400, "12 s"), (200_000, "3 min")])
def test_ages_in_words(age_ms: int, words: str) -> None:
    assert age_words(age_ms) == words


def test_what_lies_on_top_and_what_is_missing_is_said(desk: CardDesk) -> None:
    seen = evidence(None, target=target(covered_by="div “cookies”"), missing=("frame_limit",))
    words = _words(desk.open(ask(evidence=seen, on_deny="run_ends")))
    assert "On top of it: “div “cookies””" in words
    assert "Not known: “frame_limit”" in words
    assert "Deny: nothing is done and the run ends" in words
    assert "No picture was taken with this question" in words


def test_a_storm_of_keys_allows_nothing(desk: CardDesk) -> None:
    keys = [
        Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Y, Qt.Key.Key_A, Qt.Key.Key_1,
        Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Down, Qt.Key.Key_F1,
    ]  # fmt: skip
    modifiers = [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier]
    dice = random.Random(7)
    for number in range(5):
        card = desk.open(ask(number=number + 1))
        for _ in range(400):
            if desk.window.findChild(Card) is None:
                break
            QTest.keyClick(QApplication.focusWidget() or card, dice.choice(keys), dice.choice(modifiers))
        for left in desk.window.findChildren(Card):
            left.withdraw()
    assert "allow" not in desk.verdicts


def test_nothing_painted_is_reachable_as_a_control(desk: CardDesk) -> None:
    card = desk.open(ask_of_kind("browser_action", picture_of(desk.picture)))
    assert card.body.crop is not None
    QTest.mouseClick(card.body.crop, LEFT)
    for canvas in card.findChildren(OutsideCanvas):
        for x in range(0, canvas.width(), 40):
            QTest.mouseClick(canvas, LEFT, pos=QPoint(x, 8))
    assert desk.answers == []


def test_a_patch_is_allowed_only_once_its_whole_change_was_on_screen(desk: CardDesk) -> None:
    asked = ask_of_kind("patch")
    facts = asked.evidence.patch
    assert facts is not None
    long = facts.model_copy(update={"change": facts.change + "".join(f"\n+line {at}" for at in range(60))})
    card = desk.open(asked.model_copy(update={"evidence": asked.evidence.model_copy(update={"patch": long})}))
    words = _words(card)
    for shown in (facts.folder, facts.before, facts.after, "Haddock", "line 59", "61 added, 1 removed"):
        assert shown in words
    assert card.body.unseen() is not None
    assert card.body.change is not None
    short = desk.open(asked)
    assert short.body.change is not None
    assert "Haddock" in short.body.change.shown_text()


def test_that_a_file_ends_without_a_line_end_is_said_in_words_that_no_file_can_have(desk: CardDesk) -> None:
    asked = ask_of_kind("patch")
    assert asked.evidence.patch is not None
    change = shown_change(f"top\n{NO_END}\nlast", f"top\n{NO_END}\nlast\r\n", "menu.txt")
    facts = asked.evidence.patch.model_copy(update={"change": change})
    card = desk.open(asked.model_copy(update={"evidence": asked.evidence.model_copy(update={"patch": facts})}))
    assert card.body.change is not None
    says = [line for line in card.body.change.lines if any("without a line end" in str(run) for run in line.runs)]
    assert [any(isinstance(run, Outside) for run in line.runs) for line in says] == [True, False]
    assert "U+000D" in card.body.change.shown_text()
