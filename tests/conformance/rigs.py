"""The drivers that the suite is run on. A new driver joins by a rig of its own in `RIGS`."""

import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from drivers.browser.launch import LaunchOptions
from drivers.browser.session import BrowserSession
from drivers.remote.browser import SCHEMES, RemoteBrowser, RemoteBrowserSession
from drivers.remote.endpoint import Endpoint
from tests.helpers.elsewhere import debugged_chromium, playwright_server


class Driver(Protocol):
    """What the suite asks of a driver beside the members."""

    @property
    def members(self) -> list[str]: ...

    async def state(self) -> Any: ...


@dataclass(frozen=True)
class Rig:
    """One way of having a driver with a single blank tab that can reach the suite's pages on loopback."""

    name: str
    open: Callable[[], AbstractAsyncContextManager[Driver]]


@asynccontextmanager
async def _browser() -> AsyncIterator[Driver]:
    async with await BrowserSession.open(LaunchOptions(sandbox=os.geteuid() != 0)) as session:
        yield session.driver


@asynccontextmanager
async def _scaled_browser() -> AsyncIterator[Driver]:
    options = LaunchOptions(sandbox=os.geteuid() != 0, device_scale=2.0, viewport=(900, 600))
    async with await BrowserSession.open(options) as session:
        yield session.driver


@asynccontextmanager
async def _over_cdp() -> AsyncIterator[Driver]:
    async with debugged_chromium() as address:
        there = RemoteBrowser("cdp", Endpoint.at(address, schemes=SCHEMES["cdp"]))
        async with await RemoteBrowserSession.attach(there, LaunchOptions()) as session:
            yield session.driver


@asynccontextmanager
async def _over_playwright() -> AsyncIterator[Driver]:
    async with playwright_server() as address:
        there = RemoteBrowser("playwright", Endpoint.at(address, schemes=SCHEMES["playwright"]))
        async with await RemoteBrowserSession.attach(there, LaunchOptions()) as session:
            yield session.driver


RIGS = [
    Rig("browser", _browser),
    Rig("browser at scale 2", _scaled_browser),
    Rig("browser over CDP", _over_cdp),
    Rig("browser over a Playwright server", _over_playwright),
]
