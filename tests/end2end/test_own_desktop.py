"""The operator's own desktop: used only after a person confirmed it, and never where the console's windows are."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest

from app.core.ask import Ask
from app.core.decision import Answer
from app.core.errors import MissingHere
from app.core.events import AskRaised, Event, PageChanged, PictureTaken, TurnAnswered
from app.core.plan import RunPlan
from app.core.timeline import Timeline
from app.rehearsal.server import MODEL, ScriptedModel
from app.runner.own_desktop import NOT_CONFIRMED
from app.runner.session import Session
from app.runner.session_ports import ModelService
from app.wiring import make_session
from tests.unit.app.runner.scenes import DONE, answer, batch, scene
from tests.unit.drivers.desktop.conftest import NEEDS_DESKTOP, Bench, a_desktop

pytestmark = NEEDS_DESKTOP

RUN_SECS = 300.0
AT_ALLOW = '{ type = "click", x = 500, y = 350, button = "left" }'
ELSEWHERE = '{ type = "click", x = 100, y = 600, button = "left" }'


class Operator:
    """Answers everything with allow, but the question about the desktop as it is told to."""

    def __init__(self, verdict: Literal["allow", "deny"], by: Literal["person", "scripted"]) -> None:
        self._verdict = verdict
        self._by = by
        self.asked: list[Ask] = []

    async def hold(self, ask: Ask) -> Answer:
        self.asked.append(ask)
        verdict = self._verdict if ask.kind == "own_desktop" else "allow"
        return Answer(verdict=verdict, by=self._by, shown_digest=ask.digest)

    def close(self, reason: str) -> None: ...


class Operated:
    """The operator's desktop, with their editor and a window of the console on it; a loop in a thread serves it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._over = threading.Event()
        self._ready = threading.Event()
        self._failed: BaseException | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live()), name="operator's desktop")
        self.bench: Any = None

    async def _live(self) -> None:
        try:
            async with a_desktop(self._folder) as bench:
                await bench.window("signalbox", "red", 300, 200, 400, 300)
                self.bench = bench
                self._ready.set()
                await asyncio.to_thread(self._over.wait)
        except BaseException as error:
            self._failed = error
            raise
        finally:
            self._ready.set()

    @contextmanager
    def shown(self) -> Iterator[Bench]:
        """While it is there."""
        self._thread.start()
        self._ready.wait()
        try:
            assert self._failed is None
            yield self.bench
        finally:
            self._over.set()
            self._thread.join()


@pytest.fixture(scope="module")
def own_desktop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """One desktop for all tests here."""
    with Operated(tmp_path_factory.mktemp("operator")).shown() as bench:
        yield bench


class Played:
    """One run on it."""

    def __init__(self, folder: Path, operator: Operator, *answers: str, **plan: Any) -> None:
        scenario = scene(*answers)
        model = ScriptedModel(scenario, site="")
        url = model.start()
        try:
            given = {"task": scenario.task, "computer": {"target": "desktop"}, **plan}
            self.session: Session = make_session(
                RunPlan.model_validate(given),
                home=folder,
                inbox=operator,
                service=ModelService(model=MODEL, api_key="none", base_url=url),
                provenance="live",
                unattended=False,
            )
            self.timeline = Timeline()
            self.session.subscribe(self.timeline.apply)
            self.session.start()
            assert self.session.join(RUN_SECS)
        finally:
            model.stop()
        self.requests = model.requests

    def of(self, kind: type[Event]) -> list[Any]:
        """The events of one type, in order."""
        return [one.event for one in self.timeline.events if isinstance(one.event, kind)]


@pytest.mark.parametrize(("verdict", "by"), [("deny", "person"), ("allow", "scripted")])
def test_without_a_person_s_confirmation_nothing_is_seen_or_asked(
    own_desktop: Bench,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    verdict: Literal["allow", "deny"],
    by: Literal["person", "scripted"],
) -> None:
    monkeypatch.setenv("DISPLAY", own_desktop.virtual.display)
    rule = {"verdict": "allow", "text": "whatever it is"}
    run = Played(tmp_path, Operator(verdict, by), answer(batch(AT_ALLOW)), answer(DONE), rules=[rule])
    assert run.session.ended is not None
    assert (run.session.ended.status, run.session.ended.reason) == ("stopped", NOT_CONFIRMED)
    assert [one.ask.kind for one in run.of(AskRaised)] == ["own_desktop"]
    assert run.of(TurnAnswered) == run.of(PictureTaken) == run.requests == []


def test_a_click_where_the_console_asks_is_refused_and_on_record(
    own_desktop: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", own_desktop.virtual.display)
    operator = Operator("allow", "person")
    typed = '{ type = "type", text = "typed by a model" }'
    run = Played(
        tmp_path,
        operator,
        answer(batch(AT_ALLOW)),
        answer(batch(ELSEWHERE, typed)),
        answer(DONE),
    )
    assert run.session.ended is not None
    assert run.session.ended.status == "finished"
    # Nobody was even asked about it.
    assert [(one.kind, one.member) for one in operator.asked] == [
        ("own_desktop", "use_own_desktop"), ("computer_action", "click"), ("computer_action", "type"),
    ]  # fmt: skip
    assert operator.asked[1].arguments == {"type": "click", "x": 100, "y": 600, "button": "left"}
    assert [(one.kind, one.detail) for one in run.of(PageChanged)] == [("input_to_console", "click")]
    told = "\n".join(str(one["content"]) for one in run.requests[-1].body["input"] if one.get("role") == "user")
    assert "belongs to the console that supervises this run" in told
    assert own_desktop.notes.read_text(encoding="utf-8") == "typed by a model"


def test_without_an_x11_display_the_run_does_not_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    with pytest.raises(MissingHere, match="There is no display to drive"):
        Played(tmp_path, Operator("allow", "person"), answer(DONE))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    with pytest.raises(MissingHere, match="Wayland"):
        Played(tmp_path, Operator("allow", "person"), answer(DONE))
