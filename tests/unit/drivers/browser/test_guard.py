"""What may leave the browser is decided below the page: each hop, frame, popup, form, script and socket."""

import asyncio
import contextlib
import json
import os
import socket
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from drivers.browser.driver import BrowserDriver
from drivers.browser.guard import GuardRequest, GuardVerdict
from drivers.browser.launch import LaunchOptions
from drivers.browser.proxy import Proxy, Way
from drivers.browser.session import BrowserSession
from drivers.errors import BrowserError, NotDone
from tests.helpers.site.server import Answer, Site
from tests.unit.drivers.reading import ref, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

CASES = Path(__file__).parents[3] / "helpers/cases/url_policy.json"
OPTIONS = LaunchOptions(sandbox=os.geteuid() != 0)


class Rule:
    """Allows 127.0.0.1 and refuses every other name; keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[GuardRequest] = []
        self.ever: list[GuardRequest] = []

    def __call__(self, request: GuardRequest) -> GuardVerdict:
        self.asked.append(request)
        self.ever.append(request)
        return GuardVerdict(allow=request.url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:")))


@pytest_asyncio.fixture(scope="module", loop_scope="module", autouse=True)
async def _lookups() -> None:
    """The threads that look names up exist before the first test, which would otherwise leave them behind."""
    loop, threads = asyncio.get_running_loop(), 3
    loop.set_default_executor(ThreadPoolExecutor(threads))
    together = Barrier(threads)
    await asyncio.gather(*(loop.run_in_executor(None, together.wait) for _ in range(threads)))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def guarded() -> AsyncIterator[tuple[BrowserDriver, Rule]]:
    rule = Rule()
    async with await BrowserSession.open(replace(OPTIONS, request_guard=rule)) as session:
        yield session.driver, rule
        hosts = {urlsplit(request.url).hostname for request in rule.ever}
    assert hosts <= {"127.0.0.1", "localhost", "169.254.169.254"}, "the browser asked for something of its own"


@pytest_asyncio.fixture(loop_scope="module")
async def driver(guarded: tuple[BrowserDriver, Rule]) -> BrowserDriver:
    made = guarded[0]
    await made.new_tab({"url": None})
    for tab in made.tabs.all[:-1]:
        await made.tabs.close(tab)
    guarded[1].asked.clear()
    return made


def evil(site: Site, path: str = "/evil") -> str:
    site.page(path, "<title>Evil</title>evil")
    return site.url(path, host="localhost")


async def refused(driver: BrowserDriver, since: int, kind: str = "navigation_refused") -> None:
    """Wait until a refusal is in the journal."""
    async with asyncio.timeout(60):
        while not any(c["type"] == kind and c["sequence"] > since for c in driver.journal.observation()["changes"]):
            came = asyncio.Event()
            driver.on_change = lambda change, came=came: came.set()
            await came.wait()
    driver.on_change = None


async def test_an_address_that_is_not_allowed_is_not_done(driver: BrowserDriver, site: Site) -> None:
    url = evil(site)
    with pytest.raises(NotDone, match="not allowed"):
        await driver.navigate({"url": url, "tab_id": None})
    assert site.requests == []
    assert driver.journal.observation()["changes"][-1]["type"] == "navigation_refused"


async def test_a_redirect_is_stopped_at_its_hop(
    driver: BrowserDriver, site: Site, guarded: tuple[BrowserDriver, Rule]
) -> None:
    site.routes["/r"] = Answer(status=302, headers={"Location": evil(site)})
    await show(driver, site, "<title>Here</title>", path="/here")
    guarded[1].asked.clear()
    with pytest.raises(BrowserError, match="led to one that is not allowed") as raised:
        await driver.navigate({"url": site.url("/r"), "tab_id": None})
    assert not isinstance(raised.value, NotDone)
    assert site.asked("/evil") == 0
    hops = [(r.hop, r.main_document) for r in guarded[1].asked if r.kind == "document"]
    assert hops == [(0, True), (1, True)]
    assert (await driver.state())["tabs"][0]["title"] == "Here"


LEADS = {
    "meta refresh": "<meta http-equiv=refresh content='0;url=EVIL'>",
    "location": "<script>location = 'EVIL'</script>",
    "form": "<form action='EVIL' method=post></form><script>document.forms[0].submit()</script>",
    "frame": "<iframe src='EVIL'></iframe>",
    "popup": "<script>open('EVIL')</script>",
    "link": "<a href='EVIL' id=a>x</a><script>a.click()</script>",
}


@pytest.mark.parametrize("how", LEADS)
async def test_no_way_of_leading_elsewhere_gets_out(driver: BrowserDriver, site: Site, how: str) -> None:
    since = driver.journal.sequence
    site.page("/", LEADS[how].replace("EVIL", evil(site)))
    await driver.navigate({"url": site.url("/"), "tab_id": None})
    await refused(driver, since)
    assert site.asked("/evil") == 0


SENDS = {
    "fetch": "fetch('EVIL').then(() => 'sent', () => 'failed')",
    "image": "new Promise(r => { const i = new Image(); i.onload = () => r('sent');"
    " i.onerror = () => r('failed'); i.src = 'EVIL' })",
    "socket": "new Promise(r => { const s = new WebSocket('EVIL'.replace('http', 'ws')); s.onopen = () => r('sent');"
    " s.onerror = () => r('failed') })",
    "worker": "new Promise(r => { const w = new Worker(URL.createObjectURL(new Blob([`fetch('EVIL', {mode: 'no-cors'})"
    ".then(() => postMessage('sent'), () => postMessage('failed'))`]))); w.onmessage = e => r(e.data) })",
    "redirected fetch": "fetch('/r').then(() => 'sent', () => 'failed')",
}


@pytest.mark.parametrize("how", SENDS)
async def test_nothing_a_page_sends_gets_out(driver: BrowserDriver, site: Site, how: str) -> None:
    url = evil(site)
    site.routes["/r"] = Answer(status=302, headers={"Location": url})
    await show(driver, site, "<title>Here</title>")
    assert await value_of(driver, SENDS[how].replace("EVIL", url)) == "failed"
    assert site.asked("/evil") == 0


async def test_what_is_allowed_works_as_without_a_guard(driver: BrowserDriver, site: Site) -> None:
    async def echo(request: object) -> Answer:
        body = getattr(request, "body", b"")
        return Answer(b"got " + body, headers={"Access-Control-Allow-Origin": "*"})

    site.routes["/echo"] = echo
    await show(driver, site, "<title>Here</title><a target=_blank href=/next>Next</a>")
    big = "'x'.repeat(300000)"
    sent = f"fetch('/echo', {{method: 'POST', body: {big}}}).then(r => r.text()).then(t => t.length)"
    assert await value_of(driver, sent) == 300_004
    site.page("/next", "<title>Next</title>")
    await driver.click({"target": await ref(driver, "Next"), "tab_id": None})
    await site.until_asked("/next")
    assert site.asked("/next") == 1


async def test_a_guard_that_fails_refuses(site: Site, expected_log: object) -> None:
    def broken(request: GuardRequest) -> GuardVerdict:
        if request.url.endswith("/raises"):
            raise RuntimeError("broken")
        if request.url.endswith("/word"):
            return GuardVerdict(False, "no")  # type: ignore[arg-type]
        return None  # type: ignore[return-value]

    for error in ("RuntimeError", "ValueError", "TypeError"):
        expected_log(f"request guard failed: {error}")  # type: ignore[operator]
    async with await BrowserSession.open(replace(OPTIONS, request_guard=broken)) as session:
        for path in ("/raises", "/word", "/nothing"):
            with pytest.raises(NotDone, match="not allowed"):
                await session.driver.navigate({"url": site.page(path, "x"), "tab_id": None})
        told = session.driver.journal.observation()["changes"]
        assert {c["reason"] for c in told if c["type"] == "navigation_refused"} == {"policy"}
    assert site.requests == []


async def test_private_addresses_are_refused_by_what_is_connected_to(site: Site) -> None:
    async with await BrowserSession.open(replace(OPTIONS, allow_private_network=False)) as session:
        for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]"):
            with pytest.raises(NotDone, match="not allowed"):
                await session.driver.navigate({"url": site.url("/", host=host), "tab_id": None})
    assert site.requests == []


CHAINS = {chain["id"]: chain for chain in json.loads(CASES.read_text(encoding="ascii"))["chains"]}


def laid_out(site: Site, chain: dict[str, Any]) -> str:
    """Serve a chain's first step from here; its other site is this one under another name. Gives the first address."""
    (step,) = chain["steps"]
    path = urlsplit(step["request"]).path

    def here(text: str) -> str:
        return text.replace("https://evil.test/", evil(site))

    body = step.get("html") or f"<title>Here</title><script>{step.get('script', '')}</script>"
    headers = {"Content-Type": "text/html", **step.get("response_headers", {})}
    if "location" in step:
        headers["Location"] = here(step["location"])
    site.routes[path] = Answer(here(body), status=step.get("status", 200), headers=headers)
    return site.url(path)


@pytest.mark.parametrize("name", [name for name, chain in CHAINS.items() if chain["expect"] == "block_at:2"])
async def test_a_chain_is_stopped_at_its_second_step(driver: BrowserDriver, site: Site, name: str) -> None:
    since = driver.journal.sequence
    url = laid_out(site, CHAINS[name])
    with contextlib.suppress(BrowserError):
        await driver.navigate({"url": url, "tab_id": None})
    await refused(driver, since)
    assert site.asked(urlsplit(url).path) == 1
    assert site.asked("/evil") == 0


async def test_a_chain_that_turns_into_a_download_is_ended(driver: BrowserDriver, site: Site) -> None:
    since = driver.journal.sequence
    (name,) = [name for name, chain in CHAINS.items() if chain["expect"] == "download_blocked"]
    with pytest.raises(BrowserError):
        await driver.navigate({"url": laid_out(site, CHAINS[name]), "tab_id": None})
    await refused(driver, since, "download")
    told = [c for c in driver.journal.observation()["changes"] if c["sequence"] > since and c["type"] == "download"]
    assert [change["status"] for change in told] == ["blocked"]


async def test_a_chain_that_registers_a_service_worker_gets_none(driver: BrowserDriver, site: Site) -> None:
    (name,) = [name for name, chain in CHAINS.items() if chain["expect"] == "service_worker_blocked"]
    (step,) = CHAINS[name]["steps"]
    site.routes["/sw.js"] = Answer("", headers={"Content-Type": "text/javascript"})
    await show(driver, site, "<title>Here</title>")
    await value_of(driver, f"{step['script']}.then(() => 'registered', () => 'not')")
    assert await value_of(driver, "navigator.serviceWorker.getRegistrations().then(all => all.length)") == 0


async def test_a_chain_that_rebinds_a_name_reaches_what_was_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    (name,) = [name for name, chain in CHAINS.items() if chain["expect"] == "block_at:connect"]
    (step,) = CHAINS[name]["steps"]
    host, answers = urlsplit(step["request"]).hostname, [one for (one,) in step["dns"]]
    asked: list[str] = []

    async def looked_up(given: str, port: int, **_more: object) -> list[Any]:
        asked.append(given)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answers[len(asked) - 1], port))]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", looked_up)
    proxy = Proxy(None, allow_private=False)
    way = Way(str(host), 443, (step["request"],))
    assert await proxy._judge(way, "CONNECT") == answers[0], "this very address is connected to"
    assert await proxy._judge(way, "CONNECT") is None
    assert asked == [host, host], "once for each connection"
