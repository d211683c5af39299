"""A page in a real browser that swaps what is asked about: nothing but what was shown is ever pressed."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from drivers.browser.driver import BrowserDriver
from tests.helpers.site.server import Site
from tests.unit.app.runner.page_rig import PageRig, until
from tests.unit.drivers.reading import ref, show, value_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

HTML = """<body style='margin:0'><button id=b onclick='document.title = this.textContent'>Save draft</button>
<input id=f style='position:absolute;left:10px;top:200px'>"""

SWAPS = {
    "another name": "document.getElementById('b').textContent = 'Pay 900'",
    "another element": "document.getElementById('b').outerHTML = `<button id=b onclick='document.title = \"Pay\"'>Pay`",
    "on top": "document.body.insertAdjacentHTML('beforeend', `<button style='position:fixed;inset:0' "
    "onclick='document.title = \"Pay\"'>Pay</button>`)",
    "hidden": "document.getElementById('b').style.display = 'none'",
    "a copy in its place": "(b => { const c = b.cloneNode(true); c.onclick = () => document.title = 'Pay'; "
    "b.replaceWith(c) })(document.getElementById('b'))",
    "moved away and another there": "(b => { const c = document.createElement('button'); c.textContent = 'Pay'; "
    "c.onclick = () => document.title = 'Pay'; b.before(c); })(document.getElementById('b'))",
}
AT_THE_PLACE = {"click_at": {"x": 30, "y": 10, "button": "left", "click_count": 1, "keys": [], "tab_id": None}}

LOOKS = 40
"""Turns of the loop in which the watch is told to look."""


async def _asked(rig: PageRig) -> None:
    await until(lambda: bool(rig.inbox.waiting))


async def _allow_what_is_not_anew(rig: PageRig) -> None:
    await rig.person(lambda ask: "allow" if ask.replaces is None else "deny")


async def _act(rig: PageRig, member: str, arguments: dict[str, Any], person: Any) -> None:
    async with asyncio.TaskGroup() as group:
        answering = group.create_task(person)
        await rig.act(member, arguments)
        answering.cancel()


@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize("member", ["click", "click_at"])
@pytest.mark.parametrize("when", ["long before the press", "with the press"])
async def test_nothing_but_what_was_shown_is_pressed(
    driver: BrowserDriver, site: Site, tmp_path: Path, swap: str, member: str, when: str
) -> None:
    await show(driver, site, HTML)
    target = {"target": await ref(driver, "Save draft"), "tab_id": None}

    async def person() -> None:
        await _asked(rig)
        await value_of(driver, SWAPS[swap])
        if when == "long before the press":
            for _ in range(LOOKS):
                rig.screen.happened()
                await asyncio.sleep(0)
        await _allow_what_is_not_anew(rig)

    with PageRig(driver, tmp_path) as rig:
        await _act(rig, member, AT_THE_PLACE.get(member, target), person())
    # A target by name is followed to where it has moved; a place is held to what lay there.
    moved = swap == "moved away and another there" and member == "click"
    assert await value_of(driver, "document.title") == ("Save draft" if moved else "")


async def test_a_navigation_withdraws_the_question_and_nothing_is_done(
    driver: BrowserDriver, site: Site, tmp_path: Path
) -> None:
    await show(driver, site, HTML)
    other = site.page("/other", "<title>elsewhere</title><button>Pay</button>")
    target = {"target": await ref(driver, "Save draft"), "tab_id": None}

    async def person() -> None:
        await _asked(rig)
        await value_of(driver, f"location.href = {other!r}")
        await asyncio.Event().wait()

    with PageRig(driver, tmp_path) as rig:
        driver.on_change = lambda change: rig.screen.happened()
        await _act(rig, "click", target, person())
        (decision,) = rig.decisions
        assert decision.by == "console"
        assert {change.what for change in decision.withdrawn} <= {"document", "gone"}
        assert decision.withdrawn
    assert await value_of(driver, "document.title") == "elsewhere"


async def test_keys_go_only_where_the_focus_was_when_asked(driver: BrowserDriver, site: Site, tmp_path: Path) -> None:
    await show(driver, site, HTML)
    await value_of(driver, "document.getElementById('f').focus()")

    async def person() -> None:
        await _asked(rig)
        (ask,) = rig.inbox.waiting
        assert ask.evidence.target is not None
        assert ask.evidence.target.role == "textbox"
        await value_of(driver, "document.getElementById('b').focus()")
        await _allow_what_is_not_anew(rig)

    with PageRig(driver, tmp_path) as rig:
        await _act(rig, "key", {"keys": ["Enter"], "tab_id": None}, person())
    assert await value_of(driver, "document.title") == ""
