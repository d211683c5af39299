"""While a question stands the page is watched: another document, origin or target withdraws it, a repaint does not."""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.core.ask import Ask
from app.runner.page_asking import ASKED_AT_MOST
from drivers.errors import NotDone
from tests.unit.app.runner.harness import element
from tests.unit.app.runner.page_rig import PageRig, turns, until

CLICK = {"target": "e1", "tab_id": None}


class Page:
    """One page with one button. A press lands on what is there then; what was held to is checked right before it."""

    def __init__(self) -> None:
        self.boxes: dict[str, Any] = {}
        self.there = element("e1", label="Save draft", frame_origin="https://a.test")
        self.facts = SimpleNamespace(
            tab_id="one", url="https://a.test/", origin="https://a.test", title="", document_id="d1"
        )
        self.held: Any = None
        self.pressed: list[str] = []
        self.looks = 0

    async def expect(self, target: str) -> Any:
        self.looks += 1
        await turns(3)
        if self.there.ref != target:
            raise NotDone("The element is gone.")
        return self.there

    async def page_facts(self, tab_id: str | None) -> Any:
        await turns(2)
        return self.facts

    async def picture(self, tab_id: str | None = None) -> Any:
        await turns(5)
        return SimpleNamespace(data=b"p", media_type="image/png", width=1, height=1, css_width=1, css_height=1)

    def hold_to(self, evidence: Any) -> None:
        self.held = evidence

    async def click(self, action: Any) -> None:
        await turns(4)
        if (self.there, self.facts.document_id) != (self.held, "d1"):
            raise NotDone("The page has changed since this was approved.")
        self.pressed.append(self.there.label)


def relabelled(page: Page) -> None:
    page.there = element("e1", label="Pay 900", frame_origin="https://a.test")


def replaced(page: Page) -> None:
    page.there = element("e2", label="Save draft", frame_origin="https://a.test")


def covered(page: Page) -> None:
    page.there = element("e1", label="Save draft", frame_origin="https://a.test", covered_by="button “Pay”")


def hidden(page: Page) -> None:
    page.there = element("e1", label="Save draft", frame_origin="https://a.test", visible=False)


def reloaded(page: Page) -> None:
    page.facts = SimpleNamespace(**(vars(page.facts) | {"document_id": "d2"}))


def gone_elsewhere(page: Page) -> None:
    page.facts = SimpleNamespace(**(vars(page.facts) | {"url": "https://b.test/", "origin": "https://b.test"}))


SWAPS: list[tuple[Callable[[Page], None], str]] = [
    (relabelled, "withdrawn: the element has another name"),
    (replaced, "withdrawn: the element is gone"),
    (covered, "withdrawn: something lies on top of the element"),
    (hidden, "withdrawn: the element is hidden"),
    (reloaded, "withdrawn: the page was loaded anew"),
    (gone_elsewhere, "withdrawn: the page is of another site"),
]


async def one_call(rig: PageRig, person: Any, *others: Any) -> str:
    async with asyncio.TaskGroup() as group:
        answering = group.create_task(person)
        for other in others:
            group.create_task(other)
        result = await rig.act("click", CLICK)
        answering.cancel()
    return result


@pytest.mark.parametrize(("swap", "reason"), SWAPS)
async def test_a_change_withdraws_the_question_and_it_is_asked_anew(
    tmp_path: Path, swap: Callable[[Page], None], reason: str
) -> None:
    page = Page()

    async def happens() -> None:
        await until(lambda: bool(rig.inbox.waiting))
        swap(page)
        rig.screen.happened()

    async def person() -> None:
        await until(lambda: bool(rig.inbox.waiting and rig.inbox.waiting[0].replaces))
        await rig.person(lambda ask: "deny")

    with PageRig(page, tmp_path) as rig:
        await one_call(rig, person(), happens())
        first, *later = rig.decisions
        assert (first.verdict, first.by, first.reason) == ("deny", "console", reason)
        assert first.withdrawn
        if swap is replaced:
            # There is nothing left to ask about.
            assert later == []
        else:
            (anew,) = rig.asks[1:]
            assert anew.replaces is not None
            assert (anew.replaces.ask_id, anew.replaces.changes) == (first.ask_id, first.withdrawn)
            assert anew.replaces.evidence == rig.asks[0].evidence
            assert anew.digest == rig.asks[0].digest
            assert [one.by for one in later] == ["person"]
    assert page.pressed == []


async def test_a_repaint_withdraws_nothing(tmp_path: Path) -> None:
    page = Page()

    def repaint() -> None:
        moved = {"box": (9.0, 9.0, 80.0, 20.0), "label": "Save draft", "frame_origin": "https://a.test"}
        page.there = element("e1", **moved)
        page.facts = SimpleNamespace(**(vars(page.facts) | {"title": "(1) new", "url": "https://a.test/#top"}))

    async def person() -> None:
        await until(lambda: bool(rig.inbox.waiting))
        repaint()
        seen = page.looks
        rig.screen.happened()
        while page.looks < seen + 2:
            rig.screen.happened()
            await asyncio.sleep(0)
        await rig.person(lambda ask: "deny")

    with PageRig(page, tmp_path) as rig:
        assert await one_call(rig, person()) == "not approved"
        assert [(one.by, one.withdrawn) for one in rig.decisions] == [("person", ())]


async def test_a_page_that_keeps_changing_is_asked_about_so_often_and_no_more(tmp_path: Path) -> None:
    page = Page()

    async def restless() -> None:
        number = 0
        seen: set[str] = set()
        while len(seen) < ASKED_AT_MOST:
            await asyncio.sleep(0)
            for ask in rig.inbox.waiting:
                if ask.ask_id not in seen:
                    seen.add(ask.ask_id)
                    number += 1
                    page.there = element("e1", label=f"Pay {number}", frame_origin="https://a.test")
                    rig.screen.happened()

    with PageRig(page, tmp_path) as rig:
        result = await one_call(rig, asyncio.sleep(0), restless())
        assert "changed each time" in result
        assert len(rig.asks) == ASKED_AT_MOST
        assert all(one.withdrawn for one in rig.decisions)
    assert page.pressed == []


async def test_what_is_aimed_at_nothing_is_looked_at_once_more_after_allow(tmp_path: Path) -> None:
    """Nobody else checks it: the driver knows no target to hold to."""
    page = Page()

    def allows_and_the_page_goes(ask: Ask) -> Any:
        if ask.replaces is None:
            gone_elsewhere(page)
            return "allow"
        return "deny"

    with PageRig(page, tmp_path) as rig:
        async with asyncio.TaskGroup() as group:
            answering = group.create_task(rig.person(allows_and_the_page_goes))
            await rig.act("scroll", {"direction": "down", "amount": 100, "tab_id": None})
            answering.cancel()
        assert [bool(one.withdrawn) for one in rig.decisions] == [True, False]


async def test_no_wrong_element_is_pressed_whenever_the_page_swaps(quick_path: Path) -> None:
    """Two hundred timings from before the question to after the press; every third change is not told of."""
    results: Counter[str] = Counter()
    for timing in range(200):
        page = Page()
        swap, _ = SWAPS[timing % len(SWAPS)]
        with PageRig(page, quick_path, name=f"run-{timing}") as rig:

            async def happens(page: Page = page, rig: PageRig = rig, timing: int = timing, swap: Any = swap) -> None:
                await turns(timing // 2)
                swap(page)
                if timing % 3:
                    rig.screen.happened()

            def says(ask: Ask) -> Any:
                return "allow" if ask.replaces is None else "deny"

            result = await one_call(rig, rig.person(says, ticks=40), happens())
            allowed = [rig.asks[at].evidence.target for at, one in enumerate(rig.decisions) if one.allowed]
            assert len(page.pressed) <= len(allowed) <= 1
            assert page.pressed in ([], [one.label for one in allowed if one is not None])
            withdrawn = any(one.withdrawn for one in rig.decisions)
            results["done" if page.pressed else "withdrawn" if withdrawn else "refused"] += 1
            assert (result == "done") == bool(page.pressed)
    assert min(results[kind] for kind in ("done", "withdrawn", "refused")) > 0, results
