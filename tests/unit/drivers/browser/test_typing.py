"""Fields are filled with trusted input, read back, and refused in words when they cannot be."""

import pytest

from drivers.browser.driver import BrowserDriver
from drivers.errors import NotDone
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


async def test_options_are_chosen_by_value_or_label(driver: BrowserDriver, site: Site) -> None:
    html = """<select id=s aria-label=Seats><option value=1>One<option value=2>Two
    <option disabled value=3>Three</select>
    <select id=m multiple aria-label=Days><option>Mon<option selected>Tue<option>Wed</select>"""
    await show(driver, site, html)
    found = await refs(driver)
    await driver.select_option({"target": found["Seats"], "values": ["Two"], "tab_id": None})
    await driver.select_option({"target": found["Days"], "values": ["Mon", "Wed"], "tab_id": None})
    chosen = "[...document.querySelectorAll('option:checked')].map(o => o.text).join()"
    assert await value_of(driver, chosen) == "Two,Mon,Wed"
    for values, why in ((["Four"], "no such option"), (["3"], "disabled"), (["1", "2"], "exactly one")):
        with pytest.raises(NotDone, match=why):
            await driver.select_option({"target": found["Seats"], "values": values, "tab_id": None})
    assert await value_of(driver, chosen) == "Two,Mon,Wed"


async def test_a_listbox_of_ordinary_elements_is_chosen_from(driver: BrowserDriver, site: Site) -> None:
    html = """<div role=combobox aria-label=Colour aria-controls=l tabindex=0
      onclick="l.hidden = false">pick</div><ul role=listbox id=l hidden aria-label=Colours>
      <li role=option onclick="this.ariaSelected='true'; window.chosen = this.textContent">Red
      <li role=option onclick="this.ariaSelected='true'; window.chosen = this.textContent">Blue</ul>"""
    await show(driver, site, html)
    await driver.select_option({"target": await ref(driver, "Colour"), "values": ["Blue"], "tab_id": None})
    assert str(await value_of(driver, "chosen")).strip() == "Blue"


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


async def test_boxes_take_the_wanted_state_and_no_other(driver: BrowserDriver, site: Site) -> None:
    html = """<label><input type=checkbox id=c checked> Plain</label>
    <div role=switch tabindex=0 aria-checked=false aria-label=Dark
      onclick="this.ariaChecked = this.ariaChecked == 'true' ? 'false' : 'true'">o</div>
    <label><input type=radio name=r> One</label><button>Go</button>"""
    await show(driver, site, html)
    found = await refs(driver)

    async def put(label: str, checked: bool) -> None:
        await driver.set_checked({"target": found[label], "checked": checked, "tab_id": None})

    for _ in range(2):  # the second time nothing is pressed
        await put("Plain", False)
        await put("Dark", True)
        await put("One", True)
    report = await driver.read_page({"tab_id": None, "filter": "interactive"})
    assert [e.get("checked") for e in report["elements"]] == [False, True, True, None]
    with pytest.raises(NotDone, match="another one"):
        await put("One", False)
    with pytest.raises(NotDone, match="neither"):
        await put("Go", True)
