"""What lies over the target, and points at every device scale."""

import base64
import io
import os

import pytest
from PIL import Image

from drivers.browser.launch import LaunchOptions
from drivers.browser.session import BrowserSession
from tests.conformance.pages.conftest import Stand

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_target_under_a_sticky_header(stand: Stand) -> None:
    await stand.show("""<body style='margin:0'><header style='position:sticky;top:0;height:90px;background:#ccc'
    onclick="o.textContent = 'header'">Menu</header><div style='height:1500px'></div>
    <button onclick="o.textContent = 'target'">Order</button><p id=o></p><div style='height:1500px'></div>
    <script>addEventListener('load', () => scrollTo(0, document.querySelector('button').offsetTop))</script>""")
    assert (await stand.press("Order"))["ok"] is True
    await stand.says("target")


async def test_a_transparent_overlay_over_the_target(stand: Stand) -> None:
    await stand.show("""<button onclick="o.textContent = 'target'">Order</button><p id=o>nothing</p>
    <div id=veil style='position:fixed;inset:0;opacity:0;z-index:9' onclick="o.textContent = 'veil'"></div>""")
    refused = await stand.call("click", target=(await stand.refs())["Order"], tab_id=None)
    assert refused["ok"] is False
    assert "on top" in refused["error"]
    await stand.says("nothing")


async def test_an_overlay_that_lets_presses_through_is_no_obstacle(stand: Stand) -> None:
    await stand.show("""<button onclick="o.textContent = 'target'">Order</button><p id=o></p>
    <div style='position:fixed;inset:0;pointer-events:none;z-index:9'></div>""")
    assert (await stand.press("Order"))["ok"] is True
    await stand.says("target")


@pytest.mark.parametrize("scale", [1, 1.25, 1.5, 2, 3])
async def test_points_of_the_picture_are_points_to_press_at_each_device_scale(stand: Stand, scale: float) -> None:
    options = LaunchOptions(sandbox=os.geteuid() != 0, device_scale=scale, viewport=(640, 480))
    async with await BrowserSession.open(options) as session:
        bench = Stand(session.driver, stand.site)
        await bench.show("""<body style='margin:0;height:2000px'><div style='position:absolute;left:423px;top:717px;
        width:9px;height:9px;background:#f00'></div><p id=o style='position:fixed;top:0'></p><script>scrollTo(0, 500);
        addEventListener('click', (e) => o.textContent = 'at ' + e.clientX + '/' + e.clientY)</script>""")
        told = await bench.call("screenshot", tab_id=None)
        image = Image.open(io.BytesIO(base64.b64decode(told["image"].partition(",")[2]))).convert("RGB")
        assert image.size == (640, 480)
        red = [(x, y) for x in range(640) for y in range(480) if image.getpixel((x, y)) == (255, 0, 0)]
        middle = (sum(x for x, _ in red) // len(red), sum(y for _, y in red) // len(red))
        assert middle == (427, 221)
        x, y = middle
        await bench.done("click_at", tab_id=None, x=x, y=y, button="left", click_count=1, keys=[])
        await bench.says("at 427/221")
        told = await bench.call("zoom", tab_id=None, region=[423, 217, 432, 226])
        zoomed = Image.open(io.BytesIO(base64.b64decode(told["image"].partition(",")[2]))).convert("RGB")
        assert zoomed.getpixel((zoomed.width // 2, zoomed.height // 2)) == (255, 0, 0)
