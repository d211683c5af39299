"""A run begins with its live picture on the screen, so that no question has to wait for the browser's first one."""

from pathlib import Path

import pytest

from app import wiring
from app.clock import SystemClock
from app.core.live import LatestFrame
from app.core.plan import RunPlan
from app.rehearsal.site import DemoSite


@pytest.fixture
def plan() -> RunPlan:
    sandbox = False if wiring.runs_as_root() else None
    return RunPlan.model_validate({"task": "t", "model": "m", "browser": {"sandbox": sandbox}})


async def test_the_picture_is_there_when_the_run_begins(
    plan: RunPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "FIRST_PICTURE_SECS", 60.0)
    frames, site = LatestFrame(), DemoSite()
    assert plan.browser is not None
    try:
        begun = plan.model_copy(update={"browser": plan.browser.model_copy(update={"start_url": site.start()})})
        async with wiring.environment_of(begun, (), downloads=tmp_path)(frames, SystemClock()):
            assert frames.frame is not None
            assert frames.frame.data.startswith(b"\xff\xd8")
    finally:
        site.stop()


async def test_a_page_without_a_picture_does_not_hold_up_the_run(
    plan: RunPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "FIRST_PICTURE_SECS", 0.0)
    async with wiring.environment_of(plan, (), downloads=tmp_path)(LatestFrame(), SystemClock()) as opened:
        assert opened.browser is not None
