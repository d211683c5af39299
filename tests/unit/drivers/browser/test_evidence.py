"""Evidence is what stands there now, and an act held to it is refused when that has changed."""

import pytest

from drivers.browser.driver import BrowserDriver
from drivers.errors import NotDone
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import ref, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

HTML = """<a id=b href=/pay?x=1 style='position:absolute;left:40px;top:60px;width:100px;height:20px' onclick='
event.preventDefault(); document.title = "hit"'>Pay</a>"""


async def test_evidence_tells_role_label_place_and_origin(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, HTML)
    seen = await driver.expect(await ref(driver, "Pay"))
    assert (seen.role, seen.label, seen.box, seen.covered_by, seen.visible) == (
        "link",
        "Pay",
        (40, 60, 100, 20),
        None,
        True,
    )
    assert seen.frame_origin == f"http://127.0.0.1:{site.port}"


CHANGES = {
    "another role or name": "document.getElementById('b').textContent = 'Pay all'",
    "hidden": "document.getElementById('b').style.display = 'none'",
    "on top": "document.body.insertAdjacentHTML('beforeend', '<div style=\"position:fixed;inset:0\">Sale</div>')",
}


@pytest.mark.parametrize("why", CHANGES)
async def test_an_act_held_to_its_evidence_is_refused_when_that_has_changed(
    driver: BrowserDriver, site: Site, why: str
) -> None:
    await show(driver, site, HTML)
    target = await ref(driver, "Pay")
    driver.hold_to(await driver.expect(target))
    await value_of(driver, CHANGES[why])
    with pytest.raises(NotDone):
        await driver.click({"target": target, "tab_id": None})
    assert await value_of(driver, "document.title") == ""


async def test_an_act_held_to_its_evidence_goes_through_when_nothing_has_changed(
    driver: BrowserDriver, site: Site
) -> None:
    await show(driver, site, HTML)
    target = await ref(driver, "Pay")
    driver.hold_to(await driver.expect(target))
    await driver.click({"target": target, "tab_id": None})
    assert await value_of(driver, "document.title") == "hit"


async def test_what_covers_a_target_is_named(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, HTML + "<button style='position:fixed;inset:0'>Accept cookies</button>")
    assert (await driver.expect(await ref(driver, "Pay"))).covered_by == "button “Accept cookies”"


async def test_page_facts_hold_the_full_address(driver: BrowserDriver, site: Site) -> None:
    url = await show(driver, site, "<title>T</title><div style='height:3000px'>", path="/a?b=c")
    await value_of(driver, "scrollTo(0, 200)")
    facts = await driver.page_facts()
    assert (facts.url, facts.title, facts.viewport, facts.scroll) == (url, "T", (1280, 800), (0, 200))
