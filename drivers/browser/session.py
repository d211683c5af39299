"""One browser with one fresh context: its start, and an end that neither hangs nor leaves anything behind."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from types import TracebackType
from typing import Self

from playwright.async_api import Browser, BrowserContext, Error, ProxySettings

from drivers.browser import launch
from drivers.browser.driver import BrowserDriver
from drivers.browser.launch import LaunchOptions
from drivers.browser.playwright_process import PlaywrightProcess
from drivers.browser.proxy import Proxy
from drivers.errors import BrowserMissing

log = logging.getLogger(__name__)

START_SECS = 30.0
END_SECS = 5.0


class BrowserSession:
    """Owns the browser process; nothing of it is shared with another session, and no profile is kept."""

    def __init__(
        self,
        process: PlaywrightProcess,
        browser: Browser,
        context: BrowserContext,
        options: LaunchOptions,
        proxy: Proxy | None,
    ) -> None:
        self._process = process
        self._browser = browser
        self._context = context
        self._proxy = proxy
        self._closing: asyncio.Task[None] | None = None
        self.options = options
        self.driver = BrowserDriver(browser, context, options, proxy)

    @classmethod
    async def open(cls, options: LaunchOptions | None = None) -> BrowserSession:
        """Start the browser with one blank tab.

        Raises :class:`BrowserMissing`, or :class:`drivers.errors.SandboxUnavailable`, before anything is started.
        """
        chosen = options or LaunchOptions()
        path, sandbox = launch.executable(chosen), launch.sandbox_wanted(chosen)
        proxy = way_out_of(chosen)
        process = await PlaywrightProcess.start()
        try:
            way_out = await settings_for(proxy)
            browser = await process.playwright.chromium.launch(
                executable_path=path,
                headless=chosen.headless,
                chromium_sandbox=sandbox,
                args=[*launch.FLAGS, *chosen.extra_flags],
                env={**launch.environment(), **process.browser_environment, **chosen.shown_on},
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                timeout=START_SECS * 1000,
                proxy=way_out,
            )
            session = cls(process, browser, await fresh_context(browser, chosen), chosen, proxy)
            await session.driver.begin()
        except Error as error:
            await stop(process, proxy)
            raise BrowserMissing(f"The browser could not be started: {path}. {_first_line(error)}") from error
        except BaseException:
            await stop(process, proxy)
            raise
        return session

    async def close(self) -> None:
        """End the browser and its children. Idempotent; returns within a stated time whatever the browser does."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        await self._within(self.driver.end())
        await self._within(self._context.close())
        await self._within(self._browser.close())
        # Stopping Playwright ends its own process, which takes a browser that did not close with it.
        await self._within(stop(self._process, self._proxy))

    async def _within(self, work: Awaitable[None]) -> None:
        try:
            await asyncio.wait_for(work, END_SECS)
        except (TimeoutError, Error) as error:
            log.debug("closing went on without an answer: %s", type(error).__name__)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def way_out_of(options: LaunchOptions) -> Proxy | None:
    """What judges each connection of a browser that is kept to some origins; None where it may go anywhere."""
    return Proxy(options.request_guard, allow_private=options.allow_private_network) if options.is_kept else None


async def settings_for(proxy: Proxy | None) -> ProxySettings | None:
    """Start it, and what a browser has to be told of it."""
    return ProxySettings(server=await proxy.start(), bypass="<-loopback>") if proxy is not None else None


async def fresh_context(
    browser: Browser, options: LaunchOptions, way_out: ProxySettings | None = None
) -> BrowserContext:
    """A context that shares nothing with any other of the browser."""
    width, height = options.viewport
    return await browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=options.device_scale,
        accept_downloads=True,
        locale=options.locale,
        # A service worker could answer for an origin from its store; what is judged is the network.
        service_workers="block" if options.is_kept else "allow",
        proxy=way_out,
    )


async def stop(process: PlaywrightProcess, proxy: Proxy | None) -> None:
    """End Playwright's own process, and what the browser went through."""
    await process.stop()
    if proxy is not None:
        await proxy.stop()


def _first_line(error: Error) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else ""
