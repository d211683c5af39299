"""A page that is not there: the smallest driver that the SDK's toolset and the console's screen can stand on."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from app.clock import SystemClock
from app.core.events import RunStarted
from app.core.live import LatestFrame, LiveFrame
from app.core.plan import RunPlan
from app.core.ports import Clock, Inbox
from app.ledger.store import RunLedger
from app.runner.session import Session
from app.runner.session_ports import Environment, ModelService, SessionPorts
from tests.benchmarks.pictures import HEIGHT, WIDTH, data_url, picture

URL = "http://127.0.0.1/page"
FRAMES_A_SEC = 30
DIFFERENT_FRAMES = 8


class Scene:
    """One tab with one button. Each screenshot is another picture; `entered` has the time of each click, monotonic."""

    on_change: Callable[[Any], None] | None = None

    def __init__(self, *, first_picture: int = 0) -> None:
        self._number = first_picture
        self.entered: list[int] = []
        self.boxes: dict[str, tuple[float, float, float, float]] = {}

    async def state(self) -> Any:
        """The SDK's tab list."""
        return {"tabs": [{"id": "1", "title": "A page", "url": URL, "active": True}]}

    async def screenshot(self, action: Any) -> Any:
        """A new picture of 300 KB."""
        self._number += 1
        return {"type": "input_image", "detail": "auto", "image_url": data_url(self._number)}

    async def click(self, action: Any) -> str:
        """Does nothing but note when."""
        self.entered.append(time.monotonic_ns())
        return "Clicked."

    async def expect(self, target: str) -> Any:
        """The button's evidence."""
        return SimpleNamespace(
            ref=target,
            role="button",
            label="Reserve table",
            frame_origin="http://127.0.0.1",
            box=(420.0, 300.0, 160.0, 40.0),
            covered_by=None,
            visible=True,
        )

    async def page_facts(self, tab_id: str | None) -> Any:
        """The page's evidence."""
        return SimpleNamespace(tab_id="1", url=URL, origin="http://127.0.0.1", title="A page", document_id="d")

    def address(self, tab_id: str | None) -> tuple[str, str]:
        """The page's address."""
        return "1", URL

    async def picture(self, tab_id: str | None = None) -> Any:
        """The picture shown with an ask."""
        data = picture(len(self.entered))
        return SimpleNamespace(
            data=data, media_type="image/jpeg", width=WIDTH, height=HEIGHT, css_width=WIDTH, css_height=HEIGHT
        )

    def hold_to(self, evidence: Any) -> None:
        """The page cannot change."""


def session_on(
    scene: Scene, plan: RunPlan, service: ModelService, inbox: Inbox, file: Path, *, live: bool = True
) -> Session:
    """A session with a ledger at `file`, whose live picture changes 30 times a second."""
    clock = SystemClock()
    ledger = RunLedger.create(file, clock)

    @contextlib.asynccontextmanager
    async def environment(frames: LatestFrame, run_clock: Clock) -> AsyncGenerator[Environment]:
        showing = asyncio.ensure_future(_show(frames, run_clock)) if live else None
        try:
            yield Environment(browser=scene)
        finally:
            if showing is not None:
                showing.cancel()

    started = RunStarted(
        run_id=file.stem,
        task=plan.task,
        model=service.model,
        engine=plan.engine,
        max_steps=plan.max_steps,
        provenance="demo",
        unattended=False,
        plan=plan.on_record(),
        versions={},
    )
    ports = SessionPorts(
        ledger=ledger,
        ledger_path=file,
        inbox=inbox,
        clock=clock,
        service=service,
        open_environment=environment,
        started=started,
    )
    return Session(plan, ports)


async def _show(frames: LatestFrame, clock: Clock) -> None:
    pictures = [picture(number) for number in range(DIFFERENT_FRAMES)]
    number = 0
    while True:
        number += 1
        frames.put(
            LiveFrame(
                data=pictures[number % DIFFERENT_FRAMES],
                media_type="image/jpeg",
                width=WIDTH,
                height=HEIGHT,
                css_width=WIDTH,
                css_height=HEIGHT,
                taken_mono_ns=clock.mono_ns(),
                tab_id="1",
            )
        )
        await asyncio.sleep(1 / FRAMES_A_SEC)
