"""Going somewhere neither hangs nor lies about what was reached."""

import asyncio

import pytest
from openai.lib.browser import BrowserCancelledError

from drivers.browser.driver import BrowserDriver
from drivers.errors import BrowserError, NotDone
from tests.helpers.site.server import Answer, Site
from tests.unit.drivers.reading import ref, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def go(driver: BrowserDriver, url: str) -> str:
    return await driver.navigate({"url": url, "tab_id": None})


async def test_it_says_where_it_arrived(driver: BrowserDriver, site: Site) -> None:
    there = f"http://127.0.0.1:{site.port}"
    site.routes["/away"] = Answer(status=302, headers={"Location": site.url("/here", host="localhost")})
    site.page("/here", "x")
    assert await go(driver, site.url("/here")) == f"Opened {there}."
    assert "answered 404" in await go(driver, site.url("/none"))
    assert "another origin" in await go(driver, site.url("/away"))


async def test_history_and_reload(driver: BrowserDriver, site: Site) -> None:
    await go(driver, site.page("/a", "<title>A</title>"))
    await go(driver, site.page("/b", "<title>B</title>"))
    await go(driver, "back")
    assert await value_of(driver, "document.title") == "A"
    await go(driver, "forward")
    assert await value_of(driver, "document.title") == "B"
    await go(driver, "reload")
    assert site.asked("/b") == 2
    with pytest.raises(NotDone, match="nothing to go forward"):
        await go(driver, "forward")


async def test_a_failed_load_leaves_a_state_that_the_sdk_takes(driver: BrowserDriver, site: Site) -> None:
    with pytest.raises(BrowserError, match="ERR_CONNECTION_REFUSED") as raised:
        await go(driver, "http://127.0.0.1:2/")
    assert not isinstance(raised.value, NotDone)
    tab = (await driver.state())["tabs"][0]
    assert (tab["url"], tab["title"]) == ("about:blank", "")


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "", "example", "chrome://version"]
)
async def test_other_schemes_are_refused_before_anything_happens(driver: BrowserDriver, site: Site, url: str) -> None:
    since = driver.journal.sequence
    with pytest.raises(NotDone):
        await go(driver, url)
    assert driver.journal.observation()["changes"][-1]["reason"] == "unsupported"
    assert driver.journal.sequence == since + 1


async def test_a_page_that_wants_to_stay_is_kept_and_it_is_said(driver: BrowserDriver, site: Site) -> None:
    url = await show(
        driver, site, "<input id=i><script>addEventListener('beforeunload', e => e.preventDefault())</script>"
    )
    await value_of(driver, "document.getElementById('i').focus()")
    await driver.type({"target": None, "text": "x", "tab_id": None})
    for where in (site.page("/other", "x"), "reload", "back"):
        with pytest.raises(BrowserError, match="asked to stay"):
            await go(driver, where)
    assert driver.tabs.active is not None
    assert driver.tabs.active.page.url == url


async def test_a_stop_ends_the_wait_for_a_slow_server(driver: BrowserDriver, site: Site) -> None:
    hold = asyncio.Event()
    url = site.page("/slow", "x", hold=hold)
    stopped = False
    task = asyncio.ensure_future(driver.navigate({"url": url, "tab_id": None}, cancelled=lambda: stopped))
    await site.until_asked("/slow")
    stopped = True
    with pytest.raises(BrowserCancelledError):
        await task
    hold.set()


async def test_waiting_for_text_that_comes_and_that_never_comes(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<p id=p></p><script>setTimeout(() => p.innerHTML = 'Booking <b>saved</b>', 150)</script>")
    await driver.wait_for({"text": "booking  saved", "timeout_ms": 60_000, "tab_id": None})
    with pytest.raises(NotDone, match="did not appear within 120 ms"):
        await driver.wait_for({"text": "never", "timeout_ms": 120, "tab_id": None})


async def test_a_stop_ends_the_wait_for_text_in_the_middle_of_a_read(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<p>x")
    stops, hour = iter([False] * 3), 3_600_000
    async with driver.reader._one, asyncio.timeout(60):  # a read that takes for ever, as on a page that is busy
        with pytest.raises(BrowserCancelledError):
            await driver.wait_for(
                {"text": "never", "timeout_ms": hour, "tab_id": None}, cancelled=lambda: next(stops, True)
            )


async def test_a_page_that_never_comes_is_given_up_in_words(
    driver: BrowserDriver, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.browser.leaving.LOAD_SECS", 3600.0)
    hold = asyncio.Event()
    site.page("/mute", "never", hold=hold)
    await show(driver, site, "<a href=/mute>Go</a><p>Here")
    tab = driver.tabs.get(None)
    await driver.click({"target": await ref(driver, "Go"), "tab_id": None})
    await site.until_asked("/mute")
    with pytest.raises(BrowserError, match="on its way and has not come"):
        await driver.run_script({"tab_id": None, "source": "document.title = 'ran'", "timeout_ms": 1000})
    assert driver.tabs.all == [tab]
    monkeypatch.setattr("drivers.browser.leaving.LOAD_SECS", 0.0)
    with pytest.raises(BrowserError, match="loading was given up") as raised:
        await driver.wait_for({"text": "Here", "timeout_ms": 60_000, "tab_id": None})
    assert not isinstance(raised.value, NotDone)
    assert "Here" in (await driver.read_page({"tab_id": None, "filter": "all"}))["text"]
    assert await value_of(driver, "document.title") == "", "what was refused did not run later"
    hold.set()


async def test_there_and_back_between_sites_is_another_document_each_time(driver: BrowserDriver, site: Site) -> None:
    """Each renderer process counts its contexts from the start, so that their numbers come again."""
    here = site.page("/here", "<button>Keep</button>")
    site.page("/there", "<button onclick=\"document.title='pressed'\">Delete</button>")
    there = site.url("/there", host="localhost")
    refs: list[str] = []
    for url, label in ((here, "Keep"), (there, "Delete"), (here, "Keep"), (there, "Delete"), (here, "Keep")):
        await go(driver, url)
        report = await driver.read_page({"filter": "all", "tab_id": None})
        assert isinstance(report, dict)
        assert [element["label"] for element in report["elements"]] == [label]
        for stale in refs:
            with pytest.raises(NotDone):
                await driver.click({"target": stale, "tab_id": None})
        refs.append(report["elements"][0]["ref"])
    assert len(set(refs)) == len(refs)
    assert await value_of(driver, "document.title") != "pressed"
