"""Pictures of a screen by mss: whole or of one rectangle, scaled down where wanted, without the console's windows."""

from __future__ import annotations

import base64
import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass

import mss
from mss.exception import ScreenShotError
from PIL import Image, ImageDraw

from drivers.desktop.mapping import Box, Mapping
from drivers.desktop.xserver import DesktopGone, DesktopMissing

HIDDEN = (96, 96, 96)
"""What lies where a window of the console is."""
PNG_LEVEL = 1
JPEG_QUALITY = 80
TRIES = 25
"""Pictures taken at most while the console's own windows move."""


@dataclass(frozen=True)
class Shot:
    """One encoded picture."""

    data: bytes
    media_type: str
    width: int
    height: int
    css_width: float
    """Sizes in the coordinates of the model's picture, which boxes and points are in."""
    css_height: float


class Camera:
    """Used by one thread, which need not be the one that made it."""

    def __init__(self, display: str, hidden: Callable[[], list[Box]]) -> None:
        """`hidden` gives the rectangles of the screen that no picture may show. Raises :class:`DesktopMissing`."""
        self._display = display
        self._mss = self._quick_or_none()
        self._hidden = hidden
        self._known: list[Box] | None = None

    def _quick_or_none(self) -> mss.MSS | None:
        try:
            return mss.MSS(display=self._display)
        except ScreenShotError:
            # The quick way wants the screen's kind of colours in the first list of its depth, and TigerVNC has it in
            # the second. The other way is tried here, and opened again by the thread that uses it: it knows no other.
            self._slow().close()
            return None

    def _slow(self) -> mss.MSS:
        try:
            return mss.MSS(display=self._display, backend="xlib")
        except ScreenShotError as problem:
            raise DesktopMissing(f"No picture of the display {self._display} can be taken: {problem}") from problem

    def close(self) -> None:
        """Hang up. Of a display that has gone there is nothing left to say."""
        if self._mss is not None:
            with contextlib.suppress(ScreenShotError, AssertionError):
                self._mss.close()

    def grab(self, mapping: Mapping) -> Image.Image:
        """What the mapping's rectangle shows now, at the size of its picture."""
        before = self._known if self._known is not None else self._hidden()
        for _ in range(TRIES):
            picture = self._taken(mapping)
            self._known = self._hidden()
            if self._known == before:
                break
            # A window of the console moved: this picture may show it anywhere on its way.
            before = self._known
        else:
            raise DesktopGone("The console's own windows moved too much for a picture without them.")
        for box in before:
            self._leave_out(picture, mapping, box)
        size = (mapping.image_width, mapping.image_height)
        return picture if picture.size == size else picture.resize(size, Image.Resampling.BOX, reducing_gap=2.0)

    def _taken(self, mapping: Mapping) -> Image.Image:
        area = {"left": mapping.left, "top": mapping.top, "width": mapping.width, "height": mapping.height}
        if self._mss is None:
            self._mss = self._slow()
        try:
            shot = self._mss.grab(area)
        except (ScreenShotError, OSError, AssertionError) as problem:
            # Where the server goes in the middle of it, the library takes for granted that there is an answer.
            raise DesktopGone("No picture of the desktop can be taken.") from problem
        return Image.frombuffer("RGB", (shot.width, shot.height), shot.raw, "raw", "BGRX", 0, 1)

    @staticmethod
    def _leave_out(picture: Image.Image, mapping: Mapping, box: Box) -> None:
        left, top = box[0] - mapping.left, box[1] - mapping.top
        right, bottom = left + box[2] - 1, top + box[3] - 1
        if right >= 0 and bottom >= 0 and left < mapping.width and top < mapping.height:
            ImageDraw.Draw(picture).rectangle((left, top, right, bottom), fill=HIDDEN)

    def png(self, mapping: Mapping) -> Shot:
        """A picture without loss."""
        out = io.BytesIO()
        self.grab(mapping).save(out, "PNG", compress_level=PNG_LEVEL)
        return _shot(out.getvalue(), "image/png", mapping)


def jpeg(picture: Image.Image, mapping: Mapping) -> Shot:
    """A small picture for the live view."""
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=JPEG_QUALITY)
    return _shot(out.getvalue(), "image/jpeg", mapping)


def data_url(shot: Shot) -> str:
    """The picture as an inline address."""
    return f"data:{shot.media_type};base64,{base64.b64encode(shot.data).decode()}"


def _shot(data: bytes, media_type: str, mapping: Mapping) -> Shot:
    width, height = mapping.image_width, mapping.image_height
    return Shot(data, media_type, width, height, width, height)
