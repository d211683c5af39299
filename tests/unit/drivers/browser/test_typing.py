"""Fields are filled with trusted input, read back, and refused in words when they cannot be."""

import pytest

from drivers.browser.driver import BrowserDriver
from drivers.errors import BrowserError, NotDone
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import ref, refs, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

FIELDS = """<label>Name <input id=n value=old></label><label>Notes <textarea id=t>old</textarea></label>
<label>Amount <input id=a type=number max=9></label><label>Code <input id=c maxlength=3></label>
<label>Fixed <input id=f readonly value=x></label>
<div id=e contenteditable aria-label=Story>once</div>
<script>window.keys = 0; addEventListener('keydown', e => keys += e.isTrusted ? 1 : 0)</script>"""


async def fill(driver: BrowserDriver, label: str, text: str) -> str | None:
    return await driver.type({"target": await ref(driver, label), "text": text, "tab_id": None})


@pytest.mark.parametrize("text", ["Zoë", "日本語 𝒳 😀👩‍👩‍👧", "a" * 500, "", "\u202eabc"])
async def test_typing_replaces_what_the_field_holds(driver: BrowserDriver, site: Site, text: str) -> None:
    await show(driver, site, FIELDS)
    assert await fill(driver, "Name", text) is None
    assert await value_of(driver, "document.getElementById('n').value") == text


@pytest.mark.parametrize("kind", ["number", "email", "url", "tel", "search", "password"])
async def test_every_kind_of_text_field_is_replaced(driver: BrowserDriver, site: Site, kind: str) -> None:
    old, new = ("12", "345") if kind == "number" else ("old", "new")
    await show(driver, site, f"<input type={kind} id=n value={old} aria-label=Field>")
    assert await fill(driver, "Field", new) is None
    assert await value_of(driver, "document.getElementById('n').value") == new


async def test_lines_go_into_a_text_area_and_not_into_a_single_line(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, FIELDS)
    assert await fill(driver, "Notes", "one\ntwo") is None
    assert await value_of(driver, "document.getElementById('t').value") == "one\ntwo"
    with pytest.raises(NotDone, match="single line"):
        await fill(driver, "Name", "one\ntwo")
    assert await value_of(driver, "document.getElementById('n').value") == "old"


async def test_short_text_is_typed_with_trusted_keys(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, FIELDS)
    await fill(driver, "Name", "abc")
    assert await value_of(driver, "keys") == 3


async def test_a_rich_text_region_is_filled(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, FIELDS)
    await fill(driver, "Story", "twice told")
    assert await value_of(driver, "document.getElementById('e').innerText") == "twice told"


@pytest.mark.parametrize(
    "html",
    ["<p {}>once</p>", "<h2 {}>once</h2>", "<table><tr><td {}>once</td></tr></table>", "<ul><li {}>once</li></ul>",
     "<section {}>once</section>", "<iframe srcdoc='<body {}>once</body>'></iframe>"],
)  # fmt: skip
async def test_whatever_can_be_edited_is_a_field(driver: BrowserDriver, site: Site, html: str) -> None:
    await show(driver, site, html.format("id=e contenteditable aria-label=Story"))
    report = await driver.read_page({"tab_id": None, "filter": "interactive"})
    assert [(element["role"], element["label"]) for element in report["elements"]] == [("textbox", "Story")]
    await fill(driver, "Story", "twice told")
    where = "(document.querySelector('iframe')?.contentDocument ?? document)"
    assert await value_of(driver, f"{where}.getElementById('e').innerText") == "twice told"


async def test_a_field_that_took_something_else_is_said(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, FIELDS)
    assert "does not hold exactly" in str(await fill(driver, "Code", "12345"))


async def test_a_read_only_field_is_refused(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, FIELDS)
    with pytest.raises(NotDone, match="read-only"):
        await fill(driver, "Fixed", "y")


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("date", "2027-02-28", "28.02.2027"),
        ("time", "09:30", "9 o'clock"),
        ("month", "2027-02", "February"),
        ("week", "2027-W09", "9"),
        ("datetime-local", "2027-02-28T09:30", "2027-02-28"),
        ("color", "#00ff7f", "green"),
        ("date", "2027-02-28", "2027-02-30"),
    ],
)
async def test_date_and_time_fields_take_their_stated_format(
    driver: BrowserDriver, site: Site, kind: str, good: str, bad: str
) -> None:
    script = "<script>window.changes = 0; document.addEventListener('change', () => changes++)</script>"
    await show(driver, site, f"<label>When <input id=w type={kind}></label>{script}")
    assert await fill(driver, "When", good) is None
    assert await value_of(driver, "[document.getElementById('w').value, changes].join()") == f"{good},1"
    with pytest.raises(NotDone, match="takes"):
        await fill(driver, "When", bad)
    assert await value_of(driver, "document.getElementById('w').value") == good


async def test_typing_at_the_focus_adds_to_what_is_there(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, FIELDS)
    await value_of(driver, "(n => { n.focus(); n.setSelectionRange(3, 3) })(document.getElementById('n'))")
    assert await driver.type({"target": None, "text": "er", "tab_id": None}) is None
    assert await value_of(driver, "document.getElementById('n').value") == "older"
    await value_of(driver, "document.activeElement.blur()")
    assert "No field has the focus" in str(await driver.type({"target": None, "text": "x", "tab_id": None}))


async def test_a_field_in_a_frame_of_another_site_is_filled(driver: BrowserDriver, site: Site) -> None:
    site.page("/in", "<label>Inner <input></label>")
    await show(driver, site, f"<iframe src='{site.url('/in', host='localhost')}'></iframe>")
    assert await fill(driver, "Inner", "über 😀") is None
    report = await driver.read_page({"tab_id": None, "filter": "interactive"})
    assert report["elements"][0]["value"] == "über 😀"


async def test_chords_reach_the_page(driver: BrowserDriver, site: Site) -> None:
    script = """<script>window.seen = [];
    addEventListener('keydown', e => seen.push((e.ctrlKey ? 'C' : '') + (e.shiftKey ? 'S' : '') + e.key))</script>"""
    await show(driver, site, FIELDS + script)
    await value_of(driver, "document.getElementById('n').focus()")
    await driver.key({"keys": ["ctrl+a"], "tab_id": None})
    await driver.key({"keys": ["Delete"], "tab_id": None})
    assert await value_of(driver, "document.getElementById('n').value") == ""
    await value_of(driver, "seen.length = 0")
    await driver.key({"keys": ["Tab", "Tab"], "tab_id": None})
    await driver.key({"keys": ["CTRL", "SHIFT", "ArrowLeft"], "tab_id": None})
    assert await value_of(driver, "seen.join()") == "Tab,Tab,CControl,CSShift,CSArrowLeft"


@pytest.mark.parametrize("typed", ["abc\rdef", "abc\r\ndef"])
async def test_a_carriage_return_is_a_line_break(driver: BrowserDriver, site: Site, typed: str) -> None:
    html = "<form onsubmit='event.preventDefault(); window.sent = true'>" + FIELDS + "</form>"
    await show(driver, site, html)
    found = await refs(driver)
    with pytest.raises(NotDone, match="single line"):
        await driver.type({"target": found["Name"], "text": typed, "tab_id": None})
    await value_of(driver, "document.getElementById('n').focus()")
    with pytest.raises(NotDone, match="single line"):
        await driver.type({"target": None, "text": typed, "tab_id": None})
    assert await value_of(driver, "[document.getElementById('n').value, !!window.sent].join()") == "old,false"
    assert await driver.type({"target": found["Notes"], "text": typed, "tab_id": None}) is None
    assert await value_of(driver, "document.getElementById('t').value") == "abc\ndef"


async def test_a_key_with_shift_gives_its_upper_sign(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<input id=n aria-label=Name autofocus>")
    await value_of(driver, "document.getElementById('n').focus()")
    await driver.key({"keys": ["shift+a", "shift+1", "SHIFT", "/", "shift+B", "a"], "tab_id": None})
    await driver.hold_keys({"keys": ["shift", "c"], "duration_ms": 1, "tab_id": None})
    assert await value_of(driver, "document.getElementById('n').value") == "A!?BaC"


@pytest.mark.parametrize("lacking", ["é", "😀", "F13"])
async def test_a_key_that_the_browser_lacks_is_refused_before_any(
    driver: BrowserDriver, site: Site, lacking: str
) -> None:
    await show(driver, site, "<input id=n aria-label=Name>")
    await value_of(driver, "document.getElementById('n').focus()")
    with pytest.raises(NotDone, match="lacks"):
        await driver.key({"keys": ["a", lacking], "tab_id": None})
    with pytest.raises(NotDone, match="lacks"):
        await driver.hold_keys({"keys": ["a", lacking], "duration_ms": 1, "tab_id": None})
    assert await value_of(driver, "document.getElementById('n').value") == ""


TAKING = """<input aria-label=Whole id=w onfocus="setTimeout(() => document.getElementById('o').focus())">
<input aria-label=Frame id=f onfocus="setTimeout(() => document.querySelector('iframe').contentWindow.focus())">
<input aria-label=Middle id=m oninput="if (this.value.length == 3) document.getElementById('o').focus()">
<input aria-label=Other id=o><iframe src='{frame}'></iframe>"""


@pytest.mark.parametrize(("label", "typed"), [("Whole", 0), ("Frame", 0), ("Middle", 4)])
async def test_typing_stops_where_the_page_moves_the_focus_to_another_field(
    driver: BrowserDriver, site: Site, label: str, typed: int
) -> None:
    site.page("/in", "<input aria-label=Inner id=i><script>onfocus = () => i.focus()</script>")
    await show(driver, site, TAKING.format(frame=site.url("/in", host="localhost")))
    with pytest.raises(BrowserError, match="focus") as caught:
        await fill(driver, label, "words of mine that go nowhere else")
    assert not isinstance(caught.value, NotDone)
    report = await driver.read_page({"tab_id": None, "filter": "interactive"})
    assert sum(len(element.get("value") or "") for element in report["elements"]) == typed


async def test_a_field_in_a_frame_whose_page_takes_the_focus_gets_nothing(driver: BrowserDriver, site: Site) -> None:
    site.page("/in", "<input aria-label=Inner onfocus='parent.o.focus()'>")
    await show(driver, site, f"<input aria-label=Other id=o><iframe src='{site.url('/in')}'></iframe>")
    with pytest.raises(BrowserError, match="focus"):
        await fill(driver, "Inner", "words")
    assert await value_of(driver, "document.getElementById('o').value") == ""


async def test_a_field_that_lets_the_focus_go_was_pressed_all_the_same(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<input aria-label=Shy id=n onclick='window.pressed = true' onfocus='this.blur()'>")
    with pytest.raises(BrowserError, match="focus") as caught:
        await fill(driver, "Shy", "abc")
    assert not isinstance(caught.value, NotDone)
    assert await value_of(driver, "pressed") is True


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<input aria-label=F oninput=\"setTimeout(() => this.value = 'x')\">", "abc"),
        ("<input aria-label=F oninput='this.replaceWith(this.cloneNode())'>", "abc"),
        ("<input aria-label=F type=date onchange=\"setTimeout(() => this.value = '')\">", "2027-02-28"),
        ("<div aria-label=F role=textbox contenteditable onbeforeinput='event.preventDefault()'>old</div>", "abc"),
    ],
)
async def test_what_the_page_takes_back_in_its_turn_is_said(
    driver: BrowserDriver, site: Site, html: str, text: str
) -> None:
    await show(driver, site, html)
    assert "read it again" in str(await fill(driver, "F", text))


async def test_what_keeps_to_its_lines_and_places_is_not_said_of_a_rich_text(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, FIELDS)
    assert await fill(driver, "Story", "one  two\n\nthree ") is None
    assert await fill(driver, "Story", "") is None
