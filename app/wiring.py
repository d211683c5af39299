"""Ties concrete drivers, runner, ledger and inbox into runs: the only file that chooses them."""

import asyncio
import contextlib
import dataclasses
import os
import secrets
import sys
from collections.abc import AsyncGenerator, Callable
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from app import __version__, elsewhere
from app.clock import SystemClock
from app.core.computer_plan import ComputerPlan
from app.core.errors import MissingHere, StartPageProblem, ToolServerProblem
from app.core.events import OutcomeChecked, Provenance, RunStarted
from app.core.ids import run_id
from app.core.live import LatestFrame
from app.core.plan import BrowserPlan, RunPlan
from app.core.ports import Clock, Inbox
from app.gate.url_policy import origin_of
from app.ledger.store import RunLedger
from app.paths import downloads_of, runs_folder
from app.runner.garbage import spare_what_is_loaded
from app.runner.granting import issue, require_grants
from app.runner.live_frames import desktop_frame, page_frame
from app.runner.served import specs_of
from app.runner.session import Session
from app.runner.session_ports import Environment, ModelService, SessionPorts
from app.runner.specs import FunctionSpec, ToolSpec
from app.runner.way_out import require_way_out
from app.sandboxes import code_environments, open_shell_of, require_code

if TYPE_CHECKING:
    from app.runner.forking import Fork
    from drivers.browser.driver import BrowserDriver
    from drivers.browser.guard import Guard, GuardRequest
    from drivers.browser.launch import LaunchOptions
    from drivers.browser.screencast import Frame
    from drivers.browser.session import BrowserSession
    from drivers.desktop.session import Desktop, DesktopOptions

LEDGER_SUFFIX = ".signalbox"
FIRST_PICTURE_SECS = 1.0
"""How long a run waits for its live picture to begin; a page that hangs shows none."""

KEEP_DESKTOP = "keep-desktop"
"""The frozen program's own command for the process that keeps a virtual desktop."""

ROOT_SANDBOX_WORDS = (
    "The browser runs without its sandbox, because this program runs as root and Chromium cannot use it then. "
    "Start as an ordinary user to have it on."
)


def runs_as_root() -> bool:
    """Whether Chromium's sandbox cannot be used because of who we are."""
    return sys.platform == "linux" and os.geteuid() == 0


def require_browser(plan: RunPlan) -> None:
    """Look for what the plan's browser needs, before anything is recorded.

    Raises:
        MissingHere: no browser, or a sandbox that cannot be had and was not given up in so many words.
    """
    if plan.browser is None:
        return
    from drivers.browser.launch import executable, sandbox_wanted
    from drivers.errors import BrowserMissing, SandboxUnavailable

    options = _launch_options(plan.browser)
    if plan.browser.remote is not None:
        elsewhere.require_remote_browser(plan.browser, options)
        return
    try:
        executable(options)
        sandbox_wanted(options)
    except (BrowserMissing, SandboxUnavailable) as missing:
        raise MissingHere(str(missing)) from missing


def require_desktop(plan: RunPlan) -> None:
    """Look for what the plan's desktop needs, before anything is recorded.

    Raises:
        MissingHere: it cannot be had on this machine.
    """
    if plan.computer is None or plan.computer.target in ("browser", "remote"):
        return
    from drivers.desktop.session import missing

    if (reason := missing(_desktop_options(plan.computer))) is not None:
        raise MissingHere(reason)


def versions() -> dict[str, str]:
    """What a run stands on, for its record."""
    return {"signalbox": __version__, **{name: version(name) for name in ("openai", "playwright")}}


def make_session(
    plan: RunPlan,
    *,
    home: Path | None,
    inbox: Inbox,
    service: ModelService,
    provenance: Provenance,
    unattended: bool,
    functions: tuple[ToolSpec, ...] = (),
    check_outcome: Callable[[], OutcomeChecked | None] = lambda: None,
    fork: "Fork | None" = None,
) -> Session:
    """A session with a ledger of its own in the runs folder; nothing has happened yet.

    `fork`: it begins with the history of a saved run.

    Raises:
        MissingHere: what the plan's browser needs is not there, or a proxy that the environment names is of no use.
        UsageProblem: Python of the user's own cannot be loaded, or does not fit.
        LedgerProblem: the run cannot be recorded, so that it cannot begin.
    """
    require_browser(plan)
    require_code(plan)
    require_desktop(plan)
    require_grants(plan.grants)
    require_way_out(service.base_url)
    if plan.imports or plan.tool_search is not None:
        # Loads the SDK, which any other run does while its window is there already.
        from app.runner.fitting import require_own

        require_own(plan, functions)
    clock = SystemClock()
    name = run_id(datetime.now().astimezone().strftime("%Y%m%d-%H%M"), secrets.token_bytes(6))
    ledger = RunLedger.create(runs_folder(home) / f"{name}{LEDGER_SUFFIX}", clock)
    started = RunStarted(
        run_id=name,
        task=plan.task,
        model=service.model,
        engine=plan.engine,
        max_steps=plan.max_steps,
        provenance=provenance,
        unattended=unattended,
        plan=plan.on_record(),
        versions=versions(),
        origin=fork.origin if fork is not None else None,
    )
    ports = SessionPorts(
        ledger=ledger,
        ledger_path=ledger.path,
        inbox=inbox,
        clock=clock,
        service=service,
        open_environment=environment_of(plan, functions, downloads=downloads_of(ledger.path)),
        started=started,
        check_outcome=check_outcome,
        fork=fork.beginning if fork is not None else None,
    )
    return Session(plan, ports)


def _launch_options(plan: BrowserPlan) -> "LaunchOptions":
    from drivers.browser.launch import LaunchOptions

    return LaunchOptions(
        headless=plan.headless,
        executable_path=plan.executable_path,
        sandbox=plan.sandbox,
        viewport=plan.viewport,
        device_scale=plan.device_scale,
        allow_private_network=plan.allow_private_network,
        request_guard=_guard(plan.allow_origins) if plan.allow_origins is not None else None,
    )


def _guard(allow_origins: tuple[str, ...]) -> "Guard":
    from drivers.browser.guard import GuardVerdict

    allowed = frozenset(allow_origins)

    def judge(request: "GuardRequest") -> GuardVerdict:
        # A WebSocket belongs to the origin that its handshake is sent to.
        address = "http" + request.url.removeprefix("ws") if request.url.startswith("ws") else request.url
        return GuardVerdict(allow=origin_of(address) in allowed)

    return judge


@contextlib.asynccontextmanager
async def _environment(
    plan: RunPlan, functions: tuple[ToolSpec, ...], downloads: Path, frames: LatestFrame, clock: Clock
) -> AsyncGenerator[Environment]:
    """Everything that the run acts on; closed when it ends, however it ends."""
    async with contextlib.AsyncExitStack() as stack:
        served = await stack.enter_async_context(server_functions(plan))
        opened = _page_environment(plan, (*functions, *served), downloads, frames, clock)
        environment = await stack.enter_async_context(opened)
        spare_what_is_loaded()
        yield environment


@contextlib.asynccontextmanager
async def server_functions(plan: RunPlan) -> AsyncGenerator[tuple[FunctionSpec, ...]]:
    """The functions of the servers that the plan has started here, which run as long. Raises `ToolServerProblem`."""
    from drivers.tool_server.client import ToolServer, ToolServerError

    async with contextlib.AsyncExitStack() as stack:
        specs: list[FunctionSpec] = []
        for given in plan.function_servers:
            try:
                server = await stack.enter_async_context(
                    ToolServer.open(
                        given.command, env=given.env or {}, folder=given.folder, timeout_secs=given.start_secs
                    )
                )
                specs += specs_of(given, await server.tools(), server.call)
            except ToolServerError as broken:
                raise ToolServerProblem(f"function_servers {given.name!r}: {broken}") from broken
        yield tuple(specs)


def served_functions(plan: RunPlan) -> list[FunctionSpec]:
    """What `server_functions` gives, from servers that are started and ended for it. Not to be called in a loop."""
    if not plan.function_servers:
        return []

    async def listed() -> list[FunctionSpec]:
        async with server_functions(plan) as served:
            return list(served)

    return asyncio.run(listed())


@contextlib.asynccontextmanager
async def _page_environment(
    plan: RunPlan, functions: tuple[ToolSpec, ...], downloads: Path, frames: LatestFrame, clock: Clock
) -> AsyncGenerator[Environment]:
    async with contextlib.AsyncExitStack() as stack:
        opened = Environment(functions=functions)
        shown_on: dict[str, str] = {}
        if plan.computer is not None and plan.computer.on_desktop:
            desktop = await stack.enter_async_context(_open_desktop(plan.computer, frames, clock))
            opened.desktop = opened.computer = desktop.driver
            shown_on = desktop.environment
        if plan.browser is not None:
            session = await stack.enter_async_context(await _browser(plan.browser, shown_on, downloads))
            opened.browser = driver = session.driver
            await issue(plan.grants, driver.grants)
            if plan.browser.start_url is not None:
                await _open_start_page(driver, plan.browser.start_url)
            if opened.desktop is None:
                await _show(driver, frames, clock)
                opened.computer = _computer(driver) if plan.computer is not None else None
        opened.code = await stack.enter_async_context(code_environments(plan, opened.browser, opened.desktop))
        if plan.shell is not None:
            opened.shell = await stack.enter_async_context(open_shell_of(plan.shell))
        if plan.patches is not None:
            from drivers.files.folder import Folder

            opened.files = Folder(plan.patches.folder)
        yield opened


async def _show(driver: "BrowserDriver", frames: LatestFrame, clock: Clock) -> None:
    """Begin the live picture. A browser takes a while for the first one; no question has to wait for it later."""
    shown = asyncio.Event()

    def put(frame: "Frame") -> None:
        frames.put(page_frame(frame, clock))
        shown.set()

    await driver.start_screencast(put)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(shown.wait(), FIRST_PICTURE_SECS)


async def _browser(plan: BrowserPlan, shown_on: dict[str, str], downloads: Path | None = None) -> "BrowserSession":
    from drivers.browser.session import BrowserSession
    from drivers.errors import BrowserMissing, SandboxUnavailable

    options = dataclasses.replace(_launch_options(plan), shown_on=shown_on, downloads=downloads)
    if plan.remote is not None:
        return await elsewhere.attached(plan.remote, options)
    try:
        return await BrowserSession.open(options)
    except (BrowserMissing, SandboxUnavailable) as missing:
        # There is one, and it does not start: also where a folder that it needs is not there.
        raise MissingHere(str(missing)) from missing


@contextlib.asynccontextmanager
async def _open_desktop(plan: ComputerPlan, frames: LatestFrame, clock: Clock) -> AsyncGenerator["Desktop"]:
    from drivers.desktop.session import open_desktop
    from drivers.desktop.xserver import DesktopMissing

    opened = elsewhere.desktop(plan) if plan.target == "remote" else open_desktop(_desktop_options(plan))
    try:
        async with opened as desktop:
            await desktop.driver.start_cast(lambda frame: frames.put(desktop_frame(frame, clock)))
            yield desktop
    except DesktopMissing as missing:
        raise MissingHere(str(missing)) from missing


def _desktop_options(plan: ComputerPlan) -> "DesktopOptions":
    from drivers.desktop.session import DesktopOptions

    frozen = getattr(sys, "frozen", False)
    return DesktopOptions(
        virtual=plan.target == "virtual",
        size=plan.screen,
        programs=(plan.program,) if plan.program else (),
        window=plan.window,
        picture_at_most=plan.picture_at_most,
        keeper=(sys.executable, KEEP_DESKTOP) if frozen else None,
    )


@contextlib.asynccontextmanager
async def page_to_look_at(plan: RunPlan, url: str, frames: LatestFrame) -> AsyncGenerator[None]:
    """The plan's browser on one page, shown and not driven. Raises `SignalboxError` when it cannot be had."""
    if plan.browser is None:
        raise StartPageProblem("the run has no browser")
    require_browser(plan)
    clock = SystemClock()
    async with await _browser(plan.browser, {}) as session:
        await _open_start_page(session.driver, url)
        await session.driver.start_screencast(lambda frame: frames.put(page_frame(frame, clock)))
        yield


def environment_of(
    plan: RunPlan, functions: tuple[ToolSpec, ...], *, downloads: Path
) -> Callable[[LatestFrame, Clock], contextlib.AbstractAsyncContextManager[Environment]]:
    """Opens what a run of `plan` acts on. `downloads`: the folder for what it fetches; made when first needed."""
    return lambda frames, clock: _environment(plan, functions, downloads, frames, clock)


def browser_members(plan: RunPlan) -> list[str]:
    """The members that the plan's browser would have."""
    if plan.browser is None:
        return []
    from app.runner.browser import members_of
    from drivers.browser.driver import BrowserDriver

    return members_of(BrowserDriver, plan.browser.members, plan.browser.additional_members)


async def _open_start_page(driver: "BrowserDriver", url: str) -> None:
    from drivers.errors import BrowserError

    try:
        await driver.navigate({"url": url, "tab_id": None})
    except BrowserError as error:
        raise StartPageProblem(f"the start page could not be opened ({error}): {url}") from error


def _computer(driver: "BrowserDriver") -> object:
    from drivers.computer.page import PageComputer

    return PageComputer(driver)
