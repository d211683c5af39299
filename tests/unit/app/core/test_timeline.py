"""The fold: a place on the whole timeline shows what the timeline showed when it had come that far."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings

from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    CallAnswered,
    DecisionMade,
    Recorded,
    RunEnded,
    TurnAnswered,
)
from app.core.moment import Moment
from app.core.settle import settle
from app.core.timeline import CallRecord, Timeline
from tests.unit.app.core.journals import Writing, journals, recorded

FEW = settings(max_examples=60)


def folded(events: list[Recorded]) -> Timeline:
    timeline = Timeline()
    for one in events:
        timeline.apply(one)
    return timeline


def call_as_of(call: CallRecord, seq: int) -> tuple[Any, ...]:
    """A call without what lies after `seq`."""
    asks = [(a.ask.ask_id, a.decision_at(seq), a.open_at(seq)) for a in call.asks if a.seq <= seq]
    return (call.seq, call.proposed.call_id, call.state_at(seq), call.answer_at(seq), call.details.last(seq), asks)


def as_of(moment: Moment) -> dict[str, Any]:
    """Everything that a moment says."""
    seq = moment.seq
    return {
        "turn": moment.turn,
        "max_steps": moment.max_steps,
        "counts": (moment.asked, moment.allowed, moment.denied, moment.answered, moment.tokens),
        "open": [record.ask.ask_id for record in moment.open_asks],
        "turn_calls": [call_as_of(call, seq) for call in moment.turn_calls],
        "pending": [call.proposed.call_id for call in moment.pending_calls],
        "calls": [call_as_of(call, seq) for call in moment.timeline.calls.upto(seq)],
        "state": moment.state,
        "outcomes": moment.outcomes(),
        "ended": moment.ended,
        "conversation": moment.timeline.conversation.upto(seq),
        "settled": settle(moment.timeline.events.upto(seq)),
    }


@given(journals())
@FEW
def test_the_fold_of_a_beginning_is_that_place_on_the_whole_fold(writing: Writing) -> None:
    events = recorded(writing.events)
    whole, growing = folded(events), Timeline()
    for one in events:
        growing.apply(one)
        assert as_of(Moment(growing)) == as_of(Moment(whole, one.seq))


@given(journals())
@FEW
def test_the_counts_are_those_of_the_events(writing: Writing) -> None:
    events = recorded(writing.events)
    moment = Moment(folded(events))
    verdicts = Counter(e.decision.allowed for e in writing.events if isinstance(e, DecisionMade))
    assert moment.asked == sum(isinstance(event, AskRaised) for event in writing.events)
    assert (moment.allowed, moment.denied) == (verdicts[True], verdicts[False])
    assert moment.asked == moment.allowed + moment.denied + len(moment.open_asks)
    assert moment.tokens == sum(event.total_tokens for event in writing.events if isinstance(event, TurnAnswered))


@given(journals())
@FEW
def test_the_words_of_a_call_are_true_of_its_actions(writing: Writing) -> None:
    """A batch of which something was done never reads "not done", and one of which something was not never "done"."""
    timeline = folded(recorded(writing.events))
    for call in timeline.calls:
        if call.proposed.source == "mcp":
            continue
        call_id, state = call.proposed.call_id, call.state_at(timeline.last_seq)
        acted = {
            event.part: writing.outcomes.get((call_id, event.part))
            for event in writing.events
            if isinstance(event, ActionStarted) and event.call_id == call_id and not event.reads_only
        }
        wanted = 1
        if call.proposed.source == "computer":
            wanted = sum(action["type"] != "screenshot" for action in call.proposed.arguments)
        done = [outcome for outcome in acted.values() if outcome == "done"]
        if "may_have_happened" in acted.values():
            assert state == "may_have_happened" or (state in ("asked", "allowed", "denied") and call.answer is None)
        elif state == "done" and wanted:
            assert len(done) == wanted
        elif state == "partly_done":
            assert 0 < len(done) < wanted
        elif state == "not_done":
            assert not done


@given(journals())
@FEW
def test_settling_agrees_with_what_became_of_each_action(writing: Writing) -> None:
    for settled in settle(recorded(writing.events)):
        outcome = writing.outcomes.get((settled.call_id, settled.part))
        if outcome is not None:
            assert settled.outcome == outcome
        elif settled.source != "mcp":
            assert settled.outcome == "not_done"


@given(journals())
@FEW
def test_a_run_that_is_over_is_not_acting_and_one_that_was_cut_off_says_so(writing: Writing) -> None:
    timeline = folded(recorded(writing.events))
    moment = Moment(timeline, cut_off=True)
    ended = isinstance(writing.events[-1], RunEnded)
    assert moment.state == ("ended" if ended else "cut_off")
    assert Moment(timeline, 1, cut_off=True).state == "starting"


@given(journals())
@FEW
def test_where_nobody_goes_on_each_call_reads_as_what_became_of_it(writing: Writing) -> None:
    timeline = folded(recorded(writing.events))
    before = Moment(timeline)
    timeline.cut_off = True
    moment = Moment(timeline)
    for call in timeline.calls:
        was, state = before.state_of(call), moment.state_of(call)
        assert was == call.state_at(moment.seq) or before.ended is not None
        assert state not in ("next", "asked", "allowed", "running")
        if call.state_at(moment.seq) not in ("next", "asked", "allowed", "running"):
            assert state == call.state_at(moment.seq)
            continue
        became = {
            one.outcome
            for one in settle(timeline.events)
            if one.call_id == call.proposed.call_id and not call.only_read(one.part)
        }
        assert (state == "may_have_happened") == ("may_have_happened" in became)
        assert state != "not_done" or "done" not in became


@pytest.mark.parametrize("seq", [0, 1, 3])
def test_only_the_next_event_is_taken(seq: int) -> None:
    events = recorded(journal_of_two())
    timeline = folded(events[:1])
    with pytest.raises(ValueError, match=f"event {seq} after event 1"):
        timeline.apply(Recorded(seq, 0, 0, events[1].event))
    timeline.apply(events[1])


def journal_of_two() -> list[Any]:
    """The least journal there is."""
    from app.core.events import RunStarted, SegmentStarted

    return [
        RunStarted(
            run_id="r", task="t", model="m", engine="responses", max_steps=1, provenance="live", unattended=False,
            plan={}, versions={},
        ),
        SegmentStarted(number=1, base_revision=0, reason="x"),
    ]  # fmt: skip


def test_an_id_given_twice_does_not_change_what_the_first_call_became() -> None:
    from app.core.events import ProposedCall

    first = ProposedCall(call_id="c1", source="browser", member="click", arguments={})
    forged = ProposedCall(call_id="c1", source="functions", member="transfer", arguments={"eur": 900})
    turn = TurnAnswered(turn=1, response_id="r1", calls=(first,), messages=(), final=False)
    again = TurnAnswered(turn=2, response_id="r2", calls=(forged,), messages=(), final=False)
    started = ActionStarted(call_id="c1", source="browser", member="click", digest="d", ask_id=None, reads_only=False)
    done = ActionEnded(call_id="c1", outcome="done")
    events = recorded([*journal_of_two(), turn, started, done, CallAnswered(call_id="c1", ok=True, output=None), again])
    timeline = folded(events)
    call = timeline.call("c1")
    assert call is not None
    assert (call.proposed, call.turn, call.state_at(timeline.last_seq)) == (first, 1, "done")
    assert [(one.member, one.outcome) for one in settle(events)] == [("click", "done")]
    assert [one.proposed.member for one in Moment(timeline).turn_calls] == ["transfer"]


def test_an_effect_that_may_have_happened_is_not_taken_back_by_a_second_start() -> None:
    from app.core.events import ProposedCall

    call = ProposedCall(call_id="c1", source="browser", member="click", arguments={})
    started = ActionStarted(call_id="c1", source="browser", member="click", digest="d", ask_id=None, reads_only=False)
    events = recorded(
        [
            *journal_of_two(),
            TurnAnswered(turn=1, response_id="r1", calls=(call,), messages=(), final=False),
            started,
            ActionEnded(call_id="c1", outcome="may_have_happened"),
            started,
            ActionEnded(call_id="c1", outcome="not_done"),
        ]
    )
    timeline = folded(events)
    assert timeline.calls[0].state_at(timeline.last_seq) == "may_have_happened"
    assert settle(events)[0].outcome == "may_have_happened"
