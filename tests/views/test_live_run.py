"""A live window: shows what is recorded, puts asks to the person, ends on the newest picture, drains and closes."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.core.decision import Answer
from app.core.events import AskRaised, Recorded, RunEnded, RunResumed, RunStarted, StopRequested
from app.gate.inbox import AskInbox
from app.replay.cursor import Follow, Seek
from app.views.application import open_live_window
from app.views.live_run import BROKEN_RULES, LiveRun
from app.views.window import ConsoleWindow
from tests.helpers.journals import JournalWriter, booking, booking_page
from tests.helpers.played_run import PlayedRun

Begin = Callable[[JournalWriter], tuple[PlayedRun, ConsoleWindow]]
WAIT_MS = 60_000


@pytest.fixture
def begin(windows: list[ConsoleWindow]) -> Iterator[Begin]:
    """Opens a live window on a run that plays a journal; the run is stopped at the end of the test."""
    runs: list[PlayedRun] = []

    def begin_it(writer: JournalWriter) -> tuple[PlayedRun, ConsoleWindow]:
        inbox = AskInbox()
        run = PlayedRun(writer, inbox)
        runs.append(run)
        window = open_live_window(run, inbox, settings_path=None)
        windows.append(window)
        return run, window

    yield begin_it
    for run in runs:
        run.drain.set()
        run.request_stop("test over")
        if run.started:
            run.join()
    for window in windows:
        if not window.is_closed:
            window.may_close = lambda: True
            live = window.findChild(LiveRun)
            if live is not None:
                live.bridge.close()


def answer_all(qtbot: QtBot, run: PlayedRun, window: ConsoleWindow) -> None:
    model = window.model
    assert model is not None

    def look() -> None:
        for ask in run.inbox.waiting:
            run.inbox.answer(ask.ask_id, Answer(verdict="allow", by="person", shown_digest=ask.digest))
        assert model.moment.ended is not None

    qtbot.waitUntil(look, timeout=WAIT_MS)


def test_events_reach_the_window_before_the_ask_does(begin: Begin, qtbot: QtBot) -> None:
    run, window = begin(booking())
    live = window.findChild(LiveRun)
    assert live is not None
    model = window.model
    assert model is not None
    seen: list[bool] = []
    live.bridge.ask_held.connect(lambda ask: seen.append(model.timeline.ask(ask.ask_id) is not None))
    run.start()
    qtbot.waitUntil(lambda: bool(seen), timeout=WAIT_MS)
    # The card comes first; the panels and the header are told a few hundredths of a second later.
    qtbot.waitUntil(lambda: window.header.state.text() == "waiting for you", timeout=WAIT_MS)
    answer_all(qtbot, run, window)
    assert seen
    assert all(seen)
    assert window.header.state.text() == "finished"


def test_the_title_counts_what_waits(begin: Begin, qtbot: QtBot) -> None:
    run, window = begin(booking())
    plain = window.windowTitle()
    run.start()
    qtbot.waitUntil(lambda: window.windowTitle() == f"(1) {plain}", timeout=WAIT_MS)
    answer_all(qtbot, run, window)
    qtbot.waitUntil(lambda: window.windowTitle() == plain, timeout=WAIT_MS)


def test_rules_that_could_not_be_read_are_said_above_the_stage(begin: Begin, qtbot: QtBot) -> None:
    _, window = begin(booking())
    live = window.findChild(LiveRun)
    assert live is not None
    assert window.stage is not None
    started = booking().records[0]
    assert isinstance(started.event, RunStarted)
    broken = started.event.model_copy(update={"plan": {"rules": [], "broken_rules": "line 3: no such verdict"}})
    live.bridge.recorded.emit([Recorded(1, 0, 0, broken)])
    assert window.stage.notes == [BROKEN_RULES]


def test_an_ask_that_waited_before_the_window_came_is_shown(qtbot: QtBot, windows: list[ConsoleWindow]) -> None:
    inbox = AskInbox()
    run = PlayedRun(booking(), inbox)
    run.start()
    qtbot.waitUntil(lambda: bool(inbox.waiting), timeout=WAIT_MS)
    window = open_live_window(run, inbox, settings_path=None)
    windows.append(window)
    live = window.findChild(LiveRun)
    assert live is not None
    qtbot.waitUntil(lambda: live.presenter.waiting == 1, timeout=WAIT_MS)
    window.close()
    qtbot.waitUntil(lambda: window.is_closed, timeout=WAIT_MS)
    run.join()


def test_the_stage_ends_on_the_newest_picture(begin: Begin, qtbot: QtBot) -> None:
    run, window = begin(booking())
    stage = window.stage
    assert stage is not None
    with qtbot.waitExposed(window):
        pass
    for number in range(60):
        run.show(booking_page(0, note=f"step {number}", shade=number), url="http://127.0.0.1/", title=f"step {number}")
    run.show(booking_page(4, note="the last one", shade=200), url="http://127.0.0.1/last", title="Last")
    qtbot.waitUntil(lambda: stage.caption.text().endswith("Last"), timeout=WAIT_MS)
    newest = run.frames.frame
    assert stage.picture.shot is not None
    assert stage.picture.shot.label is newest
    assert stage.age.text().startswith("live · ")


def test_a_question_keeps_presses_from_the_window_behind_it(begin: Begin, qtbot: QtBot) -> None:
    run, window = begin(booking())
    live = window.findChild(LiveRun)
    assert live is not None
    with qtbot.waitExposed(window):
        pass
    stop = window.header.stop_button

    def press() -> None:
        QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, pos=stop.mapTo(window, stop.rect().center()))

    run.drain.clear()
    run.start()
    qtbot.waitUntil(lambda: live.presenter.card is not None and live.presenter.card.isVisible(), timeout=WAIT_MS)
    press()
    assert run.stops == []
    answer_all(qtbot, run, window)
    qtbot.waitUntil(lambda: live.presenter.card is None, timeout=WAIT_MS)
    press()
    assert run.stops == ["person"]


def test_a_picture_that_came_while_a_card_was_opening_is_shown_after_it(begin: Begin, qtbot: QtBot) -> None:
    run, window = begin(booking())
    live, stage = window.findChild(LiveRun), window.stage
    assert live is not None
    assert stage is not None
    with qtbot.waitExposed(window):
        pass
    asked = next(one.event.ask for one in run.writer.records if isinstance(one.event, AskRaised))
    live.presenter._opening.setInterval(WAIT_MS)
    live.presenter._begin()
    with qtbot.waitSignal(live.bridge.frame_ready, timeout=WAIT_MS):
        run.show(booking_page(1), title="Meanwhile")
    assert stage._wanted is None
    run.inbox.announce(asked)
    qtbot.waitUntil(lambda: stage.picture.shot is not None, timeout=WAIT_MS)
    assert live.presenter.card is not None
    assert not live.presenter.opening


def test_a_live_picture_without_an_address_shows_what_the_record_knows(begin: Begin, qtbot: QtBot) -> None:
    run, window = begin(booking(stop_at_last_ask=True))
    stage = window.stage
    assert stage is not None
    with qtbot.waitExposed(window):
        pass
    run.show(booking_page(1))
    run.start()
    qtbot.waitUntil(lambda: stage.caption.text() == "http://127.0.0.1:8000/book — Book a table", timeout=WAIT_MS)


def test_a_burst_of_pictures_wakes_the_window_at_most_once_at_a_time(begin: Begin, qtbot: QtBot) -> None:
    run, window = begin(booking())
    live = window.findChild(LiveRun)
    assert live is not None
    wakes: list[object] = []
    live.bridge.frame_ready.connect(lambda: wakes.append(run.frames.frame))
    for number in range(500):
        run.show(booking_page(0), title=str(number))
    qtbot.waitUntil(lambda: bool(wakes), timeout=WAIT_MS)
    assert len(wakes) == 1
    assert wakes[0] is run.frames.frame


def test_looking_back_shows_the_record_and_live_comes_back(begin: Begin, qtbot: QtBot) -> None:
    run, window = begin(booking())
    model, stage = window.model, window.stage
    assert model is not None
    assert stage is not None
    with qtbot.waitExposed(window):
        pass
    run.show(booking_page(4), url="http://127.0.0.1/now", title="Now")
    run.start()
    answer_all(qtbot, run, window)
    model.do(Seek(model.timeline.frames[0].seq))
    qtbot.waitUntil(lambda: stage.age.text().startswith("recorded"), timeout=WAIT_MS)
    model.do(Follow())
    qtbot.waitUntil(lambda: stage.caption.text().endswith("Now"), timeout=WAIT_MS)


def test_stop_run_is_asked_for_once_and_said_at_once(begin: Begin, qtbot: QtBot) -> None:
    run, window = begin(booking())
    run.drain.clear()
    run.start()
    qtbot.waitUntil(lambda: bool(run.inbox.waiting), timeout=WAIT_MS)
    QTest.mouseClick(window.header.stop_button, Qt.MouseButton.LeftButton)
    assert window.header.state.text() == "stopping"
    assert not window.header.stop_button.isEnabled()
    assert run.stops == ["person"]
    run.drain.set()
    qtbot.waitUntil(lambda: window.header.state.text() == "cut off", timeout=WAIT_MS)
    assert not window.is_closed


def test_a_run_that_was_stopped_and_is_resumed_can_be_stopped_again(begin: Begin, qtbot: QtBot) -> None:
    """The stop of the earlier process is on record; it must not leave the button grey."""
    again = booking(stop_at_last_ask=True)
    writer = JournalWriter(blobs=again.blobs)
    writer.add(again.records[0].event)
    writer.add(StopRequested(by="person"))
    writer.add(RunEnded(status="stopped", reason="stopped by you"))
    writer.add(RunResumed(by="person", base_revision=1, model="m", plan={}, versions={}))
    for recorded in again.records[1:]:
        writer.add(recorded.event)
    run, window = begin(writer)
    run.drain.clear()
    run.start()
    qtbot.waitUntil(lambda: window.header.state.text() == "waiting for you", timeout=WAIT_MS)
    assert window.header.stop_button.isEnabled()
    QTest.mouseClick(window.header.stop_button, Qt.MouseButton.LeftButton)
    assert run.stops == ["person"]
    run.drain.set()


def test_why_the_end_is_not_on_record_is_said_above_the_stage(begin: Begin, qtbot: QtBot) -> None:
    run, window = begin(booking())
    run.unrecorded = "run.signalbox: event 9 (action_ended) did not reach the disk"
    run.start()
    answer_all(qtbot, run, window)
    stage = window.stage
    assert stage is not None
    words = f"The end of this run is not on record: {run.unrecorded}"
    qtbot.waitUntil(lambda: stage.notes == [words], timeout=WAIT_MS)


def test_closing_denies_drains_and_then_closes(begin: Begin, qtbot: QtBot) -> None:
    run, window = begin(booking())
    run.drain.clear()
    run.start()
    live = window.findChild(LiveRun)
    assert live is not None
    qtbot.waitUntil(lambda: live.presenter.card is not None, timeout=WAIT_MS)
    assert not window.close()
    assert window.header.state.text() == "stopping"
    assert live.presenter.card is None
    assert run.stops == ["window_closed"]
    assert not window.close()
    assert run.stops == ["window_closed"]
    with qtbot.waitSignal(window.closed, timeout=WAIT_MS):
        run.drain.set()
    assert window.is_closed
    assert run.answers == []


def test_a_window_closed_before_its_run_stops_the_run(qtbot: QtBot, windows: list[ConsoleWindow]) -> None:
    window = ConsoleWindow(settings_path=None)
    windows.append(window)
    window.close()
    inbox = AskInbox()
    run = PlayedRun(booking(), inbox)
    open_live_window(run, inbox, settings_path=None, window=window)
    assert run.stops == ["window_closed"]


def test_the_target_of_the_open_ask_is_marked_on_the_live_picture(begin: Begin, qtbot: QtBot) -> None:
    writer = booking(stop_at_last_ask=True)
    run, window = begin(writer)
    stage = window.stage
    assert stage is not None
    with qtbot.waitExposed(window):
        pass
    run.show(booking_page(4), title="Live")
    run.start()
    model = window.model
    assert model is not None

    def at_last_ask() -> None:
        for ask in run.inbox.waiting:
            if ask.call_id != "c8":
                run.inbox.answer(ask.ask_id, Answer(verdict="allow", by="person", shown_digest=ask.digest))
        assert stage.picture.marks.target is not None
        assert stage.picture.marks.target.y == 676

    qtbot.waitUntil(at_last_ask, timeout=WAIT_MS)
    placement = stage.picture.placement
    assert placement is not None
    assert stage.picture.marks.target is not None
    x, y, _, height = placement.box(stage.picture.marks.target)
    pixel = stage.picture.grab().toImage().pixelColor(int(x - 6), int(y + height / 2))
    assert pixel == QColor("#E8590C")
