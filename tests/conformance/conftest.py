"""Each driver in turn behind the SDK's real toolset, with every question answered yes."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio
from openai.lib.browser import AsyncBrowserToolset
from openai.types.responses import ResponseFunctionToolCall

from tests.conformance.rigs import RIGS, Driver, Rig
from tests.helpers.site.server import Site


async def yes(context: Any, url: str | None = None) -> bool:
    """Agrees to everything."""
    return True


class Bench:
    """A driver behind the toolset; calls go through the SDK and come back as the model would get them."""

    def __init__(self, driver: Driver, site: Site) -> None:
        self.driver = driver
        self.site = site
        self.toolset = AsyncBrowserToolset(driver, members=driver.members, confirm=yes, url_policy=yes)

    async def call(self, member: str, **arguments: Any) -> dict[str, Any]:
        """The report that the model gets; a picture is under `image`."""
        call = ResponseFunctionToolCall(
            type="function_call",
            name=f"browser_{member}",
            call_id="c",
            arguments=json.dumps(arguments),
            status="completed",
        )
        output: Any = await self.toolset.execute(call)
        told: dict[str, Any] = json.loads(output["output"][0]["text"])
        if len(output["output"]) > 1:
            told["image"] = output["output"][1]["image_url"]
        return told

    async def done(self, member: str, **arguments: Any) -> Any:
        """The result of a call that must succeed."""
        told = await self.call(member, **arguments)
        assert told["ok"] is True, told
        return told.get("result")

    async def show(self, html: str) -> None:
        """Open a page given inline."""
        await self.done("navigate", url=self.site.page("/", html), tab_id=None)

    async def refs(self) -> dict[str, str]:
        """The refs of the page's controls by label."""
        report = await self.done("read_page", tab_id=None, filter="interactive")
        return {element["label"]: element["ref"] for element in report["elements"]}

    async def says(self, text: str) -> None:
        """The page shows some text."""
        assert text in (await self.done("get_page_text", tab_id=None))["text"]


@pytest.fixture(scope="session", autouse=True)
def _patient_reads() -> Iterator[None]:
    """A busy machine gives a page too little of the time that a read has; what is then left out is no test's matter."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("drivers.browser.reads.WALK_MILLIS", 60_000)
        yield


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=RIGS, ids=lambda rig: rig.name)
async def bench(request: pytest.FixtureRequest) -> AsyncIterator[Bench]:
    """One driver for a whole module."""
    rig: Rig = request.param
    site = Site()
    await site.start()
    await asyncio.to_thread(int)  # the loop's own thread exists before the first test, which would leave it behind
    async with rig.open() as driver:
        yield Bench(driver, site)
    await site.stop()
