"""Ties one run together inside its thread: the SDK's client, toolsets and runner around the gate and the drivers."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any, cast

from openai import DEFAULT_MAX_RETRIES, AsyncOpenAI, DefaultAsyncHttpxClient
from openai.lib.responses_tool_runner import AsyncResponsesToolRunner, ResponsesToolCheckpoint

from app.core.causes import failure_seen
from app.core.errors import NotDurable, UsageProblem
from app.core.events import PageChanged, RunEnded
from app.core.live import LatestFrame
from app.core.plan import BrowserPlan, RunPlan
from app.core.ports import Journal
from app.core.service_plan import ClientPlan
from app.gate.control import Control
from app.gate.gate import Gate
from app.gate.stepping import Stepper
from app.runner.asking import Asking
from app.runner.browser import BrowserCalls, ConsoleBrowser, members_of
from app.runner.checkpoints import Checkpoints
from app.runner.code import code_functions
from app.runner.computer import ComputerCalls, ConsoleComputer
from app.runner.decision_parts import decision_parts, load_own
from app.runner.decisions import DecisionsRun
from app.runner.early import early_execution
from app.runner.effects import Effects
from app.runner.ending import Ending
from app.runner.functions import load_function, registered
from app.runner.hands import TOLD_MODEL, Hands
from app.runner.holding import Holding
from app.runner.leaving import Leaving
from app.runner.outputs import OutputRecorder
from app.runner.received import Received
from app.runner.responses import Parts, ResponsesRun
from app.runner.screen import Screen
from app.runner.session_ports import Environment, SessionPorts
from app.runner.specs import FunctionSpec
from app.runner.stopping import Stopping
from app.runner.wire import WireRecorder

log = logging.getLogger(__name__)

CLIENT_CLOSE_SECS = 5.0


async def run_to_its_end(
    plan: RunPlan,
    ports: SessionPorts,
    journal: Journal,
    gate: Gate,
    frames: LatestFrame,
    stopping: Stopping,
    stepper: Stepper,
) -> RunEnded:
    """Open what the run needs, run it, close everything; the ending is not yet on record."""
    # Loaded before anything is opened: a wrong import path must not leave a browser behind.
    own = [load_function(function) for function in plan.functions]
    own_parts = load_own(plan)
    if (reason := stopping()) is not None:
        return RunEnded(status="stopped", reason=reason)
    ending: Ending | None = None
    try:
        async with contextlib.AsyncExitStack() as stack:
            environment = await stack.enter_async_context(ports.open_environment(frames, ports.clock))
            received = Received()
            wire = WireRecorder(journal, ports.clock) if plan.record.wire else None
            holding = Holding(gate, stepper, environment.browser)
            leaving = Leaving(holding)
            client = _client(plan, ports, received, leaving, wire)
            stack.push_async_callback(_close_client, client)
            functions = [*environment.functions, *own]
            hands = Hands.of(environment.browser, journal, frames, ports.clock, gate.control)
            stack.push_async_callback(hands.aclose)
            if plan.engine == "decisions":
                screen = _screen(environment.browser, ports, journal, gate, frames)
                decided = decision_parts(
                    plan, ports, journal, gate, stopping, received, environment, client, own_parts, screen,
                    holding, leaving,
                )  # fmt: skip
                ending = await DecisionsRun(decided).run()
            else:
                parts = _parts(
                    plan, ports, journal, gate, frames, stopping, received, environment, client, functions,
                    holding, leaving,
                )  # fmt: skip
                ending = await ResponsesRun(parts).run()
    except (Exception, asyncio.CancelledError) as error:
        if ending is None:
            raise
        # What the run came to stands, whatever goes wrong while its browser is closed.
        log.warning("closing after the run failed: %s", type(error).__name__)
        with contextlib.suppress(NotDurable):
            journal.append(failure_seen("closing", error))
    return ending.event()


def _client(
    plan: RunPlan, ports: SessionPorts, received: Received, leaving: Leaving, wire: WireRecorder | None
) -> AsyncOpenAI:
    options = plan.client or ClientPlan()
    return AsyncOpenAI(
        api_key=ports.service.api_key,
        base_url=ports.service.base_url,
        organization=options.organization,
        project=options.project,
        default_headers=options.default_headers,
        default_query=options.default_query,
        max_retries=DEFAULT_MAX_RETRIES if options.max_retries is None else options.max_retries,
        timeout=plan.limits.request_timeout_secs,
        http_client=DefaultAsyncHttpxClient(event_hooks=_hooks(received, leaving, wire)),
    )


def _hooks(received: Received, leaving: Leaving, wire: WireRecorder | None) -> dict[str, list[Callable[..., Any]]]:
    if wire is None:
        return {"request": [leaving.request], "response": [received.response]}
    # Last before the request leaves, and first when its answer comes.
    return {"request": [leaving.request, wire.request], "response": [wire.response, received.response]}


def _screen(driver: Any, ports: SessionPorts, journal: Journal, gate: Gate, frames: LatestFrame) -> Screen | None:
    if driver is None:
        return None
    screen = Screen(driver, frames, ports.clock, always_fresh=not ports.started.unattended)
    driver.on_change = _change_recorder(journal, screen, gate.control)
    return screen


async def _close_client(client: AsyncOpenAI) -> None:
    await asyncio.wait_for(client.close(), CLIENT_CLOSE_SECS)


def _parts(
    plan: RunPlan,
    ports: SessionPorts,
    journal: Journal,
    gate: Gate,
    frames: LatestFrame,
    stopping: Stopping,
    received: Received,
    environment: Environment,
    client: AsyncOpenAI,
    functions: list[FunctionSpec],
    holding: Holding,
    leaving: Leaving,
) -> Parts:
    beginning = ports.beginning
    base = cast(ResponsesToolCheckpoint | None, beginning.base) if beginning else None
    checkpoints = Checkpoints(ports.started.run_id, journal, stopping, base)
    holding.turns = leaving.requests = checkpoints
    asking = Asking(gate, checkpoints)
    driver = environment.browser
    screen = Screen(driver, frames, ports.clock, always_fresh=not ports.started.unattended) if driver else None
    effects = Effects(journal, gate, ports.clock, screen.after if screen else lambda _since: None, holding)
    gate.control.uncertain = lambda: effects.uncertain
    gate.control.on_returned.append(lambda: asking.notes.append(TOLD_MODEL))
    viewport = plan.browser.viewport if plan.browser else (0, 0)
    outputs = OutputRecorder(journal, driver, viewport)
    browser = computer = computer_calls = None
    try:
        if driver is not None and screen is not None and plan.browser is not None:
            driver.on_change = _change_recorder(journal, screen, gate.control)
            browser = _browser(plan.browser, driver, asking, effects, screen, outputs, holding)
            if environment.computer is not None:
                computer_calls = ComputerCalls(asking, effects, screen, holding)
                computer = ConsoleComputer(environment.computer, computer_calls, effects, outputs)
        runner = AsyncResponsesToolRunner(
            browser=browser,
            computer=computer,
            functions=registered(
                [*functions, *code_functions(environment.code, asking, checkpoints)],
                asking,
                effects,
                checkpoints,
                outputs,
                holding,
            ),
            early_execution=early_execution(plan.streaming),
        )
    except (ValueError, AttributeError) as error:
        raise UsageProblem(f"the tools of this run do not fit together: {error}") from error
    return Parts(
        plan=plan,
        model=ports.service.model,
        client=client,
        journal=journal,
        checkpoints=checkpoints,
        asking=asking,
        effects=effects,
        outputs=outputs,
        runner=runner,
        browser=browser,
        computer_calls=computer_calls,
        stopping=stopping,
        received=received,
        said=ports.said,
        beginning=beginning,
        driver=driver,
        holding=holding,
        leaving=leaving,
    )


def _browser(
    plan: BrowserPlan,
    driver: Any,
    asking: Asking,
    effects: Effects,
    screen: Screen,
    outputs: OutputRecorder,
    holding: Holding,
) -> ConsoleBrowser:
    members = members_of(driver, plan.members, plan.additional_members)
    calls = BrowserCalls(asking, effects, screen, outputs, holding)
    return ConsoleBrowser(driver, calls, effects, outputs, members, plan.confirm_reads)


def _change_recorder(journal: Journal, screen: Screen, control: Control) -> Callable[[Any], None]:
    def record(change: Any) -> None:
        screen.happened()
        try:
            # An address that a secret led to may hold it.
            detail = _words(change) if control.recording else ""
            journal.append(PageChanged(kind=change.kind, tab_id=change.tab_id, detail=detail))
        except NotDurable:
            # The driver must not be broken by it: the next write of this run fails as well, and that one ends it.
            log.exception("a change of the page could not be recorded")

    return record


def _words(change: Any) -> str:
    return " · ".join(part for part in (change.detail, change.url, change.text) if part)
