"""What `read_page` says of a control is what Chromium's accessibility tree says of it, on at least 98 of 100."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.pages.conftest import Stand, stand

pytestmark = pytest.mark.asyncio(loop_scope="module")
__all__ = ["stand"]

LEAST = 0.98
CORPUS = (Path(__file__).parent / "corpus.html").read_text(encoding="utf-8")
"""Thirty pages in one file, each after a comment with its title."""
PAGES = dict(re.findall(r"<!--= (.+?) -->\n(.+?)(?=<!--=|\Z)", CORPUS, re.DOTALL))
DOCS = (Path(__file__).parents[3] / "docs/drivers.md").read_text(encoding="utf-8")

REPORTED = {
    "button": "button", "link": "button", "menuitem": "button", "tab": "button", "treeitem": "button",
    "DisclosureTriangle": "button", "ToggleButton": "button", "PopUpButton": "button", "option": "button",
    "textbox": "textbox", "searchbox": "textbox", "spinbutton": "textbox", "combobox": "combobox",
    "checkbox": "checkbox", "switch": "checkbox", "menuitemcheckbox": "checkbox", "radio": "radio",
    "menuitemradio": "radio", "slider": "slider", "listbox": "listbox", "Date": "textbox", "InputTime": "textbox",
    "DateTime": "textbox", "ColorWell": "textbox",
}  # fmt: skip
"""The role in a report for each role of the tree that stands for a control."""

Pair = tuple[str, str]


async def in_tree(stand: Stand) -> list[Pair]:
    """Role and name of each control as the browser's own tree has them."""
    assert stand.browser.tabs.active is not None
    session = await stand.browser.tabs.active.session()
    tree: Any = await session.send("Accessibility.getFullAXTree")
    nodes = {node["nodeId"]: node for node in tree["nodes"]}
    return [
        (REPORTED[node["role"]["value"]], " ".join(str(node.get("name", {}).get("value", "")).split()))
        for node in tree["nodes"]
        if not node["ignored"] and node["role"]["value"] in REPORTED and not _part(node, nodes)
    ]


def _part(node: dict[str, Any], nodes: dict[str, Any]) -> bool:
    """Whether it is a piece of another control: an option of a list, a digit of a date field."""
    whole = {
        "Date",
        "InputTime",
        "DateTime",
        "combobox",
        "listbox",
        "spinbutton",
        "textbox",
        "ColorWell",
        "MenuListPopup",
    }
    while node := nodes.get(node.get("parentId", ""), {}):
        if node["role"]["value"] in whole:
            return True
    return False


async def in_report(stand: Stand) -> list[Pair]:
    """Role and label of each control that a report lists; a label that the driver made up counts as no name."""
    report = await stand.done("read_page", tab_id=None, filter="interactive")
    return [(e["role"], "" if e["label"].startswith("(unnamed") else e["label"]) for e in report["elements"]]


async def test_reports_agree_with_the_browsers_own_tree(stand: Stand) -> None:
    assert len(PAGES) == 30
    total, apart = 0, list[str]()
    for title, html in PAGES.items():
        await stand.show(html)
        theirs, ours = Counter(await in_tree(stand)), Counter(await in_report(stand))
        total += (theirs | ours).total()
        apart += [f"{title}: the tree has {role} {name!r}" for role, name in (theirs - ours).elements()]
        extra = (ours - theirs).elements()
        apart += [f"{title}: only the report has {role} {name!r}" for role, name in extra]
    print(f"{len(apart)} disagreements over {total} controls", *apart, sep="\n  ")  # noqa: T201
    agreeing = total - len(apart)
    assert agreeing >= LEAST * total, "\n".join(apart)
    assert f"{agreeing} of {total} controls" in DOCS
    section = DOCS.partition("## Accessible names")[2].partition("\n## ")[0]
    listed = re.findall(r"^- (.+)$", section, re.MULTILINE)
    assert sorted(listed) == sorted(line.replace("'", "`") for line in apart)
