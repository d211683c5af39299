"""A whole run in somebody else's browser: done and on record there, and told truly when the connection is cut."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from app.cli import demo
from app.core.events import ActionEnded, Event, RunStarted
from app.core.plan import BrowserPlan, RunPlan
from app.core.timeline import Timeline
from app.ledger.verify import verify
from app.rehearsal.operator_inbox import OperatorInbox
from app.rehearsal.operator_script import ScriptedOperator
from app.rehearsal.plan import plan_of
from app.rehearsal.scenario import Scenario
from app.rehearsal.server import MODEL, ScriptedModel
from app.runner.session import Session
from app.runner.session_ports import ModelService
from app.wiring import make_session
from tests.helpers.elsewhere import NO_CALLS, Front, debugged_chromium, only_tabs
from tests.helpers.site.server import Answer, Request, Site
from tests.unit.app.runner.scenes import DONE, READ, RESERVE, answer, scene

pytestmark = pytest.mark.asyncio(loop_scope="module")

THEIRS = "data:text/html,theirs"
SENT = "let r = new XMLHttpRequest(); r.open('POST', '/book', false); r.send()"
PAGE = f'<button onclick="{SENT}">Reserve table</button>'


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def theirs() -> AsyncIterator[str]:
    """The address of a browser with a tab of theirs, which can be kept to some origins."""
    await asyncio.to_thread(int)  # the loop's own thread exists before the first test, which would leave it behind
    async with debugged_chromium(NO_CALLS, page=THEIRS) as address:
        yield address


async def played(session: Session) -> list[Event]:
    """Play it to its end; the events of its record."""
    timeline = Timeline()
    session.subscribe(timeline.apply)
    session.start()
    await asyncio.to_thread(session.join)
    return [one.event for one in timeline.events]


async def test_a_booking_is_made_in_it_and_nothing_else_of_it_is_touched(
    theirs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def planned(scenario: Scenario, site: str, **given: Any) -> RunPlan:
        plan = plan_of(scenario, site, **given)
        assert plan.browser is not None
        # Its own origin alone: what keeps to that stands below the page here, too.
        more = {"sandbox": None, "allow_origins": (site,), "remote": {"via": "cdp", "address": theirs}}
        browser = BrowserPlan.model_validate({**plan.browser.model_dump(), **more})
        return plan.model_copy(update={"browser": browser})

    monkeypatch.setattr(demo, "plan_of", planned)
    with demo.rehearsal("booking") as served:
        inbox = OperatorInbox(ScriptedOperator(served.scenario.operator))
        session = demo.demo_session(served, home=tmp_path, inbox=inbox, unattended=True)
        events = await played(session)
        assert session.ended is not None
        assert (session.ended.status, len(served.site.bookings)) == ("finished", 1)
    started = next(one for one in events if isinstance(one, RunStarted))
    recorded: Any = started.plan
    assert recorded["browser"]["remote"]["address"] == theirs
    assert verify(session.ledger_path).whole
    await only_tabs(theirs, [THEIRS])


async def test_a_connection_cut_in_an_action_ends_the_run_as_something_to_reconcile(
    theirs: str, tmp_path: Path
) -> None:
    site = Site()
    await site.start()
    async with Front(urlsplit(theirs).port or 0) as front:

        async def booked(request: Request) -> Answer:
            front.cut()
            return Answer("")

        site.routes["/book"] = booked
        browser = {
            "start_url": site.page("/", PAGE),
            "remote": {"via": "cdp", "address": f"http://127.0.0.1:{front.port}"},
        }
        scenario = scene(answer(READ), answer(RESERVE), answer(DONE))
        model = ScriptedModel(scenario, site="")
        service = ModelService(model=MODEL, api_key="none", base_url=model.start())
        session = make_session(
            RunPlan.model_validate({"task": scenario.task, "browser": browser}),
            home=tmp_path,
            inbox=OperatorInbox(ScriptedOperator(scenario.operator)),
            service=service,
            provenance="rehearsal",
            unattended=True,
        )
        events = await played(session)
        await asyncio.to_thread(model.stop)
    assert site.asked("/book") == 1
    await site.stop()
    ends = [one.outcome for one in events if isinstance(one, ActionEnded)]
    assert ends == ["done", "may_have_happened"]
    assert session.ended is not None
    assert session.ended.status == "needs_reconciling"
