"""A person at the window: the same scenario answered by clicks, a denial, a stop, a closed window; then replayed."""

import json
from pathlib import Path
from typing import Any

from pytestqt.qtbot import QtBot

from app.core.ask import Ask
from app.core.events import RunEnded
from app.ledger.verify import verify
from tests.end2end.supervised import check_replay, supervise, unattended
from tests.helpers.pilot import Pilot, Press


async def allow_all(pilot: Pilot) -> None:
    await pilot.answer_all(lambda ask: "allow")


def neutral(requests: list[dict[str, Any]], site: str) -> list[dict[str, Any]]:
    """The bodies without the demo site's port, which differs from run to run."""
    neutral_bodies: list[dict[str, Any]] = json.loads(json.dumps(requests).replace(site, "http://site"))
    return neutral_bodies


def test_clicks_and_script_send_the_model_the_same(qtbot: QtBot, tmp_path: Path) -> None:
    ran = supervise("booking", tmp_path / "clicked", allow_all)
    assert ran.exit_code == 0
    assert [booking.name for booking in ran.bookings] == ["Ada Park"]
    decided = [(decision.by, decision.verdict) for decision in ran.timeline.decisions]
    assert decided.count(("person", "allow")) == len(ran.pilot.asked) == 7
    assert decided.count(("rule", "allow")) == 1

    scripted = unattended("booking", tmp_path / "scripted")
    assert scripted.exit_code == 0
    assert neutral(ran.requests, ran.site) == neutral(scripted.requests, scripted.site)


def test_what_the_window_showed_is_what_the_ledger_says(qtbot: QtBot, tmp_path: Path) -> None:
    check_replay(supervise("mixed", tmp_path, allow_all), every=7)


def test_one_denied_action_is_not_done_and_the_run_goes_on(qtbot: QtBot, tmp_path: Path) -> None:
    def deny_the_reservation(ask: Ask) -> Press:
        return "deny" if ask.member == "click" else "allow"

    async def person(pilot: Pilot) -> None:
        await pilot.answer_all(deny_the_reservation)

    ran = supervise("booking", tmp_path, person)
    assert ran.bookings == [], "nothing was done on the page"
    ended = ran.timeline.ended[0]
    assert ended.status == "finished", "the run went on to a final message"
    denied = [ask for ask in ran.pilot.asked if ask.member == "click"]
    assert len(denied) == 1
    call = ran.timeline.call(denied[0].call_id)
    assert call is not None
    assert call.state_at(ran.timeline.last_seq) == "not_done"
    told = json.dumps(ran.requests[-1]["input"])
    assert "Browser action was not approved" in told
    assert verify(ran.session.ledger_path).whole


def test_stop_on_a_card_ends_the_run_and_nothing_starts_after_it(qtbot: QtBot, tmp_path: Path) -> None:
    async def person(pilot: Pilot) -> None:
        card = await pilot.next_card()
        assert card is not None
        await pilot.press(card, "stop")
        await pilot.until(pilot.ended, "the end")

    ran = supervise("booking", tmp_path, person)
    assert ran.exit_code == 1
    assert ran.timeline.ended[0].status == "stopped"
    assert len(ran.timeline.actions.between(ran.timeline.asks.seq_of(0), ran.timeline.last_seq)) == 0
    assert len(ran.requests) == ran.timeline.asks[0].ask.turn


def test_closing_the_window_with_a_card_open_denies_drains_saves_and_exits(qtbot: QtBot, tmp_path: Path) -> None:
    async def person(pilot: Pilot) -> None:
        await pilot.next_card()
        pilot.window.close()

    ran = supervise("booking", tmp_path, person)
    assert ran.exit_code == 1
    last = ran.timeline.events[-1].event
    assert isinstance(last, RunEnded)
    assert last.status == "stopped"
    decision = ran.timeline.decisions[-1]
    assert (decision.verdict, decision.by, decision.reason) == ("deny", "console", "the window was closed")
    assert ran.bookings == []
    assert verify(ran.session.ledger_path).whole
