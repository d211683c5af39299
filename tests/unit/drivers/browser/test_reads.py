"""A read says what a person would see, keeps what is private, and ends in time whatever the page is like."""

import pytest
from openai.lib.browser import BrowserReadV1

from drivers.browser.driver import BrowserDriver
from drivers.errors import NotDone, PageStuck
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import refs, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def read(driver: BrowserDriver, what: str = "all") -> BrowserReadV1:
    return await driver.read_page({"tab_id": None, "filter": "interactive" if what == "interactive" else "all"})


async def test_text_comes_in_reading_order_with_the_addresses_of_links(driver: BrowserDriver, site: Site) -> None:
    html = """<h1>Table   booking</h1><p>Pay <b>9</b><i>.99</i> now or <a href='/help?a=1'>get help</a>.</p>
    <ul><li>one<li>two</ul><p hidden>unseen</p>
    <p style='visibility:hidden'>unseen <b style='visibility:visible'>seen</b></p>
    <nav><a style='display:block' href='http://user:pw@other.test/x'>Out</a>
    <a style='display:block' href='#z'>In</a></nav>
    <img alt='A red door' width=10 height=10 src='data:,'><script>var x = 'unseen'</script>"""
    await show(driver, site, html)
    assert (await read(driver))["text"].splitlines() == [
        "# Table booking",
        "Pay 9.99 now or get help (/help?a=1).",
        "- one",
        "- two",
        "seen",
        "Out (http://other.test/x)",
        "In (#z)",
        "[image: A red door]",
    ]
    assert (await read(driver, "interactive"))["text"] == ""


async def test_links_are_buttons_and_every_element_has_a_label(driver: BrowserDriver, site: Site) -> None:
    await show(
        driver,
        site,
        "<a href=/x>Go</a><button></button><input><div onclick='1'>Do it</div><a href=/y><img alt=Pic></a>",
    )
    report = await read(driver)
    assert [(e["role"], e["label"]) for e in report["elements"]] == [
        ("button", "Go"), ("button", "(unnamed button)"), ("textbox", "(unnamed textbox)"), ("button", "Do it"),
        ("button", "Pic"),
    ]  # fmt: skip


async def test_private_values_never_leave_the_page(driver: BrowserDriver, site: Site) -> None:
    html = """<input type=password value=CANARY aria-label=P><input autocomplete=cc-number value=CANARY aria-label=Q>
    <input autocomplete='section-a one-time-code' value=CANARY aria-label=R><input name=cvv value=CANARY>
    <label>Card number <input value=CANARY></label><input aria-label='Security code' value=CANARY>
    <label>City <input value=Bern></label><input style='-webkit-text-security:disc' value=CANARY aria-label=S>"""
    await show(driver, site, html)
    report = await read(driver)
    assert "CANARY" not in str(report)
    assert "private" in report["omitted"]
    assert [e["value"] for e in report["elements"] if "value" in e] == ["Bern"]
    assert "CANARY" not in str(await driver.get_page_text({"tab_id": None}))
    assert "CANARY" not in str(await driver.find({"query": "canary", "tab_id": None}))


async def test_a_label_says_only_what_can_be_seen(driver: BrowserDriver, site: Site) -> None:
    html = """<div onclick=1>Pay 10<span style='display:none'>00</span><style>b{}</style></div>
    <label><input type=checkbox> Card <input name=cvv value=CANARY> is mine</label>"""
    await show(driver, site, html)
    report = await read(driver)
    assert "Pay 10" in [e["label"] for e in report["elements"]]
    assert "CANARY" not in str(report)


async def test_shadow_roots_and_their_slots_are_read_in_place(driver: BrowserDriver, site: Site) -> None:
    html = """<x-card><span>slotted</span></x-card><x-shut></x-shut><style>x-shut{display:block}</style><script>
    customElements.define('x-card', class extends HTMLElement { constructor() { super();
      this.attachShadow({mode: 'open'}).innerHTML = '<button>Twin</button><slot></slot>' } });
    customElements.define('x-shut', class extends HTMLElement { constructor() { super();
      this.attachShadow({mode: 'closed'}).innerHTML = '<button>Twin</button>' } });</script>"""
    await show(driver, site, html)
    report = await read(driver)
    assert report["text"].split() == ["Twin", "slotted"]
    assert [e["label"] for e in report["elements"]] == ["Twin"]
    assert report["omitted"] == ["unsupported_root"]


async def test_refs_stay_while_the_element_is_the_same(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<button>One</button><button>Two</button>")
    first, second = [[e["ref"] for e in (await read(driver))["elements"]] for _ in range(2)]
    assert first == second
    assert len(set(first)) == 2


async def test_a_page_cannot_reach_the_references_or_clobber_the_walk(driver: BrowserDriver, site: Site) -> None:
    html = """<form><input name=parentNode><input name=getAttribute><input name=nextSibling><input name=children>
    <button>Send</button></form><img name=body><p>after</p>
    <script>Element.prototype.checkVisibility = () => false; Element.prototype.getAttribute = () => 'X';
    window.found = typeof signalbox</script>"""
    await show(driver, site, html)
    report = await read(driver)
    assert [e["role"] for e in report["elements"]] == ["textbox"] * 4 + ["button"]
    assert report["text"].splitlines()[-1] == "after"
    assert driver.tabs.active is not None
    assert await driver.tabs.active.page.evaluate("found") == "undefined"


async def test_a_form_by_a_prefixed_name_cannot_clobber_the_walk(driver: BrowserDriver, site: Site) -> None:
    html = """<body><script>const form = document.createElementNS('http://www.w3.org/1999/xhtml', 'h:form');
    form.innerHTML = '<input name=nextSibling><input name=hasAttributes><button>Send</button>';
    document.body.append(form, 'after')</script>"""
    await show(driver, site, html)
    report = await read(driver)
    assert [e["role"] for e in report["elements"]] == ["textbox"] * 2 + ["button"]
    assert report["text"].splitlines()[-1] == "after"


@pytest.mark.parametrize(
    ("html", "code"),
    [
        ("<script>document.body.innerHTML = '<button>b</button>'.repeat(50000)</script>", "target_limit"),
        ("<button id=b></button><script>b.textContent = 'x'.repeat(5e6)</script>", "name_limit"),
        ("<script>document.body.innerHTML = '<p>' + 'word '.repeat(1e6)</script>", "text_limit"),
        ("<canvas></canvas>", "unsupported_control"),
    ],
)
async def test_a_huge_page_is_read_in_part_and_says_so(driver: BrowserDriver, site: Site, html: str, code: str) -> None:
    await show(driver, site, f"<body>{html}")
    report = await read(driver)
    assert code in report["omitted"]
    assert len(str(report)) < 1_000_000


async def test_deep_nesting_is_walked(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<div>" * 300 + "<button>Deep</button>")
    assert [e["label"] for e in (await read(driver))["elements"]] == ["Deep"]


async def test_a_page_that_hangs_is_given_up(driver: BrowserDriver, site: Site) -> None:
    await show(driver, site, "<p>fine so far</p>")
    await value_of(driver, "setTimeout(() => { for (;;); }, 0)")
    given_up = ""
    for _ in range(100):  # the first reads may come before the page begins to hang
        try:
            await read(driver)
        except PageStuck as stuck:
            given_up = str(stuck)
            break
    assert "answer" in given_up
    assert (await driver.state())["tabs"][0]["active"]


async def test_unpaired_surrogates_reach_the_model_as_text(driver: BrowserDriver, site: Site) -> None:
    await show(
        driver, site, "<button id=b></button><script>b.textContent = 'a\\ud800b'; document.title = '\\ud800'</script>"
    )
    str(await read(driver)).encode("utf-8")
    str(await driver.state()).encode("utf-8")


async def test_find_ranks_and_keeps_the_lines_that_hold_the_words(driver: BrowserDriver, site: Site) -> None:
    html = """<p>Nothing here</p><p>Save your work</p><button>Save as</button><p><button>Discard</button></p>
    <button>Save</button>"""
    await show(driver, site, html)
    report = await driver.find({"query": "the save button", "tab_id": None})
    assert [e["label"] for e in report["elements"]][:2] == ["Save", "Save as"]
    assert "Discard" not in str(report)
    assert "Nothing here" not in report["text"]
    with pytest.raises(NotDone):
        await driver.find({"query": "  ", "tab_id": None})


async def test_elements_that_only_listen_are_controls_also_in_a_frame(driver: BrowserDriver, site: Site) -> None:
    script = """<script>for (const d of document.querySelectorAll('.l'))
    d.addEventListener('click', () => d.title = 'hit')</script>"""
    site.page("/in", f"<div class=l>Inner</div>{script}")
    await show(
        driver,
        site,
        f"""<div class=l id=a>Alone</div><div class=l><button>Real</button> in a region</div><div>Plain</div>
        <iframe src='{site.url("/in")}'></iframe><iframe src='{site.url("/in", host="localhost")}'></iframe>{script}""",
    )
    elements = (await read(driver))["elements"]
    assert [e["label"] for e in elements] == ["Alone", "Real", "Inner", "Inner"]
    for element in (elements[0], elements[2], elements[3]):
        await driver.click({"target": element["ref"], "tab_id": None})


async def test_a_list_of_ordinary_elements_tells_what_is_chosen(driver: BrowserDriver, site: Site) -> None:
    html = """<div role=combobox tabindex=0 aria-label=Age>Ten</div>
    <button role=combobox aria-label=Size>&#8203;</button>
    <div role=combobox aria-label=Town><input value=Oslo></div>
    <div role=combobox aria-label=Key><input type=password value=hush></div>
    <x-list role=listbox aria-label=Hue tabindex=0><i role=option aria-selected=true>Red</i></x-list><script>
    const host = document.querySelector('x-list').attachShadow({mode: 'open'});
    host.innerHTML = '<div role=listbox aria-label=Inner><slot></slot></div>'</script>"""
    await show(driver, site, html)
    report = await driver.read_page({"tab_id": None, "filter": "interactive"})
    told = {element["label"]: element for element in report["elements"]}
    assert [told[label].get("value") for label in ("Age", "Size", "Town", "Key")] == ["Ten", "", "Oslo", None]
    assert [option["label"] for option in told["Inner"]["options"]] == ["Red"]
    assert "private" in report["omitted"]


async def test_an_option_in_no_list_is_told_of_by_itself(driver: BrowserDriver, site: Site) -> None:
    inside = "<ul role=listbox aria-label=Real tabindex=0><li role=option>In</li></ul>"
    await show(driver, site, f"<ul><li role=option tabindex=0 id=o onclick='window.hit = 1'>Out</li></ul>{inside}")
    found = await refs(driver)
    assert set(found) == {"Out", "Real"}
    await driver.click({"target": found["Out"], "tab_id": None})
    assert await value_of(driver, "hit") == 1


async def test_only_a_list_to_choose_from_is_no_new_password(driver: BrowserDriver, site: Site) -> None:
    fields = ("role=combobox aria-label=Fruit", "aria-label=Fresh", "role=combobox type=password aria-label=Odd")
    await show(driver, site, "".join(f"<input {field} autocomplete=new-password value=pear>" for field in fields))
    report = await driver.read_page({"tab_id": None, "filter": "interactive"})
    told = {element["label"]: element.get("value") for element in report["elements"]}
    assert told == {"Fruit": "pear", "Fresh": None, "Odd": None}
