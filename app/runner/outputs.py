"""Puts on record what the model gets to read: page reads, pictures, and each call's output."""

import base64
import binascii
import json
import logging
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from app.core.events import CallAnswered, PageRead, PictureTaken
from app.core.evidence import Blob, Box, Picture
from app.core.ports import Journal
from app.core.value import Json
from app.runner.image_size import image_size, media_type_of

log = logging.getLogger(__name__)

READS = frozenset({"read_page", "get_page_text", "find", "read_page_scoped", "read_diagnostics"})


class ReadPlaces(Protocol):
    """What a driver knows about its last read beside the report itself."""

    @property
    def boxes(self) -> Mapping[str, tuple[float, float, float, float]]:
        """Where each element of the last read lay: left, top, width, height in CSS pixels of the viewport."""

    def address(self, tab_id: str | None) -> tuple[str, str]:
        """The tab and the full address of the page that was read."""


class OutputRecorder:
    """Writes to the journal only. `viewport` is the page's size in CSS pixels, for pictures that do not
    say; zeroes where a picture's own pixels are what points are in."""

    def __init__(self, journal: Journal, places: ReadPlaces | None, viewport: tuple[int, int]) -> None:
        self._journal = journal
        self._places = places
        self._viewport = viewport

    def read(self, call_id: str, member: str, action: Mapping[str, Any], result: object) -> None:
        """A driver method returned `result`; reads go on record with the page that they are of."""
        if member not in READS or not isinstance(result, dict | str):
            return
        report = result if isinstance(result, dict) else {"version": 1, "text": result, "elements": []}
        boxes = {
            ref: Box(x=box[0], y=box[1], width=box[2], height=box[3])
            for ref, box in (self._places.boxes if self._places and report.get("elements") else {}).items()
        }
        tab_id, url = self._page(action.get("tab_id"))
        self._journal.append_soon(
            PageRead(call_id=call_id, member=member, report=report, tab_id=tab_id, url=url, boxes=boxes)
        )

    def _page(self, tab_id: str | None) -> tuple[str, str]:
        if self._places is None:
            return "", ""
        try:
            return self._places.address(tab_id)
        except Exception:
            log.info("the page that was read cannot be named any more", exc_info=True)
            return tab_id or "", ""

    def answered(self, call_id: str, output: Mapping[str, Any], *, ok: bool) -> Json:
        """`output` is what the model will be sent for the call; returns it as it is kept."""
        content = output.get("output")
        blocks = content if isinstance(content, list) else [content]
        kept = [self._kept(call_id, block) for block in blocks]
        self._journal.append_soon(CallAnswered(call_id=call_id, ok=ok, output=kept))
        return kept

    def _kept(self, call_id: str, block: Json) -> Json:
        if not isinstance(block, dict):
            return block
        if block.get("type") in ("input_image", "computer_screenshot"):
            return self._picture(call_id, block)
        if block.get("type") == "input_text" and isinstance(block.get("text"), str):
            return _without_report(block["text"])
        return block

    def _picture(self, call_id: str, block: dict[str, Any]) -> Json:
        blob = picture_blob(block.get("image_url"))
        size = image_size(blob.data) if blob else None
        if blob is None or size is None:
            return {"picture": None}
        picture = Picture(
            digest=blob.digest,
            media_type=blob.media_type,
            width=size[0],
            height=size[1],
            css_width=self._viewport[0] or size[0],
            css_height=self._viewport[1] or size[1],
        )
        self._journal.append_soon(PictureTaken(role="read", picture=picture, call_id=call_id), [blob])
        return {"picture": blob.digest}


def picture_blob(image_url: object) -> Blob | None:
    """The bytes of a ``data:image/…;base64,`` address, or None for any other."""
    if not isinstance(image_url, str) or not image_url.startswith("data:image/"):
        return None
    head, _, body = image_url.partition(",")
    if not head.endswith(";base64"):
        return None
    try:
        return Blob(base64.b64decode(body, validate=True), head[5:-7])
    except (ValueError, binascii.Error):
        return None


def pictures_by_digest(value: Json, blobs: list[Blob]) -> Json:
    """`value` with each inline picture named by its digest; their bytes are put behind `blobs`."""
    if isinstance(value, dict):
        return {key: pictures_by_digest(entry, blobs) for key, entry in value.items()}
    if isinstance(value, list):
        return [pictures_by_digest(entry, blobs) for entry in value]
    if (blob := picture_blob(value)) is not None:
        blobs.append(blob)
        return {"picture": blob.digest}
    return value


def inlined_pictures(value: Json, blob: Callable[[str], bytes]) -> Json:
    """What `pictures_by_digest` was given, with the pictures' bytes read back."""
    if isinstance(value, dict):
        if list(value) == ["picture"] and isinstance(value["picture"], str):
            data = blob(value["picture"])
            return f"data:{media_type_of(data)};base64,{base64.b64encode(data).decode('ascii')}"
        return {key: inlined_pictures(entry, blob) for key, entry in value.items()}
    if isinstance(value, list):
        return [inlined_pictures(entry, blob) for entry in value]
    return value


def _without_report(text: str) -> Json:
    """The output's JSON without a read report, which is on record as its own event."""
    try:
        said = json.loads(text)
    except ValueError:
        return text
    if isinstance(said, dict) and isinstance(said.get("result"), dict) and "elements" in said["result"]:
        return {**said, "result": "(the page read)"}
    return said
