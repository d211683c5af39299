"""A page that is after the press: it gets none that was meant for something else, and what it may have got is said."""

import pytest

from drivers.browser.driver import BrowserDriver
from drivers.errors import BrowserError, NotDone
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import ref, refs, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

LOG = """<script>window.hits = [];
addEventListener('click', e => hits.push(e.target.id || e.target.tagName))</script>"""


async def click(driver: BrowserDriver, target: str) -> None:
    await driver.click({"target": target, "tab_id": None})


async def test_a_frame_that_comes_under_the_pointer_gets_nothing(driver: BrowserDriver, site: Site) -> None:
    inner = (
        "<body style='margin:0'><button style='position:fixed;inset:0' onclick='parent.hits.push(1)'>Transfer</button>"
    )
    await show(
        driver,
        site,
        LOG
        + """<style>button, iframe {position: absolute; left: 50px; top: 100px; width: 200px; height: 60px; border: 0}
        iframe {top: 400px} #ok:hover + iframe, iframe:hover {top: 100px; z-index: 9}</style>
        <button id=ok>Claim</button>"""
        + f'<iframe srcdoc="{inner}"></iframe>',
    )
    with pytest.raises(NotDone):
        await click(driver, (await refs(driver))["Claim"])
    assert await value_of(driver, "hits") == []


async def test_what_becomes_something_else_under_the_pointer_is_not_pressed(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, LOG + "<button id=b onmousemove=\"this.textContent = 'Delete all'\">Keep</button>")
    with pytest.raises(NotDone, match="changed since it was read"):
        await click(driver, await ref(driver, "Keep"))
    assert await value_of(driver, "hits") == []


async def test_what_becomes_something_else_at_the_press_is_not_pressed(driver: BrowserDriver, site: Site) -> None:
    """The page is asked once more between the move and the press; from there on only the guard can tell."""
    relabel = """<script>let moves = 0;
    b.addEventListener('mousemove', () => { if (++moves === 2) b.textContent = 'Delete all' })</script>"""
    await show(driver, site, LOG + "<button id=b>Keep</button>" + relabel)
    with pytest.raises(NotDone):
        await click(driver, await ref(driver, "Keep"))
    assert await value_of(driver, "hits") == []


async def test_a_name_that_a_tool_tip_takes_away_is_pressed_all_the_same(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, LOG + "<button id=b title=Delete onmousemove=\"this.title = ''\">&nbsp;</button>")
    await click(driver, await ref(driver, "Delete"))
    assert await value_of(driver, "hits") == ["b"]


async def test_a_document_that_is_written_anew_is_guarded_too(driver: BrowserDriver, site: Site) -> None:
    twins = (
        "<button id=a style=position:absolute;left:100px>Keep</button>"
        "<button id=b style=position:absolute;left:300px>Delete</button>"
    )
    await show(driver, site, LOG + twins)
    await click(driver, await ref(driver, "Keep"))
    swap = """let m = 0; a.addEventListener('mousemove', () => {
      if (++m % 2 === 0) [a.style.left, b.style.left] = [b.style.left, a.style.left] })"""
    await value_of(driver, f"document.open(), document.write(`{LOG}{twins}<script>{swap}</script>`), document.close()")
    with pytest.raises(NotDone, match="held back"):
        await click(driver, await ref(driver, "Keep"))
    assert await value_of(driver, "hits") == []


async def test_a_page_that_listens_first_gets_nothing_either(driver: BrowserDriver, site: Site) -> None:
    first = """<script>window.hits = [];
      for (const kind of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
        addEventListener(kind, e => { hits.push(e.target.id); e.stopImmediatePropagation() }, true)</script>
      <button id=a style=position:absolute;left:100px>Keep</button>
      <button id=b style=position:absolute;left:300px>Delete</button>
      <script>let m = 0; a.addEventListener('mousemove', () => {
        if (++m % 2 === 0) [a.style.left, b.style.left] = [b.style.left, a.style.left] })</script>"""
    await show(driver, site, first)
    with pytest.raises(NotDone, match="held back"):
        await click(driver, await ref(driver, "Keep"))
    assert await value_of(driver, "hits") == []


MIDDLE = "style='display:block;width:300px;padding:30px 0;text-align:center'"
NESTED = [
    (
        f"<div role=button id=card tabindex=0 {MIDDLE}><button id=x>Delete</button><p>Open</p></div>",
        "Delete Open",
        "card",
    ),
    (f"<a href=# id=card {MIDDLE}><button id=x>Star</button><p>Read</p></a>", "Star Read", "card"),
    ("<ul role=tree><li role=treeitem id=card>Parent<ul role=group><li role=treeitem id=x>Child</ul></ul>", "", "card"),
    ("<ul role=menu><li role=menuitem id=li><a href=# id=card>File</a></li></ul>", "File", "card"),
]


@pytest.mark.parametrize(("html", "label", "hit"), NESTED, ids=["card", "link", "tree", "one thing by two tags"])
async def test_a_control_inside_of_the_target_is_not_pressed_in_its_place(
    driver: BrowserDriver, site: Site, html: str, label: str, hit: str
) -> None:
    await show(driver, site, LOG + html)
    found = await refs(driver)
    target = found[label] if label else next(iter(found.values()))
    await click(driver, target)
    assert await value_of(driver, "hits") == [hit]


async def test_where_all_of_the_target_is_another_control_nothing_is_pressed(driver: BrowserDriver, site: Site) -> None:
    await show(
        driver,
        site,
        LOG
        + "<div role=button aria-label=Open style='width:200px;height:40px'>"
        + "<button id=x style='width:200px;height:40px'>Delete</button></div>",
    )
    with pytest.raises(NotDone, match="on top"):
        await click(driver, await ref(driver, "Open"))
    assert await value_of(driver, "hits") == []


async def test_a_label_s_link_is_not_followed(driver: BrowserDriver, site: Site) -> None:
    box = "<style>#c{position:absolute;opacity:0;width:0}</style><input type=checkbox id=c>"
    words = "I take<br><a href=#t id=x style=padding:40px>all</a><br>the terms"
    await show(driver, site, f"{LOG}{box}<label for=c style='display:block;width:400px'>{words}</label>")
    target = await ref(driver, "I take all the terms")
    await driver.set_checked({"target": target, "checked": True, "tab_id": None})
    assert await value_of(driver, "[c.checked, location.hash]") == [True, ""]


async def test_a_press_that_nobody_saw_is_said(driver: BrowserDriver, site: Site) -> None:
    """The page takes the guard away in the last moment: whatever got the press, it is not called done."""
    strip = """<script>let moves = 0; b.addEventListener('mousemove', () => { if (++moves === 2) {
      document.open(); document.write('<button style="position:fixed;inset:0">Other</button>'); document.close()
    } })</script>"""
    await show(driver, site, "<button id=b>Keep</button>" + strip)
    with pytest.raises(BrowserError, match="not seen to reach"):
        await click(driver, await ref(driver, "Keep"))
