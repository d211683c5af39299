"""Stop, in every state: nothing starts after it, what runs is drained or named, and the run stays resumable."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from app.core.ask import Ask
from app.core.decision import Answer
from app.core.errors import MissingHere, NotDurable
from app.core.events import (
    ActionEnded,
    ActionStarted,
    CheckpointSaved,
    DecisionMade,
    FailureSeen,
    Recorded,
    RequestSent,
    StopRequested,
)
from app.gate.inbox import AskInbox
from app.ledger.reader import LedgerReader
from app.rehearsal.server import ScriptedModel
from app.runner.session import Session
from tests.unit.app.runner import scenes
from tests.unit.app.runner.harness import DRAIN_TEST_SECS, Run, SeenDriver, run_scenario, several_at_once
from tests.unit.app.runner.invariants import check
from tests.unit.app.runner.scenes import answer, batch, deny, scene

BROWSER = (answer(scenes.READ), answer(scenes.TYPE_NAME, scenes.READ), answer(scenes.DONE))


def last_phase(run: Run) -> str:
    """Phase of the newest checkpoint on record."""
    return run.of(CheckpointSaved)[-1].phase


def resumable(run: Run) -> bool:
    """Whether the newest stored checkpoint is a boundary that answers every call."""
    reader = LedgerReader(run.ledger_path, owner=None)
    try:
        newest = reader.latest_checkpoint()
    finally:
        reader.close()
    assert newest is not None
    return bool(newest["phase"] == "boundary" and newest["attempted_call_ids"] == newest["returned_call_ids"])


class Listener:
    """Told by the inbox about each ask; does with it what a test says."""

    def __init__(self, held: Callable[[Ask], None]) -> None:
        self.ask_held = held

    def ask_settled(self, ask_id: str) -> None: ...


@pytest.mark.parametrize(
    ("kind", "answers", "keys", "mcp"),
    [
        ("browser_action", BROWSER, "", ""),
        (
            "protected_read",
            (answer('browser = "get_page_text"', scenes.READ),),
            'confirm_reads = ["get_page_text"]',
            "",
        ),
        ("function_call", (answer(scenes.OPENING_HOURS, scenes.READ),), 'functions = ["opening_hours"]', ""),
        ("computer_action", (answer(batch(scenes.CLICK_NAME, scenes.TYPE_TEXT)),), "computer = true", ""),
        ("mcp_approval", (answer(scenes.ASK_GUEST, scenes.READ),), "", scenes.GUEST_LIST),
        ("browser_action", BROWSER, "", scenes.GUEST_LIST),
    ],
)
def test_an_answer_may_stop_the_run(tmp_path: Path, kind: str, answers: tuple[str, ...], keys: str, mcp: str) -> None:
    scenario = scene(*answers, operator=deny(kind, verdict="stop"), keys=keys, mcp=mcp)
    run = run_scenario(scenario, tmp_path)
    check(run)
    assert (run.ended.status, run.ended.reason) == ("stopped", "stopped by the script")
    assert run.did == []
    assert [event.by for event in run.of(StopRequested)] == ["scripted"]
    types = run.types()
    assert types.index("stop_requested") == types.index("decision_made") + 1
    assert len(run.of(DecisionMade)) == 1
    assert resumable(run)


def test_stopping_at_safety_checks_does_nothing_of_the_call(tmp_path: Path) -> None:
    scenario = scene(
        answer(batch(scenes.CLICK_RESERVE, safety="Sure?")),
        operator=deny("safety_checks", verdict="stop"),
        keys="computer = true",
    )
    run = run_scenario(scenario, tmp_path)
    check(run)
    assert run.ended.status == "stopped"
    assert run.of(ActionStarted) == []


def test_a_stop_in_the_middle_of_a_batch_takes_no_further_picture(tmp_path: Path) -> None:
    scenario = scene(
        answer(batch(scenes.CLICK_NAME, scenes.TYPE_TEXT, scenes.WAIT)),
        operator=deny("computer_action", member="type", verdict="stop"),
        keys="computer = true",
    )
    run = run_scenario(scenario, tmp_path)
    check(run)
    assert [member for member, _ in run.did] == ["click"]
    assert run.computers[0].pictures == 0
    assert resumable(run)
    assert run.timeline.calls[0].state_at(run.timeline.last_seq) == "partly_done"


@pytest.mark.parametrize("mcp", ["", scenes.GUEST_LIST])
def test_a_stop_while_an_ask_waits_denies_it(tmp_path: Path, mcp: str) -> None:
    inbox, waiting = AskInbox(), threading.Event()
    inbox.subscribe(Listener(lambda ask: waiting.set()))

    def stop(session: Session, model: ScriptedModel) -> None:
        assert waiting.wait(300)
        (ask,) = inbox.waiting
        session.request_stop("window_closed", "closed by its cross")
        session.request_stop("person")
        assert not inbox.answer(ask.ask_id, Answer(verdict="allow", by="person", shown_digest=ask.digest))

    run = run_scenario(scene(*BROWSER, mcp=mcp), tmp_path, inbox=inbox, begun=stop)
    check(run)
    assert (run.ended.status, run.ended.reason) == ("stopped", "the window was closed")
    assert run.did == []
    (decision,) = (event.decision for event in run.of(DecisionMade))
    assert (decision.verdict, decision.by, decision.reason) == ("deny", "console", "the window was closed")
    (stop_event,) = run.of(StopRequested)
    assert (stop_event.by, stop_event.detail) == ("window_closed", "closed by its cross")
    assert resumable(run)


HELD = 'wait_for = "later"'


def test_a_stop_while_the_model_thinks_does_not_wait_for_its_answer(tmp_path: Path) -> None:
    def stop(session: Session, model: ScriptedModel) -> None:
        assert model.wait_until_held("later")
        session.request_stop("person")
        assert session.join(300), "the run waits for an answer that never comes"

    run = run_scenario(scene(answer(scenes.READ), answer(scenes.TYPE_NAME, before=HELD)), tmp_path, begun=stop)
    check(run)
    assert (run.ended.status, run.ended.reason) == ("stopped", "stopped by you")
    assert len(run.model.requests) == 2
    assert resumable(run)


def drain(secs: float) -> Any:
    """Plan changer: how long a stop waits."""
    return lambda plan: plan.model_copy(update={"limits": plan.limits.model_copy(update={"drain_secs": secs})})


def test_with_server_tools_the_answer_under_way_is_waited_for_and_nothing_of_it_starts(tmp_path: Path) -> None:
    """The service may be acting; only its answer tells what it did."""

    def stop(session: Session, model: ScriptedModel) -> None:
        assert model.wait_until_held("later")
        session.request_stop("person")
        model.release("later")

    scenario = scene(answer(scenes.READ), answer(scenes.TYPE_NAME, scenes.READ, before=HELD), mcp=scenes.GUEST_LIST)
    run = run_scenario(scenario, tmp_path, begun=stop)
    check(run)
    assert run.ended.status == "stopped"
    assert run.did == []
    assert len(run.model.requests) == 2
    assert resumable(run)


def test_with_server_tools_an_answer_that_does_not_come_is_given_up(tmp_path: Path) -> None:
    def stop(session: Session, model: ScriptedModel) -> None:
        assert model.wait_until_held("later")
        session.request_stop("person")
        assert session.join(300)

    scenario = scene(answer(scenes.READ), answer(scenes.READ, before=HELD), mcp=scenes.GUEST_LIST)
    run = run_scenario(scenario, tmp_path, begun=stop, plan=drain(DRAIN_TEST_SECS))
    check(run)
    assert run.ended.status == "stopped"
    assert "the service may have acted" in run.ended.reason
    assert last_phase(run) == "pending"


class SlowDriver(SeenDriver):
    """Typing begins and waits until it is told to go on; made for one test each."""

    began: threading.Event
    go_on: threading.Event

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.loop_done: Any = None

    async def type(self, args: Any) -> str:
        self.began.set()
        await asyncio.to_thread(self.go_on.wait)
        return await super().type(args)


def slow() -> type[SlowDriver]:
    """A driver class with events of its own."""

    class Own(SlowDriver):
        began = threading.Event()
        go_on = threading.Event()

    return Own


def test_an_effect_under_way_is_drained_and_recorded_as_ended_after_the_stop(tmp_path: Path) -> None:
    driver = slow()

    def stop(session: Session, model: ScriptedModel) -> None:
        assert driver.began.wait(300)
        stopped = threading.Event()
        session.subscribe(lambda recorded: stopped.set() if isinstance(recorded.event, StopRequested) else None)
        session.request_stop("person")
        assert stopped.wait(300)
        driver.go_on.set()

    run = run_scenario(scene(*BROWSER), tmp_path, make_driver=driver, begun=stop)
    check(run)
    assert run.ended.status == "stopped"
    assert [member for member, _ in run.did] == ["type"]
    types = run.types()
    assert types.index("stop_requested") < len(types) - 1 - types[::-1].index("action_ended")
    assert run.of(ActionEnded)[-1].outcome == "done"
    assert resumable(run)


class EndlessDriver(SeenDriver):
    """Typing never comes back."""

    began = threading.Event()

    async def type(self, args: Any) -> str:
        self.did.append(("type", dict(args)))
        EndlessDriver.began.set()
        await asyncio.Event().wait()
        raise AssertionError("unreachable")


def test_an_effect_that_never_ends_is_cut_off_and_may_have_happened(tmp_path: Path) -> None:
    EndlessDriver.began.clear()

    def stop(session: Session, model: ScriptedModel) -> None:
        assert EndlessDriver.began.wait(300)
        session.request_stop("person")

    run = run_scenario(scene(*BROWSER), tmp_path, make_driver=EndlessDriver, begun=stop, plan=drain(DRAIN_TEST_SECS))
    check(run)
    assert run.ended.status == "needs_reconciling"
    assert "did not end in time" in run.ended.reason
    assert run.of(ActionEnded)[-1].outcome == "may_have_happened"
    assert len(run.model.requests) == 2


@pytest.mark.parametrize("error", [MissingHere("the browser could not be started"), RuntimeError("connection closed")])
def test_what_breaks_off_after_a_stop_while_it_is_being_opened_is_no_failure(tmp_path: Path, error: Exception) -> None:
    """The terminal's Ctrl+C goes to the browser as well."""
    sessions: list[Session] = []

    def breaks(_site: str) -> SeenDriver:
        sessions[0].request_stop("signal", "SIGINT")
        raise error

    run = run_scenario(scene(*BROWSER), tmp_path, before=sessions.append, make_driver=breaks)
    assert run.ended.status == "stopped"
    assert run.ended.reason == "stopped by a signal; what was being opened broke off"
    assert run.session.problem is None
    assert [failure.error for failure in run.of(FailureSeen)] == [type(error).__name__]


class NeverThere(SeenDriver):
    """A page that does not come."""

    begun = threading.Event()

    async def open(self, method: str, url: str, data: dict[str, str] | None = None) -> None:
        NeverThere.begun.set()
        await asyncio.Event().wait()


def test_what_is_being_opened_is_given_up_at_once(tmp_path: Path) -> None:
    NeverThere.begun.clear()

    def stop(session: Session, model: ScriptedModel) -> None:
        assert NeverThere.begun.wait(300)
        session.request_stop("signal", "SIGINT")

    run = run_scenario(scene(*BROWSER), tmp_path, make_driver=NeverThere, begun=stop, plan=drain(600))
    assert run.types() == ["run_started", "stop_requested", "run_ended"]
    assert (run.ended.status, run.ended.reason) == (
        "stopped",
        "stopped by a signal; what was being opened was given up",
    )


def test_a_stop_before_the_start_opens_nothing_and_asks_nobody(tmp_path: Path) -> None:
    run = run_scenario(scene(*BROWSER), tmp_path, before=lambda session: session.request_stop("signal", "SIGTERM"))
    assert run.types() == ["run_started", "stop_requested", "run_ended"]
    assert (run.ended.status, run.ended.reason) == ("stopped", "stopped by a signal")
    assert run.of(StopRequested)[0].by == "signal"
    assert run.page_drivers == []
    assert run.model.requests == []


EVERYTHING = scene(
    answer(scenes.READ, scenes.OPENING_HOURS),
    answer(scenes.ASK_GUEST, scenes.TYPE_NAME),
    answer(scenes.GUEST_FOUND, batch(scenes.CLICK_NAME, scenes.WAIT)),
    answer(scenes.DONE),
    keys='computer = true\nfunctions = ["opening_hours"]',
    mcp=scenes.GUEST_LIST,
)
WITHOUT_SERVER_TOOLS = scene(
    answer(scenes.READ),
    answer(scenes.TYPE_NAME),
    answer(batch(scenes.CLICK_NAME, scenes.WAIT)),
    answer(scenes.DONE),
    operator=deny("computer_action", member="wait", note="No waiting."),
    keys="computer = true",
)


@pytest.mark.parametrize(
    ("scenario", "steps"), [(EVERYTHING, 2), (WITHOUT_SERVER_TOOLS, 1)], ids=["server tools", "a new segment"]
)
def test_a_stop_at_any_event_lets_nothing_start_after_it(quick_path: Path, scenario: Any, steps: int) -> None:
    whole = run_scenario(scenario, quick_path / "whole")
    assert whole.ended.status == "finished", whole.ended.reason
    last_request = max(index for index, event in enumerate(whole.events, start=1) if isinstance(event, RequestSent))

    def one(seq: int) -> None:
        run = run_scenario(scenario, quick_path / str(seq), before=partial(stop_at, seq))
        check(run)
        if run.ended.status == "finished":
            assert seq >= last_request, f"stopped at event {seq} and went on"
            return
        assert (run.ended.status, run.ended.reason) == ("stopped", "stopped by you"), f"stopped at event {seq}"
        sent = [index for index, event in enumerate(run.events) if isinstance(event, RequestSent)]
        assert sent[-1:] < [run.types().index("stop_requested")], f"a request left after the stop at event {seq}"
        admitting = isinstance(whole.events[seq - 1], CheckpointSaved) and isinstance(whole.events[seq], RequestSent)
        if run.of(CheckpointSaved) and not admitting:
            assert resumable(run), f"stopped at event {seq}"

    several_at_once(one, range(2, len(whole.events) - 1, steps))


def stop_at(seq: int, session: Session) -> None:
    """Ask for a stop as soon as event `seq` is on record."""

    def listen(recorded: Recorded) -> None:
        if recorded.seq == seq:
            session.request_stop("person")

    session.subscribe(listen)


def test_a_header_that_cannot_be_written_begins_no_run(tmp_path: Path) -> None:
    class Full:
        """Refuses everything."""

        path = tmp_path / "none"
        closed = False

        def append(self, event: Any, blobs: Any = ()) -> Any:
            raise NotDurable("no room")

        def subscribe(self, listener: Any) -> None: ...

        def close(self) -> None:
            self.closed = True

    ledger = Full()
    with pytest.raises(NotDurable, match="no room"):
        run_scenario(scene(*BROWSER), tmp_path, ledger=ledger)
    assert ledger.closed
