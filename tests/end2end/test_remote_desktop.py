"""A whole run on a desktop that somebody else's VNC server shows."""

import asyncio
from pathlib import Path

import pytest

from app.core.events import ActionEnded, AskRaised, PictureTaken
from app.core.plan import RunPlan
from app.ledger.verify import verify
from app.rehearsal.operator_inbox import OperatorInbox
from app.rehearsal.operator_script import ScriptedOperator
from app.rehearsal.server import MODEL, ScriptedModel
from app.runner.session import Session
from app.runner.session_ports import ModelService
from app.wiring import make_session
from tests.end2end.test_remote_browser import played
from tests.helpers.vnc_desktop import NEEDS_VNC, vnc_desktop
from tests.unit.app.runner.scenes import DONE, answer, batch, scene
from tests.unit.drivers.desktop.conftest import soon

pytestmark = [pytest.mark.asyncio, NEEDS_VNC]

CLICK = '{ type = "click", x = 640, y = 600, button = "left" }'
TYPED = '{ type = "type", text = "typed by a model" }'


def session_on(address: str, home: Path, url: str, **remote: str) -> Session:
    scenario = scene(answer(batch(CLICK, TYPED)), answer(DONE))
    plan = {"task": scenario.task, "computer": {"target": "remote", "remote": {"address": address, **remote}}}
    return make_session(
        RunPlan.model_validate(plan),
        home=home,
        inbox=OperatorInbox(ScriptedOperator(scenario.operator)),
        service=ModelService(model=MODEL, api_key="none", base_url=url),
        provenance="rehearsal",
        unattended=True,
    )


async def test_what_a_model_types_arrives_there_and_is_on_record(tmp_path: Path) -> None:
    await asyncio.to_thread(int)  # the loop's own thread is none that a test leaves behind
    notes = tmp_path / "notes.txt"
    model = ScriptedModel(scene(answer(batch(CLICK, TYPED)), answer(DONE)), site="")
    url = model.start()
    async with vnc_desktop("-SecurityTypes", "None") as desktop:
        await desktop.editor(notes)
        await soon(lambda: asyncio.to_thread(lambda: desktop.shows("editor")))
        session = session_on(f"vnc://127.0.0.1:{desktop.port}", tmp_path, url)
        events = await played(session)
        await soon(lambda: asyncio.to_thread(notes.read_text, "utf-8"), lambda held: held == "typed by a model")
        assert desktop.process.returncode is None
    await asyncio.to_thread(model.stop)
    assert session.ended is not None
    assert session.ended.status == "finished"
    assert [one.outcome for one in events if isinstance(one, ActionEnded)].count("done") >= 2
    pages = [one.ask.evidence.page for one in events if isinstance(one, AskRaised)]
    assert {page.url for page in pages if page is not None} == {f"the desktop at 127.0.0.1:{desktop.port}"}
    assert any(isinstance(one, PictureTaken) for one in events)
    assert verify(session.ledger_path).whole


async def test_without_its_secret_the_run_does_not_begin(tmp_path: Path) -> None:
    await asyncio.to_thread(int)
    session = session_on("vnc://127.0.0.1:1", tmp_path, "http://127.0.0.1:1", secret="work")
    await played(session)
    assert session.ended is not None
    assert session.ended.status == "failed"
    assert "key store" in session.ended.reason
