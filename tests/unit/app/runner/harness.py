"""A whole run without window and browser: real session, gate, ledger, SDK and HTTP service; pages over plain HTTP."""

import contextlib
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

from app.clock import SystemClock
from app.core.events import Event, RunEnded, RunStarted
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
from app.runner.session import Session
from app.runner.session_ports import Beginning, Environment, ModelService, Resumption, SessionPorts
from app.runner.specs import FunctionSpec, ToolSpec
from drivers.errors import NotDone
from tests.unit.app.rehearsal.form_driver import PIXEL, FormComputer, FormDriver

E = TypeVar("E", bound=Event)

DRAIN_TEST_SECS = 0.2

WAIT_SECS = 240
"""Until a run that goes on is taken for one that hangs: a disk that others use takes seconds for a sync."""
"""How long a stop waits in tests in which something never ends."""


def element(ref: str, **changes: Any) -> Any:
    """A driver's evidence of a button."""
    known = {"ref": ref, "role": "button", "label": ref, "frame_origin": "", "box": None, "covered_by": None}
    return SimpleNamespace(**(known | {"visible": True} | changes))


class SeenDriver(FormDriver):
    """The page driver with what the console needs beside the SDK's members, and a log of what it really did."""

    on_change: Callable[[Any], None] | None = None

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.held: list[Any] = []
        self.did: list[tuple[str, Any]] = []
        """Every effect at the moment it began: member and arguments. Reads are not effects."""

    async def navigate(self, args: Any) -> str:
        self.did.append(("navigate", deepcopy(args)))
        return await super().navigate(args)

    async def click(self, args: Any) -> str:
        self.did.append(("click", deepcopy(args)))
        return await super().click(args)

    async def type(self, args: Any) -> str:
        self.did.append(("type", deepcopy(args)))
        return await super().type(args)

    async def select_option(self, args: Any) -> str:
        self.did.append(("select_option", deepcopy(args)))
        return await super().select_option(args)

    async def scroll(self, args: Any) -> str:
        self.did.append(("scroll", deepcopy(args)))
        return await super().scroll(args)

    async def expect(self, target: str) -> Any:
        return element(target)

    async def expect_at(self, x: float, y: float, tab_id: str | None = None) -> Any:
        return element("at")

    async def expect_focus(self, tab_id: str | None = None) -> Any:
        return None

    def address(self, tab_id: str | None) -> tuple[str, str]:
        return tab_id or "one", self.url

    async def page_facts(self, tab_id: str | None) -> Any:
        origin = "/".join(self.url.split("/")[:3])
        return SimpleNamespace(tab_id=tab_id or "one", url=self.url, origin=origin, title="a page", document_id="d")

    async def picture(self, tab_id: str | None = None) -> Any:
        blob = picture_blob(PIXEL)
        assert blob is not None
        return SimpleNamespace(data=blob.data, media_type="image/png", width=1, height=1, css_width=1, css_height=1)

    def hold_to(self, evidence: Any) -> None:
        self.held.append(evidence)

    def hold_point(self, x: float, y: float, evidence: Any) -> None:
        self.held.append((x, y, evidence))

    def hold_focus(self, evidence: Any) -> None:
        self.held.append(evidence)

    @property
    def boxes(self) -> dict[str, tuple[float, float, float, float]]:
        return {}


class SeenComputer(FormComputer):
    """The computer tool, logging into the log of its page's driver; pictures of the screen are counted."""

    def __init__(self, driver: SeenDriver) -> None:
        super().__init__(driver)
        self.seen = driver
        self.pictures = 0

    async def click(self, action: Any) -> None:
        self.seen.did.append(("click", action.to_dict()))
        await super().click(action)

    async def type(self, action: Any) -> None:
        self.seen.did.append(("type", action.to_dict()))
        await super().type(action)

    async def wait(self, action: Any) -> None:
        self.seen.did.append(("wait", action.to_dict()))

    async def screenshot(self) -> Any:
        self.pictures += 1
        return await super().screenshot()


@dataclass
class Run:
    """What a run left behind."""

    session: Session
    timeline: Timeline
    model: ScriptedModel
    site: DemoSite
    page_drivers: list[SeenDriver]
    computers: list[SeenComputer]
    ledger_path: Path

    @property
    def did(self) -> list[tuple[str, Any]]:
        """What was really done, in order."""
        return [effect for driver in self.page_drivers for effect in driver.did]

    @property
    def ended(self) -> RunEnded:
        """How the run ended, which must be on record."""
        (ended,) = self.of(RunEnded)
        assert self.events[-1] == ended
        return ended

    def of(self, kind: type[E]) -> list[E]:
        """The events of one type, in order."""
        return [event for event in self.events if isinstance(event, kind)]

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
    make_computer: Callable[[SeenDriver], SeenComputer] = SeenComputer,
    functions: Sequence[ToolSpec] | None = None,
    opened: Callable[[Environment], None] = lambda environment: None,
    ledger: Any = None,
    service_url: str | None = None,
    served: "tuple[DemoSite, str, ScriptedModel, str] | None" = None,
    resumption: Resumption | None = None,
    fork: Beginning | None = None,
    header: RunStarted | None = None,
    check_outcome: Callable[[], Any] = lambda: None,
    before: Callable[[Session], None] = lambda session: None,
    begun: Callable[[Session, ScriptedModel], None] = lambda session, model: None,
) -> Run:
    """Run `scenario` to its end and return what it left.

    `opened` adds to what the run acts on; its shell is closed at the end. `before` is called right before the start,
    `begun` right after it; the run must end within a minute. `served`: a site and a model that somebody else starts
    and stops.
    """
    with (
        contextlib.nullcontext(served) if served is not None else serving(scenario) as (site, site_url, model, base_url)
    ):
        made: list[SeenDriver] = []
        computers: list[SeenComputer] = []
        demo = [FunctionSpec(*DEMO_FUNCTIONS[n]) for n in scenario.functions]
        offered: Sequence[ToolSpec] = demo if functions is None else functions

        @contextlib.asynccontextmanager
        async def environment(frames: LatestFrame, clock: Clock) -> AsyncGenerator[Environment]:
            driver = make_driver(site_url)
            made.append(driver)
            await driver.open("get", f"{site_url}{scenario.start}")
            if scenario.computer:
                computers.append(make_computer(driver))
            whole = Environment(browser=driver, computer=computers[-1] if computers else None, functions=tuple(offered))
            opened(whole)
            try:
                yield whole
            finally:
                await driver.aclose()
                if whole.shell is not None:
                    await whole.shell.aclose()

        the_plan = plan(plan_of(scenario, site_url, sandbox=None, folder=str(folder)))
        clock = SystemClock()
        own = ledger or RunLedger.create(folder / "run.signalbox", clock)
        session = Session(
            the_plan,
            SessionPorts(
                ledger=own,
                ledger_path=own.path,
                inbox=inbox or OperatorInbox(ScriptedOperator(scenario.operator)),
                clock=clock,
                service=ModelService(MODEL, "no-key", service_url or base_url),
                open_environment=environment,
                started=header or started(the_plan),
                resumption=resumption,
                fork=fork,
                check_outcome=check_outcome,
            ),
        )
        timeline = Timeline()
        session.subscribe(timeline.apply)
        before(session)
        session.start()
        begun(session, model)
        assert session.join(WAIT_SECS), "the run did not end"
        return Run(session, timeline, model, site, made, computers, own.path)


def several_at_once(one: Callable[[int], None], numbers: Iterable[int]) -> None:
    """Call `one` with each number; runs wait more than they compute, so that some go side by side."""
    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(one, number) for number in numbers]:
            done.result()


@contextlib.contextmanager
def serving(
    scenario: Scenario, make_model: type[ScriptedModel] = ScriptedModel
) -> Iterator[tuple[DemoSite, str, ScriptedModel, str]]:
    """The site and the model of a scenario, running: each with its address."""
    with contextlib.ExitStack() as stack:
        site = DemoSite()
        site_url = site.start()
        stack.callback(site.stop)
        model = make_model(scenario, site=site_url)
        base_url = model.start()
        stack.callback(model.stop)
        yield site, site_url, model, base_url


def started(plan: RunPlan) -> RunStarted:
    """The header of a run in a test."""
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


__all__ = ["NotDone", "Run", "SeenComputer", "SeenDriver", "run_scenario", "started"]
