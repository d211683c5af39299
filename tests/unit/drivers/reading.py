"""What many driver tests do: open a page given inline, and find the ref of a control by its label."""

from drivers.browser.driver import BrowserDriver
from tests.helpers.site.server import Site


async def show(driver: BrowserDriver, site: Site, html: str, path: str = "/") -> str:
    """Serve a page, open it in the active tab and give its address."""
    url = site.page(path, html)
    await driver.navigate({"url": url, "tab_id": None})
    return url


async def refs(driver: BrowserDriver) -> dict[str, str]:
    """The refs of the active tab's controls, by label."""
    report = await driver.read_page({"tab_id": None, "filter": "interactive"})
    return {element["label"]: element["ref"] for element in report["elements"]}


async def ref(driver: BrowserDriver, label: str) -> str:
    """The ref of one control."""
    return (await refs(driver))[label]


async def value_of(driver: BrowserDriver, expression: str) -> object:
    """What the page itself says."""
    assert driver.tabs.active is not None
    return await driver.tabs.active.page.evaluate(expression)
