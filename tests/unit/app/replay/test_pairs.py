"""Each action is found with the pictures around it, and nothing comes after what was never begun."""

import pytest

from app.core.events import ActionStarted, Event, PictureTaken
from app.core.evidence import Picture
from app.core.human import HumanActed
from app.core.timeline import Timeline
from app.replay.pairs import next_action, pair_at, previous_action
from tests.helpers.journals import JournalWriter, booking, folded


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
        assert pair.after_is == "as_it_ended"


def test_what_was_seen_later_comes_before_what_was_at_hand_as_it_ended(timeline: Timeline) -> None:
    writer = booking()
    end = next(at for at, one in enumerate(writer.records) if one.event == timeline.endings[-1])
    at_hand = timeline.endings[-1].picture
    assert at_hand is not None
    seen = at_hand.model_copy(update={"digest": "0" * 64})
    read = ActionStarted(call_id="later", source="browser", member="wait_for", digest="d", ask_id=None, reads_only=True)
    write = read.model_copy(update={"member": "click", "reads_only": False})
    look, hand = PictureTaken(role="live", picture=seen), HumanActed(act="text", text="x", tab_id="t1", characters=1)
    cases: list[tuple[list[Event], Picture | None, str]] = [
        ([look, hand], seen, "later"),
        ([read, look], seen, "later"),
        ([hand, look], at_hand, "as_it_ended"),
        ([write, look], at_hand, "as_it_ended"),
    ]
    for events, after, after_is in cases:
        told = JournalWriter()
        for recorded in writer.records[: end + 1]:
            told.add(recorded.event)
        for event in events:
            told.add(event)
        pair = pair_at(folded(told.records), end + 1)
        assert pair is not None
        assert (pair.outcome, pair.after, pair.after_is) == ("done", after, after_is)


def test_nothing_is_said_of_when_a_picture_was_taken_that_there_is_not(timeline: Timeline) -> None:
    told = JournalWriter()
    end = timeline.endings[-1]
    for recorded in booking().records:
        told.add(end.model_copy(update={"picture": None}) if recorded.event == end else recorded.event)
        if recorded.event == end:
            break
    pair = pair_at(folded(told.records), timeline.last_seq)
    assert pair is not None
    assert (pair.outcome, pair.after, pair.after_is) == ("done", None, "later")


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
