"""Pages that crash, hang, move, rebuild themselves or are no pages at all: a clear word, and the session goes on."""

import asyncio

import pytest
from openai.lib.browser import ScrollInput

from drivers.browser.driver import BrowserDriver
from drivers.browser.tabs import Tab
from drivers.errors import BrowserError, NotDone
from tests.helpers.site.server import Answer, Site
from tests.unit.drivers.reading import ref, refs, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def crash(tab: Tab) -> None:
    """End the page's process as a fault in it would."""
    crashed = asyncio.Event()
    tab.page.on("crash", lambda page: crashed.set())
    session = await tab.session()
    dying = asyncio.ensure_future(session.send("Page.crash"))
    try:
        async with asyncio.timeout(60):
            await crashed.wait()
    finally:
        dying.cancel()
        await asyncio.gather(dying, return_exceptions=True)


async def test_a_crashed_page_says_so_and_the_session_goes_on(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<button>Buy</button>")
    target, tab = await ref(driver, "Buy"), driver.tabs.get(None)
    await crash(tab)
    with pytest.raises(NotDone, match="crashed"):
        await driver.read_page({"tab_id": None, "filter": "all"})
    with pytest.raises(NotDone, match="stale"):
        await driver.click({"target": target, "tab_id": None})
    with pytest.raises(NotDone, match="crashed"):
        await driver.click_at({"tab_id": None, "x": 5, "y": 5, "button": "left", "click_count": 1, "keys": []})
    assert len((await driver.state())["tabs"]) == 1
    await driver.new_tab({"url": site.page("/next", "<title>Next</title>")})
    await driver.close_tab({"tab_id": tab.id})
    assert [t["title"] for t in (await driver.state())["tabs"]] == ["Next"]


@pytest.mark.parametrize("word", ["reload", "address"])
async def test_a_crashed_tab_is_left_by_opening_an_address(driver: BrowserDriver, site: Site, word: str) -> None:
    url = await show(driver, site, "<button onclick=\"document.title='pressed'\">Buy</button>")
    tab = driver.tabs.get(None)
    await crash(tab)
    with pytest.raises(NotDone, match="Open an address"):
        await driver.navigate({"url": "back", "tab_id": None})
    with pytest.raises(NotDone, match="Only http"):
        await driver.navigate({"url": "file:///etc/hosts", "tab_id": None})
    assert driver.tabs.all == [tab]
    other = await driver.tabs.open()
    await driver.switch_tab({"tab_id": tab.id})
    told = await driver.navigate({"url": url if word == "address" else word, "tab_id": tab.id})
    now = driver.tabs.get(None)
    assert f"It is tab {now.id} now. Opened http://" in told
    assert driver.tabs.all == [other, now]
    await driver.click({"target": await ref(driver, "Buy"), "tab_id": None})
    assert await value_of(driver, "document.title") == "pressed"


PDF = b"""%PDF-1.1
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj
trailer<</Root 1 0 R>>
%%EOF"""


async def test_a_pdf_neither_hangs_nor_pretends_to_be_read(driver: BrowserDriver, site: Site) -> None:
    site.routes["/a.pdf"] = Answer(PDF, headers={"Content-Type": "application/pdf"})
    told = ""
    try:
        await driver.navigate({"url": site.url("/a.pdf"), "tab_id": None})
        told = str((await driver.read_page({"tab_id": None, "filter": "all"}))["omitted"])
    except BrowserError as refused:  # a browser without a viewer takes it for a download
        told = str(refused)
    assert "unsupported_root" in told or "download" in told


async def test_a_list_that_rebuilds_itself_never_gives_the_wrong_row(driver: BrowserDriver, site: Site) -> None:
    html = """<ul id=u></ul><script>window.hits = []; let flip = false;
    const draw = () => { flip = !flip; u.innerHTML = (flip ? ['Keep', 'Drop'] : ['Drop', 'Keep'])
      .map(n => `<li><button onclick="hits.push('${n}')">${n}</button>`).join('') };
    draw(); setInterval(draw, 30)</script>"""
    await show(driver, site, html)
    for _ in range(12):
        try:
            await driver.click({"target": await ref(driver, "Keep"), "tab_id": None})
        except NotDone:
            continue
    assert set(await value_of(driver, "hits") or []) <= {"Keep"}  # type: ignore[call-overload]


async def test_a_read_only_date_is_picked_from_its_grid(driver: BrowserDriver, site: Site) -> None:
    html = """<input readonly aria-label=Date id=d><table role=grid id=g></table><script>
    for (let day = 1; day < 29; day++) { if (day % 7 == 1) g.insertRow(); const td = [...g.rows].at(-1).insertCell();
      td.textContent = day; td.addEventListener('click', () => d.value = '2027-02-' + day) }</script>"""
    await show(driver, site, html)
    await driver.click({"target": await ref(driver, "17"), "tab_id": None})
    assert await value_of(driver, "d.value") == "2027-02-17"


async def test_a_virtual_list_is_read_as_far_as_it_is_drawn(driver: BrowserDriver, site: Site) -> None:
    html = """<div id=v style='height:300px;overflow:auto'>
    <div style='height:300000px;position:relative' id=h></div></div><script>
    const draw = () => { const first = Math.floor(v.scrollTop / 30); h.innerHTML = '';
      for (let i = first; i < first + 10; i++) h.insertAdjacentHTML('beforeend',
        `<button style="position:absolute;top:${i * 30}px">Row ${i}</button>`) };
    v.onscroll = draw; draw()</script>"""
    await show(driver, site, html)
    assert list(await refs(driver))[:2] == ["Row 0", "Row 1"]
    await driver.click_at({"tab_id": None, "x": 50, "y": 200, "button": "left", "click_count": 1, "keys": []})
    await value_of(driver, "v.scrollTop = 3000")
    await driver.wait_for({"text": "Row 100", "timeout_ms": 60_000, "tab_id": None})
    assert "Row 100" in await refs(driver)


async def test_documents_written_anew_make_old_refs_stale(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<button>Buy</button>")
    target = await ref(driver, "Buy")
    await value_of(driver, "document.open(), document.write('<button>Buy</button>'), document.close()")
    with pytest.raises(NotDone, match="stale"):
        await driver.click({"target": target, "tab_id": None})


async def test_a_page_of_pushed_states_keeps_its_refs(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<button onclick=\"history.pushState(0, '', '/other')\">Go</button>")
    target = await ref(driver, "Go")
    since = driver.journal.sequence
    for _ in range(3):
        await driver.click({"target": target, "tab_id": None})
    assert driver.journal.sequence == since + 3
    assert (await driver.page_facts()).url == site.url("/other")


async def test_thousands_of_changes_stay_exact(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<p>x")
    since = driver.journal.sequence
    await value_of(driver, "(() => { for (let i = 0; i < 150; i++) history.pushState(0, '', '/' + i) })()")
    await driver.get_page_text({"tab_id": None})
    observed = (await driver.state())["observation"]
    assert observed["sequence"] >= since + 100
    assert observed["sequence"] == observed["dropped_changes"] + len(observed["changes"])


async def test_a_frame_that_goes_away_makes_its_refs_stale(driver: BrowserDriver, site: Site) -> None:
    site.page("/in", "<button>Inner</button>")
    for host in ("127.0.0.1", "localhost"):
        await show(driver, site, f"<iframe id=f src='{site.url('/in', host=host)}'></iframe>")
        target = await ref(driver, "Inner")
        await value_of(driver, "document.getElementById('f').remove()")
        with pytest.raises(NotDone, match="stale"):
            await driver.click({"target": target, "tab_id": None})


async def test_scrolling_is_seen_in_a_document_that_was_written_anew(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<body style='height: 9000px'>")
    down: ScrollInput = {"direction": "down", "amount": 100, "tab_id": None}
    assert await driver.scroll(down) == "Scrolled."
    await value_of(driver, "document.open(), document.write('<body style=\"height: 9000px\">'), document.close()")
    assert await driver.scroll(down) == "Scrolled."
