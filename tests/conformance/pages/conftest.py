"""One browser for a module behind the toolset, and what these tests ask of it."""

import asyncio
import os
from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio

from drivers.browser.driver import BrowserDriver
from drivers.browser.launch import LaunchOptions
from drivers.browser.session import BrowserSession
from tests.conformance.conftest import Bench
from tests.helpers.site.server import Site


class Stand(Bench):
    """A bench whose driver is the browser driver, so that file grants can be issued."""

    def __init__(self, driver: BrowserDriver, site: Site) -> None:
        super().__init__(driver, site)
        self.browser = driver

    async def read(self) -> dict[str, Any]:
        """The whole page."""
        report: dict[str, Any] = await self.done("read_page", tab_id=None, filter="all")
        return report

    async def press(self, label: str) -> dict[str, Any]:
        """Press the control of that label and give the answer, refused or not."""
        return await self.call("click", target=(await self.refs())[label], tab_id=None)

    async def changes(self) -> list[dict[str, Any]]:
        """The newest changes as the model is told them."""
        told = await self.call("list_tabs")
        changes: list[dict[str, Any]] = told["state"]["observation"]["changes"]
        return changes

    async def tabs(self) -> list[dict[str, Any]]:
        """The tabs as the model is told them."""
        tabs: list[dict[str, Any]] = (await self.call("list_tabs"))["state"]["tabs"]
        return tabs


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stand() -> AsyncIterator[Stand]:
    """The module's browser."""
    site = Site()
    await site.start()
    await asyncio.to_thread(int)  # the loop's own thread exists before the first test, which would leave it behind
    async with await BrowserSession.open(LaunchOptions(sandbox=os.geteuid() != 0)) as session:
        yield Stand(session.driver, site)
    await site.stop()
