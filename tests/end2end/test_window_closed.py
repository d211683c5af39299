"""The window is closed in the middle of a run, whatever the run is in: drained, on record, and nothing after."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.core.events import ActionEnded, ActionStarted, AskRaised, DecisionMade, StopRequested
from app.core.timeline import Timeline
from app.ledger.verify import verify
from tests.end2end.stepped import held_at_first, key, next_hold
from tests.end2end.supervised import Supervised, supervise
from tests.end2end.test_takeover import hold_the_function, take
from tests.helpers.pilot import Pilot

Moment = Callable[[Pilot], Awaitable[None]]


def fold(pilot: Pilot) -> Timeline:
    assert pilot.window.model is not None
    return pilot.window.model.timeline


async def before_anything(pilot: Pilot) -> None:
    """The run's browser is still being started."""


async def held(pilot: Pilot) -> None:
    """A call is held, and so is a second one after it."""
    assert await next_hold(pilot) is not None
    await key(pilot, Qt.Key.Key_F10)
    assert await next_hold(pilot) is not None


async def asked(pilot: Pilot) -> None:
    assert await pilot.next_card() is not None


async def allowed_at_this_moment(pilot: Pilot) -> None:
    """The press of Allow is the last thing before the window goes."""
    card = await pilot.next_card()
    assert card is not None
    await pilot.press(card, "allow")


async def in_an_effect(pilot: Pilot) -> None:
    """The pause that the computer tool makes has begun and has not ended."""

    def waiting() -> bool:
        actions = [one for one in fold(pilot).actions if one.member == "wait"]
        events = [one.event for one in fold(pilot).events]
        ended = {(one.call_id, one.part) for one in events if isinstance(one, ActionEnded)}
        return bool(actions) and (actions[-1].call_id, actions[-1].part) not in ended

    while not waiting():
        await pilot.until(lambda: pilot.card() is not None or waiting(), "a card or the pause")
        if (card := pilot.card()) is not None:
            await pilot.press(card, "allow")


async def in_a_person_s_hands(pilot: Pilot) -> None:
    await take(pilot)


def check_nothing_after(ran: Supervised) -> None:
    events = [one.event for one in ran.timeline.events]
    (stop,) = [at for at, event in enumerate(events) if isinstance(event, StopRequested)]
    assert [event for event in events[stop:] if isinstance(event, ActionStarted)] == []
    started = [(event.call_id, event.part) for event in events if isinstance(event, ActionStarted)]
    ended = [(event.call_id, event.part) for event in events if isinstance(event, ActionEnded)]
    assert sorted(ended) == sorted(started)
    raised = [event.ask.ask_id for event in events if isinstance(event, AskRaised)]
    decided = {event.decision.ask_id: event.decision for event in events if isinstance(event, DecisionMade)}
    assert list(decided) == raised
    after = [event.decision for event in events[stop:] if isinstance(event, DecisionMade)]
    assert not [decision for decision in after if decision.allowed]


@pytest.mark.parametrize(
    ("scenario", "moment"),
    [
        ("booking", before_anything),
        ("booking", asked),
        ("booking", allowed_at_this_moment),
        ("booking", held),
        ("mixed", in_an_effect),
        ("takeover", in_a_person_s_hands),
    ],
)
def test_closing_the_window_ends_the_run_wherever_it_is(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scenario: str, moment: Moment
) -> None:
    # Long enough to be seen on a busy machine, and shorter than a stop waits.
    monkeypatch.setattr("drivers.computer.page.WAIT_SECS", 5.0)
    if moment is in_a_person_s_hands:
        hold_the_function(monkeypatch)
    ran = supervise(scenario, tmp_path, moment, plan=held_at_first if moment is held else lambda plan: plan)
    assert ran.exit_code == 1
    (ended,) = ran.timeline.ended
    assert ended.status == "stopped", ended.reason
    assert ended.reason.startswith("the window was closed")
    assert [stop.by for stop in ran.timeline.stops] == ["window_closed"]
    check_nothing_after(ran)
    assert verify(ran.session.ledger_path).whole
