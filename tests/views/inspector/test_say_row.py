"""Saying something to the model from the conversation: it reaches the run, waits visibly, and is told when not sent."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.core.events import UserTextAdded
from app.gate.inbox import AskInbox
from app.views.application import open_live_window
from app.views.inspector.conversation import ConversationPanel
from app.views.inspector.say_row import NOT_SENT, WAITS, SayRow
from app.views.live_run import LiveRun
from app.views.saying import Saying
from app.views.window import ConsoleWindow
from tests.helpers.journals import booking
from tests.helpers.played_run import PlayedRun

WAIT_MS = 60_000


@pytest.fixture
def run(windows: list[ConsoleWindow]) -> Iterator[PlayedRun]:
    """A run whose first question waits."""
    inbox = AskInbox()
    played = PlayedRun(booking(), inbox)
    windows.append(open_live_window(played, inbox, settings_path=None))
    played.start()
    yield played
    played.request_stop("test over")
    played.join()
    windows[0].may_close = lambda: True
    live = windows[0].findChild(LiveRun)
    assert live is not None
    live.bridge.close()


def row_of(qtbot: QtBot, window: ConsoleWindow) -> SayRow:
    panel = window.docks["conversation"].panel
    assert isinstance(panel, ConversationPanel)
    qtbot.waitUntil(lambda: panel.say_row is not None, timeout=WAIT_MS)
    assert panel.say_row is not None
    return panel.say_row


def test_what_is_said_reaches_the_run_and_waits_until_it_is_sent(
    qtbot: QtBot, run: PlayedRun, windows: list[ConsoleWindow]
) -> None:
    row = row_of(qtbot, windows[0])
    QTest.keyClicks(row.line, " Take the later one. ")
    QTest.keyClick(row.line, Qt.Key.Key_Return)
    assert run.by_hand.did == [("say", "Take the later one.")]
    assert (row.words.text(), row.line.text()) == (WAITS, "")
    row.button.click()
    assert len(run.by_hand.did) == 1, "nothing is nothing"
    row.sent(1)
    assert row.words.isHidden()


def test_a_saved_run_offers_nothing_to_say(open_replay: object, windows: list[ConsoleWindow]) -> None:
    window = open_replay(booking())  # type: ignore[operator]
    panel = window.docks["conversation"].panel
    assert isinstance(panel, ConversationPanel)
    assert panel.say_row is None


def test_words_of_a_run_that_ended_first_are_said_not_to_have_been_sent(
    qtbot: QtBot, run: PlayedRun, windows: list[ConsoleWindow]
) -> None:
    row = row_of(qtbot, windows[0])
    row.line.setText("Wait")
    row.button.click()
    run.request_stop("over")
    qtbot.waitUntil(lambda: row.words.text() == NOT_SENT, timeout=WAIT_MS)
    assert not row.line.isEnabled()


def test_what_the_run_says_it_has_sent_waits_no_more(
    qtbot: QtBot, run: PlayedRun, windows: list[ConsoleWindow]
) -> None:
    row = row_of(qtbot, windows[0])
    row.line.setText("Take it")
    row.button.click()
    saying = windows[0].findChild(Saying)
    assert saying is not None
    last = run.writer.records[-1]
    for text, waiting in (("Something else", 1), ("Take it", 0)):
        saying.follow([replace(last, event=UserTextAdded(text=text))])
        assert row.waiting == waiting
