"""X servers with several screens, and plain windows on them that tell which presses reached them."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from Xlib import X
from Xlib.protocol import rq

from drivers.desktop.mapping import Box
from drivers.desktop.xserver import XServer


@contextmanager
def x_server(*screens: str) -> Iterator[str]:
    """A server with these screens (``1280x800``), from start to end; its display."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-nolisten", "tcp", "-noreset"]
    for number, size in enumerate(screens):
        command += ["-screen", str(number), f"{size}x24"]
    with subprocess.Popen(command, pass_fds=(writing,), stderr=subprocess.DEVNULL) as process:
        os.close(writing)
        try:
            with os.fdopen(reading) as told:
                yield f":{told.readline().strip()}"
        finally:
            process.terminate()


class SetMonitor(rq.Request):
    """The library's own form of this request cannot be packed."""

    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(43), rq.RequestLength(), rq.Window("window"), rq.Card32("name"),
        rq.Bool("primary"), rq.Bool("automatic"), rq.LengthOf("outputs", 2), rq.Int16("x"), rq.Int16("y"),
        rq.Card16("width"), rq.Card16("height"), rq.Card32("across"), rq.Card32("down"),
        rq.List("outputs", rq.Card32Obj),
    )  # fmt: skip


class Program:
    """One program on a display: windows of one colour each, without a manager, and what is pressed in them."""

    def __init__(self, display: str) -> None:
        self.server = XServer(display)
        self._names: dict[int, str] = {}

    def close(self) -> None:
        """End it, with its windows."""
        self.server.close()

    def monitors(self, *boxes: Box) -> None:
        """Say which parts of the display are shown by screens; the first takes the place of the server's own."""
        outputs = list(self.server.root.xrandr_get_screen_resources().outputs)
        for number, (left, top, width, height) in enumerate(boxes):
            SetMonitor(
                display=self.server.display.display, opcode=self.server.display.display.get_extension_major("RANDR"),
                window=self.server.root, name=self.server.atom(f"screen-{number}"), primary=0, automatic=0, x=left,
                y=top, width=width, height=height, across=300, down=200, outputs=[] if number else outputs,
            )  # fmt: skip
        self.server.settle()

    def show(self, name: str, colour: int, box: Box) -> Any:
        """A window that is there when this returns."""
        left, top, width, height = box
        window = self.server.root.create_window(
            left, top, width, height, 0, X.CopyFromParent, override_redirect=1, background_pixel=colour,
            event_mask=X.ButtonPressMask,
        )  # fmt: skip
        window.set_wm_class(name, name)
        window.set_wm_name(f"{name} window")
        window.map()
        self.server.settle()
        self._names[window.id] = name
        return window

    def pressed(self) -> list[tuple[str, int, int]]:
        """Since this was last asked: in which window, and where in it."""
        self.server.settle()
        found = []
        while self.server.display.pending_events():
            event = self.server.display.next_event()
            if event.type == X.ButtonPress:
                found.append((self._names[event.window.id], event.event_x, event.event_y))
        return found
