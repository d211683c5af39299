"""The debugger's keys while a run goes on: what is waited for is said, and each hold gets its turn."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.core.step import WAITS
from app.gate.inbox import AskInbox
from app.views.application import open_live_window
from app.views.live_run import LiveRun
from app.views.window import ConsoleWindow
from tests.helpers.journals import booking
from tests.helpers.log_watch import LogWatch
from tests.helpers.played_run import PlayedRun
from tests.views.debugger.test_debug_bar import hold
from tests.views.test_live_run import Begin, begin

__all__ = ["begin"]


@pytest.mark.parametrize(
    ("pressed", "words"),
    [
        (Qt.Key.Key_Pause, WAITS["pause"]),
        (Qt.Key.Key_F8, WAITS["step_turn"]),
        (Qt.Key.Key_F10, WAITS["step_call"]),
        (Qt.Key.Key_F11, WAITS["step_action"]),
        (Qt.Key.Key_F5, "Running to the next breakpoint"),
    ],
)
def test_what_a_command_waits_for_is_said(begin: Begin, qtbot: QtBot, pressed: Qt.Key, words: str) -> None:
    _run, window = begin(booking())
    bar = window.debug_bar
    assert bar is not None
    assert bar.isHidden()
    assert not window.header.pause_button.isHidden()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, pressed)
    assert not bar.isHidden()
    assert bar.words.text() == words
    assert window.header.pause_button.isHidden(), "the bar has the same button"


def test_holds_at_the_same_time_are_gone_on_from_one_by_one(begin: Begin) -> None:
    _run, window = begin(booking())
    live = window.findChild(LiveRun)
    assert live is not None
    for number in (1, 2, 3):
        live.debugger.ask_held(hold(number))
    shown = []
    while (held := live.debugger.held) is not None:
        shown.append(held.ask_id)
        if held.ask_id == "s0002":
            live.debugger.ask_settled("s0002")
        else:
            live.debugger.command("step_call")
    assert shown == ["s0001", "s0002", "s0003"]


def test_a_hold_that_cannot_be_shown_is_refused_and_the_next_one_comes(begin: Begin, expected_log: LogWatch) -> None:
    run, window = begin(booking())
    live = window.findChild(LiveRun)
    assert live is not None
    expected_log("a hold could not be shown")
    live.debugger.ask_held(hold(1, digest="0" * 64))
    live.debugger.ask_held(hold(2))
    assert live.debugger.held == hold(2)
    assert run.inbox.waiting == []


@pytest.mark.parametrize(
    ("pressed", "modifier", "said"),
    [
        (Qt.Key.Key_F10, Qt.KeyboardModifier.NoModifier, WAITS["step_call"]),
        (Qt.Key.Key_Pause, Qt.KeyboardModifier.NoModifier, WAITS["pause"]),
        (Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier, "stopped"),
        (Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, ""),
    ],
)
def test_a_key_pressed_before_there_was_a_run_is_for_that_run(
    qtbot: QtBot, windows: list[ConsoleWindow], pressed: Qt.Key, modifier: Qt.KeyboardModifier, said: str
) -> None:
    window = ConsoleWindow(settings_path=None)
    windows.append(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, pressed, modifier)
    inbox = AskInbox()
    run = PlayedRun(booking(), inbox)
    open_live_window(run, inbox, settings_path=None, window=window)
    bar = window.debug_bar
    assert bar is not None
    assert run.stops == (["person"] if said == "stopped" else [])
    assert bar.isHidden() == (said in ("", "stopped"))
    assert bar.words.text() == (said if not bar.isHidden() else "")
    live = window.findChild(LiveRun)
    assert live is not None
    live.bridge.close()
    window.may_close = lambda: True
