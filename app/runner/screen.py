"""What an ask is shown with: the page, the target on it and a picture, taken from the driver and put into our words.

Written against what a driver offers, not against one driver; whatever cannot be had is named, never left out silently.
"""

import asyncio
import logging
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from app.core.evidence import Blob, Box, Evidence, Page, Picture, Point, Target
from app.core.live import LatestFrame, LiveFrame
from app.core.ports import Clock
from app.core.value import Json
from app.gate.gate import NANOS_PER_MILLI
from drivers.errors import NotDone

log = logging.getLogger(__name__)

T = TypeVar("T")

EVIDENCE_SECS = 5.0
"""How long each piece of evidence may take before the ask goes on without it."""


class ScreenDriver(Protocol):
    """The part of a browser driver that tells what is on the screen."""

    async def expect(self, target: str) -> Any:
        """A target's evidence: ref, role, label, frame_origin, box, covered_by. `NotDone` for a stale ref."""

    async def page_facts(self, tab_id: str | None) -> Any:
        """The page: tab_id, url, origin, title."""

    async def picture(self, tab_id: str | None = None) -> Any:
        """A picture: data, media_type, width, height, css_width, css_height."""

    def hold_to(self, evidence: Any) -> None:
        """The next action on that ref is done only if the target is still as in `evidence`."""


@dataclass(frozen=True)
class Shown:
    """Evidence, the bytes it names, and the driver's own target evidence for the check at execution."""

    evidence: Evidence
    blobs: tuple[Blob, ...]
    expected: Any = None


class Screen:
    """Takes evidence from one driver. Pictures come from the live view where that is newer than the last effect."""

    def __init__(self, driver: ScreenDriver, frames: LatestFrame, clock: Clock, *, always_fresh: bool) -> None:
        """`always_fresh`: take a new picture for each ask, since a person will look at it."""
        self._driver = driver
        self._frames = frames
        self._clock = clock
        self._always_fresh = always_fresh
        self._touched_ns = 0

    def touched(self) -> None:
        """An effect has just ended: older frames no longer show the page."""
        self._touched_ns = self._clock.mono_ns()

    async def shown_with(self, arguments: Json, *, points: tuple[Point, ...] = ()) -> Shown:
        """The evidence for an ask about `arguments`.

        Raises:
            NotDone: the target it names is not there any more, so that there is nothing to ask.
        """
        given = arguments if isinstance(arguments, dict) else {}
        tab_id = given.get("tab_id") if isinstance(given.get("tab_id"), str) else None
        ref = given.get("target")
        missing: list[str] = []
        expected = None
        if isinstance(ref, str):
            expected = await self._piece(self._driver.expect(ref), "the target", missing)
        facts = await self._piece(self._driver.page_facts(tab_id), "the page's address", missing)
        taken = await self._picture(tab_id, missing)
        return Shown(
            Evidence(
                page=_page(facts) if facts is not None else None,
                target=_target(expected) if expected is not None else None,
                picture=taken[0] if taken else None,
                points=points,
                missing=tuple(missing),
            ),
            (taken[1],) if taken else (),
            expected,
        )

    def hold_to(self, shown: Shown) -> None:
        """Bind the next action on the shown target to what was shown."""
        if shown.expected is not None:
            self._driver.hold_to(shown.expected)

    def after(self, since_ns: int) -> tuple[Picture, Blob] | None:
        """The live frame, if it was taken after `since_ns`."""
        frame = self._frames.frame
        if frame is None or frame.taken_mono_ns <= since_ns:
            return None
        return self._of_frame(frame)

    async def _picture(self, tab_id: str | None, missing: list[str]) -> tuple[Picture, Blob] | None:
        frame = self._frames.frame
        if not self._always_fresh and frame is not None and frame.taken_mono_ns > self._touched_ns and tab_id is None:
            return self._of_frame(frame)
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

    def _of_frame(self, frame: LiveFrame) -> tuple[Picture, Blob]:
        blob = Blob(frame.data, frame.media_type)
        return (
            Picture(
                digest=blob.digest,
                media_type=frame.media_type,
                width=frame.width,
                height=frame.height,
                css_width=frame.css_width,
                css_height=frame.css_height,
                age_ms=max(0, (self._clock.mono_ns() - frame.taken_mono_ns) // NANOS_PER_MILLI),
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


def _page(facts: Any) -> Page:
    return Page(tab_id=facts.tab_id, url=facts.url, origin=facts.origin, title=facts.title)


def _target(seen: Any) -> Target:
    box = seen.box
    return Target(
        ref=seen.ref,
        role=seen.role,
        label=seen.label,
        frame_origin=seen.frame_origin,
        box=Box(x=box[0], y=box[1], width=box[2], height=box[3]) if box is not None else None,
        covered_by=seen.covered_by,
    )
