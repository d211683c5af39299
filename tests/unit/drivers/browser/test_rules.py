"""What a rule hides is not read, however it is written, though most elements are never asked whether they are seen."""

import pytest

from drivers.browser.driver import BrowserDriver
from tests.helpers.site.server import Site
from tests.unit.drivers.browser.test_reads import read
from tests.unit.drivers.reading import show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

HTML = "<p>one <b>kept</b></p><p>two <b>more</b></p><div><i>first</i><i>second</i></div><label>Name<input></label>"
HIDING = [
    "b {display: none}",
    "p + p > b {visibility: hidden}",
    "@media all {@supports (display: none) {p b {display: none}}}",
    "p:nth-child(2) {& b {visibility: hidden}}",
    "p {& > b {display: none}}",
    "p :is(b, u) {display: none}",
    "p :not(u) {visibility: collapse}",
    "p > * {display: none}",
    "@layer one {b {visibility: hidden}}",
    "@keyframes gone {to {visibility: hidden}} b {animation: gone 1ms forwards}",
    "p:nth-of-type(2) {content-visibility: hidden}",
]


@pytest.mark.parametrize("rule", HIDING)
async def test_what_a_rule_hides_is_not_read(driver: BrowserDriver, site: Site, rule: str) -> None:
    await show(driver, site, f"<style>{rule}</style>{HTML}")
    await value_of(driver, "Promise.all(document.getAnimations().map(one => one.finished)).then(() => 1)")
    text = (await read(driver))["text"]
    assert "more" not in text
    assert "firstsecond" in text


HIDERS = [
    "const s = new CSSStyleSheet(); s.replaceSync('b {display: none}'); document.adoptedStyleSheets = [s]",
    "for (const b of document.querySelectorAll('b')) b.animate({visibility: ['hidden', 'hidden']}, {duration: 1e6})",
    "for (const p of document.querySelectorAll('p')) p.attachShadow({mode: 'closed'}).innerHTML = 'instead'",
    "document.querySelectorAll('p')[1].style.visibility = 'hidden'",
    "document.querySelectorAll('p')[1].hidden = true",
]


@pytest.mark.parametrize("script", HIDERS)
async def test_what_a_script_hides_is_not_read(driver: BrowserDriver, site: Site, script: str) -> None:
    await show(driver, site, f"{HTML}<script>{script}</script>")
    assert "more" not in (await read(driver))["text"]


async def test_boxes_in_a_row_are_told_apart(driver: BrowserDriver, site: Site) -> None:
    style = "<style>b {display: block} .r {display: flex}</style>"
    await show(driver, site, f"{style}<div class=r><span>A</span><span>B</span></div><b>C</b><b>D</b>")
    assert (await read(driver))["text"].split() == ["A", "B", "C", "D"]
