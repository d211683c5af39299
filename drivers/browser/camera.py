"""Still pictures of a tab: for the model in CSS pixels, for people at full resolution."""

from __future__ import annotations

import base64
import contextlib
from dataclasses import dataclass
from typing import Any

from openai.types.responses import ResponseInputImageContentParam
from playwright.async_api import CDPSession, Error

from drivers.browser.tabs import Tab, Tabs
from drivers.browser.world import WorldGone, send
from drivers.errors import NotDone, PageStuck, bounded

PICTURE_SECS = 15.0
TRIES = 3
GONE = "The tab went away while its picture was taken."


@dataclass(frozen=True)
class Picture:
    """An encoded picture of a tab's viewport."""

    data: bytes
    media_type: str
    width: int
    """Image pixels."""
    height: int
    css_width: int
    """The viewport it shows, in CSS pixels."""
    css_height: int
    tab_id: str


class Camera:
    """Takes pictures of what a tab shows; a background tab comes to the front for the moment."""

    def __init__(self, tabs: Tabs, device_scale: float) -> None:
        self._tabs = tabs
        self._scale = device_scale

    async def for_model(self, tab: Tab) -> ResponseInputImageContentParam:
        """A PNG with one image pixel for each CSS pixel, so that points in it are points to click."""
        picture = await self.take(tab, css_pixels=True)
        return {"type": "input_image", "image_url": data_url(picture), "detail": "auto"}

    async def zoomed(self, tab: Tab, region: tuple[int, int, int, int]) -> ResponseInputImageContentParam:
        """A crop at the page's full resolution, enlarged when small."""
        view = await self._view(tab)
        left, top, right, bottom = region
        if right > view["width"] or bottom > view["height"]:
            raise NotDone("The region lies outside of the viewport.")
        enlarge = min(4.0, max(1.0, 1000 / max(right - left, bottom - top)))
        clip = {"x": view["pageX"] + left, "y": view["pageY"] + top, "width": right - left, "height": bottom - top,
                "scale": enlarge}  # fmt: skip
        picture = await self._capture(tab, clip, view)
        return {"type": "input_image", "image_url": data_url(picture), "detail": "auto"}

    async def take(self, tab: Tab, *, css_pixels: bool = False) -> Picture:
        """The viewport now; at the device's own resolution unless *css_pixels*."""
        view = await self._view(tab)
        if css_pixels or self._scale == 1:
            # A protocol session of our own takes pictures without the emulated device scale.
            return await self._capture(tab, None, view)
        async with self._tabs.in_front(tab):
            try:
                data = await bounded(tab.page.screenshot(scale="device"), secs=PICTURE_SECS, what="The picture")
            except Error:
                raise PageStuck(GONE) from None
        return self._picture(tab, data, view)

    async def _view(self, tab: Tab) -> dict[str, Any]:
        session = await tab.ready()
        try:
            metrics = await send(session, "Page.getLayoutMetrics", secs=PICTURE_SECS)
        except WorldGone:
            raise PageStuck(GONE) from None
        view: dict[str, Any] = metrics["cssVisualViewport"]
        size = tab.page.viewport_size
        css = metrics["cssLayoutViewport"]
        view["width"], view["height"] = (
            (css["clientWidth"], css["clientHeight"]) if size is None else (size["width"], size["height"])
        )
        return view

    async def _capture(self, tab: Tab, clip: dict[str, Any] | None, view: dict[str, Any]) -> Picture:
        wanted: dict[str, Any] = {"format": "png", "optimizeForSpeed": True}
        if clip is not None:
            wanted["clip"] = clip
        session = await tab.session()
        try:
            async with self._tabs.in_front(tab):
                shot = await _shot(session, wanted)
        except WorldGone:
            raise PageStuck(GONE) from None
        except Error:
            raise PageStuck("The browser gave no picture of the page.") from None
        return self._picture(tab, base64.b64decode(shot["data"]), view)

    def _picture(self, tab: Tab, data: bytes, view: dict[str, Any]) -> Picture:
        width, height = png_size(data)
        return Picture(data, "image/png", width, height, view["width"], view["height"], tab.id)


async def _shot(session: CDPSession, wanted: dict[str, Any]) -> dict[str, Any]:
    """A busy browser now and then has none at first."""
    for _ in range(TRIES - 1):
        with contextlib.suppress(Error):
            return await send(session, "Page.captureScreenshot", wanted, secs=PICTURE_SECS)
    return await send(session, "Page.captureScreenshot", wanted, secs=PICTURE_SECS)


def png_size(data: bytes) -> tuple[int, int]:
    """Width and height from a PNG's header."""
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def data_url(picture: Picture) -> str:
    """The picture as the SDK sends it."""
    return f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode('ascii')}"
