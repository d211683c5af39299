"""What must hold for the journal of any run, whatever happened in it, against what was really done."""

from collections.abc import Sequence
from typing import Any

from app.core.describe import BROWSER_MEMBERS
from app.core.events import (
    ActionEnded,
    ActionStarted,
    AskRaised,
    CallAnswered,
    DecisionMade,
    Event,
    RunEnded,
    RunResumed,
    RunStarted,
    StopRequested,
)
from app.core.settle import settle
from app.core.timeline import Timeline
from app.core.value import call_digest
from app.gate.gate import ACTING_KINDS
from tests.unit.app.runner.harness import Run


def check(run: Run) -> None:
    """All of it."""
    check_journal(run.events)
    check_effects(run.events, run.did)
    check_timeline(run.timeline)


def check_journal(events: Sequence[Event], *, dropped: bool = False) -> None:
    """Asked, decided, started, ended; one decision an ask, one effect a permit; nothing starts after a stop.

    `dropped`: the run was taken up by another process, so that questions may have been left without an answer.
    """
    assert isinstance(events[0], RunStarted)
    assert isinstance(events[-1], RunEnded)
    asks: dict[str, Any] = {}
    decided: dict[str, Any] = {}
    spent: set[str] = set()
    started: dict[tuple[str, int], ActionStarted] = {}
    stopped = False
    for event in events:
        match event:
            case AskRaised():
                assert event.ask.ask_id not in asks
                assert event.ask.digest == call_digest(event.ask.member, event.ask.arguments)
                asks[event.ask.ask_id] = event.ask
            case DecisionMade():
                decision = event.decision
                assert decision.ask_id in asks
                assert decision.ask_id not in decided, "an ask was decided twice"
                assert decision.digest == asks[decision.ask_id].digest
                decided[decision.ask_id] = decision
                assert not (stopped and decision.allowed), "allowed after the stop"
            case ActionStarted():
                assert not stopped, f"{event.member} started after the stop"
                if not event.reads_only:
                    assert event.ask_id is not None, f"{event.member} started without an ask"
                if event.ask_id is not None:
                    ask = asks[event.ask_id]
                    assert decided[event.ask_id].allowed
                    assert event.ask_id not in spent, "one approval, two effects"
                    assert (ask.call_id, ask.part, ask.digest) == (event.call_id, event.part, event.digest)
                    assert ask.kind in ACTING_KINDS
                    spent.add(event.ask_id)
                started[(event.call_id, event.part)] = event
            case ActionEnded():
                assert started.pop((event.call_id, event.part), None) is not None, "ended without a start"
            case StopRequested():
                assert not stopped, "stopped twice"
                stopped = True
            case RunResumed():
                stopped = False
    assert dropped or asks.keys() == decided.keys(), "an ask without a decision"
    assert started == {}, "a start without an end"


def check_effects(events: Sequence[Event], did: Sequence[tuple[str, Any]]) -> None:
    """Every effect of the driver's own log has a start on record with the same digest, in the same order."""
    on_record = [
        event.digest
        for event in events
        if isinstance(event, ActionStarted) and not event.reads_only and _of_the_driver(event)
    ]
    really = [call_digest(member, arguments) for member, arguments in did]
    unstarted = iter(on_record)
    assert all(digest in unstarted for digest in really), "something was done that is not on record as started"
    not_done = [e for e in events if isinstance(e, ActionEnded) and e.outcome == "not_done"]
    assert len(really) >= len(on_record) - len(not_done)


def check_timeline(timeline: Timeline) -> None:
    """No action that was refused reads as done, neither in the timeline nor when the journal is settled."""
    events = [recorded.event for recorded in timeline.events]
    began = {event.call_id for event in events if isinstance(event, ActionStarted)}
    answered = {event.call_id for event in events if isinstance(event, CallAnswered) and event.ok}
    for call in timeline.calls:
        call_id = call.proposed.call_id
        if call.state_at(timeline.last_seq) in ("done", "partly_done"):
            elsewhere = call.proposed.source == "mcp" or call.proposed.member == "list_tabs"
            assert call_id in began or (elsewhere and call_id in answered)
    for settled in settle(timeline.events):
        ends = [
            e for e in events if isinstance(e, ActionEnded) and (e.call_id, e.part) == (settled.call_id, settled.part)
        ]
        if settled.outcome == "done" and settled.member != "list_tabs":
            assert ends[-1].outcome == "done"
        if settled.outcome == "not_done":
            assert not ends or ends[-1].outcome == "not_done"


def _of_the_driver(event: ActionStarted) -> bool:
    """Whether it is the page's driver that acts: a candidate may also be Python of the user's own."""
    return event.source in ("browser", "computer") or (event.source == "decisions" and event.member in BROWSER_MEMBERS)
