"""The browser driver against the least that the same thing can cost in the same browser, in turn."""

import asyncio
import functools
import io
import json
import os
import time
from collections.abc import Awaitable, Callable
from typing import Any

from openai.lib.browser import AsyncBrowserToolset
from openai.types.responses import ResponseFunctionToolCall
from PIL import Image
from playwright.async_api import CDPSession, Page

from drivers.browser.driver import BrowserDriver
from drivers.browser.launch import LaunchOptions
from drivers.browser.screencast import Frame
from drivers.browser.session import BrowserSession
from tests.benchmarks.rows import Fact, Line, Row, hand_over, median

SIZES = (1_000, 9_000, 90_000)
TABS = 20
CAST_SECS = 3.0
TRIALS = 100

FILL = """n => { let h = ''; for (let i = 0; i < n / 9; i++)
  h += `<section><h3>Row ${i}</h3><p>Some <b>text</b> about it</p><a href="#${i}">link ${i}</a>`
  + `<label>f<input value="v${i}"></label><button>Buy ${i}</button><span>9.99</span></section>`;
  document.body.innerHTML = h; return document.getElementsByTagName('*').length }"""
WALK = """() => { const ROLE = {A: 'link', BUTTON: 'button', INPUT: 'textbox', SELECT: 'combobox', TEXTAREA: 'textbox'};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const elements = [], refs = (window.refs ||= new WeakMap()); let text = '', node;
  while ((node = walker.nextNode())) {
    if (node.nodeType === 3) { if (text.length < 60000) text += node.data + ' '; continue; }
    const role = node.getAttribute('role') || ROLE[node.tagName];
    if (!role || elements.length >= 2000) continue;
    let ref = refs.get(node); if (!ref) refs.set(node, ref = 'e' + (window.count = (window.count || 0) + 1));
    const found = {ref, role, label: (node.getAttribute('aria-label') || node.textContent || '').slice(0, 100)};
    if ('value' in node) found.value = node.value;
    if (!node.checkVisibility()) continue;
    const r = node.getBoundingClientRect(); found.box = [r.x | 0, r.y | 0, r.width | 0, r.height | 0];
    elements.push(found);
  }
  return JSON.stringify({text, elements}) }"""
CARDS = """<title>Cards</title><style>.card{display:inline-block;width:180px;height:110px;margin:8px;border-radius:9px;
box-shadow:0 3px 9px #0006;background:linear-gradient(#fff,#cde)}</style>""" + "".join(
    f"<div class=card><h3>Card {n}</h3><button onclick='document.title={n}'>Buy {n}</button></div>" for n in range(60)
)
ANIMATED = """<body style='margin:0'><div id=d style='width:100vw;height:100vh'></div>
<script>let n = 0; const step = () => {
n++; d.style.background = `hsl(${n % 360},70%,50%)`; requestAnimationFrame(step) }; step()</script>"""
BURST = """([frames, end]) => new Promise(done => { let left = frames; const step = () => {
  document.body.style.background = left ? `rgb(${left * 9 % 250},0,0)` : `rgb(${end},0,200)`;
  if (left-- > 0) requestAnimationFrame(step); else done() }; step() })"""


async def agree(context: Any, url: str | None = None) -> bool:
    """Consent that costs nothing."""
    return True


async def spent(work: Callable[[], Awaitable[Any]]) -> float:
    """Milliseconds that something takes."""
    began = time.perf_counter()
    await work()
    return (time.perf_counter() - began) * 1e3


async def in_turn(
    floor: Callable[[], Awaitable[Any]], product: Callable[[], Awaitable[Any]], count: int
) -> tuple[float, float]:
    """The medians of both, taken one after the other after one round that does not count."""
    pairs = [(await spent(floor), await spent(product)) for _ in range(count + 1)][1:]
    return median([a for a, _ in pairs]), median([b for _, b in pairs])


def page_of(driver: BrowserDriver) -> Page:
    """The active tab's page, for the bare way."""
    assert driver.tabs.active is not None
    return driver.tabs.active.page


async def reads(driver: BrowserDriver) -> list[Line]:
    """read_page against one walk in the page that returns a string, and against that walk in a world of its own."""
    lines: list[Line] = []
    facts: list[Line] = []
    page = page_of(driver)

    async def read() -> None:
        await driver.read_page({"tab_id": None, "filter": "all"})

    for size in SIZES:
        await page.set_content("<title>t</title><body></body>")
        elements = await page.evaluate(FILL, size)
        count = 63 if size < 50_000 else 27
        floor, product = await in_turn(lambda: page.evaluate(WALK), read, count)
        lines.append(Row(f"read_page, {elements:,} elements", floor, product, 1.5, count))
        assert driver.tabs.active is not None
        world = await driver.tabs.active.worlds.main()
        walk = functools.partial(world.evaluate, f"({WALK})()")
        own, product = await in_turn(walk, read, count)
        facts.append(
            Fact(f"read_page, {elements:,} elements: {product / own:.2f} times the same walk in its own world")
        )
    return lines + facts


async def pictures(driver: BrowserDriver) -> list[Line]:
    """screenshot against the browser library's own."""
    page = page_of(driver)
    await page.set_content(CARDS)
    floor, product = await in_turn(page.screenshot, lambda: driver.screenshot({"tab_id": None}), 25)
    return [Row("screenshot", floor, product, 1.15, 25)]


async def clicks(driver: BrowserDriver) -> list[Line]:
    """A click through the toolset with consent at once, against the library's click; two state reads come on top."""
    page = page_of(driver)
    await page.set_content(CARDS)
    report = await driver.read_page({"tab_id": None, "filter": "interactive"})
    target = next(e["ref"] for e in report["elements"] if e["label"] == "Buy 7")
    toolset = AsyncBrowserToolset(driver, members=driver.members, confirm=agree, url_policy=agree)
    call = ResponseFunctionToolCall(
        type="function_call", name="browser_click", call_id="c", status="completed",
        arguments=json.dumps({"target": target, "tab_id": None}),
    )  # fmt: skip

    async def pressed() -> None:
        output: Any = await toolset.execute(call)
        if not json.loads(output["output"][0]["text"])["ok"]:
            raise ValueError("the click was refused")

    bare = page.get_by_role("button", name="Buy 7", exact=True)
    floor, product = await in_turn(bare.click, pressed, 25)
    state = median([await spent(driver.state) for _ in range(25)])
    return [Row("click through the toolset", floor, product, 1.3, 25, allowance=2 * state)]


async def states(driver: BrowserDriver) -> list[Line]:
    """state() at twenty tabs against one question to one page."""
    while len(driver.tabs.all) < TABS:
        await driver.new_tab({"url": None})
    page = page_of(driver)
    floor, product = await in_turn(lambda: page.evaluate("1"), driver.state, 40)
    for tab in driver.tabs.all[1:]:
        await driver.close_tab({"tab_id": tab.id})
    return [Row(f"state at {TABS} tabs", floor, product, 3.0, 40)]


async def bare_rate(session: CDPSession) -> float:
    """Frames a second of the bare picture stream, acknowledged at once."""
    frames = 0
    tasks: set[asyncio.Task[Any]] = set()

    def arrived(event: dict[str, Any]) -> None:
        nonlocal frames
        frames += 1
        tasks.add(asyncio.ensure_future(session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})))

    session.on("Page.screencastFrame", arrived)
    await session.send("Page.startScreencast", {"format": "jpeg", "quality": 80})
    await asyncio.sleep(CAST_SECS)
    await session.send("Page.stopScreencast")
    await asyncio.gather(*tasks)
    session.remove_listener("Page.screencastFrame", arrived)
    return frames / CAST_SECS


async def live_rate(driver: BrowserDriver) -> float:
    """Frames a second of the driver's live picture."""
    frames: list[Frame] = []
    await driver.start_screencast(frames.append)
    await asyncio.sleep(CAST_SECS)
    await driver.stop_screencast()
    return len(frames) / CAST_SECS


async def live(driver: BrowserDriver) -> list[Line]:
    """The live picture against the bare stream, and whether it always ends on what the page shows."""
    page = page_of(driver)
    await page.set_content(ANIMATED)
    own = await page.context.new_cdp_session(page)
    rates = [(await bare_rate(own), await live_rate(driver)) for _ in range(3)]
    await own.detach()
    bare, ours = median([a for a, _ in rates]), median([b for _, b in rates])
    row = Row("live picture, time between frames", 1000 / bare, 1000 / ours, 1 / 0.9, 3)
    return [row, Fact(f"live picture: the last state was shown in {await last_states(driver)} of {TRIALS} trials")]


async def last_states(driver: BrowserDriver) -> int:
    """How often the newest frame came to show what the page shows after a burst of changes."""
    page = page_of(driver)
    await page.set_content("<body>")
    came = asyncio.Event()
    await driver.start_screencast(lambda _: came.set())
    right = 0
    for trial in range(TRIALS):
        end = trial * 37 % 250
        await page.evaluate(BURST, [2 + trial % 12, end])
        late = time.monotonic() + 2
        while not _shows(driver.newest_frame, end) and time.monotonic() < late:
            came.clear()
            try:
                await asyncio.wait_for(came.wait(), 0.5)
            except TimeoutError:
                continue
        right += _shows(driver.newest_frame, end)
    await driver.stop_screencast()
    return right


def _shows(frame: Frame | None, end: int) -> bool:
    if frame is None:
        return False
    seen = Image.open(io.BytesIO(frame.data)).convert("RGB").getpixel((300, 200))
    return isinstance(seen, tuple) and all(abs(a - b) < 14 for a, b in zip(seen, (end, 0, 200), strict=True))


async def _measured() -> list[Line]:
    async with await BrowserSession.open(LaunchOptions(sandbox=os.geteuid() != 0)) as session:
        lines: list[Line] = []
        for part in (reads, pictures, clicks, states, live):
            lines += await part(session.driver)
        return lines


def measure() -> list[Line]:
    """All rows, in one browser."""
    return asyncio.run(_measured())


if __name__ == "__main__":
    hand_over(measure)
