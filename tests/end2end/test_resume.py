"""The real program killed in the middle of a run; the run resumed by a person at the form; the site's own record."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.cli.resume import take_up
from app.cli.saved import show_runs
from app.cli.window import painted_first, settings_file
from app.core.errors import LedgerProblem
from app.core.events import Found, Recorded
from app.ledger.reader import LedgerReader
from app.ledger.shelf import summary_of
from app.ledger.verify import verify
from app.rehearsal.bookings import Booking
from app.runner.carrying import CHECKED_DONE
from app.runner.folding import FOUND, NOT_BEGUN
from app.runner.told import RESUMED
from app.views.bare_window import BareWindow
from app.views.going_on import GoingOn
from app.views.resume.resume_panel import ResumePanel
from app.views.resume.resume_window import ResumeWindow
from app.views.runs.runs_window import RunsWindow
from app.views.window import ConsoleWindow
from tests.end2end.program import environment
from tests.helpers.pilot import Pilot
from tests.unit.app.runner.choosing_model import PRESS, ChoosingModel, choosing_scene
from tests.unit.app.runner.harness import serving
from tests.unit.app.runner.scenes import FORM
from tests.unit.app.runner.thinking_model import DONE, ThinkingModel, booking_scene, words_for

PATIENCE_SECS = 300.0
LOOK_EVERY_SECS = 0.05

RUN_FILE = """task = "Reserve a table."
model = "scripted-model"
max_steps = 40
[browser]
start_url = "{site}{form}"
members = ["navigate", "read_page", "click", "type"]
{sandbox}
[[rules]]
verdict = "allow"
text = "typing is harmless here"
kinds = ["browser_action"]
members = [{allowed}]
"""

CHOOSING_FILE = """task = "Reserve a table."
model = "scripted-model"
max_steps = 40
engine = "decisions"
[browser]
start_url = "{site}{form}"
{sandbox}
[decisions]
texts = {{ Name = "Ada Park" }}
[[rules]]
verdict = "allow"
text = "the site is a demo"
kinds = ["candidate"]
members = [{allowed}]
"""

Person = Callable[["AtTheForm"], Awaitable[None]]


class Killed:
    """A run of the real program that was killed, while its model and its site live on."""

    def __init__(self, home: Path, served: Any, allowed: str, run_file: str = RUN_FILE) -> None:
        self.home, self.site, self.model = home, served[0], served[2]
        self._service = served[3]
        sandbox = "sandbox = false" if hasattr(os, "geteuid") and os.geteuid() == 0 else ""
        self.run_file = home / "run.toml"
        home.mkdir(exist_ok=True)
        self.run_file.write_text(run_file.format(site=served[1], form=FORM, sandbox=sandbox, allowed=allowed))
        self.program = subprocess.Popen(
            [sys.executable, "-m", "app", "run", str(self.run_file)],
            env=environment(home, OPENAI_API_KEY="no-key", OPENAI_BASE_URL=self._service),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=Path(__file__).parents[2],
        )

    @property
    def path(self) -> Path:
        [path] = (self.home / "runs").glob("*.signalbox")
        return path

    def kill(self) -> None:
        self.program.send_signal(signal.SIGKILL)
        self.program.wait()

    def wait_for(self, event_type: str, member: str) -> None:
        """Until an event of that kind about that member is on the disk."""
        end = time.monotonic() + PATIENCE_SECS
        while time.monotonic() < end:
            assert self.program.poll() is None, "the program ended by itself"
            if any(_is(one, event_type, member) for one in self._events()):
                return
            time.sleep(LOOK_EVERY_SECS)
        raise AssertionError(f"never on record: {event_type} of {member}")

    def _events(self) -> list[Recorded]:
        found = list((self.home / "runs").glob("*.signalbox"))
        if not found:
            return []
        try:
            with LedgerReader.open(found[0]) as reader:
                return list(reader.events())
        except LedgerProblem:
            # It is being made, or written to, at this moment.
            return []


def _is(recorded: Recorded, event_type: str, member: str) -> bool:
    event: Any = recorded.event
    return event.type == event_type and getattr(getattr(event, "ask", event), "member", "") == member


class AtTheForm:
    """A person at the form and then at the run's window."""

    def __init__(self, window: ResumeWindow | type[ResumeWindow]) -> None:
        """`window`, or the class of one that is still to come."""
        self._window = window

    @property
    def window(self) -> ResumeWindow | None:
        """The form, once it is there."""
        if isinstance(self._window, ResumeWindow):
            return self._window
        found = [one for one in QApplication.topLevelWidgets() if isinstance(one, ResumeWindow) and not one.is_closed]
        return found[0] if found else None

    async def until(self, condition: Callable[[], bool], what: str) -> None:
        loop = asyncio.get_running_loop()
        end = loop.time() + PATIENCE_SECS
        while not condition():
            assert loop.time() < end, f"never seen: {what}"
            await asyncio.sleep(LOOK_EVERY_SECS)

    async def form(self) -> ResumePanel:
        await self.until(lambda: self.window is not None and self.window.panel is not None, "the form")
        assert self.window is not None
        assert self.window.panel is not None
        return self.window.panel

    async def go_on(self) -> Pilot:
        """Press *Resume run* and wait for the window of the run."""
        panel = await self.form()
        await self.until(panel.go_button.isEnabled, "Resume run enabled")
        QTest.mouseClick(panel.go_button, Qt.MouseButton.LeftButton)
        await self.until(lambda: bool(_run_windows()), "the run's window")
        [window] = _run_windows()
        return Pilot(window)


def listed(home: Path, person: Callable[[RunsWindow], Awaitable[None]]) -> int:
    """The list of saved runs, and `person` at it; its exit code."""
    acting: list[asyncio.Task[None]] = []
    show = RunsWindow.show_runs

    def begin(window: RunsWindow, list_runs: Any, keeping: Any = None) -> None:
        show(window, list_runs, keeping)
        acting.append(asyncio.ensure_future(person(window)))
        # Whatever the person runs into, the program must end.
        acting[0].add_done_callback(lambda _done: close_all())

    def close_all() -> None:
        for one in QApplication.topLevelWidgets():
            if isinstance(one, BareWindow) and not one.is_closed:
                one.close()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(RunsWindow, "show_runs", begin)
        code = show_runs(home=home)
    acting[0].result()
    return code


def _run_windows() -> list[ConsoleWindow]:
    return [
        one
        for one in QApplication.topLevelWidgets()
        if isinstance(one, ConsoleWindow) and not one.is_closed and one.model is not None
    ]


def resumed(killed: Killed, person: Person, monkeypatch: pytest.MonkeyPatch) -> int:
    """Open the form in this process and let `person` act; the exit code of what came of it."""
    monkeypatch.setenv("OPENAI_API_KEY", "no-key")
    monkeypatch.setenv("OPENAI_BASE_URL", killed._service)
    home = killed.home

    async def main(window: ResumeWindow) -> int:
        acting = asyncio.ensure_future(person(AtTheForm(window)))
        code = asyncio.ensure_future(take_up(killed.path, window, home=home))
        done, _ = await asyncio.wait([acting, code], return_when=asyncio.FIRST_EXCEPTION)
        for one in done:
            one.result()
        return await code

    return painted_first(lambda: ResumeWindow(settings_path=settings_file(home)), main, home)


async def from_the_list(runs: RunsWindow) -> None:
    """Look at the run, resume it from there, allow what is asked, and close everything."""
    at = AtTheForm(ResumeWindow)
    await at.until(lambda: runs.panel is not None and runs.panel.resume_button.isEnabled(), "the list")
    panel = runs.panel
    assert panel is not None
    QTest.mouseClick(panel.open_button, Qt.MouseButton.LeftButton)
    await at.until(lambda: len(_run_windows()) == 1, "the saved run")
    [looking] = _run_windows()
    await at.until(lambda: looking.findChild(GoingOn) is not None, "its actions")
    going_on = looking.findChild(GoingOn)
    assert going_on is not None
    going_on.resume_wanted.emit()
    form = await at.form()
    assert form.doubts == []
    assert _run_windows() == [], "what only looked is closed before the file is written"
    pilot = await at.go_on()
    await pilot.answer_all(lambda ask: "allow")
    pilot.window.close()
    await at.until(
        lambda: [row.status for row in (panel.chosen,) if row is not None] == ["finished"],
        f"the end in the list, where there is {panel.runs.row_at(0)}",
    )


def test_killed_with_a_question_open_it_goes_on_and_asks_again(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    with serving(booking_scene(), ThinkingModel) as served:
        killed = Killed(tmp_path / "home", served, allowed='"type"')
        try:
            killed.wait_for("ask_raised", "click")
        finally:
            killed.kill()
        sent = len(killed.model.requests)
        assert summary_of(killed.path).status == "cut_off"
        monkeypatch.setenv("OPENAI_API_KEY", "no-key")
        monkeypatch.setenv("OPENAI_BASE_URL", served[3])
        assert listed(killed.home, from_the_list) == 0
        assert [booking.name for booking in killed.site.bookings] == ["Ada Park"]
        items = killed.model.requests[sent].body["input"]
        [click] = [item["call_id"] for item in items if item.get("name") == "browser_click"]
        assert NOT_BEGUN in words_for(items, click)
        assert items[-1]["content"].startswith(RESUMED)
    assert verify(killed.path).whole
    assert summary_of(killed.path).status == "finished"


def kill_in_the_middle(killed: Killed, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait until the site has saved the booking; the run is dead before it is answered."""
    dead = threading.Event()
    reserve = killed.site._bookings.reserve

    def reserve_and_kill(form: Any) -> Booking:
        booking: Booking = reserve(form)
        killed.kill()
        dead.set()
        return booking

    monkeypatch.setattr(killed.site._bookings, "reserve", reserve_and_kill)
    assert dead.wait(PATIENCE_SECS)


def test_a_decisions_run_killed_in_the_middle_of_a_booking_goes_on(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def person(at: AtTheForm) -> None:
        panel = await at.form()
        [doubt] = panel.doubts
        assert (doubt.doubt.call.source, doubt.doubt.call.member) == ("decisions", "click")
        if folder := os.environ.get("RESUME_PICTURES"):
            panel.grab().save(f"{folder}/choosing.png")
        QTest.mouseClick(doubt.buttons["done"], Qt.MouseButton.LeftButton)
        pilot = await at.go_on()
        await pilot.answer_all(lambda ask: "deny")
        pilot.window.close()

    with serving(choosing_scene(), ChoosingModel) as served:
        killed = Killed(tmp_path / "home", served, allowed='"type", "click"', run_file=CHOOSING_FILE)
        kill_in_the_middle(killed, monkeypatch)
        sent = len(killed.model.requests)
        assert resumed(killed, person, monkeypatch) == 0
        assert len(killed.site.bookings) == 1
        [body] = [request.body for request in killed.model.requests[sent:]]
        assert f"Last completed action: {PRESS}{CHECKED_DONE}" in body["input"][1]["content"]
    assert verify(killed.path).whole
    assert summary_of(killed.path).status == "finished"


def test_killed_in_the_middle_of_a_booking_the_person_looks_and_says(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def person(at: AtTheForm) -> None:
        panel = await at.form()
        [doubt] = panel.doubts
        assert doubt.doubt.call.member == "click"
        assert not panel.go_button.isEnabled()
        assert panel.look is not None
        panel.look.address.setText(f"{served[1]}/bookings/HT-1")
        QTest.mouseClick(panel.look.open_button, Qt.MouseButton.LeftButton)
        await at.until(lambda: panel.look is not None and panel.look.picture.image is not None, "the live page")
        if folder := os.environ.get("RESUME_PICTURES"):
            panel.grab().save(f"{folder}/form.png")
        found: Found = "done" if killed.site.bookings else "not_done"
        QTest.mouseClick(doubt.buttons[found], Qt.MouseButton.LeftButton)
        panel.note.setPlainText("The reference is HT-1.")
        pilot = await at.go_on()
        await pilot.answer_all(lambda ask: "deny")
        pilot.window.close()

    with serving(booking_scene(), ThinkingModel) as served:
        killed = Killed(tmp_path / "home", served, allowed='"type", "click"')
        kill_in_the_middle(killed, monkeypatch)
        sent = len(killed.model.requests)
        assert resumed(killed, person, monkeypatch) == 0
        assert len(killed.site.bookings) == 1
        body = killed.model.requests[sent].body
        [click] = [item["call_id"] for item in body["input"] if item.get("name") == "browser_click"]
        assert FOUND["done"] in words_for(body["input"], click)
        assert "The operator's note: The reference is HT-1." in body["input"][-1]["content"]
        assert len(killed.model.requests) == sent + 1, DONE
    assert verify(killed.path).whole
