"""Places that scenarios click, measured in a real browser at the size they are written for."""

from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from app.rehearsal.site import DemoSite
from tests.unit.app.rehearsal.form_driver import FormComputer

CHROMIUM = "/usr/bin/chromium"


@pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="needs an installed Chromium")
async def test_the_form_stands_where_scenarios_click() -> None:
    with_prefilled = "/book?date=2027-05-03&time=20:00&guests=2"
    site = DemoSite()
    url = site.start()
    try:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, chromium_sandbox=False)
            page = await browser.new_page(viewport={"width": 1280, "height": 800})
            await page.goto(url + with_prefilled)
            for label, box in (("Name", FormComputer.NAME_FIELD), ("Reserve table", FormComputer.RESERVE_BUTTON)):
                found = page.get_by_label(label) if label == "Name" else page.get_by_role("button", name=label)
                there = await found.bounding_box()
                assert there is not None
                left, top, width, height = box
                assert (there["x"], there["y"], there["height"]) == (left, top, height)
                assert there["width"] >= width
            await browser.close()
    finally:
        site.stop()
