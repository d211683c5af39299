"""Which window is where on an X screen, which has the keys, and which are the console's own."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from Xlib import X

from drivers.desktop.mapping import Box
from drivers.desktop.xserver import XServer

OWN_PROGRAM = "signalbox"
"""Every console's windows name this program, so that one console is closed to the runs of another, too."""


@dataclass(frozen=True)
class Window:
    """One window as a person would point at it. `program` and `title` are outside text."""

    number: int
    """The client's own window, which stays the same while a window manager puts frames around it."""
    program: str
    title: str
    box: Box
    """With the frame, in pixels of the screen."""
    is_console: bool
    handle: Any


class Windows:
    """Answers are of the moment. A window that goes away while it is looked at is not there."""

    def __init__(self, server: XServer) -> None:
        self._server = server
        self._known: dict[int, bool] = {}
        self._hidden: list[Box] | None = None

    def at(self, x: int, y: int) -> Window | None:
        """The topmost window at a point; None is the background."""
        server = self._server
        found = server.asked(lambda: server.root.translate_coords(server.root, x, y))
        if found is None or found.child == X.NONE:
            return None
        return self._seen(found.child)

    def with_keys(self) -> Window | None:
        """The window that keys go to; None when that is none."""
        server = self._server
        found = server.asked(server.display.get_input_focus)
        focus = found.focus if found is not None else X.NONE
        if isinstance(focus, int):
            return None
        top = self._top_of(focus)
        return self._seen(top) if top is not None else None

    def all(self) -> list[Window]:
        """Every window that is shown, the lowest first."""
        server = self._server
        tree = server.asked(server.root.query_tree)
        seen = [self._seen(child) for child in (tree.children if tree is not None else []) if self._shows(child)]
        return [one for one in seen if one is not None and one.box[0] + one.box[2] > 0 and one.box[1] + one.box[3] > 0]

    def named(self, words: str) -> Window | None:
        """The topmost window whose title or program holds `words`, small and capital letters alike."""
        return self._named(words, self.all())

    @staticmethod
    def _named(words: str, shown: list[Window]) -> Window | None:
        wanted = words.casefold()
        fits = [one for one in shown if wanted in one.title.casefold() or wanted in one.program.casefold()]
        return fits[-1] if fits else None

    def belongs(self, window: Window, wanted: Window) -> bool:
        """Whether a window is of the same program as another: menus and lists are windows of their own."""
        # The server gives each program numbers of its own, whatever its windows are called.
        mask = ~self._server.display.display.info.resource_id_mask
        return window.number & mask == wanted.number & mask or window.program == wanted.program

    def hidden(self, only: str | None) -> list[Box]:
        """What no picture may show, as rectangles of the screen: the console's windows and, where only one window may
        be shown, whatever other programs have in front of that.
        """
        return self.of_console() + (self._in_front_of(only) if only is not None else [])

    def _in_front_of(self, only: str) -> list[Box]:
        shown = self.all()
        wanted = self._named(only, shown)
        if wanted is None:
            return []
        hidden: list[Box] = []
        for one in shown[[one.number for one in shown].index(wanted.number) + 1 :]:
            if self.belongs(one, wanted):
                hidden = [part for box in hidden for part in without(box, one.box)]
            else:
                hidden.append(one.box)
        return hidden

    def of_console(self) -> list[Box]:
        """What is seen of the console's own windows, as rectangles of the screen; asked anew when a window changed."""
        if self._hidden is None or self._server.windows_changed():
            self._hidden = self._look_for_console()
        return self._hidden

    def _look_for_console(self) -> list[Box]:
        server = self._server
        tree = server.asked(server.root.query_tree)
        children = tree.children if tree is not None else []
        hidden: list[Box] = []
        for child in children:
            if not self._known_as_console(child):
                if hidden and (above := self._box(child)) is not None and self._shows(child):
                    hidden = [part for box in hidden for part in without(box, above)]
            elif self._shows(child) and (box := self._box(child)) is not None:
                hidden.append(box)
        return hidden

    def _known_as_console(self, top: Any) -> bool:
        """A window is judged once, when it is first shown: neither its program nor its process changes."""
        if top.id not in self._known:
            if not self._shows(top):
                return False
            if len(self._known) > 2000:
                self._known.clear()
            client = self._client(top)
            self._known[top.id] = client is not None and self._is_console(client)
        return self._known[top.id]

    def _seen(self, top: Any) -> Window | None:
        box, client = self._box(top), self._client(top)
        if box is None or client is None:
            return None
        server = self._server
        names = server.text(client, "WM_CLASS").split("\0")
        return Window(
            number=client.id,
            program=next((name for name in reversed(names) if name), "unnamed program"),
            title=server.text(client, "_NET_WM_NAME") or server.text(client, "WM_NAME"),
            box=box,
            is_console=self._is_console(client),
            handle=client,
        )

    def _is_console(self, client: Any) -> bool:
        server = self._server
        if server.cards(client, "_NET_WM_PID") == [os.getpid()]:
            return True
        names = server.text(client, "WM_CLASS").casefold().split("\0")
        return OWN_PROGRAM in names

    def _shows(self, window: Any) -> bool:
        found = self._server.asked(window.get_attributes)
        return found is not None and found.map_state == X.IsViewable and found.win_class == X.InputOutput

    def _box(self, top: Any) -> Box | None:
        found = self._server.asked(top.get_geometry)
        if found is None:
            return None
        edge = 2 * found.border_width
        return found.x, found.y, found.width + edge, found.height + edge

    def _client(self, top: Any) -> Any:
        """The client's window within a frame; the window itself where no manager keeps it, as with menus."""
        level, deep = [top], 0
        while level and deep < 4:
            for window in level:
                if self._server.cards(window, "WM_STATE"):
                    return window
            trees = [self._server.asked(window.query_tree) for window in level]
            level, deep = [child for tree in trees if tree is not None for child in tree.children][:64], deep + 1
        return top

    def _top_of(self, window: Any) -> Any:
        """The child of the root that holds `window`, on whichever of the server's screens; None for a root itself."""
        roots = {screen.root.id for screen in self._server.display.display.info.roots}
        while window.id not in roots:
            tree = self._server.asked(window.query_tree)
            if tree is None:
                return None
            parent = tree.parent
            if isinstance(parent, int) or parent.id in roots:
                return window
            window = parent
        return None


def without(box: Box, above: Box) -> list[Box]:
    """The parts of `box` that `above` does not cover."""
    left, top, width, height = box
    right, bottom = left + width, top + height
    a, b = max(left, above[0]), max(top, above[1])
    c, d = min(right, above[0] + above[2]), min(bottom, above[1] + above[3])
    if a >= c or b >= d:
        return [box]
    parts = [(left, top, width, b - top), (left, d, width, bottom - d), (left, b, a - left, d - b),
             (c, b, right - c, d - b)]  # fmt: skip
    return [part for part in parts if part[2] > 0 and part[3] > 0]
