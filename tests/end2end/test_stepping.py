"""A run stepped by keys and buttons in a real window and browser: nothing slips past, and the wire is the same."""

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.core.ask import Ask
from app.core.breakpoint import BreakpointPlan
from app.core.events import ActionStarted, AskRaised, DecisionMade, PageChanged, PageRead, RequestSent
from app.core.moment import Moment
from app.core.timeline import Timeline
from app.ledger.verify import verify
from app.replay.source import open_source
from app.runner.leaving import said_body
from tests.end2end.stepped import bar, click, held_at_first, key, next_hold
from tests.end2end.supervised import Supervised, supervise, unattended
from tests.helpers.pilot import Pilot


def neutral(requests: list[dict[str, Any]], site: str) -> list[dict[str, Any]]:
    """The bodies without the demo site's port, which differs from run to run."""
    bodies: list[dict[str, Any]] = json.loads(json.dumps(requests).replace(site, "http://site"))
    return bodies


def check_nothing_slipped_past(ran: Supervised, holds: list[Ask]) -> None:
    """While a hold stands nothing else is on record, and what it stands before comes after it."""
    events = list(ran.timeline.events)
    answered_at = {
        one.event.decision.ask_id: at for at, one in enumerate(events) if isinstance(one.event, DecisionMade)
    }
    for at, one in enumerate(events):
        if isinstance(one.event, AskRaised) and one.event.ask.step is not None:
            gone_on = answered_at[one.event.ask.ask_id]
            between = [other.event for other in events[at + 1 : gone_on]]
            acts = (ActionStarted, RequestSent, PageRead, PageChanged)
            assert not [event for event in between if isinstance(event, acts)], one.event.ask.ask_id
    begun = [one.event.call_id for one in events if isinstance(one.event, ActionStarted)]
    held_calls = [ask.call_id for ask in holds if ask.step is not None and ask.step.stage == "arguments"]
    assert list(dict.fromkeys(begun)) == list(dict.fromkeys(held_calls)), "each call was held before it began"
    assert verify(ran.session.ledger_path).whole


def check_replay(ran: Supervised) -> None:
    """What the window showed is what the ledger says, holds included."""
    source = open_source(ran.session.ledger_path)
    saved = Timeline()
    for recorded in source.events:
        saved.apply(recorded)
    source.close()
    assert list(saved.events) == list(ran.shown.events)
    for record in saved.steps:
        for seq in (record.seq, record.decided_seq or 0):
            live, replayed = Moment(ran.shown, seq), Moment(saved, seq)
            assert (live.state, live.asked, live.allowed) == (replayed.state, replayed.asked, replayed.allowed)
        assert Moment(saved, record.seq).held is record


def test_booking_stepped_call_by_call(qtbot: QtBot, tmp_path: Path) -> None:
    holds: list[Ask] = []
    bookings: list[int] = []

    async def person(pilot: Pilot) -> None:
        while (held := await next_hold(pilot)) is not None:
            holds.append(held)
            model = pilot.window.model
            assert model is not None
            newest = model.timeline.events[-1].event
            assert isinstance(newest, AskRaised)
            assert newest.ask == held, "nothing has been recorded since the hold"
            call = model.timeline.call(held.call_id)
            assert call is None or not call.started, "the call has not begun"
            bookings.append(sum(one.member == "click" for one in model.timeline.actions))
            await key(pilot, Qt.Key.Key_F10)

    ran = supervise("booking", tmp_path / "stepped", person, plan=held_at_first)
    assert ran.exit_code == 0
    assert [booking.name for booking in ran.bookings] == ["Ada Park"]
    stages = [ask.step.stage for ask in holds if ask.step]
    assert stages == ["request", "arguments"] * 11 + ["request"]
    check_nothing_slipped_past(ran, holds)
    check_replay(ran)

    shown = [ask.arguments for ask in holds if ask.step and ask.step.stage == "request"]
    assert shown == [said_body(json.dumps(body).encode())[0] for body in ran.requests], "exactly what was sent"
    whole = unattended("booking", tmp_path / "unstepped")
    assert neutral(ran.requests, ran.site) == neutral(whole.requests, whole.site)
    asked = [record.ask.ask_id for record in ran.timeline.asks if record.ask.step is None]
    assert asked == [f"a{number:04d}" for number in range(1, 9)], "questions keep their numbers"


def test_turns_run_to_here_pause_and_a_breakpoint_by_buttons(qtbot: QtBot, tmp_path: Path) -> None:
    seen: list[tuple[str, str, str]] = []

    def note(held: Ask | None) -> None:
        assert held is not None
        assert held.step is not None
        seen.append((held.step.stage, held.step.held_by, held.member))

    async def person(pilot: Pilot) -> None:
        note(await next_hold(pilot))
        await key(pilot, Qt.Key.Key_F8)
        note(await next_hold(pilot))
        form = pilot.window.docks["breakpoints"].panel.form  # type: ignore[union-attr]
        form.what.setCurrentText("Member")
        form.value.setText("select_option")
        form.add_button.click()
        await key(pilot, Qt.Key.Key_F5)
        note(await next_hold(pilot))
        click(pilot, "debug_step_action")
        note(await next_hold(pilot))
        click(pilot, "debug_run")
        note(await next_hold(pilot))
        pilot.window.header.pause_button.click()
        await key(pilot, Qt.Key.Key_F5)
        assert await next_hold(pilot) is None

    ran = supervise("booking", tmp_path, person, plan=held_at_first)
    assert ran.exit_code == 0
    assert seen == [
        ("request", "breakpoint", "/v1/responses"),
        ("request", "step", "/v1/responses"),
        ("arguments", "breakpoint", "select_option"),
        ("request", "step", "/v1/responses"),
        ("arguments", "breakpoint", "select_option"),
    ]
    check_replay(ran)


def test_into_a_computer_batch_action_by_action(qtbot: QtBot, tmp_path: Path) -> None:
    parts: list[tuple[str, int]] = []

    async def person(pilot: Pilot) -> None:
        while (held := await next_hold(pilot)) is not None:
            if held.source == "computer":
                parts.append((held.member, held.part))
            await key(pilot, Qt.Key.Key_F11)

    ran = supervise("mixed", tmp_path, person, plan=held_at_first)
    assert ran.exit_code == 0
    calls = [call for call in ran.timeline.calls if call.proposed.source == "computer"]
    expected = []
    for call in calls:
        actions = call.proposed.arguments
        expected += [("computer", 0), *((one["type"], at) for at, one in enumerate(actions, start=1))]
        if actions[-1]["type"] != "screenshot":
            expected.append(("screenshot", len(actions) + 1))
    assert parts == expected
    assert len(parts) > len(calls)
    check_replay(ran)


def test_a_decisions_run_stepped(qtbot: QtBot, tmp_path: Path) -> None:
    stages: list[str] = []

    async def person(pilot: Pilot) -> None:
        while (held := await next_hold(pilot)) is not None:
            assert held.step is not None
            stages.append(held.step.stage)
            if held.step.stage == "request":
                assert held.arguments["questions"] or held.arguments["input"]
            await key(pilot, Qt.Key.Key_F10)

    told = BreakpointPlan(stages=("answer", "output"))
    ran = supervise("decisions", tmp_path / "stepped", person, plan=lambda plan: held_at_first(plan, told))
    assert ran.exit_code == 0
    assert stages == ["request", "answer", "arguments", "output"] * 5 + ["request", "answer"]
    check_replay(ran)
    whole = unattended("decisions", tmp_path / "unstepped")
    assert neutral(ran.requests, ran.site) == neutral(whole.requests, whole.site)


def test_stop_while_held_before_a_request_sends_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    async def person(pilot: Pilot) -> None:
        assert await next_hold(pilot) is not None
        await key(pilot, Qt.Key.Key_F8)
        assert await next_hold(pilot) is not None
        pilot.window.header.stop_button.click()
        await pilot.until(pilot.ended, "the end")
        await pilot.until(bar(pilot).isHidden, "the bar gone")

    ran = supervise("booking", tmp_path, person, plan=held_at_first)
    assert ran.exit_code == 1
    assert ran.timeline.ended[0].status == "stopped"
    assert len(ran.requests) == len(ran.timeline.requests) == 1
    (record,) = [one for one in ran.timeline.steps if one.decision is not None and not one.decision.allowed]
    assert record.ask.step is not None
    assert record.ask.step.resumable
    assert verify(ran.session.ledger_path).whole


def test_breakpoints_of_every_other_kind_hold_a_real_run(qtbot: QtBot, tmp_path: Path) -> None:
    reasons: list[tuple[str, str]] = []

    def plans(*plans: BreakpointPlan) -> Any:
        return lambda plan: plan.model_copy(update={"breakpoints": plans})

    async def person(pilot: Pilot) -> None:
        while (held := await next_hold(pilot)) is not None:
            assert held.step is not None
            reasons.append((held.step.breakpoint, held.step.stage))
            await key(pilot, Qt.Key.Key_F5)

    ran = supervise(
        "booking",
        tmp_path,
        person,
        plan=plans(
            BreakpointPlan(page_changes=("navigation",), nth=1),
            BreakpointPlan(text_appears="your table is reserved"),
            BreakpointPlan(kinds=("protected_read",)),
            BreakpointPlan(stages=("output",), members=("type",)),
            BreakpointPlan(stages=("action",), urls=("*/book?*",), members=("click",)),
            BreakpointPlan(arguments={"values": "19:00"}),
            BreakpointPlan(diagnostic_stages=("action",), diagnostic_reasons=("completed",), members=("wait_for",)),
            BreakpointPlan(tokens=1, log_only=True, text="the first answer has come"),
            BreakpointPlan(secs=0.001, sources=("functions",)),
        ),
    )
    assert ran.exit_code == 0
    held_by = [name for name, _ in reasons]
    assert sorted(set(held_by)) == [f"file {number}" for number in (1, 2, 3, 4, 5, 6, 7, 9)]
    assert ("file 4", "output") in reasons
    assert ("file 5", "action") in reasons
    assert ("file 3", "approval") in reasons
    noted = [one for one in ran.timeline.steps if one.ask.step is not None and one.ask.step.logged]
    assert [(one.ask.step.text, one.decision.by) for one in noted if one.ask.step and one.decision] == [
        ("the first answer has come", "rule")
    ]
    check_replay(ran)
