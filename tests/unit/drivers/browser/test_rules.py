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
    "[lang='('], b, [lang=')'] {display: none}",
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


MARKED = (
    "<p><b data-a=1>one</b> <b data-a=2 class=c id=i title='x &gt; y, z' accesskey=k>more</b> <b data-a=3>two</b></p>"
)
CHOOSING = [
    ".c {display: none}",
    ".\\63 {display: none}",
    "#i {visibility: hidden}",
    "p > [DATA-A='2' i] {display: none}",
    "[title='x > y, z'] {display: none}",
    "[*|accesskey] {display: none}",
    "[access\\6b ey] {display: none}",
    "b:not([data-a='1'], [data-a='3']) {content-visibility: hidden; display: block}",
    "@supports (display: none) {@layer l {b + .c {display: none}}}",
    "p {& [id] {display: none}}",
    "[lang='('], .c, [lang=')'] {display: none}",
]


@pytest.mark.parametrize("rule", CHOOSING)
async def test_what_a_rule_chooses_by_an_attribute_is_not_taken_for_its_neighbour(
    driver: BrowserDriver, site: Site, rule: str
) -> None:
    await show(driver, site, f"<style>{rule}</style>{MARKED}")
    assert (await read(driver))["text"].split() == ["one", "two"]


@pytest.mark.parametrize("attribute", ["hidden", "popover", "style='display: none'", "style='visibility: hidden'"])
async def test_what_an_attribute_hides_is_not_taken_for_its_neighbour(
    driver: BrowserDriver, site: Site, attribute: str
) -> None:
    await show(driver, site, f"<p><b lang=en>one</b> <b lang=en {attribute}>more</b></p>")
    assert (await read(driver))["text"].split() == ["one"]


async def test_of_drawn_links_those_are_read_that_are_chosen(driver: BrowserDriver, site: Site) -> None:
    links = "<a href=#1><text y=20>one</text></a><a href=#2><text y=20>more</text></a>"
    hidden = "<a href=#3><text y=20>two</text></a><a href=#4 display=none><text y=20>more</text></a>"
    await show(driver, site, f"<svg><switch>{links}</switch></svg><svg>{hidden}</svg>")
    report = await read(driver)
    assert report["text"].split() == ["one", "(#1)", "two", "(#3)"]
    assert [element["label"] for element in report["elements"]] == ["one", "two"]


async def test_links_are_told_apart_as_rules_draw_them(driver: BrowserDriver, site: Site) -> None:
    links = "<nav><a href=#1>A</a><a href=#2>B</a><a href=#3 class=c>C</a></nav>"
    apart = "A (#1)\nB (#2)\nC (#3)"
    for rule, text in [
        ("p {margin: 0}", "A (#1)B (#2)C (#3)"),
        ("a {display: block}", apart),
        ("[href] {display: block}", apart),
        (".c {display: block}", "A (#1)B (#2)\nC (#3)"),
    ]:
        await show(driver, site, f"<style>{rule}</style>{links}")
        assert (await read(driver))["text"] == text, rule


async def test_what_reacts_by_an_attribute_is_a_control_though_no_rule_speaks_of_it(
    driver: BrowserDriver, site: Site
) -> None:
    html = "<p onclick='1'>One</p><p tabindex=0>Two</p><p title=t>Three</p><div contenteditable aria-label=Four>x</div>"
    await show(driver, site, html)
    report = await read(driver)
    told = [(element["role"], element["label"]) for element in report["elements"]]
    assert told == [("button", "One"), ("button", "Two"), ("textbox", "Four")]


async def test_boxes_in_a_row_are_told_apart(driver: BrowserDriver, site: Site) -> None:
    style = "<style>b {display: block} .r {display: flex}</style>"
    await show(driver, site, f"{style}<div class=r><span>A</span><span>B</span></div><b>C</b><b>D</b>")
    assert (await read(driver))["text"].split() == ["A", "B", "C", "D"]
