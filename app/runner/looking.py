"""Looks at the browser's page for a decisions run: each look is a read on record, like a read that a model asks for."""

from dataclasses import dataclass
from typing import Any, cast

from app.core.events import PageRead, PictureTaken
from app.core.evidence import Box, Picture
from app.core.looks import look_id
from app.core.ports import Journal
from app.core.value import Json
from app.runner.effects import Effect, Effects
from app.runner.image_size import image_size
from app.runner.outputs import picture_blob

Element = dict[str, Any]

TEXT_MS = 2000
"""How long a stated text may take to appear."""


@dataclass(frozen=True)
class PageSeen:
    """One read of the page: what every candidate and every text of one observation comes from."""

    title: str
    origin: str
    url: str
    text: str
    elements: tuple[Element, ...]
    omitted: tuple[str, ...]


class PageLook:
    """Reads through one driver; `call_id`s are the console's own, since no model asked for the read."""

    def __init__(self, driver: Any, effects: Effects, journal: Journal, *, looks: int = 0) -> None:
        """`looks`: how many the run has had before."""
        self._driver = driver
        self._effects = effects
        self._journal = journal
        self._looks = looks

    async def page(self) -> PageSeen:
        """Text and controls of the page now. Raises what the driver raises."""
        report = cast("dict[str, Any]", await self._read("read_page", {"filter": "all", "tab_id": None}))
        facts = await self._driver.page_facts(None)
        return PageSeen(
            title=facts.title,
            origin=facts.origin,
            url=facts.url,
            text=report["text"],
            elements=tuple(report["elements"]),
            omitted=tuple(report["omitted"]),
        )

    async def wait_for(self, text: str) -> None:
        """Return once the text can be read. Raises `NotDone` when it cannot in time."""
        await self._look("wait_for", {"text": text, "timeout_ms": TEXT_MS, "tab_id": None})

    async def address(self) -> str:
        """The page's whole address."""
        return str((await self._driver.page_facts(None)).url)

    async def picture(self) -> dict[str, Json]:
        """A picture of the page as an inline ``input_image``; it is on record."""
        image = cast("dict[str, Any]", await self._look("screenshot", {"tab_id": None}))
        return {"type": "input_image", "image_url": image["image_url"], "detail": image.get("detail") or "auto"}

    async def _read(self, member: str, arguments: dict[str, Json]) -> Any:
        report = await self._look(member, arguments)
        facts = await self._driver.page_facts(None)
        full = report if isinstance(report, dict) else {"version": 1, "text": report, "elements": [], "omitted": []}
        boxes = {
            ref: Box(x=box[0], y=box[1], width=box[2], height=box[3])
            for ref, box in (self._driver.boxes if full["elements"] else {}).items()
        }
        self._journal.append(
            PageRead(call_id=self._call_id, member=member, report=full, tab_id=facts.tab_id, url=facts.url, boxes=boxes)
        )
        return full

    async def _look(self, member: str, arguments: dict[str, Json]) -> Any:
        self._looks += 1
        effect = Effect(self._call_id, "browser", member, arguments, reads_only=True, needs_permit=False)
        method = getattr(self._driver, member)
        return await self._effects.perform(effect, lambda: method(arguments))

    @property
    def _call_id(self) -> str:
        return look_id(self._looks)


def record_picture(journal: Journal, image_url: str, viewport: tuple[int, int]) -> str | None:
    """Put an inline picture on record as read by the model; its digest, or None for what is no such picture."""
    blob = picture_blob(image_url)
    size = image_size(blob.data) if blob else None
    if blob is None or size is None:
        return None
    picture = Picture(
        digest=blob.digest,
        media_type=blob.media_type,
        width=size[0],
        height=size[1],
        css_width=viewport[0] or size[0],
        css_height=viewport[1] or size[1],
    )
    journal.append(PictureTaken(role="read", picture=picture), [blob])
    return blob.digest
