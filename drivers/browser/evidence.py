"""What a person is shown about a target or a page, taken fresh and checkable again before the act."""

from __future__ import annotations

from dataclasses import dataclass

from drivers.browser.refs import Refs, refuse_status
from drivers.browser.tabs import Tabs
from drivers.browser.world import World, WorldGone
from drivers.errors import NotDone

MOVED = "The page has changed since this was approved: "


@dataclass(frozen=True)
class TargetEvidence:
    """One element as it stood when it was looked at."""

    ref: str
    role: str
    """The element's own role ("link"), not the seven that a report knows."""
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

    async def look(self, ref: str, *, tab_id: str | None = None) -> TargetEvidence:
        """The element's evidence now; :class:`NotDone` when the ref means nothing any more."""
        world = self._refs.world_of(ref, tab_id=tab_id)
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
        )

    async def require(self, expected: TargetEvidence) -> None:
        """Refuse unless the target is still the same element, drawn and free."""
        now = await self.look(expected.ref)
        if now.document_id != expected.document_id:
            raise NotDone(MOVED + "the element is in another document.")
        if (now.role, now.label) != (expected.role, expected.label):
            raise NotDone(MOVED + "the element has another role or name.")
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

    async def facts(self, tab_id: str | None) -> PageFacts:
        """The full address and geometry of a tab."""
        tab = self._tabs.get(tab_id)
        try:
            world = await tab.worlds.main()
            seen = await world.call("facts")
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
