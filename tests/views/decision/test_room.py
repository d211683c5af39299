"""The card and the screen it stands on: the answers are always on it, and never move under a press."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.scope import RunScope
from tests.views.decision.conftest import CardDesk
from tests.views.decision.office import Office
from tests.views.decision.samples import ask

ROOT = Path(__file__).parents[3]
SCREENS = (("first", 0, 1920, 1200), ("second", 1920, 800, 600))

OVER_TWO_SCREENS = """
    import json, sys
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
    from app.gate.inbox import AskInbox
    from app.core.scope import RunScope
    from app.views.decision.presenter import DecisionPresenter
    from app.views.style import appearance
    from tests.views.decision.samples import Blobs, ask

    qapp = QApplication([])
    appearance(qapp)
    window = QMainWindow()
    inside = QWidget()
    inside.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    window.setCentralWidget(inside)
    window.resize(700, 400)
    window.show()
    presenter = DecisionPresenter(window, AskInbox(), Blobs())
    keys = {f"k{at}": {"type": "string"} for at in range(8)}
    long = {f"key {at}": "value" for at in range(60)}

    def asked(number):
        scope = RunScope(kind="function_call", source="functions", member="note", arguments=long)
        return ask("function_call", "note", long, source="functions", number=number, scope=scope, own_value=True,
                   output_schema={"type": "object", "properties": keys})

    def below(card):
        foot = card.seal.mapToGlobal(card.seal.rect().bottomLeft())
        return foot.y() - card.screen().availableGeometry().bottom()

    found = []
    def look(with_others):
        card = presenter.card
        QTest.qWait(100)
        found.append(below(card))
        if with_others:
            for number in range(50, 60):
                presenter.ask_held(ask(number=number))
            QTest.qWait(50)
            found.append(below(card))
        card.arming._set(True)
        card.value_button.click()
        QTest.qWait(50)
        found.append(below(card))
        for number in (*range(50, 60), card.ask.ask_id):
            presenter.ask_settled(number if isinstance(number, str) else f"a{number:04d}")
        QTest.qWait(50)

    presenter._make_spare()
    presenter.ask_announced(asked(1))
    presenter.ask_settled("a0001")
    window.move(1930, 10)
    QTest.qWait(50)
    presenter.ask_held(asked(2))
    look(False)
    presenter._make_spare()
    ready = asked(3)
    window.move(10, 10)
    presenter.ask_announced(ready)
    window.move(1930, 10)
    QTest.qWait(50)
    presenter.ask_held(ready)
    look(True)
    print(json.dumps(found))
"""


def test_the_answers_are_on_the_screen_that_the_card_is_on(tmp_path: Path, monkeypatch: Any) -> None:
    """Also of a card that was made while the window was on another, with all the rows that can come later."""
    keys = ("name", "x", "width", "height")
    shared = {"y": 0, "dpr": 1, "logicalDpi": 96, "logicalBaseDpi": 96}
    screens = [dict(zip(keys, screen, strict=True)) | shared for screen in SCREENS]
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"screens": screens}), encoding="utf-8")
    monkeypatch.setenv("QT_QPA_PLATFORM", f"offscreen:configfile={config}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    code = textwrap.dedent(OVER_TWO_SCREENS)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found) == 5
    assert all(below <= 0 for below in found), found


def test_no_answer_moves_under_a_press(office: Office) -> None:
    """A row for another question pushes the buttons down: *Allow for this run* to where *Allow once* stood."""
    scope = RunScope(kind="browser_action", source="browser", member="click", arguments={}, label="Reserve")
    office.hold(ask(number=1, scope=scope))
    card = office.card("a0001")
    assert card.may_allow()
    aimed_at = card.allow_button.mapTo(card, QPoint(20, 8))
    other = 2
    while not isinstance(under := card.childAt(aimed_at), QWidget) or under is card.allow_button:
        office.hold(ask(number=other))
        office.turn()
        other += 1
    QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=aimed_at)
    QTest.mouseClick(under, Qt.MouseButton.LeftButton)
    assert not card.may_allow()
    assert len(office.inbox.waiting) == other - 1, "the press that was on its way answered nothing"
    office.clock.pass_ms(600)
    card.arming.check()
    assert card.may_allow()


def test_questions_that_come_and_go_do_not_keep_a_card_from_being_answered(office: Office) -> None:
    """Each new row arms anew, but what has stood there keeps its place: nothing moves for those that come later."""
    office.hold(ask(number=1))
    office.hold(ask(number=2))
    card = office.card("a0001")
    height = card.height()
    for number in range(3, 8):
        office.inbox.refuse(f"a{number - 1:04d}", "withdrawn")
        office.turn()
        office.tasks.pop(f"a{number - 1:04d}").exception()
        assert card.may_allow()
        office.hold(ask(number=number))
        office.turn()
        assert card.may_allow()
        assert card.height() == height
    QTest.mouseClick(card.deny_button, Qt.MouseButton.LeftButton)
    assert office.answer_of("a0001").verdict == "deny"


def test_a_card_closed_from_afar_takes_the_keyboard_from_nobody(office: Office, qtbot: QtBot) -> None:
    office.hold(ask(number=1))
    card = office.card("a0001")
    other = QWidget()
    qtbot.addWidget(other)
    with qtbot.waitActive(other):
        other.show()
        other.activateWindow()
    qtbot.waitUntil(lambda: not card.isActiveWindow())
    card.close()
    assert office.answer_of("a0001").verdict == "deny"
    office.hold(ask(number=2))
    qtbot.waitUntil(lambda: office.presenter.card is not None)
    assert office.presenter.card is not None
    assert office.presenter.card.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)


def test_clicking_on_through_a_fresh_card_arms_nothing(desk: CardDesk) -> None:
    """A person who goes on clicking where *Allow* then stands: the half second is one without a press."""
    card = desk.open(ask(), armed=False)
    for _ in range(10):
        desk.clock.pass_ms(300)
        card.arming.check()
        QTest.mouseClick(card.allow_button, Qt.MouseButton.LeftButton)
        QTest.mouseDClick(card.allow_button, Qt.MouseButton.LeftButton)
    assert desk.answers == []
    desk.arm(card)
    QTest.mouseClick(card.allow_button, Qt.MouseButton.LeftButton)
    assert desk.verdicts == ["allow"]
