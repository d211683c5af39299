"""Options and boxes are chosen as asked, and a choice that was not taken is never called one."""

import pytest

from drivers.browser import choosing
from drivers.browser.driver import BrowserDriver
from drivers.errors import BrowserError, NotDone
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import ref, refs, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def choose(driver: BrowserDriver, label: str, *values: str) -> str | None:
    return await driver.select_option({"target": await ref(driver, label), "values": list(values), "tab_id": None})


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


MANY = """<div role=listbox aria-label=People aria-multiselectable=true tabindex=0>
<div role=option>Ann</div><div role=option>Bob</div><div role=option aria-selected=true>Cid</div></div>
<script>for (const one of document.querySelectorAll('[role=option]')) one.onclick = () => {
  one.ariaSelected = one.ariaSelected !== 'true' }</script>"""


async def test_of_a_list_of_many_exactly_those_become_chosen(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, MANY)
    state = "[...document.querySelectorAll('[role=option]')].map(o => o.ariaSelected === 'true').join()"
    with pytest.raises(NotDone, match="no such option"):
        await choose(driver, "People", "Ann", "Nobody")
    assert await value_of(driver, state) == "false,false,true"
    assert await choose(driver, "People", "Ann", "Bob") is None
    assert await value_of(driver, state) == "true,true,false"


COMBO = """<button role=combobox aria-label=Pick aria-controls=l onclick="{open}">none</button>
<ul role=listbox id=l hidden>{options}</ul><script>window.hits = [];
const l = document.getElementById('l'), box = document.querySelector('button');
l.onclick = (e) => {{ hits.push(e.target.textContent); {take} }}</script>"""
TAKE = "box.textContent = e.target.textContent; l.hidden = true"
OPTIONS = "<li role=option>Xen</li><li role=option>Yul</li>"


async def test_a_list_of_one_is_not_given_two(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, COMBO.format(open="l.hidden = false", options=OPTIONS, take=TAKE))
    with pytest.raises(NotDone, match="exactly one"):
        await choose(driver, "Pick", "Xen", "Yul")
    assert await value_of(driver, "[hits.length, l.hidden].join()") == "0,true"
    assert await choose(driver, "Pick", "Xen") is None
    assert await choose(driver, "Pick", "Yul") is None
    assert await value_of(driver, "hits.join()") == "Xen,Yul"


@pytest.mark.parametrize("later", ["fill()", "setTimeout(fill)"])
async def test_a_list_that_was_opened_first_is_not_called_untouched(
    driver: BrowserDriver, site: Site, later: str
) -> None:
    html = (
        COMBO.format(open=later, options="", take=TAKE)
        + """<script>function fill() {
      l.hidden = false; l.innerHTML = '<li role=option>Xen</li>' }</script>"""
    )
    await show(driver, site, html)
    with pytest.raises(BrowserError, match="no such option") as caught:
        await choose(driver, "Pick", "Yul")
    assert not isinstance(caught.value, NotDone)
    await show(driver, site, html)
    assert await choose(driver, "Pick", "Xen") is None
    assert await value_of(driver, "hits.join()") == "Xen"


async def test_a_list_in_a_shadow_root_is_chosen_from(driver: BrowserDriver, site: Site) -> None:
    combo = "<button role=combobox aria-label=Pick aria-controls=l>none</button><ul role=listbox id=l hidden>"
    script = f"""<div id=h></div><script>const root = h.attachShadow({{mode: 'open'}});
    root.innerHTML = `{combo}{OPTIONS}</ul>`; const [box, l] = root.children;
    box.onclick = () => {{ l.hidden = false }}; l.onclick = (e) => {{ {TAKE} }}</script>"""
    await show(driver, site, script)
    assert await choose(driver, "Pick", "Yul") is None
    assert await value_of(driver, "box.textContent") == "Yul"


@pytest.mark.parametrize("marks", ["", "aria-selected=false"])
async def test_an_option_that_ignores_the_press_is_said(driver: BrowserDriver, site: Site, marks: str) -> None:
    option = f"<div role=option {marks}>Dan</div>"
    await show(driver, site, f"<div role=listbox aria-label=Deaf tabindex=0>{option}</div>")
    assert "no sign" in str(await choose(driver, "Deaf", "Dan"))


@pytest.mark.parametrize(
    "later", ["setTimeout(() => this.value = 'a')", "Promise.resolve().then(() => this.value = 'a')"]
)
async def test_a_choice_that_the_page_takes_back_is_said(driver: BrowserDriver, site: Site, later: str) -> None:
    html = f'<select aria-label=Sel onchange="{later}"><option value=a>A<option value=b>B</select>'
    await show(driver, site, html)
    assert "changed the choice" in str(await choose(driver, "Sel", "b"))


async def test_choosing_that_leads_elsewhere_is_done(driver: BrowserDriver, site: Site) -> None:
    next_page = site.page("/next", "<p>Arrived</p>")
    html = f"<select aria-label=Sel onchange=\"location = '{next_page}'\"><option>A<option>B</select>"
    await show(driver, site, html)
    assert await choose(driver, "Sel", "B") is None
    await driver.wait_for({"text": "Arrived", "timeout_ms": 20_000, "tab_id": None})


@pytest.mark.parametrize("wanted", [False, True])
@pytest.mark.parametrize("label", ["Plain", "Mixed"])
async def test_a_box_that_is_neither_on_nor_off_takes_either(
    driver: BrowserDriver, site: Site, label: str, wanted: bool
) -> None:
    html = """<input type=checkbox aria-label=Plain id=p><div role=checkbox tabindex=0 aria-checked=mixed
    aria-label=Mixed onclick="this.ariaChecked = this.ariaChecked != 'true'">m</div>
    <script>p.indeterminate = true</script>"""
    await show(driver, site, html)
    await driver.set_checked({"target": await ref(driver, label), "checked": wanted, "tab_id": None})
    state = {"Plain": "p.checked && !p.indeterminate", "Mixed": "p.nextElementSibling.ariaChecked === 'true'"}[label]
    assert await value_of(driver, state) is wanted
    assert await value_of(driver, "p.indeterminate") is (label != "Plain")


async def test_a_box_that_springs_back_in_the_pages_turn_is_not_set(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<input type=checkbox aria-label=Loose onclick='setTimeout(() => this.checked = false)'>")
    with pytest.raises(BrowserError, match="did not take"):
        await driver.set_checked({"target": await ref(driver, "Loose"), "checked": True, "tab_id": None})


CHIPS = """<div id=chips></div>
<button role=combobox aria-label=Tags aria-controls=l onclick="l.hidden = false">v</button>
<ul role=listbox id=l aria-multiselectable=true hidden></ul><script>
let left = ['Red', 'Green', 'Blue'];
const draw = () => { l.innerHTML = left.map(o => `<li role=option aria-selected=false>${o}</li>`).join('') };
l.onclick = (e) => { chips.append(e.target.textContent, ' ');
  left = left.filter(o => o !== e.target.textContent); l.hidden = true; l.innerHTML = ''; %s };
document.querySelector('button').addEventListener('click', draw)</script>"""


async def test_a_list_that_closes_at_each_choice_is_opened_for_the_next(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, CHIPS % "")
    assert "read the page" in str(await choose(driver, "Tags", "Red", "Blue"))
    assert await value_of(driver, "chips.textContent") == "Red Blue "


async def test_a_list_that_is_gone_after_the_first_choice_is_not_done(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, CHIPS % "document.querySelector('button').remove()")
    assert await choose(driver, "Tags", "Red", "Blue") is not None
    assert await value_of(driver, "chips.textContent") == "Red "


BESIDE = """<input role=combobox aria-label=Fruit aria-controls=l aria-expanded=false readonly id=i value="">
<div id=pop hidden><div role=listbox id=l style="width:0;height:0;overflow:hidden">
<div role=option aria-label=Apple aria-selected=false>a</div>
<div role=option aria-label=Pear aria-selected=false>b</div>
</div><div><div><b>Apple</b></div><div><b>Pear</b></div><div aria-disabled=true><b>Plum</b></div>%s
</div></div><script>
i.onclick = () => { setTimeout(() => { pop.hidden = false; i.ariaExpanded = 'true' }, 200) };
pop.onclick = (e) => { i.value = e.target.textContent; pop.hidden = true; i.ariaExpanded = 'false' }</script>"""


async def test_options_drawn_beside_the_list_are_pressed(
    driver: BrowserDriver, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "GOING_SECS", 30.0)
    await show(driver, site, BESIDE % "")
    assert await choose(driver, "Fruit", "Pear") is None
    assert await choose(driver, "Fruit", "Apple") is None
    assert await value_of(driver, "i.value") == "Apple"
    with pytest.raises(BrowserError, match="disabled"):
        await choose(driver, "Fruit", "Plum")


@pytest.mark.parametrize("more", ["<div><b>Pear</b></div>", "<button>Plum</button>"], ids=["alike", "a button"])
async def test_what_may_not_be_the_option_is_not_pressed(driver: BrowserDriver, site: Site, more: str) -> None:
    await show(driver, site, BESIDE.replace("<div aria-disabled=true><b>Plum</b></div>", "") % more)
    with pytest.raises(BrowserError):
        await choose(driver, "Fruit", "Plum" if "Plum" in more else "Pear")
    assert await value_of(driver, "i.value") == ""


async def test_options_handed_over_to_a_component_are_chosen(driver: BrowserDriver, site: Site) -> None:
    script = """<x-list><i role=option>Red</i><i role=option>Green</i></x-list><script>
    const host = document.querySelector('x-list'), root = host.attachShadow({mode: 'open'});
    root.innerHTML = `<input role=combobox aria-label=Color aria-controls=l readonly>
      <div id=l role=listbox hidden><slot></slot></div>`;
    const [box, list] = root.children; box.onclick = () => { list.hidden = false };
    host.onclick = (e) => { if (e.target !== host) box.value = e.target.textContent, list.hidden = true }</script>"""
    await show(driver, site, script)
    assert await choose(driver, "Color", "Green") is None
    assert await value_of(driver, "box.value") == "Green"


async def test_an_open_list_may_lie_on_what_opened_it(driver: BrowserDriver, site: Site) -> None:
    veil = "<div id=v hidden style='position:fixed;inset:0'></div>"
    html = COMBO.format(open="l.hidden = v.hidden = false", options=OPTIONS, take="v.hidden = true; " + TAKE)
    await show(driver, site, f"<style>ul {{position: relative; z-index: 2}}</style>{html}{veil}")
    await driver.click({"target": await ref(driver, "Pick"), "tab_id": None})
    assert await choose(driver, "Pick", "Yul") is None
    assert await value_of(driver, "hits.join()") == "Yul"


async def test_a_disabled_list_is_not_chosen_from(driver: BrowserDriver, site: Site) -> None:
    off = f"<div role=listbox aria-label=Off aria-disabled=false id=d tabindex=0>{OPTIONS}</div>"
    await show(driver, site, off + "<script>window.hits = []; d.onclick = () => hits.push(1)</script>")
    target = await ref(driver, "Off")
    await value_of(driver, "d.ariaDisabled = 'true'")
    with pytest.raises(NotDone, match="list is disabled"):
        await driver.select_option({"target": target, "values": ["Xen"], "tab_id": None})
    assert await value_of(driver, "hits") == []


async def test_a_switch_that_is_called_by_its_state_is_set(driver: BrowserDriver, site: Site) -> None:
    flips = (
        "this.ariaChecked = this.ariaChecked !== 'true'; this.textContent = this.ariaChecked === 'true' ? 'On' : 'Off'"
    )
    await show(driver, site, f'<button role=switch id=b aria-checked=false onclick="{flips}">Off</button>')
    await driver.set_checked({"target": await ref(driver, "Off"), "checked": True, "tab_id": None})
    assert await value_of(driver, "b.ariaChecked") == "true"
