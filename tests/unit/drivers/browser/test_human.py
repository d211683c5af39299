"""A person's own input is the browser's real input, and says where a secret is being typed."""

from typing import Any

import pytest

from drivers.browser.driver import BrowserDriver
from drivers.errors import NotDone
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import ref, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

PAGE = """<style>body { margin: 0 } input { position: absolute; left: 20px; width: 200px; height: 24px }</style>
<input id=n style="top: 20px"><input id=p type=password style="top: 60px">
<input id=o autocomplete=one-time-code style="top: 100px">
<div style="position: absolute; top: 2000px">far down</div>
<script>window.seen = []; for (const kind of ['keydown', 'keyup', 'mousedown', 'mouseup', 'compositionstart'])
addEventListener(kind, e => seen.push([kind, e.key ?? e.button, e.isTrusted, e.detail]))</script>"""


async def press(driver: BrowserDriver, x: float, y: float) -> None:
    await driver.human.mouse("down", x, y, "left", 1)
    await driver.human.mouse("up", x, y, "left", 1)


async def test_keys_paste_and_composition_arrive_as_real_input(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, PAGE)
    await press(driver, 60, 30)
    for key in ("Shift", "A", "b"):
        await driver.human.key(key, True)
        await driver.human.key(key, False)
    await driver.human.key("é", True)
    await driver.human.insert(" pasted ")
    await driver.human.compose("にほ", 2)
    await driver.human.insert("日本")
    assert await value_of(driver, "document.getElementById('n').value") == "Abé pasted 日本"
    seen: Any = await value_of(driver, "seen")
    assert ["mousedown", 0, True, 1] in seen
    assert ["keydown", "A", True, 0] in seen
    assert any(kind == "compositionstart" for kind, *_ in seen)
    assert all(trusted for _, _, trusted, _ in seen)


async def test_where_a_secret_is_typed_is_told(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, PAGE)
    told = []
    for y in (30, 70, 110, 300):
        await press(driver, 60, y)
        told.append(await driver.human.secret_focus())
    assert told == [False, True, True, False]


async def test_a_secret_in_a_frame_is_told(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, '<body style="margin:0"><iframe width=300 height=200 srcdoc="<input type=password>">')
    await driver.human.mouse("down", 40, 30, "left", 1)
    await driver.human.mouse("up", 40, 30, "left", 1)
    assert await driver.human.secret_focus() is True


@pytest.mark.parametrize(
    ("body", "secret"),
    [
        ("<label>Password <input id=x></label>", True),
        ("<input id=x name=password>", True),
        ("<input id=x autocomplete=new-password>", True),
        ("<input id=x aria-label='Your PIN'>", True),
        ("<div id=x contenteditable aria-label=Passcode>", True),
        ("<label>Name <input id=x></label>", False),
        ("<div id=x contenteditable>", False),
        ("<button id=x>Go</button>", False),
        ("<div id=x></div><script>const root = x.attachShadow({mode: 'closed'});"
         "root.innerHTML = '<input type=password>'; root.firstChild.focus()</script>", None),
        ("<div id=x tabindex=0>", None),
        ("<script>const root = document.body.attachShadow({mode: 'closed'});"
         "root.innerHTML = '<input type=password>'; root.firstChild.focus()</script>", None),
    ],
)  # fmt: skip
async def test_a_secret_is_told_by_its_words_and_what_cannot_be_told_is_not_taken_for_none(
    driver: BrowserDriver, site: Site, body: str, secret: bool | None
) -> None:
    await show(driver, site, f"<body>{body}")
    if "attachShadow" not in body:
        await value_of(driver, "document.getElementById('x').focus()")
    assert await driver.human.secret_focus() is secret


async def test_nothing_stays_down_and_no_ref_means_anything_afterwards(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, PAGE + "<button>Go</button>")
    old = await ref(driver, "Go")
    await driver.human.key("Shift", True)
    await driver.human.mouse("down", 400, 300, "left", 1)
    await driver.human.let_go()
    seen: Any = await value_of(driver, "seen")
    assert ["keyup", "Shift", True, 0] in seen
    assert any(kind == "mouseup" for kind, *_ in seen)
    driver.human.void_refs()
    with pytest.raises(NotDone, match="void"):
        await driver.click({"target": old, "tab_id": None})
    await driver.click({"target": await ref(driver, "Go"), "tab_id": None})


async def test_the_wheel_scrolls(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, PAGE)
    await driver.human.wheel(300, 300, 0, 400)
    await driver.wait_for({"text": "far down", "timeout_ms": 60_000, "tab_id": None})
    assert await value_of(
        driver,
        "new Promise(done => { const look = () => scrollY > 0 ? done(true) : requestAnimationFrame(look); look() })",
    )
