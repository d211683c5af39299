"""One browser and one server for all tasks."""

import asyncio
import os
from collections.abc import AsyncIterator

import pytest_asyncio

from drivers.browser.launch import LaunchOptions
from drivers.browser.session import BrowserSession
from tests.conformance.conftest import Bench
from tests.conformance.miniwob import pages
from tests.conformance.miniwob.hands import VIEW
from tests.conformance.miniwob.rounds import Table
from tests.helpers.site.server import Site


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def table() -> AsyncIterator[Table]:
    """Where tasks are played."""
    await asyncio.to_thread(int)  # the loop's own thread exists before the first test, which would leave it behind
    with pages.served() as address:
        async with await BrowserSession.open(LaunchOptions(sandbox=os.geteuid() != 0, viewport=VIEW)) as session:
            yield Table(Bench(session.driver, Site()), session.driver, address)
