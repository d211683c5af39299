"""The steps of docs/debugging.md, as they stand there. With ``TUTORIAL_PICTURES`` naming a folder, its pictures too."""

import asyncio
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.cli.run import service_of
from app.cli.runfile import load_run_file
from app.cli.window import in_window, settings_file
from app.core.ask import Ask
from app.core.timeline import Timeline
from app.gate.inbox import AskInbox
from app.views.application import open_live_window
from app.views.commands import BY_KEY
from app.views.snapshot import save_window_picture
from app.views.window import ConsoleWindow
from app.wiring import make_session, runs_as_root
from tests.end2end.stepped import key, next_hold
from tests.end2end.supervised import supervise
from tests.end2end.test_decisions_tutorial import MODEL_URL, SITE_URL, served
from tests.helpers.pilot import Pilot

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "debugging.md").read_text(encoding="utf-8")
RUN_FILE = re.compile(r"`hours\.toml`:\n\n```toml\n(.*?)^```", re.MULTILINE | re.DOTALL)
KEY_ROW = re.compile(r"^\| (\S+) \| ([\w ]+) \|", re.MULTILINE)
CONTROL = Qt.KeyboardModifier.ControlModifier


async def picture(pilot: Pilot, name: str) -> None:
    """Save the window as it stands, where pictures are wanted."""
    if folder := os.environ.get("TUTORIAL_PICTURES"):
        await save_window_picture(pilot.window, Path(folder) / name)


def test_the_keys_are_those_of_the_program() -> None:
    debug = {spec.shortcut: spec.words for spec in BY_KEY.values() if spec.place == "debug"}
    assert dict(KEY_ROW.findall(TEXT[: TEXT.index("## 2.")])) == {"key": "button"} | debug


def test_step_1_by_hand(qtbot: QtBot, tmp_path: Path) -> None:
    stages: list[str] = []

    async def person(pilot: Pilot) -> None:
        pilot.window.resize(1440, 900)
        pilot.window.default_layout()
        await key(pilot, Qt.Key.Key_F10)
        while len(stages) < 3:
            held = await next_hold(pilot)
            assert held is not None
            assert held.step is not None
            stages.append(held.step.stage)
            if len(stages) == 3:
                await picture(pilot, "held-request.png")
                pilot.window.stop_wanted.emit()
            else:
                await key(pilot, Qt.Key.Key_F10)
        await pilot.until(pilot.ended, "the end")

    ran = supervise("booking", tmp_path, person)
    assert set(stages) == {"request", "arguments"}
    assert ran.timeline.ended[0].status == "stopped"


def run_by_hand(file: Path, home: Path, person: Callable[[Pilot], Awaitable[None]]) -> Timeline:
    """``signalbox run FILE`` with a person at its window; the fold that the window showed."""
    left: list[Timeline] = []

    async def main(window: ConsoleWindow) -> int:
        plan, inbox = load_run_file(file), AskInbox()
        session = await asyncio.to_thread(
            make_session, plan, home=home, inbox=inbox, service=service_of(plan), provenance="live", unattended=False
        )
        open_live_window(session, inbox, settings_path=settings_file(home), window=window)
        window.resize(1440, 900)
        window.default_layout()
        await asyncio.to_thread(session.start)
        try:
            await person(Pilot(window))
        finally:
            session.request_stop("console")
            await asyncio.to_thread(session.join)
        assert window.model is not None
        left.append(window.model.timeline)
        window.close()
        await window.wait_closed()
        return 0

    in_window(main, home)
    return left[0]


async def hold(pilot: Pilot, stage: str, held_by: str, member: str = "") -> Ask:
    """The next hold, which must be that one."""
    held = await next_hold(pilot)
    assert held is not None
    assert held.step is not None
    assert (held.step.stage, held.step.breakpoint or held.step.held_by) == (stage, held_by)
    assert member in ("", held.member)
    return held


async def choose_row(pilot: Pilot, view: Any, at: int) -> None:
    """Choose a row of a list once it is there."""
    await pilot.until(lambda: view.model().rowCount() > at, "the row")
    view.setCurrentIndex(view.model().index(at, 0))


async def the_steps(pilot: Pilot) -> None:
    """What the person does in step 2."""
    pending: Any = pilot.window.docks["pending"].panel
    panel: Any = pilot.window.docks["breakpoints"].panel
    await hold(pilot, "answer", "file 1")
    await choose_row(pilot, pending.view, 1)
    await key(pilot, Qt.Key.Key_F10, CONTROL)
    await hold(pilot, "arguments", "run_to_here", "get_page_text")
    await key(pilot, Qt.Key.Key_F5)
    await hold(pilot, "arguments", "file 2", "navigate")
    await key(pilot, Qt.Key.Key_F5)
    await hold_at_text(pilot)
    pilot.window.docks["breakpoints"].raise_()
    panel.form.what.setCurrentText("Member")
    panel.form.value.setText("scroll")
    panel.form.add_button.click()
    await key(pilot, Qt.Key.Key_F5)
    held = await hold(pilot, "arguments", "panel 1", "scroll")
    assert held.arguments["direction"] == "sideways"
    await picture(pilot, "held-call.png")
    await key(pilot, Qt.Key.Key_F5)
    held = await hold(pilot, "arguments", "panel 1", "scroll")
    assert held.arguments["direction"] == "down"
    await choose_row(pilot, panel.view, 4)
    panel.remove_button.click()
    await key(pilot, Qt.Key.Key_F5)
    assert await next_hold(pilot) is None


async def hold_at_text(pilot: Pilot) -> None:
    """Held where the text has come, after the card for the address."""
    held = await next_hold(pilot)
    assert held is not None
    assert held.step is not None
    assert held.step.breakpoint == "file 3"


def test_step_2_breakpoints_of_a_run_file(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = RUN_FILE.findall(TEXT)
    with served("two-calls") as (model_url, site_url, _site):
        monkeypatch.setenv("OPENAI_API_KEY", "no-key-is-needed")
        monkeypatch.setenv("OPENAI_BASE_URL", model_url)
        assert f"OPENAI_BASE_URL={MODEL_URL}" in TEXT
        file = tmp_path / "hours.toml"
        text = text.replace(SITE_URL, site_url)
        file.write_text(text.replace("[browser]\n", "[browser]\nsandbox = false\n") if runs_as_root() else text)
        timeline = run_by_hand(file, tmp_path / "home", the_steps)
    assert timeline.ended[0].status == "finished"
    noted = [one.ask.step.text for one in timeline.steps if one.ask.step is not None and one.ask.step.logged]
    assert noted == ["a call was no good"]
