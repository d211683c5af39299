"""Elements that only listen are offered whatever else there is, or a read says that not all of them are."""

import pytest

from drivers.browser.driver import BrowserDriver
from drivers.browser.listeners import FAR_TOO_MANY, MOST, MOST_LISTENERS
from drivers.browser.world import World, send
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

LISTEN = "for (const el of document.querySelectorAll('.l')) el.addEventListener('click', () => { el.title = 'hit' });"
CROWD = f"for (let i = 0; i <= {MOST_LISTENERS}; i++) addEventListener('message', () => i);"
LIST = """<input aria-label=City><div id=list></div><script>
const draw = () => { list.replaceChildren(...['Bern', 'Berlin'].map((name) => {
  const row = document.createElement('div'); row.textContent = name;
  row.addEventListener('click', () => { row.title = 'hit' }); return row; })) };
document.querySelector('input').addEventListener('input', draw);</script>"""


async def offered(driver: BrowserDriver) -> list[str]:
    """The labels of a whole read: one that says nothing of its limits."""
    report = await driver.read_page({"tab_id": None, "filter": "interactive"})
    assert report["omitted"] == []
    return [element["label"] for element in report["elements"]]


def world_of(driver: BrowserDriver) -> World:
    assert driver.tabs.active is not None
    world = driver.tabs.active.worlds.newest()
    assert world is not None
    return world


async def type_and_read(driver: BrowserDriver) -> list[str]:
    """What is offered once a field was typed into."""
    report = await driver.read_page({"tab_id": None, "filter": "interactive"})
    field = next(e["ref"] for e in report["elements"] if e["label"] == "City")
    await driver.type({"target": field, "tab_id": None, "text": "Ber"})
    return await offered(driver)


async def test_a_list_is_offered_however_much_earlier_documents_left_behind(driver: BrowserDriver, site: Site) -> None:
    for path in ("/one", "/two", "/three"):
        await show(driver, site, f"<p>Before</p><script>{CROWD}</script>", path=path)
        await driver.read_page({"tab_id": None, "filter": "all"})
    await show(driver, site, LIST)
    assert await type_and_read(driver) == ["City", "Bern", "Berlin"]


async def test_a_list_is_offered_though_another_tab_of_the_process_is_crowded(
    driver: BrowserDriver, site: Site
) -> None:
    await show(driver, site, LIST)
    site.page("/crowd", f"<script>{CROWD}</script>")
    await value_of(driver, "new Promise((done) => { open('/crowd').onload = done })")
    counted = await send(world_of(driver).session, "Memory.getDOMCounters", secs=5) if await offered(driver) else {}
    assert counted["jsEventListeners"] > MOST_LISTENERS
    assert await type_and_read(driver) == ["City", "Bern", "Berlin"]
    # What no longer listens is no longer offered, and the process being empty again changes nothing.
    await value_of(driver, "list.replaceChildren(...[...list.children].map((row) => row.cloneNode(true)))")
    assert await offered(driver) == ["City"]
    await value_of(driver, "draw()")
    await driver.close_tab({"tab_id": driver.tabs.all[-1].id})
    assert await offered(driver) == ["City", "Bern", "Berlin"]
    await value_of(driver, "list.firstChild.replaceWith(list.firstChild.cloneNode(true))")
    assert await offered(driver) == ["City", "Berlin"]


async def test_a_crowded_page_is_asked_element_by_element(driver: BrowserDriver, site: Site) -> None:
    html = f"""<h1>Head</h1><p>Text</p><div class=l>Alone</div><div class=l><button>Real</button> around</div>
    <x-card></x-card><script>{CROWD} {LISTEN}
    const root = document.querySelector('x-card').attachShadow({{mode: 'open'}}); root.innerHTML = '<div>Within</div>';
    root.firstChild.addEventListener('mousedown', () => 1)</script>"""
    await show(driver, site, html)
    assert await offered(driver) == ["Alone", "Real", "Within"]
    await value_of(driver, "document.querySelector('p').addEventListener('pointerdown', () => 1)")
    assert await offered(driver) == ["Text", "Alone", "Real", "Within"]


@pytest.mark.parametrize("crowd", ["", CROWD])
async def test_more_than_are_asked_after_are_owned_up_to(driver: BrowserDriver, site: Site, crowd: str) -> None:
    rows = "".join(f"<div class=l>Row {n}</div>" for n in range(MOST + 1))
    await show(driver, site, f"{rows}<button>Real</button><script>{LISTEN} {crowd}</script>")
    report = await driver.read_page({"tab_id": None, "filter": "interactive"})
    assert len(report["elements"]) == MOST + 1
    assert report["omitted"] == ["work_limit"]


async def test_far_too_many_are_not_asked_after_and_owned_up_to(driver: BrowserDriver, site: Site) -> None:
    # Some on each of many: to add one, the browser compares it with all that its target has.
    far = f"""globalThis.kept = Array.from({{length: {FAR_TOO_MANY // 250}}}, () => new EventTarget());
    for (const one of [document.querySelector('div'), ...kept])
      for (let i = 0; i < 250; i++) one.addEventListener('click', () => i)"""
    await show(driver, site, f"<div>Alone</div><button>Real</button><script>{far}</script>")
    for _ in range(2):
        report = await driver.read_page({"tab_id": None, "filter": "all"})
        assert [e["label"] for e in report["elements"]] == ["Real"]
        assert report["omitted"] == ["work_limit"]


async def test_a_listener_that_came_later_counts(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, f"<div id=a>Early</div><div class=l>Always</div><script>{LISTEN}</script>")
    assert await offered(driver) == ["Always"]
    await value_of(driver, "a.addEventListener('click', () => 1)")
    assert await offered(driver) == ["Early", "Always"]
    await value_of(driver, "a.replaceWith(a.cloneNode(true))")
    assert await offered(driver) == ["Always"]


async def test_what_only_listens_is_offered_in_an_open_shadow_root(driver: BrowserDriver, site: Site) -> None:
    html = """<x-card></x-card><script>const root = document.querySelector('x-card').attachShadow({mode: 'open'});
    root.innerHTML = '<div>Within</div>'; root.firstChild.addEventListener('click', (e) => {
    document.title = e.isTrusted })</script>"""
    await show(driver, site, html)
    report = await driver.read_page({"tab_id": None, "filter": "interactive"})
    assert [e["label"] for e in report["elements"]] == ["Within"]
    await driver.click({"target": report["elements"][0]["ref"], "tab_id": None})
    assert await value_of(driver, "document.title") == "true"


async def test_a_list_that_is_drawn_all_the_time_is_offered_or_the_read_says_that_it_is_not(
    driver: BrowserDriver, site: Site
) -> None:
    script = "const timer = setInterval(draw, 0)"
    await show(driver, site, f"{LIST}<script>{script}</script>")
    for _ in range(20):
        report = await driver.read_page({"tab_id": None, "filter": "interactive"})
        labels = [element["label"] for element in report["elements"]]
        assert labels == ["City", "Bern", "Berlin"] or "work_limit" in report["omitted"]
    await value_of(driver, "clearInterval(timer)")
    assert await offered(driver) == ["City", "Bern", "Berlin"]


@pytest.mark.parametrize("crowd", ["", CROWD])
async def test_a_question_that_failed_once_blinds_nobody(driver: BrowserDriver, site: Site, crowd: str) -> None:
    await show(driver, site, f"{LIST}<script>{crowd}</script>")
    assert await offered(driver) == ["City"]
    await value_of(driver, "draw()")
    world = world_of(driver)
    if world.document_handle is not None:  # it means nothing to the browser any more, as when a node was removed
        await send(world.session, "Runtime.releaseObject", {"objectId": world.document_handle}, secs=5)
    assert await offered(driver) == ["City", "Bern", "Berlin"]


@pytest.mark.parametrize("crowd", ["", CROWD])
async def test_where_the_page_scripts_cannot_be_told_the_read_says_so(
    driver: BrowserDriver, site: Site, crowd: str
) -> None:
    await show(driver, site, f"{LIST}<script>{crowd} draw()</script>")
    assert await offered(driver) == ["City", "Bern", "Berlin"]
    world = world_of(driver)
    await world.evaluate("Object.assign(signalbox, {kept: signalbox.heard, only: signalbox.heardOnly}), 0")
    await world.evaluate("signalbox.heard = signalbox.heardOnly = () => { throw new Error() }, 0")
    await value_of(driver, "draw()")
    report = await driver.read_page({"tab_id": None, "filter": "interactive"})
    assert report["omitted"] == ["work_limit"]
    await world.evaluate("Object.assign(signalbox, {heard: signalbox.kept, heardOnly: signalbox.only}), 0")
    assert await offered(driver) == ["City", "Bern", "Berlin"]


@pytest.mark.parametrize("crowd", ["", CROWD])
async def test_asking_mixes_up_neither_worlds_nor_documents(driver: BrowserDriver, site: Site, crowd: str) -> None:
    """The browser can be brought to hand page scripts an element as another world or document has it."""
    inner = f"""<label for=a>Inner</label><input id=a class=l><div class=l>Row</div><x-in></x-in><script>{LISTEN}
    const root = document.querySelector('x-in').attachShadow({{mode: 'open'}}); root.innerHTML = '<div>Deep</div>';
    root.firstChild.addEventListener('click', () => 1)</script>"""
    site.page("/in", inner)
    outer = f"""<iframe src='/in'></iframe><label for=a>Outer</label><input id=a class=l><div class=l>Line</div>
    <script>{LISTEN} {crowd}</script>"""
    await show(driver, site, outer)
    for _ in range(3):
        assert await offered(driver) == ["Inner", "Row", "Deep", "Outer", "Line"]
