"""A live picture is taken for one from after an action only where it cannot be one of a page that was left."""

from app.core.live import LatestFrame, LiveFrame
from app.runner.screen import UNPAINTED_NS, Screen
from tests.unit.app.runner.harness import SeenDriver


class SetClock:
    """Says what it was set to."""

    now_ns = 0

    def wall_ms(self) -> int:
        return self.now_ns // 1_000_000

    def mono_ns(self) -> int:
        return self.now_ns


def frame(taken_ns: int) -> LiveFrame:
    return LiveFrame(
        data=b"jpeg",
        media_type="image/jpeg",
        width=1,
        height=1,
        css_width=1,
        css_height=1,
        taken_mono_ns=taken_ns,
        tab_id="t1",
    )


def test_a_picture_of_the_page_that_an_action_left_is_none_from_after_it() -> None:
    clock, frames = SetClock(), LatestFrame()
    screen = Screen(SeenDriver("http://127.0.0.1:1/"), frames, clock, always_fresh=True)
    began, left = 1_000_000_000, 1_200_000_000
    clock.now_ns = left
    screen.happened("navigation")
    clock.now_ns = left + 2 * UNPAINTED_NS
    taken = []
    for at in (began - 1, began + 1, left, left + UNPAINTED_NS, left + UNPAINTED_NS + 1):
        frames.put(frame(at))
        taken.append(screen.after(began) is not None)
    assert taken == [False, False, False, False, True]


def test_where_no_page_is_left_any_picture_since_it_began_serves() -> None:
    clock, frames = SetClock(), LatestFrame()
    screen = Screen(SeenDriver("http://127.0.0.1:1/"), frames, clock, always_fresh=True)
    clock.now_ns = 2_000_000_000
    screen.happened("dialog_dismissed")
    frames.put(frame(1_000_000_001))
    assert screen.after(1_000_000_000) is not None
