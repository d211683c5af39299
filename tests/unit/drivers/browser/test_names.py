"""Names and roles agree with the browser's own accessibility tree."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from drivers.browser.driver import BrowserDriver
from tests.helpers.site.server import Site
from tests.unit.drivers.reading import show

pytestmark = pytest.mark.asyncio(loop_scope="module")

CORPUS = sorted((Path(__file__).parents[3] / "helpers/site/corpus").glob("*.html"))
COMPARED = set(
    [
        "button",
        "link",
        "textbox",
        "searchbox",
        "spinbutton",
        "combobox",
        "checkbox",
        "switch",
        "radio",
        "slider",
        "listbox",
        "option",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "tab",
        "treeitem",
        "heading",
        "img",
    ]
)
SAME = {
    **dict.fromkeys(("DisclosureTriangle", "ToggleButton", "PopUpButton"), "button"),
    **dict.fromkeys(("ColorWell", "Date", "DateTime", "InputTime", "TextField"), "textbox"),
    **dict.fromkeys(("ComboBoxMenuButton", "ComboBoxSelect", "ComboBoxGrouping", "TextFieldWithComboBox"), "combobox"),
    **dict.fromkeys(("MenuListOption", "ListBoxOption"), "option"),
    "image": "img",
    "SpinButton": "spinbutton",
    "SearchBox": "searchbox",
}


OURS = """function(...els) {
  const own = (e) => /^(input|select|textarea)$/.test(e.getRootNode().host?.localName ?? '');
  return JSON.stringify(els.map(e => own(e) ? null : [signalbox.roleOf(e), signalbox.name(e)]));
}"""


async def compared(driver: BrowserDriver) -> list[tuple[str, str, str, str]]:
    """The browser's role and name beside ours, for each compared node of the active page."""
    assert driver.tabs.active is not None
    world = await driver.tabs.active.worlds.main()
    session: Any = world.session
    tree = await session.send("Accessibility.getFullAXTree")
    nodes = [
        (
            SAME.get(node["role"]["value"], node["role"]["value"]),
            str(node.get("name", {}).get("value", "")),
            node["backendDOMNodeId"],
        )
        for node in tree["nodes"]
        if not node["ignored"] and "backendDOMNodeId" in node
    ]
    nodes = [node for node in nodes if node[0] in COMPARED]
    wanted = [{"backendNodeId": node[2], "executionContextId": world.context_id} for node in nodes]
    found = await asyncio.gather(*(session.send("DOM.resolveNode", one) for one in wanted))
    call = {
        "functionDeclaration": OURS,
        "executionContextId": world.context_id,
        "arguments": [{"objectId": one["object"]["objectId"]} for one in found],
        "returnByValue": True,
    }
    ours = json.loads((await session.send("Runtime.callFunctionOn", call))["result"]["value"]) if nodes else []
    # What lies inside of the browser's own controls (the parts of a date field) is no element of the page.
    return [
        (role, " ".join(name.split()), mine[0], mine[1])
        for (role, name, _), mine in zip(nodes, ours, strict=True)
        if mine
    ]


async def test_agreement_over_the_corpus(driver: BrowserDriver, site: Site) -> None:
    total, wrong = 0, []
    for page in CORPUS:
        await show(driver, site, page.read_text(encoding="utf-8"))
        for role, label, my_role, my_label in await compared(driver):
            total += 1
            if (role, label) != (my_role, my_label):
                wrong.append(f"{page.stem}: {role} {label!r} is {my_role} {my_label!r} to us")
    assert len(CORPUS) == 30
    assert total > 150
    assert len(wrong) <= 0.02 * total, f"{len(wrong)} of {total}:\n" + "\n".join(wrong)
