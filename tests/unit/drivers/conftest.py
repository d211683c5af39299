"""One real browser and one web server for each test module; each test gets the browser with a single blank tab."""

import os
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from drivers.browser.driver import BrowserDriver
from drivers.browser.launch import LaunchOptions
from drivers.browser.session import BrowserSession
from tests.helpers.site.server import Site

OPTIONS = LaunchOptions(sandbox=os.geteuid() != 0)


@pytest.fixture(scope="session", autouse=True)
def _patient_reads() -> Iterator[None]:
    """A busy machine gives a page too little of the time that a read has; what is then left out is no test's matter."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("drivers.browser.reads.WALK_MILLIS", 60_000)
        yield


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_session() -> AsyncIterator[BrowserSession]:
    """The module's browser."""
    async with await BrowserSession.open(OPTIONS) as session:
        yield session


@pytest_asyncio.fixture(loop_scope="module")
async def driver(shared_session: BrowserSession) -> AsyncIterator[BrowserDriver]:
    """The module's driver, with one blank tab."""
    made = shared_session.driver
    await made.new_tab({"url": None})
    for tab in made.tabs.all[:-1]:
        await made.tabs.close(tab)
    yield made
    made.on_change = None
    await made.stop_screencast()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_site() -> AsyncIterator[Site]:
    """The module's web server."""
    made = Site()
    await made.start()
    yield made
    await made.stop()


@pytest_asyncio.fixture(loop_scope="module")
async def site(shared_site: Site) -> Site:
    """The module's web server with nothing on it yet."""
    shared_site.routes.clear()
    shared_site.requests.clear()
    return shared_site
