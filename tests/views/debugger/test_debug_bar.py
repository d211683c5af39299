"""The debugger's bar and panel on their own: exactly what was held, what is no breakpoint, and a saved run's holds."""

from typing import Any

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.clock import SystemClock
from app.core.ask import Ask
from app.core.breakpoint import BreakpointPlan
from app.core.decision import Decision
from app.core.events import AskRaised, DecisionMade, Recorded, RunStarted
from app.core.step import Step
from app.core.timeline import Timeline
from app.core.value import call_digest
from app.gate.stepping import Stepper
from app.replay.cursor import Seek
from app.views.application import open_replay_window
from app.views.debugger.breakpoint_form import WHATS, BreakpointForm
from app.views.debugger.breakpoints_panel import BreakpointsPanel
from app.views.debugger.debug_bar import BUTTONS, DebugBar
from app.views.models.timeline_model import TimelineModel
from app.views.widgets.yielding import Yielding
from tests.helpers.journals import MemoryBlobs

TRICKY: dict[str, Any] = {"text": 'a "b"\n\u202etxt.exe \ud800', "deep": [1.5, {"x": None}], "ok": True}


def hold(number: int = 1, *, logged: bool = False, digest: str | None = None) -> Ask:
    return Ask(
        ask_id=f"s{number:04d}",
        kind="step",
        source="browser",
        call_id="call_1",
        turn=1,
        member="type",
        arguments=TRICKY,
        digest=digest or call_digest("type", TRICKY),
        step=Step(stage="arguments", held_by="breakpoint", breakpoint="file 1", text="mine", hit=2, logged=logged),
    )


def test_the_bar_shows_the_whole_call_and_its_digest(qtbot: QtBot) -> None:
    bar = DebugBar()
    qtbot.addWidget(bar)
    bar.show_hold(hold())
    assert bar.words.text() == "Held before the call"
    assert bar.shown_digest == call_digest("type", TRICKY)
    assert "held by breakpoint file 1, time 2" in bar.facts.shown_text()
    assert "browser_type" in bar.facts.shown_text()
    assert "U+202E" in bar.body.shown_text() or "⟦" in bar.body.shown_text()


@pytest.mark.parametrize("narrow", [False, True])
def test_where_the_run_is_held_is_said_whole_however_narrow_the_bar_is(qtbot: QtBot, narrow: bool) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    bar = DebugBar(window)
    bar.put_buttons({key: QAction("Step action", bar) for key in BUTTONS})
    QVBoxLayout(window).addWidget(bar)
    bar.show_hold(hold())
    least = sum(button.sizeHint().width() for button in bar.buttons.values())
    window.resize(least + (120 if narrow else 400), 400)
    window.show()
    words, last = bar.words, bar.buttons["debug_run_to"]

    def is_whole() -> bool:
        beside = words.x() >= last.geometry().right() and words.y() < last.geometry().bottom()
        below = words.y() >= last.geometry().bottom()
        return words.width() >= words.sizeHint().width() and (below if narrow else beside)

    qtbot.waitUntil(is_whole)
    parts = (bar.facts, bar.body)
    # Where there is room, all of it is seen.
    qtbot.waitUntil(lambda: all(part.visibleRegion().boundingRect() == part.rect() for part in parts))
    assert bar.facts.height() == bar.facts.heightForWidth(bar.facts.width())


def test_in_a_low_window_it_gives_way_and_is_scrolled(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    bar = DebugBar(window)
    bar.put_buttons({key: QAction("Step action", bar) for key in BUTTONS})
    QVBoxLayout(window).addWidget(bar)
    bar.show_hold(hold())
    window.resize(900, 150)
    window.show()
    place = bar.findChild(Yielding)
    assert place is not None
    qtbot.waitUntil(lambda: place.verticalScrollBar().maximum() > 0)
    assert window.height() <= 150
    place.verticalScrollBar().setValue(place.verticalScrollBar().maximum())
    end = bar.body.mapTo(place.viewport(), bar.body.rect().bottomLeft()).y()
    assert end <= place.viewport().height()


def test_what_is_not_what_was_held_is_not_shown(qtbot: QtBot) -> None:
    bar = DebugBar()
    qtbot.addWidget(bar)
    with pytest.raises(ValueError, match="not what was held"):
        bar.show_hold(hold(digest="0" * 64))
    assert bar.ask is None


def test_each_line_of_the_form_makes_a_breakpoint_of_its_example(qtbot: QtBot) -> None:
    form = BreakpointForm()
    qtbot.addWidget(form)
    made: list[BreakpointPlan] = []
    form.wanted.connect(made.append)
    for at, what in enumerate(WHATS):
        form.what.setCurrentIndex(at)
        form.value.setText(what.example)
        form.nth.setText("3")
        form.add_button.click()
        assert len(made) == at + 1, (what.words, form.problem.text())
        assert made[-1].nth == 3
    form.what.setCurrentIndex(0)
    form.value.setText("  ")
    form.add_button.click()
    assert len(made) == len(WHATS)
    assert form.problem.text()


def test_the_panel_puts_breakpoints_in_force_and_takes_them_out(qtbot: QtBot) -> None:
    panel = BreakpointsPanel(TimelineModel(blobs=MemoryBlobs(), live=True))
    qtbot.addWidget(panel)
    stepper = Stepper([BreakpointPlan(members=("click",), text="the press")], SystemClock())
    panel.take_control(stepper)
    panel.boxes["output"].click()
    assert [one.words for one in stepper.breakpoints] == ["the press", "before the output is sent"]
    panel.boxes["output"].click()
    assert len(stepper.breakpoints) == 1
    panel.view.setCurrentIndex(panel.rows.index(0))
    panel.switch_button.click()
    assert not stepper.breakpoints[0].enabled
    assert panel.rows.row(0).word == "off"
    panel.remove_button.click()
    assert stepper.breakpoints == []


def saved() -> Timeline:
    """A run that was held once and noted once."""
    started = RunStarted(
        run_id="r", task="t", model="m", engine="responses", max_steps=3, provenance="demo", unattended=False,
        plan={"breakpoints": [{"members": ["type"], "text": "mine"}]}, versions={},
    )  # fmt: skip
    events: list[Any] = [started]
    for number, logged in ((1, False), (2, True)):
        ask = hold(number, logged=logged)
        made = Decision(ask_id=ask.ask_id, verdict="allow", by="rule" if logged else "person", digest=ask.digest)
        events += [AskRaised(ask=ask), DecisionMade(decision=made)]
    timeline = Timeline()
    for seq, event in enumerate(events, start=1):
        timeline.apply(Recorded(seq, 1_800_000_000_000 + seq, seq, event))
    return timeline


def test_a_saved_run_shows_each_hold_where_it_stood(qtbot: QtBot) -> None:
    window = open_replay_window(saved(), MemoryBlobs(), settings_path=None)
    assert window.model is not None
    assert window.debug_bar is not None
    assert window.debug_bar.isHidden()
    window.model.do(Seek(2))
    assert not window.debug_bar.isHidden()
    assert window.debug_bar.ask == hold(1)
    assert window.debug_bar.buttons == {}, "nothing of a saved run can be stepped"
    window.model.do(Seek(3))
    assert window.debug_bar.isHidden()
    window.model.do(Seek(4))
    assert window.debug_bar.words.text() == "Breakpoint noted before the call"
    panel = window.docks["breakpoints"].panel
    assert isinstance(panel, BreakpointsPanel)
    panel.refresh()
    assert "2 hits" in panel.rows.row(0).right
    window.close()
