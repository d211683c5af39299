"""Pictures are in CSS pixels for the model at every device scale, and the live picture ends on what the page shows."""

import asyncio
import base64
import io
import os

import pytest
from PIL import Image

from drivers.browser.driver import BrowserDriver
from drivers.browser.launch import LaunchOptions
from drivers.browser.screencast import Frame
from drivers.browser.session import BrowserSession
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


def opened(data: bytes | str) -> Image.Image:
    raw = base64.b64decode(data.split(",")[1]) if isinstance(data, str) else data
    return Image.open(io.BytesIO(raw)).convert("RGB")


@pytest.mark.parametrize("scale", [1, 1.25, 1.5, 2, 3])
async def test_a_point_of_the_screenshot_is_a_point_to_click_at_every_scale(site: Site, scale: float) -> None:
    options = LaunchOptions(sandbox=os.geteuid() != 0, device_scale=scale, viewport=(600, 400))
    async with await BrowserSession.open(options) as session:
        driver = session.driver
        html = """<body style='margin:0;height:3000px'><div style='position:absolute;left:400px;top:700px;width:20px;
        height:20px;background:#f00' onclick='document.title="hit"'></div><script>scrollTo(0, 500)</script>"""
        await show(driver, site, html)
        image = opened((await driver.screenshot({"tab_id": None}))["image_url"] or "")
        assert image.size == (600, 400)
        assert image.getpixel((410, 210)) == (255, 0, 0)
        await driver.click_at({"tab_id": None, "x": 410, "y": 210, "button": "left", "click_count": 1, "keys": []})
        assert await value_of(driver, "document.title") == "hit"
        full = await driver.picture()
        assert (full.width, full.height, full.css_width, full.css_height) == (600 * scale, 400 * scale, 600, 400)
        zoomed = opened((await driver.zoom({"tab_id": None, "region": [400, 200, 420, 220]}))["image_url"] or "")
        assert zoomed.getpixel((zoomed.width // 2, zoomed.height // 2)) == (255, 0, 0)


class Show:
    """Collects frames and waits for one that satisfies."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.more = asyncio.Event()

    def __call__(self, frame: Frame) -> None:
        self.frames.append(frame)
        self.more.set()

    async def until_colour(self, colour: tuple[int, int, int]) -> Frame:
        async with asyncio.timeout(60):
            while True:
                if self.frames:
                    seen = opened(self.frames[-1].data).getpixel((300, 200))
                    assert isinstance(seen, tuple)
                    if all(abs(a - b) < 12 for a, b in zip(seen, colour, strict=True)):
                        return self.frames[-1]
                self.more.clear()
                await self.more.wait()


async def test_the_live_picture_ends_on_the_last_state_of_the_page(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<body style='background:#000'>")
    live = Show()
    await driver.start_screencast(live)
    for level in range(0, 250, 10):
        await value_of(driver, f"document.body.style.background = 'rgb({level},0,0)'")
    frame = await live.until_colour((240, 0, 0))
    assert driver.newest_frame is frame
    assert (frame.width, frame.css_width, frame.tab_id) == (1280, 1280, driver.tabs.all[-1].id)


BURST = """([frames, end]) => new Promise(done => { let left = frames; const step = () => {
  document.body.style.background = left ? `rgb(${left * 9 % 250},0,0)` : `rgb(${end},0,200)`;
  if (left-- > 0) requestAnimationFrame(step); else done() }; step() })"""


async def test_every_burst_ends_on_what_the_page_shows(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<body>")
    live = Show()
    await driver.start_screencast(live)
    assert driver.tabs.active is not None
    for number in range(25):
        end = number * 37 % 250
        await driver.tabs.active.page.evaluate(BURST, [2 + number % 12, end])
        await live.until_colour((end, 0, 200))


async def test_the_live_picture_follows_the_active_tab(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<body style='background:#00f'>")
    live = Show()
    await driver.start_screencast(live)
    await live.until_colour((0, 0, 255))
    await driver.new_tab({"url": site.page("/green", "<body style='background:#0f0'>")})
    second = await live.until_colour((0, 255, 0))
    await driver.switch_tab({"tab_id": driver.tabs.all[0].id})
    first = await live.until_colour((0, 0, 255))
    assert first.tab_id != second.tab_id


NOTHING_NEW = """() => new Promise(done => { let left = 60; const step = () => {
  document.body.style.color = 'rgb(1,2,3)'; document.body.style.color = ''; document.title = 't' + left;
  if (left-- > 0) requestAnimationFrame(step); else done() }; requestAnimationFrame(step) })"""
"""Sixty turns of the screen's clock, in each of which a page does something and nothing of it can be seen."""


async def test_nothing_is_spent_on_a_still_page(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<body style='background:#00f'><p>Still</p>")
    assert driver.tabs.active is not None
    page, session = driver.tabs.active.page, await driver.tabs.active.session()
    sent: list[object] = []
    session.on("Page.screencastFrame", lambda event: sent.append(event))
    live = Show()
    await driver.start_screencast(live)
    await page.evaluate(BURST, [12, 200])
    await live.until_colour((200, 0, 200))
    for _ in range(100):  # the last picture of a burst is taken once more, and then the page has come to rest
        before = (len(sent), len(live.frames))
        await page.evaluate(NOTHING_NEW)
        if before == (len(sent), len(live.frames)):
            break
    else:
        pytest.fail("a still page never came to rest")
    for number in range(3):
        await page.evaluate(NOTHING_NEW)
        await driver.hover_at({"x": 500 + number, "y": 600, "tab_id": None})
        await driver.state()
    assert before == (len(sent), len(live.frames))
    # It is not that nothing is seen any more.
    await value_of(driver, "document.body.style.background = '#0f0'")
    await live.until_colour((0, 255, 0))
