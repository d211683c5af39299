"""The live picture of a desktop ends with the desktop: without a failure, and with nothing left open."""

import threading

import pytest

from drivers.desktop.camera import Camera
from drivers.desktop.cast import Cast
from drivers.desktop.mapping import Mapping
from drivers.desktop.xserver import DesktopGone
from tests.helpers.x_screens import x_server
from tests.unit.drivers.desktop.conftest import LATE_SECS, NEEDS_DESKTOP

pytestmark = NEEDS_DESKTOP

WHOLE = Mapping(0, 0, 640, 480, 640, 480)


def test_a_camera_whose_display_has_gone_says_so_and_can_be_closed() -> None:
    with x_server("640x480") as name:
        camera = Camera(name, list)
        assert camera.grab(WHOLE).size == (640, 480)
    with pytest.raises(DesktopGone):
        camera.grab(WHOLE)
    camera.close()


def test_a_live_picture_whose_display_goes_ends_and_hangs_up() -> None:
    shown, over = threading.Event(), threading.Event()
    with x_server("640x480") as name:
        # Nobody asks the server about its windows here, who would be told first.
        cast = Cast(Camera(name, list), lambda: WHOLE, lambda _frame: shown.set(), over.set)
        cast.start()
        assert shown.wait(LATE_SECS)
    cast.join(LATE_SECS)
    assert over.is_set()
