"""The booking scenario under the console against the same scenario on the bare SDK.

Both: the same driver class and a real browser that is already up, the same scripted service, streamed answers, the run
on a plain loop in a thread of its own. The console adds session, gate, ledger, evidence and live picture; the bare run
has no ledger and says yes to everything. A third side is the bare run with the SDK's own ledger on and each save one
durable write: what anybody pays whose run can be picked up again. A fourth also has the live picture on, looks once
at page and target for each question, and makes asked, decided, started and ended durable: the least that supervision
costs. Where the system has files in memory the console also keeps its ledger there once: what is left is not the
disk's. Counted from the first request to the final message.
"""

import asyncio
import contextlib
import json
import sqlite3
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, cast

from openai import AsyncOpenAI
from openai.lib.browser import AsyncBrowserToolset
from openai.lib.responses_tool_runner import (
    AsyncRegisteredFunction,
    AsyncResponsesToolLedger,
    AsyncResponsesToolRunner,
    ResponsesToolCheckpoint,
)

from app.core.events import Recorded, SegmentStarted, TurnAnswered
from app.core.plan import RunPlan
from app.rehearsal.functions import DEMO_FUNCTIONS
from app.rehearsal.operator_inbox import OperatorInbox
from app.rehearsal.operator_script import ScriptedOperator
from app.rehearsal.plan import plan_of
from app.rehearsal.scenario import Scenario, load_scenario
from app.rehearsal.server import MODEL, ScriptedModel
from app.rehearsal.site import DemoSite
from app.runner.session_ports import ModelService
from app.runner.specs import FunctionSpec
from app.wiring import make_session, runs_as_root
from drivers.browser.launch import LaunchOptions
from drivers.browser.session import BrowserSession
from tests.benchmarks.rows import Fact, Line, Row, hand_over, median

ROUNDS = 7
KEY = "no-key-is-needed"
RECORDS = 4
"""Asked, decided, started, ended."""

IN_MEMORY = Path("/dev/shm")


def measure() -> list[Line]:
    """One warming round, then both in turn, either first every other time."""
    scenario = load_scenario("booking")
    sides = ["bare", "saving", "looking", "console", *(["memory"] if IN_MEMORY.is_dir() else [])]
    times: dict[str, list[float]] = {side: [] for side in sides}
    events = 0
    for number in range(ROUNDS + 1):
        for side in sorted(times, reverse=bool(number % 2)):
            folder = IN_MEMORY if side == "memory" else None
            with _served(scenario) as (base_url, plan), tempfile.TemporaryDirectory(dir=folder) as home:
                if side in ("console", "memory"):
                    took, events = _console(scenario, plan, base_url, Path(home))
                else:
                    saves_in = None if side == "bare" else Path(home)
                    took = _bare(scenario, plan, base_url, saves_in, looking=side == "looking")
            if number:
                times[side].append(took)
    steps = len(scenario.answers)
    floor, saving, looking, product = (median(times[side]) for side in ("bare", "saving", "looking", "console"))
    memory = [times["memory"]] if "memory" in times else []
    extra = (product - floor) / steps
    return [
        Row("scenario under the console / bare SDK", floor, product, 1.15, ROUNDS),
        Row("bare SDK with its ledger, saves durable / without", floor, saving, None, ROUNDS),
        Row("scenario under the console / bare SDK with its ledger", saving, product, 1.15, ROUNDS),
        Row("the same / bare SDK that saves, looks and records", looking, product, None, ROUNDS),
        *(Row("the same, its ledger in memory / bare SDK", floor, median(taken), None, ROUNDS) for taken in memory),
        Fact(f"supervised: {steps} turns, {events} events on record; the console adds {extra:.1f} ms a turn"),
    ]


@contextlib.contextmanager
def _served(scenario: Scenario) -> Iterator[tuple[str, RunPlan]]:
    with contextlib.ExitStack() as stack:
        site = DemoSite()
        site_url = site.start()
        stack.callback(site.stop)
        model = ScriptedModel(scenario, site=site_url)
        base_url = model.start()
        stack.callback(model.stop)
        yield base_url, plan_of(scenario, site_url, sandbox=False if runs_as_root() else None)
        if model.problems:
            raise ValueError(model.problems[0])


def _console(scenario: Scenario, plan: RunPlan, base_url: str, home: Path) -> tuple[float, int]:
    began: list[float] = []
    ended: list[float] = []
    events: list[int] = []

    def listener(recorded: Recorded) -> None:
        events.append(recorded.seq)
        if isinstance(recorded.event, SegmentStarted):
            began.append(recorded.mono_ns / 1e6)
        elif isinstance(recorded.event, TurnAnswered) and recorded.event.final:
            ended.append(time.monotonic_ns() / 1e6)

    session = make_session(
        plan,
        home=home,
        inbox=OperatorInbox(ScriptedOperator(scenario.operator)),
        service=ModelService(MODEL, KEY, base_url),
        provenance="demo",
        unattended=True,
        functions=tuple(FunctionSpec(*DEMO_FUNCTIONS[name]) for name in scenario.functions),
    )
    session.subscribe(listener)
    session.start()
    session.join()
    if not ended:
        raise ValueError(f"the console's run did not finish: {session.ended}")
    return ended[0] - began[0], len(events)


def _bare(scenario: Scenario, plan: RunPlan, base_url: str, saves_in: Path | None, *, looking: bool) -> float:
    took: list[float] = []
    thread = threading.Thread(
        target=lambda: took.append(asyncio.run(_bare_run(scenario, plan, base_url, saves_in, looking=looking)))
    )
    thread.start()
    thread.join()
    if not took:
        raise ValueError("the bare run did not finish")
    return took[0]


async def _bare_run(scenario: Scenario, plan: RunPlan, base_url: str, saves_in: Path | None, *, looking: bool) -> float:
    assert plan.browser is not None
    assert plan.browser.start_url is not None

    async def confirm(context: Any) -> bool:
        if looking:
            await _look(session.driver, context["arguments"])
            for number in range(RECORDS):
                records.execute("INSERT INTO saves VALUES(?)", (json.dumps([number, context["arguments"]]),))
        return True

    async def url_policy(context: Any, url: str) -> bool:
        return True

    options = LaunchOptions(sandbox=plan.browser.sandbox, viewport=plan.browser.viewport)
    async with (
        await BrowserSession.open(options) as session,
        AsyncOpenAI(api_key=KEY, base_url=base_url) as client,
        _ledger(saves_in) as (ledger, records),
    ):
        await session.driver.navigate({"url": plan.browser.start_url, "tab_id": None})
        await _painted(session)
        if not looking:
            await session.driver.stop_screencast()
        browser = AsyncBrowserToolset(
            cast(Any, session.driver),
            members=list(scenario.members),
            confirm_reads=list(scenario.confirm_reads),
            confirm=confirm,
            url_policy=url_policy,
        )
        functions = [
            AsyncRegisteredFunction(cast(Any, DEMO_FUNCTIONS[name][0]), DEMO_FUNCTIONS[name][1])
            for name in scenario.functions
        ]
        runner = AsyncResponsesToolRunner(browser=browser, functions=functions)
        params: Any = {"model": MODEL, "store": False, "input": [{"role": "user", "content": plan.task}]}
        began = time.monotonic_ns()
        ended = 0
        turns = runner.iterate(client, params, max_steps=plan.max_steps, stream=True, ledger=ledger)
        async with contextlib.aclosing(turns):
            async for turn in turns:
                if turn.final:
                    ended = time.monotonic_ns()
        return (ended - began) / 1e6


@contextlib.asynccontextmanager
async def _ledger(folder: Path | None) -> AsyncIterator[tuple[AsyncResponsesToolLedger | None, sqlite3.Connection]]:
    """The SDK's ledger with the least that is durable: each checkpoint whole, in one transaction and one sync."""
    file = folder / "saves" if folder is not None else ":memory:"
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as saves:
        saves.execute("PRAGMA journal_mode=WAL")
        saves.execute("PRAGMA synchronous=FULL")
        saves.execute("CREATE TABLE saves(body TEXT)")

        async def save(checkpoint: ResponsesToolCheckpoint) -> None:
            saves.execute("INSERT INTO saves VALUES(?)", (json.dumps(checkpoint),))

        yield AsyncResponsesToolLedger("bare", save) if folder is not None else None, saves


async def _painted(session: BrowserSession) -> None:
    """A browser's first picture takes it far longer than any other; the console has one before its run begins."""
    shown = asyncio.Event()
    await session.driver.start_screencast(lambda frame: shown.set())
    await shown.wait()


async def _look(driver: Any, arguments: dict[str, Any]) -> None:
    looks = [driver.page_facts(arguments.get("tab_id"))]
    if isinstance(arguments.get("target"), str):
        looks.append(driver.expect(arguments["target"]))
    await asyncio.gather(*looks)


if __name__ == "__main__":
    hand_over(measure)
