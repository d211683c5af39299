"""The timeline moves the cursor and is moved by it; a long run costs no more than what is on the screen."""

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView, QWidget
from pytestqt.qtbot import QtBot

from app.core.events import DiagnosticReported, Event, FailureSeen, PageChanged, PageRead, RunEnded
from app.replay.cursor import Follow, Seek
from app.views.models.timeline_model import TimelineModel
from app.views.style import text_font
from app.views.timeline.dots import LANES, Dot, dots_between, lane_of
from app.views.timeline.events_panel import EventsPanel
from app.views.timeline.film_strip import CELL, DOT, GAP, fitted
from app.views.timeline.lanes import NAME_WIDTH
from app.views.timeline.timeline_panel import TimelinePanel
from app.views.window import ConsoleWindow
from tests.helpers.journals import booking, folded, long_run
from tests.views.conftest import OpenReplay

WAIT_MS = 60_000


def parts(window: ConsoleWindow) -> tuple[TimelineModel, TimelinePanel]:
    panel = window.docks["timeline"].panel
    assert isinstance(panel, TimelinePanel)
    assert window.model is not None
    return window.model, panel


def test_the_strip_stands_at_the_picture_of_the_moment(open_replay: OpenReplay) -> None:
    model, panel = parts(open_replay(booking()))
    assert panel.strip.currentIndex().row() == len(model.timeline.frames) - 1
    model.do(Seek(model.timeline.frames[3].seq + 1))
    assert panel.strip.currentIndex().row() == 3
    model.do(Seek(1))
    assert not panel.strip.currentIndex().isValid()


def test_choosing_a_picture_moves_the_cursor_to_it(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    with qtbot.waitActive(window):
        pass
    model, panel = parts(window)
    model.do(Seek(model.timeline.frames[1].seq))
    place = panel.strip.visualRect(panel.strip.frames.index(2, 0)).center()
    QTest.mouseClick(panel.strip.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert model.seq == model.timeline.frames[2].seq
    panel.strip.setFocus()
    QTest.keyClick(panel.strip, Qt.Key.Key_Left)
    assert model.seq == model.timeline.frames[1].seq


def test_moving_the_cursor_never_moves_it_elsewhere(open_replay: OpenReplay) -> None:
    model, _ = parts(open_replay(booking()))
    for seq in (1, 7, 20, 33, 50, model.timeline.last_seq):
        model.do(Seek(seq))
        assert model.seq == seq


def test_pointing_into_the_lanes_seeks(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    with qtbot.waitExposed(window):
        pass
    model, panel = parts(window)
    x = round(panel.lanes.x_of(30))
    QTest.mouseClick(panel.lanes, Qt.MouseButton.LeftButton, pos=QPoint(x, 20))
    assert model.seq == 30
    QTest.mouseClick(panel.lanes, Qt.MouseButton.LeftButton, pos=QPoint(2, 20))
    assert model.seq == 1
    QTest.keyClick(panel.lanes, Qt.Key.Key_Right)
    assert model.seq == 2
    QTest.keyClick(panel.lanes, Qt.Key.Key_End)
    assert model.seq == model.timeline.last_seq


@pytest.mark.parametrize(
    ("button", "expected"),
    [("step_back", -1), ("previous_ask", None)],
)
def test_buttons_move_and_say_when_they_cannot(open_replay: OpenReplay, button: str, expected: int | None) -> None:
    model, panel = parts(open_replay(booking()))
    last = model.timeline.last_seq
    assert not panel.transport.buttons["step_forward"].isEnabled()
    panel.transport.buttons[button].click()
    assert model.seq == (last + expected if expected is not None else model.timeline.asks[-1].seq)
    assert panel.transport.buttons["step_forward"].isEnabled()
    assert panel.transport.position.text().startswith(f"event {model.seq} of {last} · ")
    panel.transport.live.click()
    assert model.following


def test_play_goes_from_the_start_to_the_end(open_replay: OpenReplay, qtbot: QtBot) -> None:
    writer = long_run(5)
    window = open_replay(writer)
    model, panel = parts(window)
    panel.transport.set_speed(8.0)
    panel.transport.toggle_play()
    assert panel.transport.player.playing
    assert panel.transport.play.accessibleName() == "Pause"
    qtbot.waitUntil(lambda: model.seq == model.timeline.last_seq, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not panel.transport.player.playing, timeout=WAIT_MS)
    panel.transport.toggle_play()
    panel.transport.buttons["step_forward"].click()
    assert not panel.transport.player.playing


def test_following_again_after_new_events(open_replay: OpenReplay) -> None:
    writer = booking()
    model, panel = parts(open_replay(writer, writer.records[:40]))
    model.do(Seek(10))
    model.extend(writer.records[40:60])
    assert model.seq == 10
    assert not panel.transport.live.isChecked()
    model.do(Follow())
    model.extend(writer.records[60:])
    assert model.seq == len(writer.records)
    assert panel.strip.frames.rowCount() == len(model.timeline.frames)


def test_a_long_run_reads_only_the_thumbnails_on_the_screen(open_replay: OpenReplay, qtbot: QtBot) -> None:
    writer = long_run(1200)
    window = open_replay(writer)
    with qtbot.waitExposed(window):
        pass
    _, panel = parts(window)
    strip: QListView = panel.strip
    assert strip.model().rowCount() == 1200
    qtbot.waitUntil(lambda: len(panel.strip.thumbnails.kept) > 2 and not panel.strip.thumbnails.busy, timeout=WAIT_MS)
    on_screen = strip.viewport().width() // CELL.width() + 2
    assert len(panel.strip.thumbnails.kept) <= 2 * on_screen
    assert writer.blobs.reads == [panel.strip.frames.data(strip.currentIndex(), 257).picture.digest]


def test_dots_say_what_became_of_each_ask() -> None:
    timeline = folded(booking(deny_last=True).records)
    dots = dots_between(timeline, 0, timeline.last_seq)
    assert [dot.word for dot in dots] == ["done", "read", "done", "done", "done", "done", "read", "denied"]
    assert dots[-1].tone == "danger"
    assert dots[-1].title == "Click on a page element"


@pytest.mark.parametrize("count", [1, 2, 5, 7])
def test_the_word_of_a_cell_is_whole_and_dots_make_room_for_it(qtbot: QtBot, count: int) -> None:
    dots = [Dot(number, "hold", "may have happened", "Click") for number in range(count)]
    font, room = text_font(8.5), CELL.width()
    shown, word, drawn_with = fitted(dots, font, room)
    assert QFontMetrics(drawn_with).horizontalAdvance(word) <= room - shown * (DOT + GAP) - GAP
    assert word.startswith("may have ")
    assert word.endswith(f" +{count - shown}") or shown == count or "…" in word
    few, short, _ = fitted([Dot(1, "clear", "done", "Click")] * count, font, room)
    assert few == min(count, 5)
    assert short == ("done" if count <= 5 else f"done +{count - 5}")


def test_an_open_ask_waits_and_an_unanswered_one_does_not() -> None:
    writer = booking(stop_at_last_ask=True)
    timeline = folded(writer.records)
    assert dots_between(timeline, timeline.last_seq - 1, timeline.last_seq)[0].word == "waiting"
    writer.add(RunEnded(status="stopped", reason="the window was closed"))
    timeline = folded(writer.records)
    assert dots_between(timeline, 0, timeline.last_seq)[-1].word == "no answer"


def test_each_cell_can_be_heard(open_replay: OpenReplay) -> None:
    _, panel = parts(open_replay(booking()))
    words = panel.strip.frames.words(0)
    assert words.startswith("picture 1 of ")
    assert "shown with the ask" in words
    assert "Open an address: done" in words


def test_ticks_of_a_live_run_stay_where_they_are_while_there_is_room(open_replay: OpenReplay) -> None:
    writer = booking()
    window = open_replay(writer, writer.records[:10])
    model, panel = parts(window)
    model.live = True
    model.extend(writer.records[10:20])
    before = [panel.lanes.x_of(seq) for seq in (1, 10, 20)]
    model.extend(writer.records[20:50])
    assert [panel.lanes.x_of(seq) for seq in (1, 10, 20)] == before
    assert panel.lanes.x_of(50) < panel.lanes.width()
    model.extend(writer.records[50:])
    assert panel.lanes.x_of(20) < before[-1]
    model.stopped_writing()
    assert panel.lanes.x_of(model.timeline.last_seq) == pytest.approx(panel.lanes.width() - 12)


def test_a_hidden_events_panel_does_nothing(open_replay: OpenReplay) -> None:
    window = open_replay(booking())
    model, _ = parts(window)
    panel = window.docks["events"].panel
    assert isinstance(panel, EventsPanel)
    panel.hide()
    before = panel.view.currentIndex().row()
    model.do(Seek(5))
    assert panel.view.currentIndex().row() == before


def test_events_panel_follows_and_leads(open_replay: OpenReplay, qtbot: QtBot) -> None:
    window = open_replay(booking())
    with qtbot.waitExposed(window):
        pass
    window.docks["events"].raise_()
    model, _ = parts(window)
    panel = window.docks["events"].panel
    assert isinstance(panel, EventsPanel)
    view = panel.view
    qtbot.waitUntil(panel.isVisible, timeout=WAIT_MS)
    assert view.currentIndex().row() == model.timeline.last_seq - 1
    model.do(Seek(5))
    assert view.currentIndex().row() == 4
    view.setCurrentIndex(panel.events.index(8, 0))
    assert model.seq == 9
    assert panel.events.index(0, 2).data() == "run started"


@pytest.mark.parametrize(
    ("event", "lane", "tone"),
    [
        (PageRead(call_id="c", member="read_page", tab_id="1", url="http://a.test/", report={}), "driver", "dim"),
        (DiagnosticReported(api="browser", stage="action", reason="completed"), "diagnostics", "dim"),
        (DiagnosticReported(api="browser", stage="action", reason="driver_failed"), "diagnostics", "hold"),
        (PageChanged(kind="navigation", tab_id="1", detail="http://a.test/"), "page", "dim"),
        (FailureSeen(where="driver", error="OSError", detail="gone"), "diagnostics", "danger"),
        (RunEnded(status="finished", reason="done"), "record", "clear"),
    ],
)
def test_each_kind_of_event_has_its_lane(event: Event, lane: str, tone: str) -> None:
    place, found = lane_of(event)
    assert (LANES[place], found) == (lane, tone)


def test_all_lanes_are_named_and_have_room(open_replay: OpenReplay) -> None:
    lanes = parts(open_replay(booking()))[1].lanes
    for lane in LANES:
        assert lane in lanes.accessibleName()
        assert QFontMetricsF(text_font(7.5)).horizontalAdvance(lane) < NAME_WIDTH


class Paints(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_a_person_sees_the_cursor_move_before_anything_else_is_worked_out(
    open_replay: OpenReplay, qtbot: QtBot
) -> None:
    window = open_replay(booking())
    model, panel = parts(window)
    paints = Paints(panel.lanes)
    qtbot.waitUntil(lambda: paints.count > 0, timeout=WAIT_MS)
    model.do(Seek(40))
    paints.count, seen = 0, list[int]()
    model.moment_changed.connect(lambda: seen.append(paints.count))
    model.do(Seek(5))
    assert seen == [1]
    # A run that is followed paints with the next turn of the loop, however many events come.
    model.do(Follow())
    assert seen == [1, 1]
