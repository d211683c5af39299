"""Places that scenarios click, measured in a real browser at the size they are written for."""

from playwright.async_api import async_playwright

from app.rehearsal.site import DemoSite
from drivers.browser.launch import find_browser
from tests.unit.app.rehearsal.form_driver import FormComputer


async def test_the_form_stands_where_scenarios_click() -> None:
    found = find_browser()
    assert found is not None, "signalbox doctor --fix gets a browser"
    site = DemoSite()
    url = site.start()
    try:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=found.path, chromium_sandbox=False)
            page = await browser.new_page(viewport={"width": 1280, "height": 800})
            await page.goto(f"{url}/book?date=2027-05-03&time=20:00&guests=2")
            for label, box in (("Name", FormComputer.NAME_FIELD), ("Reserve table", FormComputer.RESERVE_BUTTON)):
                part = page.get_by_label(label) if label == "Name" else page.get_by_role("button", name=label)
                there = await part.bounding_box()
                assert there is not None
                left, top, width, height = box
                assert (there["x"], there["y"], there["height"]) == (left, top, height)
                assert there["width"] >= width
            await browser.close()
    finally:
        site.stop()
