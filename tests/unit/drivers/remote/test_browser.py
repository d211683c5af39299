"""A browser of somebody else's: reached only as it has to be, left as it was found, and lost without a false word."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from drivers.browser.guard import GuardRequest, GuardVerdict
from drivers.browser.launch import LaunchOptions
from drivers.errors import BrowserError, NotDone
from drivers.remote.browser import SCHEMES, RemoteBrowser, RemoteBrowserSession
from drivers.remote.endpoint import Endpoint, RemoteMissing, Secret
from tests.helpers.elsewhere import Front, certificate, debugged_chromium, only_tabs, playwright_server, tabs_of
from tests.helpers.site.server import Answer, Request, Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

THEIRS = "data:text/html,theirs"
ATTACH_AND_WAIT = """
import asyncio, sys
from drivers.browser.launch import LaunchOptions
from drivers.remote.browser import SCHEMES, RemoteBrowser, RemoteBrowserSession
from drivers.remote.endpoint import Endpoint
async def held():
    there = RemoteBrowser("cdp", Endpoint.at(sys.argv[1], schemes=SCHEMES["cdp"]))
    async with await RemoteBrowserSession.attach(there, LaunchOptions()):
        print("attached", flush=True)
        await asyncio.Event().wait()
asyncio.run(held())
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def theirs() -> AsyncIterator[str]:
    """The address of a browser with a tab of theirs."""
    await asyncio.to_thread(int)  # the loop's own thread exists before the first test, which would leave it behind
    async with debugged_chromium(page=THEIRS) as address:
        yield address


@pytest_asyncio.fixture(loop_scope="module")
async def site() -> AsyncIterator[Site]:
    """Pages of a test's own."""
    made = Site()
    await made.start()
    yield made
    await made.stop()


def attached(
    address: str, options: LaunchOptions | None = None, **more: Any
) -> Coroutine[Any, Any, RemoteBrowserSession]:
    there = RemoteBrowser("cdp", Endpoint.at(address, schemes=SCHEMES["cdp"], **more))
    return RemoteBrowserSession.attach(there, options or LaunchOptions())


def port_of(address: str) -> int:
    port = urlsplit(address).port
    assert port is not None
    return port


async def test_it_is_left_as_it_was_found(theirs: str) -> None:
    async with await attached(theirs) as session:
        assert len(session.driver.tabs.all) == 1
        await session.driver.new_tab({"url": None})
        assert sorted(await tabs_of(theirs)) == sorted(["about:blank", "about:blank", THEIRS])
    await only_tabs(theirs, [THEIRS])


async def test_a_killed_console_leaves_it_alive(theirs: str) -> None:
    console = await asyncio.create_subprocess_exec(
        sys.executable, "-c", ATTACH_AND_WAIT, theirs, stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parents[4]
    )
    assert console.stdout is not None
    assert await console.stdout.readline() == b"attached\n"
    assert len(await tabs_of(theirs)) == 2
    console.send_signal(signal.SIGKILL)
    await console.wait()
    await only_tabs(theirs, [THEIRS])


async def test_a_connection_that_is_cut_in_an_action_leaves_it_open_whether_it_happened(
    theirs: str, site: Site
) -> None:
    async with Front(port_of(theirs)) as front:

        async def pressed(request: Request) -> Answer:
            front.cut()
            return Answer("")

        site.routes["/pressed"] = pressed
        page = (
            "<button onclick=\"let r = new XMLHttpRequest(); r.open('GET', '/pressed', false); r.send()\">Go</button>"
        )
        async with await attached(f"http://127.0.0.1:{front.port}") as session:
            await session.driver.navigate({"url": site.page("/", page), "tab_id": None})
            report = await session.driver.read_page({"tab_id": None, "filter": "all"})
            target = report["elements"][0]["ref"]
            with pytest.raises(BrowserError) as broken:
                await session.driver.click({"target": target, "tab_id": None})
            assert not isinstance(broken.value, NotDone)
            # From here on nothing can begin.
            with pytest.raises(NotDone):
                await session.driver.click({"target": target, "tab_id": None})
        assert site.asked("/pressed") == 1
    await only_tabs(theirs, [THEIRS])


async def test_only_the_right_certificate_and_the_right_secret_let_it_in(theirs: str, tmp_path: Path) -> None:
    file, tls = certificate(tmp_path)
    other, _ = certificate(tmp_path, "other.example")
    async with Front(port_of(theirs), tls=tls, wants="Authorization: Bearer sesame") as front:
        address = f"https://localhost:{front.port}"
        for wrong in (None, other):
            with pytest.raises(RemoteMissing, match="is not trusted"):
                await attached(address, certificate=wrong, secret=Secret("sesame"))
        with pytest.raises(RemoteMissing, match="is not trusted"):
            await attached(f"https://127.0.0.1:{front.port}", certificate=file, secret=Secret("sesame"))
        # Nobody who could not prove who they are was told the secret.
        assert front.heads == []
        with pytest.raises(RemoteMissing, match="lets nobody in: it wants a secret"):
            await attached(address, certificate=file)
        with pytest.raises(RemoteMissing, match="lets nobody in: its secret is wrong") as refused:
            await attached(address, certificate=file, secret=Secret("guessed"))
        assert "guessed" not in str(refused.value)
        async with await attached(address, certificate=file, secret=Secret("sesame")) as session:
            assert (await session.driver.state())["tabs"][0]["url"] == "about:blank"


async def test_what_is_no_browser_is_said(site: Site) -> None:
    with pytest.raises(RemoteMissing, match="no such browser: it answers 404"):
        await attached(site.url(""))
    with pytest.raises(RemoteMissing, match="no such browser: it answers 404"):
        await attached(address := f"ws://127.0.0.1:{site.port}/devtools")
    for told in ("[" * 100_000, "[]", '{"webSocketDebuggerUrl": []}', '{"webSocketDebuggerUrl": "ws://[/"}', "\x00"):

        async def version(_request: Request, told: str = told) -> Answer:
            return Answer(told)

        site.routes["/json/version"] = version
        with pytest.raises(RemoteMissing):
            await attached(site.url(""))
    await site.stop()
    with pytest.raises(RemoteMissing, match="cannot be reached"):
        await attached(address)


def only_example(request: GuardRequest) -> GuardVerdict:
    return GuardVerdict(allow="example" in request.url)


async def test_a_browser_that_cannot_be_kept_to_origins_is_refused(theirs: str) -> None:
    for options in (LaunchOptions(request_guard=only_example), LaunchOptions(allow_private_network=False)):
        with pytest.raises(RemoteMissing, match="cannot reach"):
            await attached("wss://far.example", options)
    # This one was started without what keeps calls within the proxy.
    with pytest.raises(RemoteMissing, match="WebRTC goes past the proxy"):
        await attached(theirs, LaunchOptions(request_guard=only_example))
    await only_tabs(theirs, [THEIRS])


async def test_a_playwright_server_keeps_to_origins_and_hands_files_over(site: Site, tmp_path: Path) -> None:
    site.routes["/notes.txt"] = Answer("kept", headers={"Content-Disposition": "attachment"})
    allowed = f"127.0.0.1:{site.port}"
    async with playwright_server() as address:
        there = RemoteBrowser("playwright", Endpoint.at(address, schemes=SCHEMES["playwright"]))
        options = LaunchOptions(
            downloads=tmp_path, request_guard=lambda request: GuardVerdict(allow=allowed in request.url)
        )
        async with await RemoteBrowserSession.attach(there, options) as session:
            driver = session.driver
            await driver.navigate({"url": site.page("/", "<h1>here</h1>"), "tab_id": None})
            with pytest.raises(NotDone):
                await driver.navigate({"url": "http://elsewhere.invalid/", "tab_id": None})
            grant = driver.grants.allow_download(site.url("/notes.txt"))
            outcome = await driver.download_file({"grant_id": grant.grant_id})
            assert (outcome["status"], (tmp_path / "notes.txt").read_text()) == ("completed", "kept")
        async with await RemoteBrowserSession.attach(there, LaunchOptions()) as again:
            with contextlib.suppress(NotDone):
                await again.driver.navigate({"url": site.url("/"), "tab_id": None})
            assert again.driver.address()[1] == site.url("/")
