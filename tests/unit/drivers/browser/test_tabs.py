"""Tabs, popups, dialogs and downloads, and what the journal tells of them."""

import asyncio
import contextlib
from typing import Any

import pytest

from drivers.browser.driver import BrowserDriver
from drivers.browser.observation import PageChange
from drivers.errors import BrowserError, NotDone
from tests.helpers.site.server import Answer, Site
from tests.unit.drivers.reading import ref, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Watch:
    """Waits for a change of the journal instead of for time."""

    def __init__(self, driver: BrowserDriver) -> None:
        self.seen: list[PageChange] = []
        self.more = asyncio.Event()
        driver.on_change = self._saw

    def _saw(self, change: PageChange) -> None:
        self.seen.append(change)
        self.more.set()

    async def until(self, kind: str) -> PageChange:
        async with asyncio.timeout(60):
            while True:
                for change in self.seen:
                    if change.kind == kind:
                        return change
                self.more.clear()
                await self.more.wait()


async def kinds(driver: BrowserDriver, since: int) -> list[str]:
    observation: Any = (await driver.state())["observation"]
    return [change["type"] for change in observation["changes"] if change["sequence"] > since]


@pytest.mark.parametrize("url", ["file:///etc/hosts", "javascript:1", "back"])
async def test_no_tab_is_opened_for_what_cannot_be_led_to(driver: BrowserDriver, url: str) -> None:
    before = list(driver.tabs.all)
    with pytest.raises(NotDone, match="Only http"):
        await driver.new_tab({"url": url})
    assert driver.tabs.all == before


async def test_tabs_open_switch_and_close(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<title>One</title>")
    since = driver.journal.sequence
    url = site.page("/two", "<title>Two</title>")
    await driver.new_tab({"url": url})
    state = await driver.state()
    assert [(t["title"], t["active"], t["url"]) for t in state["tabs"]] == [
        ("One", False, f"http://127.0.0.1:{site.port}"),
        ("Two", True, f"http://127.0.0.1:{site.port}"),
    ]
    await driver.switch_tab({"tab_id": state["tabs"][0]["id"]})
    await driver.close_tab({"tab_id": state["tabs"][0]["id"]})
    assert [t["active"] for t in (await driver.state())["tabs"]] == [True]
    assert await kinds(driver, since) == [
        "tab_opened", "tab_switched", "navigation", "tab_switched", "tab_closed", "tab_switched",
    ]  # fmt: skip


async def test_a_popup_is_listed_and_stays_in_the_background(driver: BrowserDriver, site: Site) -> None:
    site.page("/popup", "<title>Popup</title>")
    await show(
        driver, site, "<a target=_blank href=/popup>Open</a><script>setTimeout(() => open('/popup'), 50)</script>"
    )
    watch, active = Watch(driver), driver.tabs.active
    await driver.click({"target": await ref(driver, "Open"), "tab_id": None})
    await watch.until("tab_opened")
    assert driver.tabs.active is active


async def test_a_page_that_opens_tabs_without_end_is_held_to_a_number(driver: BrowserDriver, site: Site) -> None:
    closed = Watch(driver)
    await show(driver, site, "<script>for (let i = 0; i < 60; i++) open('about:blank')</script>")
    async with asyncio.timeout(60):
        while sum(change.kind == "tab_closed" for change in closed.seen) < 11:
            closed.more.clear()
            await closed.more.wait()
    assert len((await driver.state())["tabs"]) == 50
    with pytest.raises(NotDone, match="Close one first"):
        await driver.new_tab({"url": None})
    for tab in driver.tabs.all[1:]:
        await driver.tabs.close(tab)


async def test_unknown_tabs_and_refs_of_other_tabs_are_refused(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<button>Buy</button>")
    target = await ref(driver, "Buy")
    with pytest.raises(NotDone, match="no tab"):
        await driver.click({"target": target, "tab_id": "t999"})
    await driver.new_tab({"url": None})
    with pytest.raises(NotDone, match="another tab"):
        await driver.click({"target": target, "tab_id": None})


async def test_no_tab_is_a_valid_state(driver: BrowserDriver, site: Site) -> None:
    assert driver.tabs.active is not None
    await driver.close_tab({"tab_id": driver.tabs.active.id})
    assert (await driver.state())["tabs"] == []
    with pytest.raises(NotDone, match="no open tab"):
        await driver.read_page({"tab_id": None, "filter": "all"})


@pytest.mark.parametrize(
    ("script", "kind"), [("alert('Hi')", "alert"), ("confirm('Hi')", "confirm"), ("prompt('Hi')", "prompt")]
)
async def test_dialogs_are_dismissed_and_told(driver: BrowserDriver, site: Site, script: str, kind: str) -> None:
    await show(driver, site, f'<button id=b onclick="this.dataset.got = String({script})">Ask</button>')
    watch, since = Watch(driver), driver.journal.sequence
    await driver.click({"target": await ref(driver, "Ask"), "tab_id": None})
    change = await watch.until("dialog_dismissed")
    assert (change.detail, change.text) == (kind, "Hi")
    assert await value_of(driver, "document.getElementById('b').dataset.got") in ("undefined", "false", "null")
    listed: Any = (await driver.state())["observation"]
    assert [c for c in listed["changes"] if c["sequence"] > since] == [
        {"type": "dialog_dismissed", "sequence": since + 1, "tab_id": change.tab_id, "kind": kind}
    ]


async def test_an_alert_while_loading_does_not_hang(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<script>alert('early')</script><p>after</p>")
    assert "after" in (await driver.get_page_text({"tab_id": None}))["text"]


async def test_a_page_that_only_asks_is_closed(driver: BrowserDriver, site: Site) -> None:
    await driver.new_tab({"url": None})
    watch = Watch(driver)
    site.page("/asks", "<script>for (let i = 0; i < 1e6; i++) alert(i)</script>")
    with contextlib.suppress(BrowserError):
        await driver.navigate({"url": site.url("/asks"), "tab_id": None})
    assert (await watch.until("tab_closed")).tab_id is not None
    assert sum(change.kind == "dialog_dismissed" for change in watch.seen) < 1000


async def test_a_download_is_blocked_and_told(driver: BrowserDriver, site: Site) -> None:
    site.routes["/file"] = Answer("x" * 100, headers={"Content-Disposition": "attachment; filename=../../.bashrc"})
    await show(driver, site, "<a href=/file>Get</a>")
    watch = Watch(driver)
    await driver.click({"target": await ref(driver, "Get"), "tab_id": None})
    assert (await watch.until("download")).detail == "blocked"


async def test_a_click_that_leads_elsewhere_returns_when_the_new_page_can_be_read(
    driver: BrowserDriver, site: Site
) -> None:
    site.page("/next", "<h1>Next</h1>")
    await show(driver, site, "<a href=/next>Go</a>")
    await driver.click({"target": await ref(driver, "Go"), "tab_id": None})
    assert (await driver.get_page_text({"tab_id": None}))["text"] == "# Next"


async def test_a_title_never_tells_the_path_of_an_untitled_page(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<p>none", path="/secret/path?token=1")
    tab = (await driver.state())["tabs"][0]
    assert (tab["title"], tab["url"]) == ("", f"http://127.0.0.1:{site.port}")


async def test_input_goes_on_in_the_active_tab_while_popups_come_up(driver: BrowserDriver, site: Site) -> None:
    html = """<button id=b>Go</button><script>let n = 0;
    b.onclick = () => { open('/popup'); b.textContent = 'Pressed ' + ++n }</script>"""
    site.page("/popup", "<body style='background:#f00'>popup")
    await show(driver, site, html)
    for number in range(1, 5):
        label = "Go" if number == 1 else f"Pressed {number - 1}"
        await driver.click({"target": await ref(driver, label), "tab_id": None})
        assert await value_of(driver, "document.querySelector('button').textContent") == f"Pressed {number}"
    assert await value_of(driver, "document.visibilityState") == "visible"
    assert len(driver.tabs.all) == 5


async def test_a_tab_that_a_press_opens_is_listed_when_the_press_returns(driver: BrowserDriver, site: Site) -> None:
    site.routes["/apart"] = Answer(
        "<p>Apart", headers={"Content-Type": "text/html", "Cross-Origin-Opener-Policy": "same-origin"}
    )
    html = """<a href='/apart' target=_blank>Link</a><a href='/apart' target=_blank rel=noopener>Alone</a>
    <button onclick='window.open("/apart")'>Window</button>
    <form action='/apart' target=_blank><button>Form</button></form>
    <button onclick='for (let i = 0; i < 3; i++) window.open("about:blank")'>Three</button>"""
    await show(driver, site, html)
    count = 1
    for label, more in [("Link", 1), ("Alone", 1), ("Window", 1), ("Form", 1), ("Three", 3)]:
        await driver.click({"target": await ref(driver, label), "tab_id": None})
        count += more
        tabs = (await driver.state())["tabs"]
        assert len(tabs) == count
        assert [tab["active"] for tab in tabs] == [True] + [False] * (count - 1)
