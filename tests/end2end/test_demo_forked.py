"""A demo's run is forked with the functions that ship with the program, away from a site that has ended."""

from pathlib import Path

import pytest

from app.cli import demo
from app.cli.fork import fork_session
from app.core.events import RunEnded
from app.core.evidence import Box
from app.core.forking import ForkAnswer
from app.core.timeline import Timeline
from app.export.masks import keep_masks, kept_masks
from app.gate.inbox import AskInbox
from app.rehearsal.server import MODEL, ScriptedModel
from app.runner.forking import forkable
from tests.unit.app.runner.scenes import DONE, answer, scene


def test_a_demo_that_called_its_function_goes_on_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert demo.run_unattended("booking", home=tmp_path) == 0
    (saved,) = (tmp_path / "runs").glob("*.signalbox")
    keep_masks(saved, covered := (Box(x=10, y=20, width=300, height=40),))
    source = forkable(saved)
    model = ScriptedModel(scene(answer(DONE)))
    monkeypatch.setenv("OPENAI_BASE_URL", model.start())
    monkeypatch.setenv("OPENAI_API_KEY", "no-key")
    try:
        chosen = ForkAnswer(revision=source.offer.boundaries[-1].revision, model=MODEL)
        session = fork_session(source, chosen, given=None, home=tmp_path, inbox=AskInbox())
        timeline = Timeline()
        session.subscribe(timeline.apply)
        # Its history holds the saved run's pictures.
        assert kept_masks(session.ledger_path) == covered
        session.start()
        assert session.join(300)
    finally:
        model.stop()
    (ended,) = [one.event for one in timeline.events if isinstance(one.event, RunEnded)]
    assert ended.status == "finished", ended.reason
    assert "opening_hours" in [tool.get("name") for tool in model.requests[0].body["tools"]]
