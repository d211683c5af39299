"""What a page puts off at an input comes before the next thing that the driver does or reads."""

import pytest

from drivers.browser.driver import BrowserDriver
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import refs, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_list_that_puts_the_focus_back_does_so_before_the_next_field_is_filled(
    driver: BrowserDriver, site: Site
) -> None:
    html = """<input aria-label=From id=a><div onclick=1 id=row>Bern</div><input aria-label=To id=b><script>
    row.addEventListener('mousedown', (event) => { event.preventDefault();
      setTimeout(() => { if (document.activeElement !== a) a.focus() }) });
    row.addEventListener('click', () => { a.value = 'Bern' });"""
    await show(driver, site, f"{html}</script>")
    found = await refs(driver)
    for _ in range(15):
        await driver.click({"target": found["Bern"], "tab_id": None})
        assert await driver.type({"target": found["To"], "text": "Berlin and on", "tab_id": None}) is None
        assert await value_of(driver, "[a.value, b.value]") == ["Bern", "Berlin and on"]


@pytest.mark.parametrize("way", ["type", "key", "click", "click_at", "select_option"])
async def test_a_read_finds_what_was_put_off(driver: BrowserDriver, site: Site, way: str) -> None:
    html = """<input aria-label=Field><select aria-label=List><option>one<option>two</select><button>Press</button>
    <p id=out>0</p><script>let seen = 0; const put = () => { seen++; setTimeout(() => { out.textContent = seen }) };
    for (const kind of ['input', 'click']) addEventListener(kind, put);"""
    await show(driver, site, f"{html}</script>")
    found = await refs(driver)
    box = driver.boxes[found["Press"]]
    for number in range(5):
        if way == "type":
            await driver.type({"target": found["Field"], "text": str(number), "tab_id": None})
        elif way == "key":
            await driver.type({"target": found["Field"], "text": "1", "tab_id": None})
            await driver.key({"keys": ["BackSpace"], "tab_id": None})
        elif way == "click":
            await driver.click({"target": found["Press"], "tab_id": None})
        elif way == "click_at":
            x, y = int(box[0] + 5), int(box[1] + 5)
            await driver.click_at({"x": x, "y": y, "button": "left", "click_count": 1, "keys": [], "tab_id": None})
        else:
            chosen = ["one", "two"][(number + 1) % 2]
            await driver.select_option({"target": found["List"], "values": [chosen], "tab_id": None})
        text = (await driver.get_page_text({"tab_id": None}))["text"]
        assert str(await value_of(driver, "seen")) in text.split()


async def test_a_page_that_never_comes_to_its_turn_holds_nothing_up(driver: BrowserDriver, site: Site) -> None:
    html = """<button onclick="location.hash = Math.random(); setTimeout = null">Press</button>
    <a href='/next'>Next</a>"""
    site.page("/next", "<p>There</p>")
    await show(driver, site, html)
    found = await refs(driver)
    await driver.click({"target": found["Press"], "tab_id": None})
    await driver.click({"target": found["Next"], "tab_id": None})
    assert "There" in (await driver.get_page_text({"tab_id": None}))["text"]
