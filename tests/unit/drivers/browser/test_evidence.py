"""Evidence is what stands there now, and an act held to it is refused when that has changed."""

import pytest
from openai.lib.browser import ClickAtInput

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


async def test_two_of_one_name_are_two_and_each_keeps_its_own_name_for_the_driver(
    driver: BrowserDriver, site: Site
) -> None:
    """What is allowed for the run holds to it."""
    await show(driver, site, "<p>A <button>Delete</button><p>B <button>Delete</button>")
    twice = [await driver.read_page({"filter": "interactive", "tab_id": None}) for _ in range(2)]
    first, second = ([one["ref"] for one in report["elements"] if one["label"] == "Delete"] for report in twice)
    assert first == second
    assert len(set(first)) == 2
    assert {(await driver.expect(one)).label for one in first} == {"Delete"}


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


async def test_page_facts_are_of_the_document_that_is_there_now(driver: BrowserDriver, site: Site) -> None:
    url = await show(driver, site, "<title>first</title>")
    before = await driver.page_facts()
    other = site.page("/other", "<title>second</title>").replace("127.0.0.1", "localhost")
    for address, title in ((other, "second"), ("back", "first"), (other, "second"), (url, "first")):
        await driver.navigate({"url": address, "tab_id": None})
        facts, again = await driver.page_facts(), await driver.page_facts()
        assert (facts.title, facts.origin) == (title, (other if title == "second" else url).rpartition("/")[0])
        assert facts == again
        assert facts.document_id != before.document_id
        before = facts


async def test_what_lies_at_a_point_also_in_a_frame(driver: BrowserDriver, site: Site) -> None:
    site.page("/in", "<body style='margin:0'><button style='width:90px;height:40px'><b>Inner</b></button>")
    frame = (
        f"<iframe src='{site.url('/in', host='localhost')}' style='position:absolute;left:200px;top:200px'></iframe>"
    )
    await show(driver, site, HTML + frame)
    pay, inner = await driver.expect_at(50, 70), await driver.expect_at(230, 215)
    assert (pay.role, pay.label) == ("link", "Pay")
    assert (inner.role, inner.label, inner.frame_origin) == ("button", "Inner", f"http://localhost:{site.port}")
    assert (await driver.expect_at(900, 700)).role == "area"


async def test_a_press_held_to_a_point_is_refused_when_something_else_lies_there(
    driver: BrowserDriver, site: Site
) -> None:
    await show(driver, site, HTML)
    press: ClickAtInput = {"tab_id": None, "x": 50, "y": 70, "button": "left", "click_count": 1, "keys": []}
    driver.hold_point(50, 70, await driver.expect_at(50, 70))
    await value_of(driver, CHANGES["on top"])
    with pytest.raises(NotDone, match="something else lies"):
        await driver.click_at(press)
    await value_of(driver, "document.querySelector('div').remove()")
    driver.hold_point(50, 70, await driver.expect_at(50, 70))
    await driver.click_at(press)
    assert await value_of(driver, "document.title") == "hit"


async def test_keys_held_to_the_focus_are_refused_when_it_has_moved(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<input aria-label=One id=a><input aria-label=Two id=b>")
    assert await driver.expect_focus() is None
    await value_of(driver, "document.getElementById('a').focus()")
    focus = await driver.expect_focus()
    assert focus is not None
    assert focus.label == "One"
    driver.hold_focus(focus)
    await driver.type({"target": None, "text": "x", "tab_id": None})
    for act in (
        driver.type({"target": None, "text": "y", "tab_id": None}),
        driver.key({"keys": ["y"], "tab_id": None}),
    ):
        await value_of(driver, "document.getElementById('a').focus()")
        driver.hold_focus(await driver.expect_focus())
        await value_of(driver, "document.getElementById('b').focus()")
        with pytest.raises(NotDone, match="focus"):
            await act
    assert await value_of(driver, "document.getElementById('a').value + document.getElementById('b').value") == "x"


HOSTILE = """<button aria-label="Cancel">Pay 900</button> <a href="https://evil.example/x?y#z">Help</a>
<form action="https://evil.example/take"><input name=action><button>Send</button></form>
<button aria-label="Send the message">Send</button>"""


async def test_a_name_that_is_not_what_it_reads_and_where_it_leads_are_told(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, HOSTILE)
    seen = {label: await driver.expect(await ref(driver, label)) for label in ("Cancel", "Help", "Send")}
    assert seen["Cancel"].reads == "Pay 900"
    assert seen["Help"].leads_to == "https://evil.example/x?y#z"
    assert seen["Send"].leads_to == "https://evil.example/take", "a field named action hides nothing"
    assert seen["Cancel"].leads_to == ""


LISTS = {
    "a table": "<table><tr><td>June<td><button>Delete</button><tr><td>May<td><button>Delete</button></table>",
    "rows that are placed": "".join(
        f"<div style='position:absolute;top:{top}px'><b>{name}</b><i><button>Delete</button></i></div>"
        for top, name in ((0, "June"), (40, "May"))
    ),
    "one row by its role": "<div role=list><div role=listitem><b>May</b><button>Delete</button></div></div>",
    "a long row": f"<ul><li><b>May</b>{'x' * 400}<button>Delete</button></ul>",
}


@pytest.mark.parametrize("page", LISTS.values(), ids=LISTS)
async def test_an_element_that_is_used_again_for_another_row_is_told(
    driver: BrowserDriver, site: Site, page: str
) -> None:
    await show(driver, site, page)
    target = await ref(driver, "Delete")
    was = await driver.expect(target)
    assert was.row.startswith("May")
    assert await driver.expect(target) == was
    await value_of(
        driver, "[...document.querySelectorAll('b, td')].find(e => e.textContent == 'May').firstChild.data = 'Contract'"
    )
    now = await driver.expect(target)
    assert (now.ref, now.label, now.leads) == (was.ref, was.label, was.leads)
    assert now.row.startswith("Contract")
    await value_of(driver, "[...document.querySelectorAll('button')].at(-1).after('!')")
    assert (await driver.expect(target)).row != now.row


async def test_an_element_in_whose_row_other_words_stand_is_not_pressed(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, LISTS["one row by its role"])
    target = await ref(driver, "Delete")
    await value_of(driver, "void (document.querySelector('button').onclick = () => { window.pressed += 1 })")
    await value_of(driver, "window.pressed = 0")
    driver.hold_to(await driver.expect(target))
    await value_of(driver, "document.querySelector('b').after(' 12:05')")
    await driver.click({"target": target, "tab_id": None})
    driver.hold_to(await driver.expect(target))
    await value_of(driver, "document.querySelector('b').firstChild.data = 'Contract'")
    with pytest.raises(NotDone, match="stands in another row"):
        await driver.click({"target": target, "tab_id": None})
    assert await value_of(driver, "window.pressed") == 1


async def test_an_element_of_which_there_is_no_other_has_no_row(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<section><p>3</p><button>More</button></section><section><p>4</p></section>")
    assert (await driver.expect(await ref(driver, "More"))).row == ""


async def test_an_element_that_leads_elsewhere_than_when_asked_is_not_pressed(
    driver: BrowserDriver, site: Site
) -> None:
    await show(driver, site, '<a id=a href="/help?t=1">Help</a>')
    target = await ref(driver, "Help")
    driver.hold_to(await driver.expect(target))
    await value_of(driver, "document.getElementById('a').href = '/help?t=2'")
    await driver.click({"target": target, "tab_id": None})
    await show(driver, site, '<a id=a href="/help">Help</a>')
    target = await ref(driver, "Help")
    driver.hold_to(await driver.expect(target))
    await value_of(driver, "document.getElementById('a').href = 'https://evil.example/help'")
    with pytest.raises(NotDone, match="leads to another address"):
        await driver.click({"target": target, "tab_id": None})
