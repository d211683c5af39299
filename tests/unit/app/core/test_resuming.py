"""What is left of a run by its record, and how a run that was taken up reads from there on."""

import pytest

from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    EffectReconciled,
    Recorded,
    RunResumed,
    StopRequested,
)
from app.core.human import ControlChanged, HoldAllSet, RecordingChanged
from app.core.moment import Moment
from app.core.resuming import ResumeAnswer, left_of
from app.core.settle import settle
from app.core.timeline import Timeline
from tests.helpers.journals import booking, folded


def records_until(kind: type, member: str = "") -> list[Recorded]:
    """A booking that died right after its last event of that kind (about that member)."""
    records = list(booking().records)
    found = [
        at
        for at, one in enumerate(records)
        if isinstance(one.event, kind) and getattr(getattr(one.event, "ask", one.event), "member", "") in (member, "")
    ]
    return records[: found[-1] + 1]


def resumed(records: list[Recorded], *more: object) -> Timeline:
    """The same run, taken up, with further events."""
    timeline = folded(records)
    start = RunResumed(by="person", base_revision=1, model="another", plan={"task": "x"}, versions={"openai": "1"})
    for event in (start, *more):
        seq = timeline.last_seq + 1
        timeline.apply(Recorded(seq, records[-1].wall_ms, 0, event))  # type: ignore[arg-type]
    return timeline


def test_an_effect_without_an_end_is_in_doubt_until_somebody_says_what_became_of_it() -> None:
    records = records_until(ActionStarted, "click")
    left = left_of(records)
    [doubt] = left.in_doubt
    assert left.status == "cut off"
    assert doubt.call.member == "click"
    assert not ResumeAnswer().covers(left.in_doubt)
    assert ResumeAnswer(found={doubt.place: "done"}).covers(left.in_doubt)
    call_id, part = doubt.place
    ended = ActionEnded(call_id=call_id, part=part, outcome="may_have_happened")
    said = EffectReconciled(call_id=call_id, part=part, source="browser", member="click", found="done", by="person")
    timeline = resumed(records, ended, said)
    settled = next(one for one in settle(timeline.events) if one.call_id == call_id)
    assert (settled.outcome, settled.found) == ("may_have_happened", "done")
    assert settled.words == "may have happened; the operator says: done"
    assert left_of(timeline.events).in_doubt == ()
    call = timeline.call(call_id)
    assert call is not None
    assert call.state_at(timeline.last_seq) == "may_have_happened"


def test_a_question_that_died_with_its_process_is_asked_no_more() -> None:
    records = records_until(AskRaised, "click")
    assert len(Moment(folded(records)).open_asks) == 1
    timeline = resumed(records)
    before, after = Moment(timeline, timeline.last_seq - 1), Moment(timeline)
    assert [record.ask.member for record in before.open_asks] == ["click"]
    assert after.open_asks == []
    assert timeline.asks[-1].decision is None


def test_a_stop_of_the_old_process_stops_nothing_of_the_new_one() -> None:
    records = records_until(AskRaised, "click")
    records.append(Recorded(len(records) + 1, records[-1].wall_ms, 0, StopRequested(by="person")))
    assert Moment(folded(records)).stop_requested
    assert not Moment(resumed(records)).stop_requested


def test_what_was_held_stays_held_and_what_a_person_had_in_hand_does_not() -> None:
    records = records_until(AskRaised, "click")
    for event in (HoldAllSet(on=True), ControlChanged(step="taken"), RecordingChanged(recording=False, reason="x")):
        records.append(Recorded(len(records) + 1, records[-1].wall_ms, 0, event))
    before, after = Moment(folded(records)), Moment(resumed(records))
    assert (before.holding_all, before.control, before.recording) == (True, "taken", False)
    assert (after.holding_all, after.control, after.recording) == (True, None, True)
    assert left_of(records).holding_all


def test_the_plan_in_force_is_the_newest_one() -> None:
    timeline = resumed(records_until(AskRaised, "click"))
    left = left_of(timeline.events)
    assert (left.model, left.plan, dict(left.versions)) == ("another", {"task": "x"}, {"openai": "1"})
    assert left.page_url.endswith("/book")


def test_what_does_not_begin_with_a_run_is_none() -> None:
    with pytest.raises(ValueError, match="nothing of a run"):
        left_of([])
