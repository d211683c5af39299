"""A script gives text, ends at its limit, and a page that goes on is retired."""

import pytest

from drivers.browser.driver import BrowserDriver
from drivers.errors import BrowserError, NotDone
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import show

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def run(driver: BrowserDriver, source: str, millis: int = 60_000) -> str:
    return await driver.run_script({"tab_id": None, "source": source, "timeout_ms": millis})


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("'a' + 1", "a1"),
        ("let x = 1; let y = 2; ({x, y, z: [null]})", '{"x": 1, "y": 2, "z": [null]}'),
        ("undefined", ""),
        ("await Promise.resolve(7)", "7"),
        ("10n", "10n"),
        ("NaN", "NaN"),
        ("document.title", "Here"),
        ("throw new TypeError('no')", "The script failed: TypeError: no"),
        ("}{", "The script failed: SyntaxError: Unexpected token '}'"),
        ("'a\\ud800'", "a?"),
    ],
)
async def test_the_last_value_comes_as_text(driver: BrowserDriver, site: Site, source: str, text: str) -> None:
    await show(driver, site, "<title>Here</title>")
    assert await run(driver, source) == text


async def test_a_loop_is_stopped_at_the_limit(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<title>Here</title>")
    with pytest.raises(BrowserError, match="stopped after 100 ms") as raised:
        await run(driver, "for (;;);", 100)
    assert not isinstance(raised.value, NotDone)
    assert await run(driver, "document.title") == "Here"


async def test_a_promise_that_never_settles_retires_the_page(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<title>Here</title>")
    with pytest.raises(BrowserError, match="its tab was closed"):
        await run(driver, "await new Promise(() => {})", 100)
    assert (await driver.state())["tabs"] == []


async def test_an_empty_script_is_refused(driver: BrowserDriver) -> None:
    with pytest.raises(NotDone):
        await run(driver, "  ")
