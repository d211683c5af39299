"""Whatever a run's record leaves out, each call is one of three words, and the first two are never wrong."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.ask import Ask
from app.core.decision import Decision, Verdict
from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    CallAnswered,
    DecisionMade,
    Event,
    Outcome,
    Recorded,
    RequestSent,
    TurnAnswered,
)
from app.core.settle import lost_requests, settle
from app.core.timeline import Timeline
from tests.unit.app.ledger.made_up import Click


def recorded(events: Sequence[Event]) -> list[Recorded]:
    return [Recorded(seq, seq, seq, event) for seq, event in enumerate(events, 1)]


ORDER: list[tuple[int, Outcome, str, bool]] = [
    (1, "not_done", "not asked yet, nothing was done", False),
    (2, "not_done", "no decision was made, nothing was done", False),
    (3, "not_done", "allowed, not started: nothing was done", False),
    (4, "may_have_happened", "may have happened", False),
    (5, "done", "done", True),
]


@pytest.mark.parametrize(("known", "outcome", "words", "on_record"), ORDER)
def test_each_place_where_a_run_can_be_cut(known: int, outcome: Outcome, words: str, on_record: bool) -> None:
    (call,) = settle(recorded(Click(1).steps()[:known]))
    assert (call.outcome, call.words, call.on_record) == (outcome, words, on_record)
    assert (call.call_id, call.member, call.last_seq) == ("call_1", "click", known)


def test_a_denied_call_is_not_done() -> None:
    click = Click(1, verdict="deny")
    (call,) = settle(recorded([click.proposed, click.asked, click.decided]))
    assert (call.outcome, call.words, call.on_record) == ("not_done", "denied, nothing was done", False)
    answer = CallAnswered(call_id="call_1", ok=False, output=None)
    assert settle(recorded([click.proposed, click.asked, click.decided, answer]))[0].on_record


@pytest.mark.parametrize("said", ["done", "not_done", "may_have_happened"])
def test_an_end_on_record_counts_as_it_is(said: Outcome) -> None:
    click = Click(1)
    events = [*click.steps()[:4], ActionEnded(call_id="call_1", outcome=said)]
    assert settle(recorded(events))[0].outcome == said


def test_a_reading_that_was_cut_off_changed_nothing() -> None:
    started = ActionStarted(call_id="c", source="browser", member="find", digest="", ask_id=None, reads_only=True)
    assert settle(recorded([started]))[0].outcome == "not_done"


def test_what_may_have_happened_is_not_taken_back_by_a_second_try() -> None:
    click = Click(1)
    events = [*click.steps()[:4], click.asked, Click(1, verdict="deny").decided]
    assert settle(recorded(events))[0].outcome == "may_have_happened"
    again = [*click.steps()[:4], click.asked, click.decided, click.started, click.ended]
    assert settle(recorded(again))[0].outcome == "may_have_happened"


@pytest.mark.parametrize("verdict", ["allow", "deny", None])
def test_what_an_action_asks_from_within_says_nothing_of_the_whole(verdict: Verdict | None) -> None:
    code = Click(1)
    address = Ask(
        ask_id="inner", kind="navigation", source="code", call_id="call_1", turn=1, member="goto",
        arguments={"url": "https://example.com/"}, digest="d2", on_deny="model_told",
    )  # fmt: skip
    decided = Decision(ask_id="inner", verdict=verdict or "deny", by="person", digest="d2", waited_ms=1)
    inner: list[Event] = [AskRaised(ask=address), *([DecisionMade(decision=decided)] if verdict else [])]
    cut = recorded([*code.steps()[:4], *inner])
    (call,) = settle(cut)
    assert (call.outcome, call.member, call.last_seq) == ("may_have_happened", "click", 5)
    assert call.ask_id == code.asked.ask.ask_id, "a person is asked about the whole"
    timeline = Timeline()
    for one in cut:
        timeline.apply(one)
    assert timeline.calls[0].state_at(timeline.last_seq) == "running", "never denied, with nothing done"
    assert settle([*cut, Recorded(9, 9, 9, code.ended)])[0].outcome == "done"


def approval(number: int) -> list[Event]:
    ask = Ask(
        ask_id=f"a{number}",
        kind="mcp_approval",
        source="mcp",
        call_id="m",
        turn=1,
        member="pay",
        arguments={},
        digest="d",
    )
    return [
        AskRaised(ask=ask),
        DecisionMade(decision=Decision(ask_id=f"a{number}", verdict="allow", by="person", digest="d")),
    ]


def test_an_approval_that_was_sent_may_have_been_used() -> None:
    assert settle(recorded(approval(1)))[0].outcome == "not_done"
    (call,) = settle(recorded([*approval(1), RequestSent(turn=2, revision=5)]))
    assert (call.outcome, call.words) == ("may_have_happened", "allowed and sent: the service may have acted")


def test_the_parts_of_a_batch_are_told_apart() -> None:
    def started(part: int) -> ActionStarted:
        return ActionStarted(
            call_id="c", part=part, source="computer", member="click", digest="", ask_id=None, reads_only=False
        )

    events: list[Event] = [started(1), ActionEnded(call_id="c", part=1, outcome="done"), started(2)]
    assert [(call.part, call.outcome) for call in settle(recorded(events))] == [(1, "done"), (2, "may_have_happened")]


def test_requests_without_an_answer_are_counted() -> None:
    answer = TurnAnswered(turn=1, response_id="", calls=(), messages=(), final=False)
    sent = RequestSent(turn=1, revision=1)
    assert lost_requests(recorded([])) == 0
    assert lost_requests(recorded([sent, answer])) == 0
    assert lost_requests(recorded([sent, answer, sent, sent])) == 2


@given(st.lists(st.sampled_from(range(10)), max_size=20))
def test_nothing_that_was_started_and_not_ended_is_called_not_done(order: list[int]) -> None:
    steps = [*Click(1).steps(), *Click(2, verdict="deny").steps()]
    events = [steps[index] for index in order]
    open_calls: set[str] = set()
    for event in events:
        if isinstance(event, ActionStarted):
            open_calls.add(event.call_id)
        elif isinstance(event, ActionEnded):
            open_calls.discard(event.call_id)
    settled = {call.call_id: call.outcome for call in settle(recorded(events))}
    assert all(settled[call_id] == "may_have_happened" for call_id in open_calls)
