"""What a person is shown about a target or a page, taken fresh and checkable again before the act."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from drivers.browser.refs import Refs, refuse_status
from drivers.browser.tabs import Tab, Tabs
from drivers.browser.world import World, WorldGone
from drivers.errors import NotDone

MOVED = "The page has changed since this was approved: "


@dataclass(frozen=True)
class TargetEvidence:
    """One element as it stood when it was looked at."""

    ref: str
    role: str
    """The element's own role ("link"), not the seven that a report knows; "area" for what is no control."""
    label: str
    frame_origin: str
    box: tuple[float, float, float, float]
    """x, y, width, height in CSS pixels of the tab's viewport; it may lie outside of it."""
    covered_by: str | None
    """What lies on top of all of it, by role and name; None when a free point was found."""
    document_id: str
    visible: bool
    tab_id: str = ""
    disabled: bool = False
    reads: str = ""
    """The words that it shows, at most 200 letters; its name may be another."""
    leads_to: str = ""
    """The address that a link leads to or a form is sent to, in full; empty where a press leads nowhere by itself."""
    row: str = ""
    """The words of the row that it stands in, or of whatever tells it from its likes; long ones shortened to a mark."""

    @property
    def leads(self) -> str:
        """The same without query and fragment, which pages change without meaning anything by it."""
        return self.leads_to.partition("#")[0].partition("?")[0]

    @property
    def row_words(self) -> str:
        """The letters of `row`: clocks, counters and prices in it go on, and the row is the same."""
        return "".join(letter for letter in self.row if letter.isalpha())


@dataclass(frozen=True)
class PageFacts:
    """What a tab shows, in full: for operators, never for the model."""

    tab_id: str
    url: str
    title: str
    origin: str
    viewport: tuple[int, int]
    """Width and height in CSS pixels."""
    device_scale: float
    scroll: tuple[float, float]
    page_size: tuple[int, int]
    document_id: str


class Witness:
    """Takes evidence, and refuses an act whose target is no longer what the evidence says."""

    def __init__(self, tabs: Tabs, refs: Refs) -> None:
        self._tabs = tabs
        self._refs = refs
        self._held: dict[str, TargetEvidence] = {}
        self._points: dict[tuple[float, float], TargetEvidence] = {}
        self._focus: tuple[TargetEvidence | None] | None = None

    async def look(self, ref: str, *, tab_id: str | None = None) -> TargetEvidence:
        """The element's evidence now; :class:`NotDone` when the ref means nothing any more."""
        world = self._refs.world_of(ref, tab_id=tab_id)
        await world.tab.turned()
        try:
            seen = await world.call("look", ref)
            if seen["status"] != "ok":
                refuse_status(seen["status"])
            box, covered = await _placed(world, tuple(seen["box"]), seen["covered_by"])
        except WorldGone:
            refuse_status("gone")
        return TargetEvidence(
            ref=ref,
            role=seen["role"],
            label=seen["label"],
            frame_origin=world.origin,
            box=box,
            covered_by=covered,
            document_id=world.document_id,
            visible=seen["visible"],
            tab_id=world.tab.id,
            disabled=seen["disabled"],
            reads=seen["reads"],
            leads_to=seen["leads_to"],
            row=seen["row"],
        )

    async def require(self, expected: TargetEvidence) -> None:
        """Refuse unless the target is still the same element, drawn and free."""
        now = await self.look(expected.ref)
        if now.document_id != expected.document_id:
            raise NotDone(MOVED + "the element is in another document.")
        if (now.role, now.label) != (expected.role, expected.label):
            raise NotDone(MOVED + "the element has another role or name.")
        if now.leads != expected.leads:
            raise NotDone(MOVED + "the element leads to another address.")
        if now.row_words != expected.row_words:
            raise NotDone(MOVED + "the element stands in another row.")
        if expected.visible and not now.visible:
            raise NotDone(MOVED + "the element is hidden.")
        if expected.covered_by is None and now.covered_by is not None:
            raise NotDone(MOVED + "something lies on top of the element.")

    def hold_to(self, evidence: TargetEvidence) -> None:
        """Check this evidence at the next action on its ref, and only there."""
        self._held[evidence.ref] = evidence

    async def settle(self, ref: str) -> None:
        """Called by each action just before its effect: use up what was held for the ref."""
        expected = self._held.pop(ref, None)
        if expected is not None:
            await self.require(expected)

    async def at(self, tab: Tab, x: float, y: float) -> TargetEvidence:
        """The control, or the area of the page, that a press at a point of the viewport would reach."""
        found = await self._asked(tab, "at", x, y)
        if found is None:
            raise NotDone("Nothing of the page lies at this point.")
        return found

    async def focus(self, tab: Tab) -> TargetEvidence | None:
        """What keys would go to; None when nothing in the page has the focus."""
        return await self._asked(tab, "focusAt")

    async def _asked(self, tab: Tab, function: str, *point: float) -> TargetEvidence | None:
        try:
            world: World = await tab.worlds.main()
            while True:
                async with self._refs.issuing:
                    seen = await world.call(f"{self._refs.start}, signalbox.{function}", *point)
                    self._refs.issued(world, int(seen["next"]))
                if seen["status"] != "frame":
                    break
                inner = await tab.worlds.child(world, seen["key"])
                if inner is None:
                    raise NotDone("What lies in this frame cannot be told.")
                world, point = inner, tuple(seen.get("point", ()))
            if seen["status"] == "none":
                return None
            box, _ = await _placed(world, tuple(seen["box"]), None)
        except WorldGone:
            raise NotDone("The page is just being replaced. Look again.") from None
        return TargetEvidence(
            ref=seen["ref"],
            role=seen["role"],
            label=seen["label"],
            frame_origin=world.origin,
            box=box,
            covered_by=None,
            document_id=world.document_id,
            visible=True,
            tab_id=tab.id,
            disabled=seen["disabled"],
            reads=seen["reads"],
            leads_to=seen["leads_to"],
            row=seen["row"],
        )

    def hold_point(self, x: float, y: float, evidence: TargetEvidence) -> None:
        """The next pointer action that begins at this point is done only if the same element still lies there."""
        self._points = {(x, y): evidence}

    def hold_focus(self, evidence: TargetEvidence | None) -> None:
        """The next keys are sent only if the same element, or still none, has the focus."""
        self._focus = (evidence,)

    async def settle_point(self, tab: Tab, x: float, y: float) -> None:
        """Called by pointer actions just before their effect: use up what was held for the point."""
        expected = self._points.pop((x, y), None)
        if expected is not None:
            now = await self.at(tab, x, y)
            if _meant(now) != _meant(expected):
                raise NotDone(MOVED + "something else lies at this point now.")

    async def settle_focus(self, tab: Tab) -> None:
        """Called by actions on the focus just before their effect."""
        held, self._focus = self._focus, None
        if held is not None:
            now, expected = await self.focus(tab), held[0]
            same = now is None if expected is None else now is not None and now.ref == expected.ref
            if not same:
                raise NotDone(MOVED + "something else has the focus now.")

    async def facts(self, tab_id: str | None) -> PageFacts:
        """The full address and geometry of a tab."""
        tab = self._tabs.get(tab_id)
        try:
            world, seen = await _facts_at_once(tab) or await _facts(tab)
        except WorldGone:
            raise NotDone("The page is just being replaced. Look again.") from None
        return PageFacts(
            tab_id=tab.id,
            url=tab.page.url,
            title=seen["title"],
            origin=world.origin,
            viewport=(int(seen["size"][0]), int(seen["size"][1])),
            device_scale=float(seen["scale"]),
            scroll=(float(seen["scroll"][0]), float(seen["scroll"][1])),
            page_size=(int(seen["page"][0]), int(seen["page"][1])),
            document_id=world.document_id,
        )


def _meant(seen: TargetEvidence) -> tuple[str, str, str, str]:
    return seen.ref, seen.document_id, seen.leads, seen.row_words


async def _facts_at_once(tab: Tab) -> tuple[World, dict[str, Any]] | None:
    """Of the document that was there last, by one question; None when the tab shows another one by now."""
    await tab.session()
    known = tab.worlds.newest()
    if known is None:
        return None
    try:
        return known, await known.call_here("facts")
    except WorldGone:
        return None


async def _facts(tab: Tab) -> tuple[World, dict[str, Any]]:
    world = await tab.worlds.main()
    return world, await world.call("facts")


async def _placed(
    world: World, box: tuple[float, ...], covered: str | None
) -> tuple[tuple[float, float, float, float], str | None]:
    """A box of a frame in the coordinates of the tab's viewport."""
    x, y, width, height = box
    at = world
    while at.parent is not None and at.owner is not None:
        middle_x, middle_y = x + width / 2, y + height / 2
        seen = await at.parent.call("through", at.owner, middle_x, middle_y, False)
        if seen["status"] != "ok":
            refuse_status("gone")
        scale_x, scale_y = seen["scale"]
        width, height = width * scale_x, height * scale_y
        x, y = seen["point"][0] - width / 2, seen["point"][1] - height / 2
        if covered is None and seen["inside"] and seen["covered_by"]:
            covered = seen["covered_by"]
        at = at.parent
    return (x, y, width, height), covered
