"""What drivers show live, as the console keeps it: a frame of the page, a shot of the desktop."""

import time
from typing import Any

from app.core.live import LiveFrame
from app.core.ports import Clock

NANOS_PER_SEC = 1_000_000_000


def page_frame(frame: Any, clock: Clock) -> LiveFrame:
    """A frame of a browser's screencast."""
    return LiveFrame(
        data=frame.data,
        media_type="image/jpeg",
        width=frame.width,
        height=frame.height,
        css_width=frame.css_width,
        css_height=frame.css_height,
        taken_mono_ns=_taken_ns(frame.taken_at, clock),
        tab_id=frame.tab_id,
    )


def desktop_frame(frame: Any, clock: Clock) -> LiveFrame:
    """A frame of a desktop's cast."""
    shot = frame.shot
    return LiveFrame(
        data=shot.data,
        media_type=shot.media_type,
        width=shot.width,
        height=shot.height,
        css_width=shot.css_width,
        css_height=shot.css_height,
        taken_mono_ns=_taken_ns(frame.taken_at, clock),
        tab_id="desktop",
    )


def _taken_ns(taken_at: float, clock: Clock) -> int:
    """By the console's clock; `taken_at` in seconds of Python's own, which is another one where the machine slept."""
    return clock.mono_ns() - round((time.monotonic() - taken_at) * NANOS_PER_SEC)
