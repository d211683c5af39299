"""What a desktop shows at a place, or takes keys with, in the words of a driver's evidence; and what is refused."""

from __future__ import annotations

from dataclasses import dataclass

from drivers.desktop.ground import Seeing, Server
from drivers.desktop.mapping import Mapping
from drivers.desktop.windows import Window
from drivers.errors import NotDone

TAB = "desktop"
"""What stands in a tab's place: a desktop has none."""
POINT_ON_CONSOLE = "Not done: that place belongs to the console that supervises this run. Nothing there may be touched."
KEYS_TO_CONSOLE = "Not done: keys would go to the console that supervises this run. Click into another window first."
OFF_SCREEN = "Not done: the point lies outside every screen, in a gap between them."
REARRANGED = (
    "Not done: since the picture that the point is of, another part of the screen is shown, or at another scale. "
    "Take a new picture."
)
CHANGED = "Not done: another window is there than the one that the operator was shown."


@dataclass(frozen=True)
class Seen:
    """A window as evidence; `box` is in the coordinates of the picture."""

    ref: str
    role: str
    label: str
    frame_origin: str
    box: tuple[float, float, float, float] | None
    covered_by: str | None = None
    visible: bool = True


@dataclass(frozen=True)
class Facts:
    """The desktop in the place of a page."""

    tab_id: str
    url: str
    origin: str
    title: str
    document_id: str


@dataclass(frozen=True)
class Change:
    """Something of which a person should know; `text` is outside text."""

    kind: str
    tab_id: str | None = TAB
    detail: str = ""
    url: str = ""
    text: str = ""


@dataclass(frozen=True)
class View:
    """What a picture is of, as far as the meaning of its points goes: a window that only moved takes them along."""

    window: int
    """The one window; 0 for everything."""
    left: int
    """Where the picture begins in the window."""
    top: int
    scale: tuple[int, int, int, int] | None
    """Sizes of the rectangle and of its picture; None where these are the same."""


class DesktopScreen:
    """Used by one thread at a time. Points come in the picture's pixels."""

    def __init__(
        self, server: Server, windows: Seeing, where: str, only: str | None, at_most: tuple[int, int] | None
    ) -> None:
        """`where` names the desktop for people; `only`: one window, by words of its title or program."""
        self._server = server
        self._windows = windows
        self._where = where
        self.only = only
        self.at_most = at_most

    def mapping(self) -> Mapping:
        """What the picture is of now."""
        return self.view()[0]

    def view(self) -> tuple[Mapping, View]:
        """What the picture is of now, and what its points mean."""
        if self.only is None:
            mapping = Mapping.of((0, 0, *self._server.size), self.at_most)
            return mapping, View(0, 0, 0, _scale(mapping))
        window = self._windows.named(self.only)
        if window is None or window.is_console:
            raise NotDone("The window that this run may use is not there.")
        width, height = self._server.size
        left, top = max(0, window.box[0]), max(0, window.box[1])
        right, bottom = min(width, window.box[0] + window.box[2]), min(height, window.box[1] + window.box[3])
        if right <= left or bottom <= top:
            raise NotDone("The window that this run may use lies outside the screen.")
        mapping = Mapping.of((left, top, right - left, bottom - top), self.at_most)
        return mapping, View(window.number, left - window.box[0], top - window.box[1], _scale(mapping))

    def point(self, x: int, y: int, of: View | None = None) -> tuple[int, int]:
        """The point of the screen that a point of the picture means; :class:`NotDone` where nothing may be done.

        `of`: the picture that the point is of; None: one that would be taken now.
        """
        mapping, now = self.view()
        if of not in (None, now):
            raise NotDone(REARRANGED)
        if not mapping.holds(x, y):
            size = f"{mapping.image_width} by {mapping.image_height}"
            raise NotDone(f"Not done: the point lies outside the picture, which is {size} pixels.")
        at = mapping.screen_from_image(x, y)
        if not any(
            box[0] <= at[0] < box[0] + box[2] and box[1] <= at[1] < box[1] + box[3] for box in self._server.screens
        ):
            raise NotDone(OFF_SCREEN)
        window = self._windows.at(*at)
        if window is not None and window.is_console:
            raise NotDone(POINT_ON_CONSOLE)
        if self.only is not None and not self._is_the_one(window):
            raise NotDone("Not done: another window lies there than the one that this run may use.")
        return at

    def keys(self) -> Window | None:
        """The window that keys go to; :class:`NotDone` where none may."""
        window = self._windows.with_keys()
        if window is not None and window.is_console:
            raise NotDone(KEYS_TO_CONSOLE)
        if self.only is not None and not self._is_the_one(window):
            raise NotDone("Not done: another window has the keys than the one that this run may use.")
        return window

    def _is_the_one(self, window: Window | None) -> bool:
        wanted = self._windows.named(self.only or "")
        return window is not None and wanted is not None and self._windows.belongs(window, wanted)

    def seen_at(self, x: int, y: int, of: View | None = None) -> Seen:
        """What a press there would reach."""
        at = self.point(x, y, of)
        window = self._windows.at(*at)
        return self._seen(window) if window is not None else Seen("background", "area", "the background", "", None)

    def seen_focus(self) -> Seen | None:
        """What keys would go to."""
        window = self.keys()
        return self._seen(window) if window is not None else None

    def facts(self) -> Facts:
        """The desktop, with the title of the window that has the keys."""
        window = self._windows.with_keys()
        return Facts(TAB, self._where, "", window.title if window is not None else "", self._where)

    def _seen(self, window: Window) -> Seen:
        box = self.mapping().image_from_screen(window.box)
        return Seen(f"w{window.number:x}", "window", window.program, "", box)


def _scale(mapping: Mapping) -> tuple[int, int, int, int] | None:
    sizes = (mapping.width, mapping.height, mapping.image_width, mapping.image_height)
    return None if sizes[:2] == sizes[2:] else sizes
