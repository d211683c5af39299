"""A press reaches the element that was meant, or nothing at all."""

import asyncio

import pytest

from drivers.browser import turn
from drivers.browser.driver import BrowserDriver
from drivers.errors import NotDone
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import ref, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

LOG = """<script>window.hits = [];
addEventListener('click', e => hits.push((e.target.id || e.target.tagName) + ':' + e.isTrusted))</script>"""


async def click(driver: BrowserDriver, target: str) -> None:
    await driver.click({"target": target, "tab_id": None})


async def test_a_click_is_trusted_and_reaches_its_target(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, LOG + "<div style='height:3000px'></div><button id=b>Buy</button>")
    await click(driver, await ref(driver, "Buy"))
    assert await value_of(driver, "hits") == ["b:true"]


async def test_a_covered_target_is_refused_and_nothing_is_pressed(driver: BrowserDriver, site: Site) -> None:
    cover = "<div id=c style='position:fixed;inset:0;opacity:0;z-index:9'></div>"
    await show(driver, site, LOG + "<button id=b>Buy</button>" + cover)
    with pytest.raises(NotDone, match="on top"):
        await click(driver, await ref(driver, "Buy"))
    assert await value_of(driver, "hits") == []


async def test_a_target_under_a_sticky_header_is_scrolled_free(driver: BrowserDriver, site: Site) -> None:
    header = "<div style='position:fixed;top:0;left:0;right:0;height:120px;background:#ccc;z-index:5'>Head</div>"
    await show(
        driver,
        site,
        LOG + header + "<div style='height:2000px'></div><button id=b>Buy</button><div style='height:2000px'>",
    )
    target = await ref(driver, "Buy")
    await value_of(driver, "document.getElementById('b').scrollIntoView({block:'start'})")
    await click(driver, target)
    assert await value_of(driver, "hits") == ["b:true"]


async def test_a_renamed_target_is_refused(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, LOG + "<button id=b>Delete draft</button>")
    target = await ref(driver, "Delete draft")
    await value_of(driver, "document.getElementById('b').textContent = 'Delete everything'")
    with pytest.raises(NotDone, match="changed since it was read"):
        await click(driver, target)
    assert await value_of(driver, "hits") == []


async def test_a_detached_target_and_one_of_an_older_page_are_refused(driver: BrowserDriver, site: Site) -> None:
    html = LOG + "<button id=b>Buy</button>"
    await show(driver, site, html)
    old = await ref(driver, "Buy")
    await show(driver, site, html)
    with pytest.raises(NotDone, match="stale"):
        await click(driver, old)
    target = await ref(driver, "Buy")
    await value_of(driver, "document.getElementById('b').outerHTML = '<button id=b>Buy</button>'")
    with pytest.raises(NotDone, match="stale"):
        await click(driver, target)
    assert await value_of(driver, "hits") == []


SWAP = """<button id=a style='position:absolute;left:100px;top:100px;width:80px'>Keep</button>
<button id=b style='position:absolute;left:300px;top:100px;width:80px'>Destroy</button>
<script>let left = LEFT; a.addEventListener('mousemove', () => {
  if (left-- > 0) [a.style.left, b.style.left] = [b.style.left, a.style.left] })</script>"""


@pytest.mark.parametrize(("swaps", "hits"), [("1", ["a:true"]), ("1e9", [])])
async def test_an_element_that_moves_in_between_is_never_hit_in_place_of_the_target(
    driver: BrowserDriver, site: Site, swaps: str, hits: list[str]
) -> None:
    # The page swaps the two buttons as soon as the pointer comes near: after the check, before the press.
    await show(driver, site, LOG + SWAP.replace("LEFT", swaps))
    target = await ref(driver, "Keep")
    if hits:
        await click(driver, target)
    else:
        with pytest.raises(NotDone, match="held back"):
            await click(driver, target)
    assert await value_of(driver, "hits") == hits


async def test_a_styled_checkbox_is_pressed_through_its_label(driver: BrowserDriver, site: Site) -> None:
    box = """<style>#c{position:absolute;opacity:0;width:0;height:0}</style>
    <input type=checkbox id=c><label for=c><i>★</i> I agree</label>"""
    await show(driver, site, box)
    await driver.set_checked({"target": await ref(driver, "★ I agree"), "checked": True, "tab_id": None})
    assert await value_of(driver, "document.getElementById('c').checked") is True


async def test_a_disabled_target_is_not_offered_and_one_disabled_later_is_refused(
    driver: BrowserDriver, site: Site
) -> None:
    await show(driver, site, LOG + "<button id=b>Buy</button><button disabled>Sell</button>")
    target = await ref(driver, "Buy")
    report = await driver.read_page({"tab_id": None, "filter": "all"})
    assert [element["label"] for element in report["elements"]] == ["Buy"]
    await value_of(driver, "document.getElementById('b').disabled = true")
    with pytest.raises(NotDone, match="disabled"):
        await click(driver, target)


async def test_frames_of_another_site_three_deep_are_read_and_pressed(driver: BrowserDriver, site: Site) -> None:
    site.page("/3", "<body style='margin:30px'><button onclick=\"this.textContent='Done'\">Deep</button>")
    site.page("/2", f"<iframe src='{site.url('/3', host='127.0.0.1')}' style='border:7px solid'></iframe>")
    site.page(
        "/1", f"<p>one</p><iframe src='{site.url('/2', host='localhost')}' style='width:500px;height:400px'></iframe>"
    )
    outer = f"<iframe src='{site.url('/1', host='localhost')}' style='width:600px;height:500px'></iframe>"
    await show(driver, site, "<div style='height:1500px'></div>" + outer)
    target = await ref(driver, "Deep")
    evidence = await driver.expect(target)
    assert evidence.frame_origin == f"http://127.0.0.1:{site.port}"
    await click(driver, target)
    assert "Done" in [e["label"] for e in (await driver.read_page({"tab_id": None, "filter": "all"}))["elements"]]


async def test_a_frame_that_something_covers_is_refused(driver: BrowserDriver, site: Site) -> None:
    site.page("/in", "<button>Pay</button>")
    cover = "<div style='position:fixed;inset:0;z-index:2'></div>"
    await show(driver, site, f"<iframe src='{site.url('/in', host='localhost')}'></iframe>{cover}")
    with pytest.raises(NotDone, match="on top of the element's frame"):
        await click(driver, await ref(driver, "Pay"))


async def test_a_link_that_brings_no_page_is_not_waited_for(
    driver: BrowserDriver, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn, "SETTLE_SECS", 3600.0)
    await show(driver, site, LOG + "<a id=m href='mailto:a@b.test'>Write</a>")
    async with asyncio.timeout(60):
        await click(driver, await ref(driver, "Write"))
    assert await value_of(driver, "hits") == ["m:true"]


async def test_the_wheel_tells_whether_anything_scrolled(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<div style='height:1400px'>tall</div>")
    first = await driver.scroll({"direction": "down", "amount": 400, "tab_id": None})
    assert first == "Scrolled."
    assert await value_of(driver, "scrollY") == 400
    await driver.scroll({"direction": "up", "amount": 4000, "tab_id": None})
    assert "Nothing scrolled" in await driver.scroll({"direction": "up", "amount": 10, "tab_id": None})
