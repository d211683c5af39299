"""A browser that runs elsewhere and belongs to somebody else: a context of the run's own in it, and nothing more."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Literal

from playwright.async_api import Browser, BrowserContext, Error, Playwright

from drivers.browser.launch import LaunchOptions
from drivers.browser.playwright_process import PlaywrightProcess
from drivers.browser.proxy import Proxy
from drivers.browser.session import BrowserSession, fresh_context, settings_for, stop, way_out_of
from drivers.errors import BrowserError, BrowserMissing
from drivers.remote.endpoint import Endpoint, RemoteMissing
from drivers.remote.kept import require_kept
from drivers.remote.relay import Relay, devtools_path

log = logging.getLogger(__name__)

START_SECS = 30.0
LEAVE_SECS = 5.0
SCHEMES: dict[str, tuple[str, ...]] = {"cdp": ("https", "http", "wss", "ws"), "playwright": ("wss", "ws")}

NOT_KEPT_ELSEWHERE = (
    "allow_origins and allow_private_network are enforced by a proxy on this machine, which a browser on another one "
    "cannot reach. Leave both out, or use a browser on this machine."
)


@dataclass(frozen=True)
class RemoteBrowser:
    """Which browser is attached to, and how."""

    via: Literal["cdp", "playwright"]
    endpoint: Endpoint

    def require_usable(self, options: LaunchOptions) -> None:
        """What can be said without asking anybody. Raises :class:`RemoteMissing`."""
        self.endpoint.require_encryption()
        if options.is_kept and not self.endpoint.is_loopback:
            raise RemoteMissing(NOT_KEPT_ELSEWHERE)


class RemoteBrowserSession(BrowserSession):
    """Owns one context with its tabs. The browser, its other contexts and their tabs are left as they were."""

    def __init__(
        self, process: PlaywrightProcess, browser: Browser, context: BrowserContext, options: LaunchOptions,
        proxy: Proxy | None, relay: Relay,
    ) -> None:  # fmt: skip
        super().__init__(process, browser, context, options, proxy)
        self._relay = relay

    @classmethod
    async def attach(cls, remote: RemoteBrowser, options: LaunchOptions) -> RemoteBrowserSession:
        """Reach the browser and open one blank tab in a context of its own. Raises :class:`RemoteMissing`."""
        remote.require_usable(options)
        endpoint = remote.endpoint
        looked_up = remote.via == "cdp" and endpoint.scheme in ("http", "https")
        relay = Relay(endpoint, await devtools_path(endpoint) if looked_up else endpoint.path)
        proxy = way_out_of(options)
        try:
            process = await PlaywrightProcess.start()
        except BrowserMissing as missing:
            raise RemoteMissing(str(missing)) from missing
        try:
            way_out = await settings_for(proxy)
            browser = await _reached(process.playwright, remote, await relay.open())
            await _left_alone(browser)
            context = await fresh_context(browser, options, way_out)
            if proxy is not None:
                await require_kept(context, proxy)
            session = cls(process, browser, context, options, proxy, relay)
            await session.driver.begin()
        except (Error, BrowserError) as error:
            await _let_go(process, proxy, relay)
            raise RemoteMissing(relay.refusal or _words(endpoint, error)) from error
        except BaseException:
            await _let_go(process, proxy, relay)
            raise
        return session

    async def _close(self) -> None:
        await self._within(self.driver.end())
        await self._within(self._context.close())
        # For a browser that was attached to, this hangs up and ends nothing.
        await self._within(self._browser.close())
        await self._within(_let_go(self._process, self._proxy, self._relay))


async def _reached(playwright: Playwright, remote: RemoteBrowser, address: str) -> Browser:
    chromium, most_ms = playwright.chromium, START_SECS * 1000
    if remote.via == "playwright":
        return await chromium.connect(address, timeout=most_ms)
    # Without its defaults: what other people's tabs look like, and where their downloads go, is theirs.
    return await chromium.connect_over_cdp(address, timeout=most_ms, no_defaults=True)


async def _left_alone(browser: Browser) -> None:
    """Tabs that were there keep their dialogs: without a listener Playwright would dismiss them."""
    for context in browser.contexts:
        context.on("dialog", lambda _: None)


async def _let_go(process: PlaywrightProcess, proxy: Proxy | None, relay: Relay) -> None:
    ends: list[Awaitable[None]] = [stop(process, proxy), relay.close()]
    for end in ends:
        with contextlib.suppress(TimeoutError, Error):
            await asyncio.wait_for(end, LEAVE_SECS)


def _words(endpoint: Endpoint, error: Exception) -> str:
    said = str(error).strip().splitlines()
    return f"The browser at {endpoint.authority} cannot be used: {said[0] if said else type(error).__name__}"
