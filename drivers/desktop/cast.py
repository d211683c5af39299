"""The live picture of a desktop: looked at a few times a second, handed on when it has changed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from drivers.desktop.camera import Shot, jpeg
from drivers.desktop.ground import Eye
from drivers.desktop.mapping import Mapping
from drivers.errors import BrowserError, NotDone

FRAMES_A_SECOND = 12


@dataclass(frozen=True)
class Frame:
    """One live picture."""

    shot: Shot
    taken_at: float
    """Monotonic seconds."""


class Cast(threading.Thread):
    """Runs from `start` to `end`, with a camera of its own. The last picture always shows the last state."""

    def __init__(
        self, camera: Eye, mapping: Callable[[], Mapping], put: Callable[[Frame], None], over: Callable[[], None]
    ) -> None:
        """`over` is called when it has ended."""
        super().__init__(name="desktop picture", daemon=True)
        self._camera = camera
        self._mapping = mapping
        self._put = put
        self._hang_up = over
        self._over = threading.Event()

    def run(self) -> None:
        """Look, compare, hand on."""
        last: tuple[Mapping, bytes] | None = None
        try:
            while not self._over.wait(1 / FRAMES_A_SECOND):
                taken_at = time.monotonic()
                try:
                    mapping = self._mapping()
                except NotDone:
                    # The one window that may be shown is not there just now.
                    continue
                picture = self._camera.grab(mapping)
                now = (mapping, picture.tobytes())
                if now != last:
                    last = now
                    self._put(Frame(jpeg(picture, mapping), taken_at))
        except BrowserError:
            # The desktop is gone; whoever acts on it next is told.
            return
        finally:
            try:
                self._camera.close()
            finally:
                self._hang_up()

    def end(self) -> None:
        """Hand on nothing more, and let the camera go."""
        self._over.set()
        self.join()
