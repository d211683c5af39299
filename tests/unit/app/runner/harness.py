"""A whole run without window and browser: real session, gate, ledger, SDK and HTTP service; pages over plain HTTP."""

import contextlib
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from app.clock import SystemClock
from app.core.events import Event, RunStarted
from app.core.live import LatestFrame
from app.core.plan import RunPlan
from app.core.ports import Clock, Inbox
from app.core.timeline import Timeline
from app.ledger.store import RunLedger
from app.rehearsal.functions import DEMO_FUNCTIONS
from app.rehearsal.operator_inbox import OperatorInbox
from app.rehearsal.operator_script import ScriptedOperator
from app.rehearsal.plan import plan_of
from app.rehearsal.scenario import Scenario
from app.rehearsal.server import MODEL, ScriptedModel
from app.rehearsal.site import DemoSite
from app.runner.outputs import picture_blob
from app.runner.session import Environment, ModelService, Session, SessionPorts
from app.runner.specs import FunctionSpec
from drivers.errors import NotDone
from tests.unit.app.rehearsal.form_driver import PIXEL, FormComputer, FormDriver


class SeenDriver(FormDriver):
    """The page driver with what the console needs beside the SDK's members."""

    on_change: Callable[[Any], None] | None = None

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.held: list[Any] = []

    async def expect(self, target: str) -> Any:
        return SimpleNamespace(ref=target, role="button", label=target, frame_origin="", box=None, covered_by=None)

    async def page_facts(self, tab_id: str | None) -> Any:
        origin = "/".join(self.url.split("/")[:3])
        return SimpleNamespace(tab_id=tab_id or "one", url=self.url, origin=origin, title="a page")

    async def picture(self, tab_id: str | None = None) -> Any:
        blob = picture_blob(PIXEL)
        assert blob is not None
        return SimpleNamespace(data=blob.data, media_type="image/png", width=1, height=1, css_width=1, css_height=1)

    def hold_to(self, evidence: Any) -> None:
        self.held.append(evidence)

    @property
    def boxes(self) -> dict[str, tuple[float, float, float, float]]:
        return {}


@dataclass
class Run:
    """What a run left behind."""

    session: Session
    timeline: Timeline
    model: ScriptedModel
    site: DemoSite
    driver: SeenDriver

    @property
    def events(self) -> list[Event]:
        """All events in order."""
        return [recorded.event for recorded in self.timeline.events]

    def types(self) -> list[str]:
        """Their types."""
        return [event.type for event in self.events]

    def outputs_sent(self) -> dict[str, Any]:
        """Call id to output, as the last request carried them."""
        items = self.model.requests[-1].body["input"]
        return {item["call_id"]: item["output"] for item in items if "output" in item and "call_id" in item}


def run_scenario(
    scenario: Scenario,
    folder: Path,
    *,
    inbox: Inbox | None = None,
    plan: Callable[[RunPlan], RunPlan] = lambda plan: plan,
    make_driver: Callable[[str], SeenDriver] = SeenDriver,
    ledger: RunLedger | None = None,
    begun: Callable[[Session, ScriptedModel], None] = lambda session, model: None,
) -> Run:
    """Run `scenario` to its end and return what it left; `begun` is called right after the start."""
    with _served(scenario) as (site, site_url, model, base_url):
        drivers_made: list[SeenDriver] = []

        @contextlib.asynccontextmanager
        async def environment(frames: LatestFrame, clock: Clock) -> AsyncGenerator[Environment]:
            driver = make_driver(site_url)
            drivers_made.append(driver)
            await driver.open("get", f"{site_url}{scenario.start}")
            try:
                yield Environment(
                    browser=driver,
                    computer=FormComputer(driver) if scenario.computer else None,
                    functions=tuple(FunctionSpec(*DEMO_FUNCTIONS[name]) for name in scenario.functions),
                )
            finally:
                await driver.aclose()

        the_plan = plan(plan_of(scenario, site_url, sandbox=None))
        clock = SystemClock()
        own = ledger or RunLedger.create(folder / "run.signalbox", clock)
        session = Session(
            the_plan,
            SessionPorts(
                ledger=own,
                ledger_path=own.path,
                inbox=inbox or OperatorInbox(ScriptedOperator(scenario.operator)),
                clock=clock,
                service=ModelService(MODEL, "no-key", base_url),
                open_environment=environment,
                started=_started(the_plan),
            ),
        )
        timeline = Timeline()
        session.subscribe(timeline.apply)
        session.start()
        begun(session, model)
        assert session.join(60), "the run did not end"
        return Run(session, timeline, model, site, drivers_made[0])


@contextlib.contextmanager
def _served(scenario: Scenario) -> Iterator[tuple[DemoSite, str, ScriptedModel, str]]:
    with contextlib.ExitStack() as stack:
        site = DemoSite()
        site_url = site.start()
        stack.callback(site.stop)
        model = ScriptedModel(scenario, site=site_url)
        base_url = model.start()
        stack.callback(model.stop)
        yield site, site_url, model, base_url


def _started(plan: RunPlan) -> RunStarted:
    return RunStarted(
        run_id="20261129-2100-abcdef",
        task=plan.task,
        model=MODEL,
        engine=plan.engine,
        max_steps=plan.max_steps,
        provenance="demo",
        unattended=True,
        plan=plan.on_record(),
        versions={},
    )


__all__ = ["NotDone", "Run", "SeenDriver", "run_scenario"]
