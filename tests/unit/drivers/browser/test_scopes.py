"""Sections are found by what a person would call them and read one at a time."""

import pytest
from openai.lib.browser import BrowserScopedReadV1

from drivers.browser.driver import BrowserDriver
from drivers.errors import NotDone
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

PAGE = """<header><h1>Shop</h1></header><nav aria-label=Primary><a href=/a>Home</a></nav>
<main><h2>Prices</h2><p>Nine.</p><div><h3>Old</h3><p>Ten.</p></div><h2>Contact</h2>
<form aria-label=Contact><input aria-label=Name>
</form></main><div role=dialog aria-label='Sign in'><button>Go</button></div><footer>Imprint</footer>
<aside hidden>unseen</aside>"""


async def read(driver: BrowserDriver, root: str | None = None, depth: int = 32) -> BrowserScopedReadV1:
    return await driver.read_page_scoped({"tab_id": None, "root": root, "depth": depth, "filter": "all"})


async def test_sections_are_named_as_a_person_would(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, PAGE)
    report = await read(driver)
    assert [scope["label"] for scope in report["scopes"]] == [
        "header", "heading “Shop”", "navigation “Primary”", "main", "heading “Prices”", "heading “Old”",
        "heading “Contact”", "form “Contact”", "dialog “Sign in”", "footer",
    ]  # fmt: skip
    assert (report["text"], report["elements"]) == ("", [])


async def test_one_section_is_read_alone(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, PAGE)
    refs = {scope["label"]: scope["ref"] for scope in (await read(driver))["scopes"]}
    prices = await read(driver, refs["heading “Prices”"])
    assert prices["text"].splitlines() == ["## Prices", "Nine.", "### Old", "Ten."]
    form = await read(driver, refs["form “Contact”"])
    assert [element["label"] for element in form["elements"]] == ["Name"]
    shallow = await read(driver, refs["main"], depth=1)
    assert "report_limit" in shallow["omitted"]


async def test_scope_refs_are_no_targets_and_element_refs_no_scopes(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, PAGE)
    scope = (await read(driver))["scopes"][0]["ref"]
    element = (await driver.read_page({"tab_id": None, "filter": "all"}))["elements"][0]["ref"]
    with pytest.raises(NotDone, match="section"):
        await driver.click({"target": scope, "tab_id": None})
    with pytest.raises(NotDone, match="element"):
        await read(driver, element)


async def test_hidden_removed_and_left_sections_are_refused(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, PAGE)
    refs = {scope["label"]: scope["ref"] for scope in (await read(driver))["scopes"]}
    await value_of(driver, "document.querySelector('nav').hidden = true; document.querySelector('main').remove()")
    with pytest.raises(NotDone, match="hidden"):
        await read(driver, refs["navigation “Primary”"])
    with pytest.raises(NotDone, match="stale"):
        await read(driver, refs["main"])
    await show(driver, site, PAGE)
    with pytest.raises(NotDone, match="stale"):
        await read(driver, refs["footer"])
