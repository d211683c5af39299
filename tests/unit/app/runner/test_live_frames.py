"""A live picture is as old as it is, also on a machine that has slept since it was started."""

import time
from types import SimpleNamespace

from app.clock import SystemClock
from app.runner.live_frames import NANOS_PER_SEC, desktop_frame, page_frame


class Slept(SystemClock):
    """Python's own monotonic time did not go on in those hours."""

    def mono_ns(self) -> int:
        return super().mono_ns() + 10 * 3600 * NANOS_PER_SEC


def test_its_age_by_the_console_s_clock_is_its_age_by_the_driver_s() -> None:
    clock = Slept()
    taken_at = time.monotonic() - 2.0
    size = {"data": b"", "width": 1, "height": 1, "css_width": 1, "css_height": 1}
    shot = SimpleNamespace(**size, media_type="image/png")
    frames = [
        page_frame(SimpleNamespace(**size, taken_at=taken_at, tab_id="t1"), clock),
        desktop_frame(SimpleNamespace(shot=shot, taken_at=taken_at), clock),
    ]
    ages = [(clock.mono_ns() - frame.taken_mono_ns) / NANOS_PER_SEC for frame in frames]
    assert all(2.0 <= age < 60.0 for age in ages), ages
