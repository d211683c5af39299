"""A run's time is divided by what the journal says, up to the place that is asked about."""

from app.core.time_split import time_split, token_count
from tests.helpers.journals import booking, folded


def test_the_time_of_a_run_is_divided_between_model_operator_and_driver() -> None:
    timeline = folded(booking().records)
    split = time_split(timeline, timeline.last_seq)
    assert split.model == 8 * 1204 + 400
    assert split.operator == 6 * 2100
    assert split.driver == 8 * 42
    assert split.whole == timeline.events[-1].wall_ms - timeline.started_wall_ms
    assert split.other == split.whole - split.model - split.operator - split.driver


def test_what_came_later_does_not_count() -> None:
    timeline = folded(booking().records)
    first = timeline.turns.seq_of(0)
    assert time_split(timeline, first).model == 1204
    assert time_split(timeline, first - 1).model == 0
    assert time_split(timeline, 1).whole == 0
    assert token_count(timeline, first).total == 2190
    assert token_count(timeline, 1).largest_turn == 0


def test_tokens_are_added_up() -> None:
    timeline = folded(booking().records)
    count = token_count(timeline, timeline.last_seq)
    assert (count.into_model, count.out_of_model) == (sum(2100 + 30 * turn for turn in range(1, 9)), 8 * 60)
    assert (count.total, count.largest_turn) == (sum(2160 + 30 * turn for turn in range(1, 9)) + 2500, 2500)
