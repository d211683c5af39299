"""The exported page of a hostile run in a real browser: nothing of it runs, asks for anything, or leads away."""

import threading
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, async_playwright

from drivers.browser.launch import find_browser
from tests.unit.app.export.test_page import hostile_page

LONGEST_WAIT_MS = 90_000


class Beacon:
    """A server on loopback that every hostile text names; it keeps what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        beacon = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                beacon.asked.append(self.path)
                self.send_response(204)
                self.end_headers()

            do_POST = do_HEAD = do_OPTIONS = do_GET

            def log_message(self, *args: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, name="beacon")
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        """Listen no more."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def beacon() -> Iterator[Beacon]:
    opened = Beacon()
    yield opened
    opened.close()


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    found = find_browser()
    if found is None:
        pytest.skip("needs a browser")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=found.path)
        opened = await browser.new_page()
        opened.set_default_timeout(LONGEST_WAIT_MS)
        yield opened
        await browser.close()


def attacks(url: str) -> list[str]:
    """Markup that asks for something, runs something or leads elsewhere, with ways out of where it may stand."""
    return [
        f"<img src={url}/img onerror=ran()>",
        f"<script>window.ran=1;fetch('{url}/script')</script>",
        f"<svg onload=ran()><image href='{url}/svg'/><use href='{url}/use#a'/></svg>",
        f"<link rel=stylesheet href={url}/link><link rel=prefetch href={url}/prefetch>",
        f"<style>@import '{url}/import';*{{background:url({url}/css)}}</style>",
        f"<meta http-equiv=refresh content='0;url={url}/refresh'><base href={url}/base/>",
        f"<iframe src={url}/frame srcdoc='<script>top.ran=1</script>'></iframe>",
        f"<object data={url}/object></object><embed src={url}/embed>",
        f"<video src={url}/video poster={url}/poster autoplay></video><audio src={url}/audio autoplay></audio>",
        f"<form action={url}/form><button autofocus>a</button></form><a href={url}/link ping={url}/ping>b</a>",
        f"]]><script src={url}/cdata></script><![CDATA[",
        f"--><script src={url}/comment></script><!--",
        f"</style></title></textarea></pre></script><script src={url}/ends></script>",
        f"\" onmouseover=ran() style='background:url({url}/attribute)' x=\"",
        f"' autofocus onfocus=ran() style=background:url({url}/attribute2) '",
        f"url({url}/bare) //127.0.0.1/{url} &lt;img src={url}/twice&gt; \ud800 \u202e\u2066 \x00 \x1b]8;;{url}\x07",
    ]


async def seen_of(page: Page, file: Path) -> tuple[list[str], list[str]]:
    """What the browser asks for when the page is opened and looked at all over, and what it complains of."""
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("dialog", lambda dialog: said.append("a dialog"))
    await page.goto(file.as_uri())
    await page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    await page.mouse.move(200, 200)
    await page.screenshot(full_page=True)
    await page.wait_for_load_state("networkidle")
    return [url for url in asked if not url.startswith("data:image/")], said


async def test_nothing_of_a_hostile_run_runs_or_asks(page: Page, beacon: Beacon, tmp_path: Path) -> None:
    text = "\n".join(attacks(beacon.url))
    hostile_page(tmp_path, text)
    file = tmp_path / "out.html"
    asked, said = await seen_of(page, file)
    assert (asked, said, beacon.asked) == ([file.as_uri()], [], [])
    assert await page.evaluate("window.ran === undefined && document.scripts.length === 0")
    shown = await page.evaluate("document.body.innerText")
    assert f"<script>window.ran=1;fetch('{beacon.url}/script')</script>" in shown
    # Nothing on it leads away from it.
    assert await page.evaluate("[...document.links].every(one => one.getAttribute('href').startsWith('#'))")
    assert (
        await page.evaluate("document.querySelectorAll('form, iframe, object, embed, input, video, audio').length") == 0
    )


async def test_the_policy_holds_even_if_a_text_got_out(page: Page, beacon: Beacon, tmp_path: Path) -> None:
    text = "\n".join(attacks(beacon.url)).encode("utf-8", "replace").decode()
    whole = hostile_page(tmp_path, "a page")
    file = tmp_path / "broken.html"
    file.write_text(whole.replace("<main>", f"<main>{text}", 1), encoding="utf-8")
    _, said = await seen_of(page, file)
    assert any("Content Security Policy" in words for words in said)
    # Going elsewhere by itself is the one thing that no policy of a page forbids.
    assert set(beacon.asked) <= {"/refresh"}
    assert await page.evaluate("window.ran === undefined")


async def test_this_test_sees_what_a_page_without_a_policy_does(page: Page, beacon: Beacon, tmp_path: Path) -> None:
    file = tmp_path / "bare.html"
    calm = [text for text in attacks(beacon.url) if "refresh" not in text]
    text = "\n".join(calm).encode("utf-8", "replace").decode()
    file.write_text(f"<!DOCTYPE html><meta charset=utf-8><body>{text}", encoding="utf-8")
    await seen_of(page, file)
    assert {"/img", "/link", "/import"} <= set(beacon.asked)
