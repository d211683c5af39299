"""Streamed or in one piece, eager or not: the same is asked, done and told, and every journal keeps its order."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.ask import Ask
from app.core.decision import Answer
from app.core.events import ActionStarted, AskRaised, DecisionMade, TurnAnswered
from app.core.moment import Moment
from app.core.timeline import Timeline
from app.gate.inbox import AskInbox
from app.rehearsal.scenario import Scenario, list_scenarios, load_scenario
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import Run, run_scenario
from tests.unit.app.runner.invariants import check
from tests.unit.app.runner.scenes import answer, batch, deny, scene

PLAYABLE = [name for name in list_scenarios() if load_scenario(name).engine == "responses" and name != "code"]
"""The scenarios that need no browser; code acts on a real one."""

MODES = {"one piece": (False, False), "stream": (True, False), "eager": (True, True)}


def in_mode(name: str) -> Any:
    """Plan changer."""
    stream, eager = MODES[name]
    update = {"stream": stream, "eager": eager}
    return lambda plan: plan.model_copy(update={"streaming": plan.streaming.model_copy(update=update)})


def on_the_wire(run: Run) -> list[Any]:
    """The input of every request, with the addresses of this run taken out."""
    port = re.compile(r"127\.0\.0\.1:\d+")
    return [json.loads(port.sub("SITE", json.dumps(request.body["input"]))) for request in run.model.requests]


@pytest.mark.parametrize("name", PLAYABLE)
def test_every_scenario_has_the_same_requests_and_the_same_effects_in_every_mode(tmp_path: Path, name: str) -> None:
    scenario = load_scenario(name)
    runs = {mode: run_scenario(scenario, tmp_path / mode, plan=in_mode(mode)) for mode in MODES}
    for mode, run in runs.items():
        check(run)
        assert run.model.problems == []
        assert run.ended.status == "finished", f"{mode}: {run.ended.reason}"
        assert on_the_wire(run) == on_the_wire(runs["stream"]), mode
        assert [member for member, _ in run.did] == [member for member, _ in runs["stream"].did], mode
        assert states(run) == states(runs["stream"]), mode
        assert [booking.name for booking in run.site.bookings] == [b.name for b in runs["stream"].site.bookings]


def states(run: Run) -> list[tuple[str, int, str, str]]:
    """Each call with its turn, its member and what became of it."""
    last = run.timeline.last_seq
    return sorted((c.proposed.call_id, c.turn, c.proposed.member, c.state_at(last)) for c in run.timeline.calls)


def test_eager_calls_never_run_unasked_and_are_asked_with_the_model_s_own_words(tmp_path: Path) -> None:
    scenario = scene(
        answer(scenes.OPENING_HOURS, scenes.READ, scenes.OPENING_HOURS),
        answer(scenes.DONE),
        operator=deny("function_call", times=1),
        keys='functions = ["opening_hours"]',
    )
    run = run_scenario(scenario, tmp_path, plan=in_mode("eager"))
    check(run)
    assert run.ended.status == "finished"
    types = run.types()
    assert types.index("ask_raised") < types.index("turn_answered"), "not eager at all"
    first, second = (event.ask for event in run.of(AskRaised))
    assert first.turn == second.turn == 1
    assert json.loads(first.raw_arguments or "") == {"day": "Monday"}
    assert [event.call_id for event in run.of(ActionStarted) if event.source == "functions"] == [second.call_id]
    assert [state for *_, state in states(run)] == ["not_done", "done", "done"]


def test_in_eager_mode_calls_after_a_denial_are_skipped_although_they_come_later_in_the_stream(tmp_path: Path) -> None:
    scenario = scene(
        answer(scenes.READ),
        answer(scenes.RESERVE, scenes.TYPE_NAME),
        answer(scenes.TYPE_NAME),
        answer(scenes.DONE),
        operator=deny("browser_action", member="click"),
    )
    run = run_scenario(scenario, tmp_path, plan=in_mode("eager"))
    check(run)
    assert [member for member, _ in run.did] == ["type"]
    assert len(run.of(TurnAnswered)) == 4


def test_an_effect_of_a_stream_that_then_breaks_off_stays_on_record(tmp_path: Path) -> None:
    """In eager mode a call may have run although its answer never became whole."""
    scenario = scene(
        answer(scenes.READ),
        answer(scenes.TYPE_NAME, 'message = "And now?"\nphase = "commentary"')
        + '\n[[answers.faults]]\nends = "failed"',
    )
    run = run_scenario(scenario, tmp_path, plan=in_mode("eager"))
    check(run)
    assert run.ended.status == "failed"
    assert [member for member, _ in run.did] == ["type"]
    typed = run.timeline.call("call_002_01")
    assert typed is not None
    assert (typed.turn, typed.state_at(run.timeline.last_seq)) == (2, "done")


class Deciding:
    """A person who answers each ask at once, as a list of verdicts says; twice, and once with another card's digest."""

    def __init__(self, inbox: AskInbox, verdicts: list[str]) -> None:
        self._inbox = inbox
        self._verdicts = iter(verdicts)

    def ask_held(self, ask: Ask) -> None:
        verdict: Any = next(self._verdicts, "deny")
        if verdict == "wrong card":
            self._inbox.answer(ask.ask_id, Answer(verdict="allow", by="person", shown_digest="0" * 64))
        else:
            self._inbox.answer(ask.ask_id, Answer(verdict=verdict, by="person", note="n", shown_digest=ask.digest))
        assert not self._inbox.answer(ask.ask_id, Answer(verdict="allow", by="person", shown_digest=ask.digest))

    def ask_settled(self, ask_id: str) -> None: ...


OUTPUTS = st.sampled_from(
    [
        scenes.READ,
        scenes.READ_TEXT,
        scenes.OPENING_HOURS,
        scenes.ASK_GUEST,
        'browser = "navigate"\narguments = { url = "{{site}}/hours" }',
        'browser = "scroll"\narguments = { direction = "down", amount = 2 }',
        'browser = "scroll"\narguments = { direction = "sideways", amount = 2 }\ninvalid = true',
        batch(scenes.WAIT, scenes.WAIT),
        batch('{ type = "screenshot" }', scenes.WAIT),
        batch(scenes.WAIT, safety="Sure?"),
    ]
)
ANSWERS = st.lists(st.lists(OUTPUTS, min_size=1, max_size=3), min_size=1, max_size=3)
VERDICTS = st.lists(st.sampled_from(["allow", "allow", "allow", "deny", "wrong card", "stop"]), max_size=12)


def random_scene(outputs: list[list[str]]) -> Scenario:
    """Answers of any calls at all."""
    return scene(
        *(answer(*each) for each in outputs),
        answer(scenes.DONE),
        members=(*scenes.MEMBERS, "scroll"),
        keys='computer = true\nfunctions = ["opening_hours"]\nconfirm_reads = ["get_page_text"]',
        mcp=scenes.GUEST_LIST,
    )


@given(outputs=ANSWERS, verdicts=VERDICTS, mode=st.sampled_from(sorted(MODES)))
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
def test_any_calls_with_any_answers_keep_the_order_of_the_journal(
    tmp_path_factory: pytest.TempPathFactory, outputs: list[list[str]], verdicts: list[str], mode: str
) -> None:
    inbox = AskInbox()
    inbox.subscribe(Deciding(inbox, verdicts))
    run = run_scenario(random_scene(outputs), tmp_path_factory.mktemp("any"), inbox=inbox, plan=in_mode(mode))
    check(run)
    assert run.model.problems == []
    assert run.ended.status in ("finished", "stopped", "failed"), run.ended.reason
    if run.ended.status == "failed":
        assert "safety checks were not acknowledged" in run.ended.reason
    allowed = [e.decision for e in run.of(DecisionMade) if e.decision.allowed]
    assert all(decision.by in ("person", "rule") for decision in allowed)
    check_live_equals_replayed(run)


def check_live_equals_replayed(run: Run) -> None:
    """What the run's own listeners folded is what the file says."""
    from app.ledger.reader import LedgerReader

    reader = LedgerReader(run.ledger_path, owner=None)
    try:
        replayed = Timeline()
        for recorded in reader.events():
            replayed.apply(recorded)
    finally:
        reader.close()
    assert list(replayed.events) == list(run.timeline.events)
    for seq in range(1, run.timeline.last_seq + 1):
        live, saved = Moment(run.timeline, seq), Moment(replayed, seq)
        assert (live.state, live.turn, live.asked, live.allowed, live.denied) == (
            saved.state,
            saved.turn,
            saved.asked,
            saved.allowed,
            saved.denied,
        )
