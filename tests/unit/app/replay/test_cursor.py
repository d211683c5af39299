"""The cursor is always at an event that exists; commands move it the same way live and in replay."""

from hypothesis import given
from hypothesis import strategies as st

from app.core.events import Recorded
from app.core.timeline import Timeline
from app.replay.cursor import (
    Command,
    Cursor,
    Follow,
    Landmark,
    Next,
    NextAsk,
    Previous,
    PreviousAsk,
    Seek,
    StepBack,
    StepForward,
    Stride,
)
from tests.helpers.log_watch import LogWatch
from tests.unit.app.ledger.made_up import Click, run_started

STRIDES: tuple[Stride, ...] = ("event", "call", "turn")
MARKS: tuple[Landmark, ...] = ("ask", "decision", "denial", "failure", "picture", "read")
MOVES: list[Command] = [Follow()]
MOVES += [step(by) for step in (StepForward, StepBack) for by in STRIDES]
MOVES += [jump(mark) for jump in (Next, Previous) for mark in MARKS]
commands = st.sampled_from(MOVES) | st.integers(-5, 60).map(Seek)


def timeline_of(clicks: int) -> Timeline:
    events = [run_started(), *(event for number in range(clicks) for event in Click(number).steps())]
    made = Timeline()
    for seq, event in enumerate(events, 1):
        made.apply(Recorded(seq, seq, seq, event))
    return made


def asks_seen(cursor: Cursor, command: Command) -> list[int]:
    seen = []
    while cursor.do(command):
        seen.append(cursor.seq)
    return seen


def test_it_follows_until_it_is_moved(timeline: Timeline) -> None:
    cursor = Cursor(timeline)
    assert (cursor.seq, cursor.following, cursor.at_end) == (timeline.last_seq, True, True)
    assert cursor.do(StepBack())
    assert (cursor.seq, cursor.following, cursor.at_end) == (timeline.last_seq - 1, False, False)
    assert cursor.do(StepForward())
    assert (cursor.seq, cursor.following) == (timeline.last_seq, False)
    assert cursor.do(Follow())
    assert not cursor.do(Follow())
    assert cursor.following


def test_it_goes_from_ask_to_ask(timeline: Timeline) -> None:
    cursor = Cursor(timeline)
    cursor.do(Seek(1))
    asks = [timeline.asks.seq_of(index) for index in range(len(timeline.asks))]
    assert asks_seen(cursor, NextAsk()) == asks
    assert asks_seen(cursor, PreviousAsk()) == asks[-2::-1]


def test_it_goes_to_the_denial_and_stays_where_there_is_no_further(timeline: Timeline) -> None:
    cursor = Cursor(timeline)
    cursor.do(Seek(1))
    assert asks_seen(cursor, Next("denial")) == [timeline.denied.seq_of(0)]
    assert not cursor.can(Next("denial"))
    assert not cursor.can(Next("failure"))
    assert cursor.can(Previous("picture"))


def test_a_place_beyond_the_ends_is_the_end(timeline: Timeline) -> None:
    cursor = Cursor(timeline)
    cursor.do(Seek(10**9))
    assert cursor.seq == timeline.last_seq
    cursor.do(Seek(-3))
    assert cursor.seq == 1
    assert not cursor.do(StepBack())


def test_an_empty_timeline_has_no_place() -> None:
    cursor = Cursor(Timeline())
    assert cursor.seq == 0
    assert not cursor.do(StepForward())
    assert not cursor.do(NextAsk())


def test_listeners_hear_of_each_move_until_they_leave(timeline: Timeline, expected_log: LogWatch) -> None:
    expected_log("A listener of the cursor failed")
    cursor, heard = Cursor(timeline), []

    def fail() -> None:
        raise RuntimeError

    cursor.listen(fail)
    leave = cursor.listen(lambda: heard.append(cursor.seq))
    cursor.do(Seek(2))
    cursor.do(Seek(2))
    cursor.do(StepForward())
    leave()
    leave()
    cursor.do(Seek(1))
    assert heard == [2, 3]


@given(st.integers(0, 4), st.lists(commands, max_size=30))
def test_wherever_it_is_sent_it_stands_at_an_event(clicks: int, order: list[Command]) -> None:
    timeline = timeline_of(clicks)
    cursor = Cursor(timeline)
    for command in order:
        before, could = cursor.seq, cursor.can(command)
        moved = cursor.do(command)
        assert could == moved
        assert 1 <= cursor.seq <= timeline.last_seq
        assert moved or cursor.seq == before


def test_it_strides_over_calls() -> None:
    timeline = timeline_of(3)
    cursor = Cursor(timeline)
    cursor.do(Seek(1))
    strides = asks_seen(cursor, StepForward("call"))
    assert strides == [2, 7, 12]
    assert asks_seen(cursor, StepForward("turn")) == []
