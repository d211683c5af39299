"""The code panel: what a piece says as it comes, the variables of then, and buttons that act on what runs."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from pytestqt.qtbot import QtBot

from app.core.code_events import CodeActed, CodeSaid, VariableSeen, VariablesSeen
from app.core.code_seen import ending_at
from app.core.events import ActionEnded, ActionStarted, CallAnswered, Event, ProposedCall, RunStarted, TurnAnswered
from app.core.value import call_digest
from app.replay.cursor import Seek
from app.views.code.code_panel import LOST, CodePanel
from app.views.models.timeline_model import TimelineModel
from tests.views.decision.samples import Blobs
from tests.views.inspector.samples import numbered

CODE = "for place in places:\n    print(place)\n"
ARGUMENTS = {"code": CODE}

HEADER = RunStarted(
    run_id="r",
    task="t",
    model="m",
    engine="responses",
    max_steps=5,
    provenance="demo",
    unattended=True,
    plan={},
    versions={},
)
PROPOSED = ProposedCall(call_id="c1", source="functions", member="exec_py", arguments=ARGUMENTS)
RUNNING: list[Event] = [
    HEADER,
    TurnAnswered(turn=1, response_id="r1", calls=(PROPOSED,), messages=(), final=False),
    ActionStarted(
        call_id="c1",
        source="code",
        member="exec_py",
        digest=call_digest("exec_py", ARGUMENTS),
        ask_id=None,
        reads_only=False,
    ),
    CodeSaid(call_id="c1", text="Graz\n"),
]
ENDED: list[Event] = [
    CodeSaid(call_id="c1", text="Wien\n"),
    VariablesSeen(language="py", variables=(VariableSeen(name="places", kind="list", shown="['Graz', 'Wi"),)),
    ActionEnded(call_id="c1", outcome="done"),
    CallAnswered(call_id="c1", ok=True, output=["Graz\nWien\n", {"picture": "d"}, "(2 more characters were left out)"]),
]


def shown(qtbot: QtBot, events: list[Event], *, live: bool = True) -> tuple[TimelineModel, CodePanel]:
    model = TimelineModel(blobs=Blobs(), live=live)
    panel = CodePanel(model)
    qtbot.addWidget(panel)
    panel.resize(360, 560)
    panel.show()
    model.extend(numbered(events))
    qtbot.waitUntil(lambda: not panel._stale)
    return model, panel


def add(qtbot: QtBot, model: TimelineModel, panel: CodePanel, *events: Event) -> None:
    model.extend(numbered(list(events), model.timeline.last_seq + 1))
    qtbot.waitUntil(lambda: not panel._stale)


def rows(model: Any) -> list[str]:
    return [model.row(at).words for at in range(model.rowCount())]


def test_what_a_piece_says_comes_while_it_runs_and_all_of_it_when_it_has_ended(qtbot: QtBot) -> None:
    model, panel = shown(qtbot, RUNNING)
    assert rows(panel.pieces) == ["running  Python  for place in places:  turn 1"]
    assert panel.source.text.value == CODE.rstrip("\n")
    assert panel.output.text.value == "Graz\n"
    assert panel.summary == "1 · running"
    add(qtbot, model, panel, *ENDED)
    assert panel.output.text.value == "Graz\nWien\n(2 more characters were left out)"
    assert "1 picture" in panel.output.text.shown_text()
    assert rows(panel.variables) == ["  places  list  ['Graz', 'Wi"]
    model.do(Seek(4))
    qtbot.waitUntil(lambda: not panel._stale)
    assert (panel.output.text.value, rows(panel.variables)) == ("Graz\n", [])


def test_the_buttons_act_on_the_environment_of_what_runs(qtbot: QtBot) -> None:
    model, panel = shown(qtbot, RUNNING)
    wanted = QSignalSpy(panel.act_wanted)
    QTest.mouseClick(panel.interrupt_button, Qt.MouseButton.LeftButton)
    assert [wanted.at(0)[0], wanted.at(0)[1]] == ["py", "interrupt"]
    add(qtbot, model, panel, CodeActed(language="py", act="interrupt"))
    assert not panel.interrupt_button.isEnabled(), "one press is enough"
    assert panel.interrupt_button.text() == "Ending…"
    add(qtbot, model, panel, *ENDED)
    assert not ending_at(model.timeline, model.timeline.last_seq, "py")
    assert (panel.interrupt_button.isEnabled(), panel.restart_button.isEnabled()) == (False, True)
    QTest.mouseClick(panel.restart_button, Qt.MouseButton.LeftButton)
    assert [wanted.at(1)[0], wanted.at(1)[1]] == ["py", "restart"]
    add(qtbot, model, panel, VariablesSeen(language="py", variables=(), lost=True))
    assert panel.variables_head.text() == LOST
    assert not panel.restart_button.isEnabled()


@pytest.mark.parametrize("live", [True, False])
def test_of_a_saved_run_nothing_can_be_interrupted(qtbot: QtBot, live: bool) -> None:
    _, panel = shown(qtbot, RUNNING, live=live)
    assert (panel.interrupt_button.isEnabled(), panel.interrupt_button.isVisible()) == (live, live)


def test_a_long_piece_makes_the_panel_no_taller(qtbot: QtBot) -> None:
    _, small = shown(qtbot, RUNNING)
    least = small.minimumSizeHint().height()
    long = PROPOSED.model_copy(update={"arguments": {"code": CODE * 400}})
    _, panel = shown(qtbot, [HEADER, TurnAnswered(turn=1, response_id="r", calls=(long,), messages=(), final=False)])
    assert panel.minimumSizeHint().height() <= least
