"""The whole program in this process, with a person at its window: real window, real Chromium, real HTTP."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.cli import demo
from app.cli.ending import report
from app.cli.window import in_window, settings_file
from app.core.moment import Moment
from app.core.plan import RunPlan
from app.core.timeline import Timeline
from app.gate.inbox import AskInbox
from app.ledger.verify import verify
from app.rehearsal.bookings import Booking
from app.rehearsal.operator_inbox import OperatorInbox
from app.rehearsal.operator_script import ScriptedOperator
from app.replay.source import open_source
from app.runner.session import Session
from app.views.application import open_live_window
from app.views.window import ConsoleWindow
from tests.helpers.pilot import Pilot


@dataclass
class Supervised:
    """What one supervised run left behind."""

    exit_code: int
    session: Session
    timeline: Timeline
    shown: Timeline
    """The fold that the window's panels showed at the end."""
    requests: list[dict[str, Any]]
    """The bodies that the model received."""
    bookings: list[Booking]
    site: str
    pilot: Pilot


@dataclass
class Unattended:
    """What the same scenario left behind with its own scripted answers."""

    exit_code: int
    requests: list[dict[str, Any]]
    site: str


def supervise(
    scenario: str,
    home: Path,
    person: Callable[[Pilot], Awaitable[None]],
    *,
    plan: Callable[[RunPlan], RunPlan] = lambda plan: plan,
) -> Supervised:
    """Run `scenario` in a window; `person` acts on it. The window is closed when the person has done.

    `plan` may change what the scenario asks of the console.
    """
    left: list[Supervised] = []

    async def main(window: ConsoleWindow) -> int:
        inbox = AskInbox()
        with contextlib.ExitStack() as stack:
            served = await asyncio.to_thread(stack.enter_context, demo.rehearsal(scenario))
            served = replace(served, plan=plan(served.plan))
            session = await asyncio.to_thread(demo.demo_session, served, home=home, inbox=inbox, unattended=False)
            open_live_window(session, inbox, settings_path=settings_file(home), window=window)
            timeline = Timeline()
            session.subscribe(timeline.apply)
            await asyncio.to_thread(session.start)
            pilot = Pilot(window)
            try:
                await person(pilot)
            except BaseException:
                session.request_stop("console")
                await asyncio.to_thread(session.join)
                raise
            model = window.model
            assert model is not None
            window.close()
            await window.wait_closed()
            await asyncio.to_thread(session.join)
            code = report(session, timeline)
            assert served.plan.browser is not None
            left.append(
                Supervised(
                    code,
                    session,
                    timeline,
                    model.timeline,
                    [request.body for request in served.model.requests],
                    served.site.bookings,
                    str(served.plan.browser.start_url).rstrip("/"),
                    pilot,
                )
            )
            return code

    in_window(main, home)
    return left[0]


def unattended(scenario: str, home: Path) -> Unattended:
    """Run `scenario` without a window, in this process."""
    with demo.rehearsal(scenario) as served:
        inbox = OperatorInbox(ScriptedOperator(served.scenario.operator))
        session = demo.demo_session(served, home=home, inbox=inbox, unattended=True)
        timeline = Timeline()
        session.subscribe(timeline.apply)
        session.start()
        session.join()
        assert served.plan.browser is not None
        site = str(served.plan.browser.start_url).rstrip("/")
        return Unattended(report(session, timeline), [request.body for request in served.model.requests], site)


def folded(path: Path) -> Timeline:
    source = open_source(path)
    timeline = Timeline()
    for recorded in source.events:
        timeline.apply(recorded)
    source.close()
    return timeline


def check_replay(ran: Supervised, every: int = 1) -> None:
    """What the window showed is what the ledger says, at each `every`-th event."""
    saved = folded(ran.session.ledger_path)
    assert verify(ran.session.ledger_path).whole
    assert list(saved.events) == list(ran.shown.events) == list(ran.timeline.events)
    for seq in range(0, saved.last_seq + 1, every):
        live, replayed = Moment(ran.shown, seq), Moment(saved, seq)
        assert (live.state, live.turn, live.asked, live.allowed, live.denied, live.tokens, live.outcomes()) == (
            replayed.state,
            replayed.turn,
            replayed.asked,
            replayed.allowed,
            replayed.denied,
            replayed.tokens,
            replayed.outcomes(),
        )
