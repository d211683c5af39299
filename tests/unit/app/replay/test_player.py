"""Playing moves the cursor as the run went, at the chosen speed, with long waits made short."""

from dataclasses import dataclass

import pytest

from app.core.events import Recorded
from app.core.timeline import Timeline
from app.replay.cursor import Cursor, Seek
from app.replay.player import LONGEST_WAIT_SECS, Player
from tests.unit.app.ledger.made_up import run_ended, run_started

SEC = 1_000_000_000


@dataclass
class HandClock:
    now_ns: int = 0

    def mono_ns(self) -> int:
        return self.now_ns


def playing(*mono_secs: float, wall_ms: tuple[int, ...] = ()) -> tuple[Player, Cursor, HandClock]:
    timeline = Timeline()
    for seq, secs in enumerate(mono_secs, 1):
        wall = wall_ms[seq - 1] if wall_ms else seq
        timeline.apply(Recorded(seq, wall, int(secs * SEC), run_started() if seq == 1 else run_ended()))
    cursor, clock = Cursor(timeline), HandClock(5 * SEC)
    cursor.do(Seek(1))
    return Player(timeline, cursor, clock), cursor, clock


def test_it_moves_as_the_run_did() -> None:
    player, cursor, clock = playing(0, 1, 1.5)
    assert player.play() == 1.0
    clock.now_ns += SEC // 2
    assert (player.tick(), cursor.seq) == (0.5, 1)
    clock.now_ns += SEC // 2
    assert (player.tick(), cursor.seq) == (0.5, 2)
    clock.now_ns += SEC
    assert (player.tick(), cursor.seq, player.playing) == (None, 3, False)
    assert player.tick() is None


def test_it_moves_at_the_chosen_speed_and_catches_up() -> None:
    player, cursor, clock = playing(0, 1, 2, 3)
    assert player.play(4.0) == 0.25
    clock.now_ns += SEC // 2
    assert (player.tick(), cursor.seq, player.speed) == (0.25, 3, 4.0)
    with pytest.raises(ValueError, match="above"):
        player.play(0)


def test_long_waits_are_short() -> None:
    player, _, _ = playing(0, 3600)
    assert player.play() == LONGEST_WAIT_SECS


def test_it_goes_on_from_where_the_cursor_was_put() -> None:
    player, cursor, clock = playing(0, 1, 2, 3)
    player.play()
    cursor.do(Seek(3))
    clock.now_ns += SEC // 2
    assert (player.tick(), cursor.seq) == (1.0, 3)
    player.pause()
    assert (player.tick(), player.playing) == (None, False)


def test_a_second_process_s_events_are_timed_by_the_wall() -> None:
    player, _, _ = playing(500, 3, wall_ms=(1000, 1700))
    assert player.play() == 0.7
    backwards, _, _ = playing(500, 3, wall_ms=(1700, 1000))
    assert backwards.play() is None
