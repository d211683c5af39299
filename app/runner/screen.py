"""What an ask is shown with: the page, the target on it and a picture, taken from the driver and put into our words.

Written against what a driver offers, not against one driver; whatever cannot be had is named, never left out silently.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from app.core.evidence import Blob, Box, Evidence, FileFacts, Page, Picture, Target
from app.core.live import LatestFrame, LiveFrame
from app.core.ports import Clock
from app.core.value import Json
from app.gate.gate import NANOS_PER_MILLI
from app.runner.aim import Aimed
from drivers.errors import NotDone

log = logging.getLogger(__name__)

T = TypeVar("T")

EVIDENCE_SECS = 5.0
"""How long each piece of evidence may take before the ask goes on without it."""

UNPAINTED_NS = 100 * NANOS_PER_MILLI
"""For so long after a page was left a live picture may still be one of it."""


class ScreenDriver(Protocol):
    """The part of a browser driver that tells what is on the screen."""

    async def expect(self, target: str) -> Any:
        """A target's evidence: ref, role, label, frame_origin, box, covered_by, visible. `NotDone` for a stale ref."""

    async def expect_at(self, x: float, y: float, tab_id: str | None = None) -> Any:
        """The same of what a press at a point would reach. `NotDone` where that cannot be told."""

    async def expect_focus(self, tab_id: str | None = None) -> Any:
        """The same of what keys would go to; None when that is nothing."""

    async def page_facts(self, tab_id: str | None) -> Any:
        """The page: tab_id, url, origin, title, document_id."""

    async def picture(self, tab_id: str | None = None) -> Any:
        """A picture: data, media_type, width, height, css_width, css_height."""

    def hold_to(self, evidence: Any) -> None:
        """The next action on that ref is done only if the target is still as in `evidence`."""

    def hold_point(self, x: float, y: float, evidence: Any) -> None:
        """The same for the next pointer action that begins at this point."""

    def hold_focus(self, evidence: Any) -> None:
        """The same for the next keys."""


@dataclass(frozen=True)
class Shown:
    """Evidence, the bytes it names, and the driver's own target evidence for the check at execution."""

    evidence: Evidence
    blobs: tuple[Blob, ...]
    expected: Any = None


class Screen:
    """Takes evidence from one driver. Where no person looks, the newest live picture serves; its age is on record."""

    def __init__(self, driver: ScreenDriver, frames: LatestFrame, clock: Clock, *, always_fresh: bool) -> None:
        """`always_fresh`: take a new picture for each ask, since a person will look at it."""
        self._driver = driver
        self._frames = frames
        self._clock = clock
        self._always_fresh = always_fresh
        self._something_happened = asyncio.Event()
        self._led_ns = 0

    def happened(self, kind: str = "") -> None:
        """The driver told of a change: whoever watches the page looks at once."""
        if kind == "navigation":
            self._led_ns = self._clock.mono_ns()
        self._something_happened.set()

    async def next_look(self, secs: float) -> None:
        """Wait until something happened, at most `secs`."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._something_happened.wait(), secs)
        self._something_happened.clear()

    async def shown_with(self, arguments: Json, aim: Aimed | None = None) -> Shown:
        """The evidence for an ask about `arguments`, with a picture.

        Raises:
            NotDone: the target it names is not there any more, so that there is nothing to ask.
        """
        aim = aim if aim is not None else Aimed()
        missing: list[str] = []
        # Asked for at once: each is a round trip to the browser, and the run waits for all of them.
        found = await asyncio.gather(
            self._look(arguments, aim, missing), self._picture(_tab_of(arguments), missing), return_exceptions=True
        )
        refused = next((one for one in found if isinstance(one, BaseException)), None)
        if refused is not None:
            raise refused
        (seen, expected), taken = cast("tuple[tuple[Evidence, Any], tuple[Picture, Blob] | None]", found)
        evidence = seen.model_copy(
            update={"picture": taken[0] if taken else None, "missing": tuple(sorted((*seen.missing, *missing)))}
        )
        return Shown(evidence, (taken[1],) if taken else (), expected)

    async def look_again(self, arguments: Json, aim: Aimed) -> Evidence:
        """The same now, without a picture: for comparing. A target that is gone is none."""
        try:
            seen, _ = await self._look(arguments, aim, [])
        except NotDone:
            return Evidence(aim=aim.kind, aimed=True, page=await self._page_now(arguments, []))
        return seen

    async def _look(self, arguments: Json, aim: Aimed, missing: list[str]) -> tuple[Evidence, Any]:
        here: list[str] = []
        facts, (aimed, expected), file = await asyncio.gather(
            self._page_now(arguments, here),
            self._aimed_at(_tab_of(arguments), aim, here),
            self._file(arguments, here),
        )
        evidence = Evidence(
            page=facts,
            target=_target(expected, aim) if expected is not None else None,
            points=aim.points,
            file=file,
            missing=tuple(here),
            aim=aim.kind,
            aimed=aimed,
        )
        return evidence, expected

    async def _file(self, arguments: Json, missing: list[str]) -> FileFacts | None:
        """The file of a grant that the arguments name, where the driver knows of grants."""
        grant_id = arguments.get("grant_id") if isinstance(arguments, dict) else None
        told = getattr(self._driver, "file_facts", None)
        if not isinstance(grant_id, str) or told is None:
            return None
        known = await self._piece(told(grant_id), "the file of the grant", missing)
        if known is None:
            missing.append("there is no such grant: nothing would be handed over")
            return None
        return FileFacts(
            direction=known.kind,
            name=known.name,
            size=known.size,
            sha256=known.sha256,
            url=known.url,
            preview=known.preview,
        )

    async def _page_now(self, arguments: Json, missing: list[str]) -> Page | None:
        taking = self._piece(self._driver.page_facts(_tab_of(arguments)), "the page's address", missing)
        try:
            facts = await taking
        except NotDone:
            # A page that is just being replaced: the next look knows more.
            missing.append("the page's address could not be read")
            return None
        return _page(facts) if facts is not None else None

    async def _aimed_at(self, tab_id: str | None, aim: Aimed, missing: list[str]) -> tuple[bool, Any]:
        """Whether it could be looked at, and what the driver says of it."""
        before = len(missing)
        if aim.kind == "element":
            return True, await self._piece(self._driver.expect(aim.ref), "the target", missing)
        try:
            if aim.kind == "point":
                first = aim.points[0]
                seen = await self._piece(self._driver.expect_at(first.x, first.y, tab_id), "what lies there", missing)
            elif aim.kind == "focus":
                seen = await self._piece(self._driver.expect_focus(tab_id), "what has the focus", missing)
            else:
                return False, None
        except NotDone as refusal:
            missing.append(str(refusal))
            return False, None
        return len(missing) == before, seen

    def hold_to(self, shown: Shown) -> None:
        """Bind the next action on the shown target to what was shown."""
        evidence = shown.evidence
        if not evidence.aimed:
            return
        if evidence.aim == "focus":
            self._driver.hold_focus(shown.expected)
        elif shown.expected is not None and evidence.aim == "point":
            self._driver.hold_point(evidence.points[0].x, evidence.points[0].y, shown.expected)
        elif shown.expected is not None:
            self._driver.hold_to(shown.expected)

    def after(self, since_ns: int) -> tuple[Picture, Blob] | None:
        """The live frame, if it was taken after `since_ns` and shows no page that was left since then."""
        frame = self._frames.frame
        if frame is None or frame.taken_mono_ns <= max(since_ns, self._led_ns + UNPAINTED_NS):
            return None
        return picture_of_frame(frame, self._clock)

    async def _picture(self, tab_id: str | None, missing: list[str]) -> tuple[Picture, Blob] | None:
        frame = self._frames.frame
        if not self._always_fresh and frame is not None and tab_id is None:
            return picture_of_frame(frame, self._clock)
        taken = await self._piece(self._driver.picture(tab_id), "a picture of the page", missing)
        if taken is None:
            return None
        blob = Blob(taken.data, taken.media_type)
        return (
            Picture(
                digest=blob.digest,
                media_type=taken.media_type,
                width=taken.width,
                height=taken.height,
                css_width=taken.css_width,
                css_height=taken.css_height,
            ),
            blob,
        )

    @staticmethod
    async def _piece(taking: Awaitable[T], name: str, missing: list[str]) -> T | None:
        try:
            return await asyncio.wait_for(taking, EVIDENCE_SECS)
        except NotDone:
            raise
        except Exception:
            log.info("no evidence of %s", name, exc_info=True)
            missing.append(f"{name} could not be read")
            return None


def _tab_of(arguments: Json) -> str | None:
    tab_id = arguments.get("tab_id") if isinstance(arguments, dict) else None
    return tab_id if isinstance(tab_id, str) else None


def _page(facts: Any) -> Page:
    return Page(tab_id=facts.tab_id, url=facts.url, origin=facts.origin, title=facts.title, document=facts.document_id)


def _target(seen: Any, aim: Aimed) -> Target:
    # A place on no control has the whole of what lies there as its box: too much to be drawn around a point.
    box = seen.box if aim.kind != "point" or seen.role != "area" else None
    return Target(
        ref=seen.ref,
        role=seen.role,
        label=seen.label,
        frame_origin=seen.frame_origin,
        box=Box(x=box[0], y=box[1], width=box[2], height=box[3]) if box is not None else None,
        covered_by=seen.covered_by,
        visible=seen.visible,
        reads=getattr(seen, "reads", ""),
        leads_to=getattr(seen, "leads_to", ""),
        row=getattr(seen, "row", ""),
    )


def picture_of_frame(frame: LiveFrame, clock: Clock) -> tuple[Picture, Blob]:
    """A live picture as it is recorded, with its age."""
    blob = Blob(frame.data, frame.media_type)
    return (
        Picture(
            digest=blob.digest,
            media_type=frame.media_type,
            width=frame.width,
            height=frame.height,
            css_width=frame.css_width,
            css_height=frame.css_height,
            age_ms=max(0, (clock.mono_ns() - frame.taken_mono_ns) // NANOS_PER_MILLI),
        ),
        blob,
    )
