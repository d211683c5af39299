"""A scripted model drives real programs on a virtual desktop through the whole console: model, gate, ledger, screen."""

import io
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from app.core.events import ActionEnded, AskRaised, Event, PictureTaken
from app.core.live import LiveFrame
from app.core.plan import RunPlan
from app.core.timeline import Timeline
from app.rehearsal.operator_inbox import OperatorInbox
from app.rehearsal.operator_script import ScriptedOperator
from app.rehearsal.server import MODEL, ScriptedModel
from app.runner.session import Session
from app.runner.session_ports import ModelService
from app.wiring import make_session
from drivers.desktop.virtual import what_is_missing
from tests.helpers import editor
from tests.helpers.chromium import kiosk
from tests.helpers.watched_page import FIELD, GREEN, SEND, WatchedPage
from tests.unit.app.runner.scenes import ALLOW, DONE, answer, batch, scene

pytestmark = pytest.mark.skipif(what_is_missing() is not None, reason=what_is_missing() or "")

RUN_SECS = 300.0


@pytest.fixture(autouse=True)
def _patient_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripted model does not look whether the program is there already, as a real one would."""
    monkeypatch.setattr("drivers.desktop.session.FIRST_WINDOW_SECS", RUN_SECS)


LOOK = '{ type = "screenshot" }'
INTO_IT = '{ type = "click", x = 600, y = 300, button = "left" }'
BESIDE_IT = '{ type = "click", x = 600, y = 800, button = "left" }'


class Played:
    """One run on a virtual desktop and what it left."""

    def __init__(
        self,
        folder: Path,
        program: tuple[str, ...],
        *answers: str,
        operator: str = ALLOW,
        meanwhile: Callable[[Session, ScriptedModel], None] = lambda session, model: None,
    ) -> None:
        scenario = scene(*answers, operator=operator)
        self.model = ScriptedModel(scenario, site="")
        url = self.model.start()
        try:
            self.session = make_session(
                RunPlan.model_validate({"task": scenario.task, "computer": {"target": "virtual", "program": program}}),
                home=folder,
                inbox=OperatorInbox(ScriptedOperator(scenario.operator)),
                service=ModelService(model=MODEL, api_key="none", base_url=url),
                provenance="demo",
                unattended=True,
            )
            self.timeline = Timeline()
            self.session.subscribe(self.timeline.apply)
            self.session.start()
            try:
                meanwhile(self.session, self.model)
            finally:
                over = self.session.join(RUN_SECS)
            assert over, "the run did not end"
        finally:
            self.model.stop()

    def of(self, kind: type[Event]) -> list[Any]:
        """The events of one type, in order."""
        return [one.event for one in self.timeline.events if isinstance(one.event, kind)]

    @property
    def outcomes(self) -> list[str]:
        """What became of each action that was begun."""
        return [one.outcome for one in self.of(ActionEnded)]

    def told_model(self) -> str:
        """Everything that the run said to the model in words."""
        items = self.model.requests[-1].body["input"]
        return "\n".join(str(item["content"]) for item in items if item.get("role") == "user")


def typing(text: str) -> str:
    return f'{{ type = "type", text = "{text}" }}'


def keys(*names: str) -> str:
    return f'{{ type = "keypress", keys = [{", ".join(f"{name!r}" for name in names)}] }}'


def until_shown(session: Session, fits: Callable[[LiveFrame], bool]) -> None:
    """Wait for a live picture that fits."""
    came = threading.Event()
    session.frames.listen(came.set)
    try:
        while (frame := session.frames.frame) is None or not fits(frame):
            assert came.wait(120), "the desktop never showed it"
            came.clear()
    finally:
        session.frames.listen(None)


def is_green(frame: LiveFrame) -> bool:
    """The page stands in its full size."""
    picture = Image.open(io.BytesIO(frame.data)).convert("RGB")
    seen = [picture.getpixel(at) for at in ((5, 5), (1200, 780), (640, 600))]
    return all(isinstance(one, tuple) and all(abs(a - b) < 12 for a, b in zip(one, GREEN, strict=True)) for one in seen)


def test_a_text_editor_is_driven(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    run = Played(
        tmp_path,
        (sys.executable, editor.__file__, str(notes)),
        answer(batch(LOOK)),
        answer(batch(INTO_IT, typing("Grüße, жизнь 你好 😀\\nsecond line"))),
        answer(batch(keys("CTRL", "HOME"), typing("first: "), keys("SHIFT", "END"), keys("CTRL", "X"), keys("End"))),
        answer(batch(keys("ctrl+v"), typing("!"))),
        answer(DONE),
    )
    assert run.session.ended is not None
    assert run.session.ended.status == "finished"
    assert notes.read_text(encoding="utf-8") == "first: Grüße, жизнь 你好 😀!\nsecond line"
    assert set(run.outcomes) == {"done"}
    read = [one.picture for one in run.of(PictureTaken) if one.role == "read"]
    assert [(one.width, one.height, one.css_width) for one in read] == [(1280, 800, 1280)] * 4
    sent = [item["output"] for item in run.model.requests[-1].body["input"] if "output" in item]
    assert [one["detail"] for one in sent] == ["original"] * 4
    asked = [one.ask for one in run.of(AskRaised) if one.ask.member == "click"]
    target = asked[0].evidence.target
    assert (target.role, target.label, asked[0].evidence.page.title) == ("window", "editor", "Notes")


def test_a_refusal_within_a_batch_is_told_and_the_run_goes_on(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    deny = '[operator]\ndefault = "allow"\n[[operator.answers]]\nmember = "type"\nanswer = "deny"\ntimes = 1'
    run = Played(
        tmp_path,
        (sys.executable, editor.__file__, str(notes)),
        answer(batch(INTO_IT, keys("a"), typing("never"), keys("b"))),
        answer(batch(BESIDE_IT, keys("c"))),
        answer(batch(typing("typed"), safety="This may do harm.")),
        answer(DONE),
        operator=deny,
    )
    assert run.session.ended is not None
    assert run.session.ended.status == "finished"
    assert notes.read_text(encoding="utf-8") == "atyped"
    told = run.told_model()
    assert "Action 3 of 4 (type) of your last computer call was not approved and not done." in told
    assert "Action 1 of 2 (click) of your last computer call was not done: Not done: the point lies outside" in told
    # What lies outside is refused without asking anybody.
    assert [one.ask.arguments["y"] for one in run.of(AskRaised) if one.ask.member == "click"] == [300]
    assert [one.ask.kind for one in run.of(AskRaised) if one.ask.checks] == ["safety_checks"]


def test_a_browser_is_driven(tmp_path: Path) -> None:
    with WatchedPage() as page:

        def meanwhile(session: Session, model: ScriptedModel) -> None:
            until_shown(session, is_green)
            model.release("page")
            page.wait_for(120, kind="sent")
            model.release("sent")

        x, y = FIELD
        run = Played(
            tmp_path,
            kiosk(page.url),
            answer(batch(LOOK), before='wait_for = "page"'),
            answer(batch(f'{{ type = "click", x = {x}, y = {y}, button = "left" }}', typing("Ada Park – 你好"))),
            answer(batch(f'{{ type = "click", x = {SEND[0]}, y = {SEND[1]}, button = "left" }}')),
            answer(DONE, before='wait_for = "sent"'),
            meanwhile=meanwhile,
        )
        assert page.wait_for(kind="sent")["value"] == "Ada Park – 你好"
    assert run.session.ended is not None
    assert run.session.ended.status == "finished"
    assert set(run.outcomes) == {"done"}
