"""``allow_origins`` of a run file: the browser reaches nothing else, whoever leads it there."""

from pathlib import Path
from typing import Any

import pytest

from app.cli import demo
from app.core.plan import BrowserPlan, RunPlan
from app.rehearsal.operator_inbox import OperatorInbox
from app.rehearsal.operator_script import ScriptedOperator
from app.rehearsal.plan import plan_of
from app.rehearsal.scenario import Scenario
from app.runner.session import Session


def run_kept_to(home: Path, *origins: str, own: bool = False, monkeypatch: pytest.MonkeyPatch) -> tuple[Session, int]:
    """The booking scenario with the browser kept to `origins`; `own` adds the demo site. Session and bookings."""

    def planned(scenario: Scenario, site: str, **given: Any) -> RunPlan:
        plan = plan_of(scenario, site, **given)
        assert plan.browser is not None
        allowed = (*origins, site) if own else origins
        browser = BrowserPlan.model_validate({**plan.browser.model_dump(), "allow_origins": allowed})
        return plan.model_copy(update={"browser": browser})

    monkeypatch.setattr(demo, "plan_of", planned)
    with demo.rehearsal("booking") as served:
        inbox = OperatorInbox(ScriptedOperator(served.scenario.operator))
        session = demo.demo_session(served, home=home, inbox=inbox, unattended=True)
        session.start()
        session.join()
        return session, len(served.site.bookings)


def test_a_browser_kept_to_the_site_does_its_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, bookings = run_kept_to(tmp_path, own=True, monkeypatch=monkeypatch)
    assert session.ended is not None
    assert (session.ended.status, bookings) == ("finished", 1)


def test_a_browser_kept_to_other_origins_opens_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, bookings = run_kept_to(tmp_path, "https://elsewhere.example", monkeypatch=monkeypatch)
    assert session.ended is not None
    assert (session.ended.status, bookings) == ("failed", 0)
    assert session.ended.reason.startswith("the start page could not be opened (The address is not allowed here.)")
