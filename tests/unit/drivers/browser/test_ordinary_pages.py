"""What libraries of components do on ordinary pages: a press that a person would make is made, and nothing else is."""

import asyncio

import pytest

from drivers.browser import choosing, pointer, turn
from drivers.browser.driver import BrowserDriver
from drivers.errors import NotDone
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import ref, refs, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

LOG = """<!doctype html><script>window.hits = [];
addEventListener('click', e => hits.push(e.target.id || e.target.tagName))</script>"""


VEIL = """<div id=v style='position:fixed;inset:0;background:#0008'></div>
<script>setTimeout(() => v.remove(), 1000)</script>"""


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is: what is on its way is there before it is given up."""
    monkeypatch.setattr(pointer, "GOING_SECS", 30.0)
    monkeypatch.setattr(choosing, "GOING_SECS", 30.0)


async def click(driver: BrowserDriver, target: str) -> None:
    await driver.click({"target": target, "tab_id": None})


async def fill(driver: BrowserDriver, label: str, text: str) -> str | None:
    return await driver.type({"target": await ref(driver, label), "text": text, "tab_id": None})


async def choose(driver: BrowserDriver, label: str, *values: str) -> str | None:
    target = await ref(driver, label)
    return await driver.select_option({"target": target, "values": list(values), "tab_id": None})


@pytest.mark.usefixtures("patient")
async def test_what_fades_away_is_waited_for(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, LOG + "<button id=b>Next</button>" + VEIL)
    await click(driver, await ref(driver, "Next"))
    assert await value_of(driver, "hits") == ["b"]


@pytest.mark.usefixtures("patient")
async def test_what_slides_into_view_is_waited_for(driver: BrowserDriver, site: Site) -> None:
    drawer = "<button id=b style='position:fixed;top:9px;right:-300px;width:200px'>Inbox</button>"
    await show(driver, site, LOG + drawer + "<script>setTimeout(() => { b.style.right = 0 }, 1000)</script>")
    await click(driver, await ref(driver, "Inbox"))
    assert await value_of(driver, "hits") == ["b"]


@pytest.mark.usefixtures("patient")
async def test_what_fades_away_from_a_frame_is_waited_for(driver: BrowserDriver, site: Site) -> None:
    inner = "<button onclick='parent.hits.push(1)'>Pay</button>"
    await show(driver, site, f'{LOG}<iframe srcdoc="{inner}"></iframe>{VEIL}')
    await click(driver, await ref(driver, "Pay"))
    assert await value_of(driver, "hits") == [1]


async def test_a_frame_taller_than_the_view_is_scrolled_to_the_target(driver: BrowserDriver, site: Site) -> None:
    inner = "<div style='height:2500px'></div><button onclick='parent.hits.push(1)'>Low</button>"
    outer = f'{LOG}<div style="height:1500px"></div><iframe style="height:3000px" srcdoc="{inner}"></iframe>'
    await show(driver, site, outer)
    await click(driver, await ref(driver, "Low"))
    assert await value_of(driver, "hits") == [1]


async def test_a_shape_with_a_hole_is_pressed_where_it_is(driver: BrowserDriver, site: Site) -> None:
    ring = "<circle id=c role=button aria-label=Ring cx=100 cy=100 r=80 fill=none stroke=red stroke-width=14 />"
    await show(driver, site, f"{LOG}<svg width=200 height=200>{ring}</svg>")
    await click(driver, await ref(driver, "Ring"))
    assert await value_of(driver, "hits") == ["c"]


GROWS = {
    "own buttons": """<div id=c role=button tabindex=0 style='padding:40px'>Report<span id=more></span></div><script>
      c.onmouseenter = () => { more.innerHTML = '<button>Edit</button><button>Delete</button>' }</script>""",
    "a hint": "<style>#c:hover::after {content: 'Press to open'}</style><button id=c>Report</button>",
    "a bubble": """<style>#c i {display: none} #c:hover i {display: block}</style>
      <button id=c>Report<i>Opens it</i></button>""",
}


@pytest.mark.parametrize("html", GROWS.values(), ids=GROWS)
async def test_a_name_that_grows_under_the_pointer_is_the_same(driver: BrowserDriver, site: Site, html: str) -> None:
    await show(driver, site, LOG + html)
    await click(driver, await ref(driver, "Report"))
    assert await value_of(driver, "hits") == ["c"]


SWAPS = {
    "by rules": """<style>#c i, #c:hover b {display: none} #c:hover i {display: inline}</style>
      <button id=c><b>Following</b><i>Unfollow</i></button>""",
    "words of its own": "<button id=c onmousemove=\"this.textContent = 'Following none'\">Following</button>",
    "another label": "<button id=c aria-label=Following onmousemove=\"this.ariaLabel = 'Following none'\">x</button>",
}


@pytest.mark.parametrize("html", SWAPS.values(), ids=SWAPS)
async def test_a_name_that_becomes_another_under_the_pointer_is_not(
    driver: BrowserDriver, site: Site, html: str
) -> None:
    await show(driver, site, LOG + html)
    with pytest.raises(NotDone, match="changed since it was read"):
        await click(driver, await ref(driver, "Following"))
    assert await value_of(driver, "hits") == []


WRAPPED = {
    "menu": "<ul role=menu tabindex=0 style='padding:30px'><li role=menuitem tabindex=-1 id=x>First</li></ul>",
    "component": """<x-button onclick=1>First</x-button><script>
      customElements.define('x-button', class extends HTMLElement {
        constructor() { super(); this.attachShadow({mode: 'open'}).innerHTML = '<button><slot></slot></button>' }
        connectedCallback() { this.id = 'x' } })</script>""",
}


@pytest.mark.parametrize("html", WRAPPED.values(), ids=WRAPPED)
async def test_one_thing_made_of_two_elements_is_pressed_in_its_middle(
    driver: BrowserDriver, site: Site, html: str
) -> None:
    await show(driver, site, LOG + html)
    listed = await driver.read_page({"tab_id": None, "filter": "interactive"})
    first = [element["ref"] for element in listed["elements"] if element["label"] == "First"]
    assert len(first) == 2
    for target in first:
        await click(driver, target)
    assert await value_of(driver, "hits") == ["x", "x"]


FIELD = """<style>
.field, .field input {position: relative; width: 200px; height: 30px; box-sizing: border-box}
.on {position: absolute; inset: 0}</style>
<div class=field id=f><input role=combobox aria-label=City aria-controls=l aria-expanded=false>%s</div>
<ul role=listbox id=l hidden><li role=option>Oslo</li><li role=option>Rome</li></ul><script>
f.onclick = () => { l.hidden = false }
l.onclick = (e) => { f.querySelector('input').value = e.target.textContent; l.hidden = true }</script>"""


@pytest.mark.parametrize("over", ["<div class=on>Select</div>", "<input class=on aria-hidden=true tabindex=-1>"])
async def test_a_field_is_reached_through_what_is_drawn_over_it(driver: BrowserDriver, site: Site, over: str) -> None:
    await show(driver, site, LOG + FIELD % over)
    assert await choose(driver, "City", "Rome") is None
    assert await value_of(driver, "f.querySelector('input').value") == "Rome"


OTHERS = {
    "control": "<button class=on>Clear</button>",
    "role": "<div class=on role=link>Ad</div>",
    "label": "<label class=on for=o></label>",
    "listener": "<div class=on></div><script>document.querySelector('.on').onmousedown = () => {}</script>",
    "frame": "<iframe class=on style='width:200px;height:30px;border:0'></iframe>",
}


@pytest.mark.parametrize("over", OTHERS.values(), ids=OTHERS)
async def test_a_field_is_not_reached_through_another_control(driver: BrowserDriver, site: Site, over: str) -> None:
    await show(driver, site, LOG + FIELD % over + "<input type=checkbox id=o aria-label=Other>")
    with pytest.raises(NotDone, match="on top"):
        await choose(driver, "City", "Rome")
    assert await value_of(driver, "hits") == []


HIDDEN = {
    "slider": """<span style='display:block;width:200px;height:20px'>
      <input type=range aria-label=Loud id=x style='clip:rect(0 0 0 0);position:absolute'></span>""",
    "select": """<div style=position:relative>
      <select id=x aria-label=Loud style='position:absolute;width:1px;height:1px;clip:rect(0 0 0 0)'>
      <option>1<option>40</select><div role=combobox tabindex=0>1</div></div>""",
}


async def test_what_a_library_hides_and_draws_anew_is_set(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, LOG + HIDDEN["slider"])
    assert await fill(driver, "Loud", "40") is None
    await show(driver, site, LOG + HIDDEN["select"] + "<script>x.onfocus = () => hits.push('opened')</script>")
    assert await choose(driver, "Loud", "40") is None
    assert await value_of(driver, "[x.value, ...hits]") == ["40"]


async def test_an_editor_that_only_takes_keys_in_a_field_gets_the_text(driver: BrowserDriver, site: Site) -> None:
    editor = """<div style='position:relative;width:400px;height:200px'><div style='overflow:hidden;width:3px;height:0'>
      <textarea id=t aria-label=Code style='width:900px'></textarea></div>
      <pre id=p style='position:absolute;inset:0;margin:0'>old</pre></div><script>
      t.onkeydown = (e) => { if (e.ctrlKey && e.key === 'a') window.all = true }
      t.oninput = () => {
        p.textContent = (window.all ? '' : p.textContent) + t.value; window.all = false; t.value = '' }
      </script>"""
    await show(driver, site, LOG + editor)
    assert "does not hold exactly" in str(await fill(driver, "Code", "n"))
    assert await value_of(driver, "p.textContent") == "n"


async def test_days_of_a_calendar_inside_of_a_label_are_listed(driver: BrowserDriver, site: Site) -> None:
    day = "<div role=gridcell tabindex=-1 aria-label='May 22' class=d>22</div>"
    listens = "<script>document.querySelector('.d').addEventListener('click', () => hits.push('day'))</script>"
    await show(driver, site, f"{LOG}<label>Start <input id=i> <div role=grid>{day}</div></label>{listens}")
    assert "May 22" in await refs(driver)


async def test_a_drag_ends_where_it_was_meant_to_on_a_page_that_passes_over_moves(
    driver: BrowserDriver, site: Site
) -> None:
    html = """<div id=d style='width:60px;height:60px'></div><script>let before = 0, down = false;
      d.onpointerdown = () => { down = true };
      addEventListener('pointermove', (e) => {
        if (down && e.clientX === before) window.at = e.clientX;
        before = e.clientX });
      addEventListener('pointerup', () => { down = false })</script>"""
    await show(driver, site, LOG + html)
    await driver.drag_path({"path": [{"x": 30, "y": 30}, {"x": 400, "y": 30}], "keys": [], "tab_id": None})
    assert await value_of(driver, "at") == 400


async def test_a_page_that_asked_to_stay_is_not_waited_for(
    driver: BrowserDriver, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn, "SETTLE_SECS", 3600.0)
    stays = "<script>onbeforeunload = (e) => { e.preventDefault() }</script>"
    await show(driver, site, f"{LOG}{stays}<a href=/away>Leave</a><button>Stay</button>")
    await click(driver, await ref(driver, "Stay"))
    async with asyncio.timeout(60):
        await click(driver, await ref(driver, "Leave"))
    assert await value_of(driver, "location.pathname") == "/"
