"""Ties one run together inside its thread: the SDK's client, toolsets and runner around the gate and the drivers."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Any, cast

from openai import DEFAULT_MAX_RETRIES, AsyncOpenAI, DefaultAsyncHttpxClient
from openai.lib.responses_tool_runner import AsyncResponsesToolRunner, ResponsesToolCheckpoint

from app.core.causes import failure_seen
from app.core.errors import NotDurable, UsageProblem
from app.core.events import RunEnded
from app.core.live import LatestFrame
from app.core.plan import RunPlan
from app.core.ports import Journal
from app.core.service_plan import ClientPlan
from app.gate.gate import Gate
from app.gate.stepping import Stepper
from app.runner.checkpoints import Checkpoints
from app.runner.code import code_functions
from app.runner.code_record import CodeHands
from app.runner.decision_parts import OwnParts, decision_parts, load_own
from app.runner.decisions import DecisionsRun
from app.runner.early import early_execution
from app.runner.ending import Ending
from app.runner.functions import for_the_sdk, own_tools, registered
from app.runner.hands import Hands
from app.runner.holding import Holding
from app.runner.leaving import Leaving
from app.runner.opened import Opened
from app.runner.own_desktop import NOT_CONFIRMED, may_begin
from app.runner.plain_client import PlainClient
from app.runner.received import Received
from app.runner.responses import Parts, ResponsesRun
from app.runner.session_ports import SessionPorts
from app.runner.stopping import Stopping
from app.runner.tying import UNFITTING, tie
from app.runner.way_out import by_proxy
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
    own = own_tools(plan)
    own_parts = load_own(plan)
    if (reason := stopping()) is not None:
        return RunEnded(status="stopped", reason=reason)
    if not await may_begin(plan, gate):
        return RunEnded(status="stopped", reason=NOT_CONFIRMED)
    ending: Ending | None = None
    try:
        async with contextlib.AsyncExitStack() as stack:
            with _given_up_at_a_stop(stopping):
                environment = await stack.enter_async_context(ports.open_environment(frames, ports.clock))
            received = Received()
            wire = WireRecorder(journal, ports.clock, _sent_beside(plan, ports)) if plan.record.wire else None
            holding = Holding(gate, stepper, environment.browser)
            leaving = Leaving(holding)
            client = _client(plan, ports, received, leaving, wire)
            stack.push_async_callback(_close_client, client)
            hands = Hands.of(environment.desktop or environment.browser, journal, frames, ports.clock, gate.control)
            stack.push_async_callback(hands.aclose)
            hands_on_code = CodeHands(environment.code, journal)
            stack.push_async_callback(hands_on_code.aclose)
            gate.act_on_code = hands_on_code.act
            opened = Opened(
                plan, ports, journal, gate, frames, stopping, environment, client,
                (*environment.functions, *own), received, holding, leaving,
            )  # fmt: skip
            ending = await _run(opened, own_parts)
    except (Exception, asyncio.CancelledError) as error:
        if ending is None:
            raise
        # What the run came to stands, whatever goes wrong while its browser is closed.
        log.warning("closing after the run failed: %s", type(error).__name__)
        with contextlib.suppress(NotDurable):
            journal.append(failure_seen("closing", error))
    return ending.event()


@contextlib.contextmanager
def _given_up_at_a_stop(stopping: Stopping) -> Iterator[None]:
    """What is being opened has done nothing yet that is worth waiting for; what of it is there is closed again."""
    task = asyncio.current_task()
    assert task is not None, "a run is a task"

    def give_up() -> None:
        stopping.interrupt = lambda: None
        stopping.drained = True  # to close a browser takes a while
        task.cancel()

    stopping.interrupt = give_up
    try:
        yield
    finally:
        stopping.interrupt = lambda: None


async def _run(opened: Opened, own_parts: OwnParts) -> Ending:
    if opened.plan.engine == "decisions":
        return await DecisionsRun(decision_parts(opened, own_parts)).run()
    if opened.plan.engine == "programs":
        # Schemas are checked there; no other run needs what that loads.
        from app.runner.programs.loop import ProgramsRun
        from app.runner.programs.parts import program_parts

        return await ProgramsRun(program_parts(opened)).run()
    return await ResponsesRun(_parts(opened)).run()


def _client(
    plan: RunPlan, ports: SessionPorts, received: Received, leaving: Leaving, wire: WireRecorder | None
) -> AsyncOpenAI:
    options = plan.client or ClientPlan()
    return PlainClient(
        api_key=ports.service.api_key,
        base_url=ports.service.base_url,
        organization=options.organization,
        project=options.project,
        default_headers=options.default_headers,
        default_query=options.default_query,
        max_retries=DEFAULT_MAX_RETRIES if options.max_retries is None else options.max_retries,
        timeout=plan.limits.request_timeout_secs,
        http_client=DefaultAsyncHttpxClient(
            event_hooks=_hooks(received, leaving, wire),
            trust_env=by_proxy(ports.service.base_url),
            # The SDK follows redirects, and the conversation with its pictures would go where any of them leads.
            follow_redirects=False,
        ),
    )


def _sent_beside(plan: RunPlan, ports: SessionPorts) -> list[str]:
    """Keys and tokens that requests carry beside their body."""
    options = plan.client or ClientPlan()
    return [ports.service.api_key, *(options.default_headers or {}).values(), *(options.default_query or {}).values()]


def _hooks(received: Received, leaving: Leaving, wire: WireRecorder | None) -> dict[str, list[Callable[..., Any]]]:
    if wire is None:
        return {"request": [leaving.request], "response": [received.response]}
    # Last before the request leaves, and first when its answer comes.
    return {"request": [leaving.request, wire.request], "response": [wire.response, received.response]}


async def _close_client(client: AsyncOpenAI) -> None:
    await asyncio.wait_for(client.close(), CLIENT_CLOSE_SECS)


def _parts(opened: Opened) -> Parts:
    plan, ports, journal, environment = opened.plan, opened.ports, opened.journal, opened.environment
    holding, stopping = opened.holding, opened.stopping
    beginning = ports.beginning
    base = cast(ResponsesToolCheckpoint | None, beginning.base) if beginning else None
    checkpoints = Checkpoints(ports.started.run_id, journal, stopping, base)
    own = for_the_sdk(opened.functions)
    holding.turns = opened.leaving.requests = checkpoints
    tied = tie(opened, checkpoints)
    try:
        runner = AsyncResponsesToolRunner(
            browser=tied.browser,
            computer=tied.computer,
            functions=registered(
                [*own, *code_functions(environment.code, tied.asking, checkpoints, journal)],
                tied.asking,
                tied.effects,
                checkpoints,
                tied.outputs,
                holding,
            ),
            early_execution=early_execution(plan.streaming),
        )
    except (ValueError, AttributeError) as error:
        raise UsageProblem(f"{UNFITTING}: {error}") from error
    return Parts(
        plan=plan,
        model=ports.service.model,
        client=opened.client,
        journal=journal,
        checkpoints=checkpoints,
        asking=tied.asking,
        effects=tied.effects,
        outputs=tied.outputs,
        runner=runner,
        browser=tied.browser,
        computer=tied.computer,
        computer_calls=tied.computer_calls,
        stopping=stopping,
        received=opened.received,
        said=ports.said,
        beginning=beginning,
        driver=environment.browser,
        holding=holding,
        leaving=opened.leaving,
    )
