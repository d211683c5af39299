"""What is typed stands in the fields that it was meant for, whole, and a page is never made to send half of it."""

import pytest

from drivers.browser.driver import BrowserDriver
from drivers.errors import BrowserError
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import ref, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def fill(driver: BrowserDriver, label: str, text: str) -> str | None:
    return await driver.type({"target": await ref(driver, label), "text": text, "tab_id": None})


SENDS = """<script>window.sent = []; addEventListener('keydown', (e) => {
  if (e.key === 'Enter' && !e.shiftKey) { e.preventDefault(); sent.push('half') } })</script>"""
CHATS = {
    "lines": "<textarea id=c aria-label=Message></textarea>",
    "rich": "<div id=c contenteditable role=textbox aria-label=Message></div>",
}


@pytest.mark.parametrize("text", ["one\ntwo", "one\r\ntwo", "x" * 200 + "\ntwo"], ids=["short", "return", "long"])
@pytest.mark.parametrize("html", CHATS.values(), ids=CHATS)
async def test_a_line_break_does_not_send_what_is_half_there(
    driver: BrowserDriver, site: Site, html: str, text: str
) -> None:
    await show(driver, site, SENDS + html)
    assert await fill(driver, "Message", text) is None
    assert await value_of(driver, "sent") == []
    assert await value_of(driver, "c.value ?? c.innerText") == text.replace("\r", "")


@pytest.mark.parametrize("html", CHATS.values(), ids=CHATS)
async def test_nor_does_one_at_the_focus(driver: BrowserDriver, site: Site, html: str) -> None:
    await show(driver, site, SENDS + html)
    await driver.click({"target": await ref(driver, "Message"), "tab_id": None})
    await driver.type({"target": None, "text": "one\ntwo", "tab_id": None})
    assert await value_of(driver, "sent") == []
    assert await value_of(driver, "c.value ?? c.innerText") == "one\ntwo"


async def test_where_a_field_is_for_code_the_line_ends_with_its_own_key(driver: BrowserDriver, site: Site) -> None:
    field = "<div id=c contenteditable spellcheck=false role=textbox aria-label=Code></div>"
    keys = "<script>window.keys = []; c.onkeydown = (e) => { keys.push((e.shiftKey ? 'S-' : '') + e.key) }</script>"
    await show(driver, site, field + keys)
    assert await fill(driver, "Code", "a\nb") is None
    assert await value_of(driver, "keys.join()") == "a,Enter,b"


DIGITS = """<style>input {width: 30px}</style><div id=g>%s</div><script>
const all = [...g.children]; let most = %d; all.forEach((one, place) => { one.oninput = () => {
  if (one.value && place < most) %s } });
window.held = () => all.map((one) => one.value).join()</script>"""
SIX = "".join(f"<input maxlength=1 aria-label='Digit {place}'>" for place in range(1, 7))
LEADS = {"at once": "all[place + 1].focus()", "later": "setTimeout(() => all[place + 1].focus())"}


@pytest.mark.parametrize("leads", LEADS.values(), ids=LEADS)
async def test_a_code_goes_into_its_row_of_fields(driver: BrowserDriver, site: Site, leads: str) -> None:
    await show(driver, site, DIGITS % (SIX, 5, leads))
    assert "6 fields" in str(await fill(driver, "Digit 1", "123456"))
    assert await value_of(driver, "held()") == "1,2,3,4,5,6"
    assert "3 fields" in str(await fill(driver, "Digit 2", "789"))  # what they held goes
    assert await value_of(driver, "held()") == "1,7,8,9,5,6"


async def test_a_row_that_ends_before_the_code_gets_no_more(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, DIGITS % (SIX, 5, LEADS["at once"]))
    with pytest.raises(BrowserError, match="of its own: 6; the rest was not"):
        await fill(driver, "Digit 1", "1234567")
    assert await value_of(driver, "held()") == "1,2,3,4,5,6"


async def test_a_row_that_leads_out_of_itself_gets_no_more(driver: BrowserDriver, site: Site) -> None:
    out = "all[place + 1].focus(); if (place === 2) other.focus()"
    await show(driver, site, DIGITS % (SIX, 5, "{" + out + "}") + "<textarea id=other></textarea>")
    with pytest.raises(BrowserError, match="of its own: 3; the rest was not"):
        await fill(driver, "Digit 1", "123456")
    assert await value_of(driver, "held() + other.value") == "1,2,3,,,"


async def test_a_row_that_loses_the_focus_says_that_a_character_may_be_elsewhere(
    driver: BrowserDriver, site: Site
) -> None:
    thief = "<textarea id=other></textarea><script>all[0].onkeydown = () => other.focus()</script>"
    await show(driver, site, DIGITS % (SIX, 0, "0") + thief)
    with pytest.raises(BrowserError, match="of its own: 0; what was typed next may be elsewhere"):
        await fill(driver, "Digit 1", "123456")
    assert await value_of(driver, "held() + other.value") == ",,,,,1"


async def test_small_fields_that_do_not_lead_on_are_each_their_own(driver: BrowserDriver, site: Site) -> None:
    boxes = "".join(f"<input aria-label='Part {place}'>" for place in range(1, 5))
    await show(driver, site, DIGITS % (boxes, 0, "0"))
    assert await fill(driver, "Part 2", "192") is None
    assert await value_of(driver, "held()") == ",192,,"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("color", "#FF00AA"),
        ("datetime-local", "2026-03-04 10:00"),
        ("datetime-local", "2026-03-04T10:00:00"),
        ("time", "09:05:00"),
        ("range", "07.0"),
    ],
)
async def test_the_same_value_in_other_words_is_no_difference(
    driver: BrowserDriver, site: Site, kind: str, text: str
) -> None:
    await show(driver, site, f"<input type={kind} aria-label=Field>")
    assert await fill(driver, "Field", text) is None
