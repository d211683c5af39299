"""How long a run has taken, whatever was done to the clock on the wall."""

from app.core.elapsed import Elapsed
from app.core.events import Event, Recorded, RunResumed, UserTextAdded

SAID = UserTextAdded(text="go on", reason="said")
RESUMED = RunResumed.model_construct()
DAY_MS = 86_400_000


def at(seq: int, wall_ms: int, mono_ms: int, event: Event = SAID) -> Recorded:
    return Recorded(seq, wall_ms, mono_ms * 1_000_000, event)


def test_a_clock_that_is_set_changes_nothing() -> None:
    elapsed = Elapsed()
    for recorded in (at(1, 5000, 100), at(2, 5000 - DAY_MS, 350), at(3, 5000 + DAY_MS, 600)):
        elapsed.add(recorded)
    assert [elapsed.at(seq) for seq in (0, 1, 2, 3, 9)] == [0, 0, 250, 500, 500]
    assert elapsed.now(900 * 1_000_000) == 800
    assert elapsed.now(0) == 500


def test_what_lies_between_two_processes_is_taken_from_the_wall_and_is_never_negative() -> None:
    elapsed = Elapsed()
    events = [at(1, 1000, 900_000), at(2, 61_000, 20), at(3, 61_100, 120), at(4, 65_100, 900_120, RESUMED)]
    for recorded in [*events, at(5, 1000, 5), at(6, 2000, 1005)]:
        elapsed.add(recorded)
    assert [elapsed.at(seq) for seq in range(1, 7)] == [0, 60_000, 60_100, 64_100, 64_100, 65_100]


def test_nothing_has_passed_before_there_is_a_run() -> None:
    assert (Elapsed().at(3), Elapsed().now(5)) == (0, 0)
