"""Each action is found with the pictures around it, and nothing comes after what was never begun."""

import pytest

from app.core.timeline import Timeline
from app.replay.pairs import next_action, pair_at, previous_action
from tests.helpers.journals import booking, folded


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    return folded(booking().records)


def test_an_asked_action_has_the_picture_of_its_question_and_the_one_after_it(timeline: Timeline) -> None:
    asked = timeline.asks[-1]
    ended = timeline.endings[-1]
    begun = timeline.actions.seq_of(len(timeline.actions) - 1)
    for seq in (asked.seq, begun, timeline.last_seq):
        pair = pair_at(timeline, seq)
        assert pair is not None
        assert (pair.seq, pair.member, pair.outcome, pair.started) == (asked.seq, "click", "done", True)
        assert (pair.before, pair.after) == (asked.ask.evidence.picture, ended.picture)
        assert not pair.after_is_next


def test_an_action_that_was_not_asked_about_has_the_newest_picture_before_it(timeline: Timeline) -> None:
    (read,) = [at for at in range(len(timeline.actions)) if timeline.actions[at].member == "read_page"]
    begun = timeline.actions.seq_of(read)
    pair = pair_at(timeline, begun)
    assert pair is not None
    assert pair.ask is None
    frame = timeline.frames.last(begun)
    assert frame is not None
    assert pair.before == frame.picture


def test_nothing_comes_after_what_was_denied_or_not_answered() -> None:
    for writer in (booking(deny_last=True), booking(stop_at_last_ask=True)):
        timeline = folded(writer.records)
        pair = pair_at(timeline, timeline.last_seq)
        assert pair is not None
        assert (pair.member, pair.started, pair.outcome, pair.after) == ("click", False, None, None)
        assert pair.before == timeline.asks[-1].ask.evidence.picture


def test_before_the_first_action_there_is_none(timeline: Timeline) -> None:
    assert pair_at(timeline, 1) is None
    assert previous_action(timeline, 1) is None
    assert next_action(timeline, timeline.last_seq) is None


def test_going_from_action_to_action_meets_each_once(timeline: Timeline) -> None:
    there, seq = [], 0
    while (found := next_action(timeline, seq)) is not None:
        there.append(found)
        seq = found
    assert there == [timeline.actions.seq_of(at) for at in range(len(timeline.actions))]
    back = [seq]
    while (found := previous_action(timeline, back[-1])) is not None:
        back.append(found)
    assert back[::-1] == there
