"""A VNC desktop that is given two screens with a gap between them: seen by who uses it over VNC, and at its display."""

import asyncio
import struct
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from openai.types.responses import computer_action as modern

from drivers.desktop.driver import DesktopDriver
from drivers.errors import NotDone
from drivers.remote.desktop import SCHEMES, open_remote_desktop
from drivers.remote.endpoint import Endpoint
from drivers.remote.rfb import Rfb
from tests.helpers.vnc_desktop import NEEDS_VNC, vnc_desktop
from tests.helpers.x_screens import Program
from tests.unit.drivers.desktop.conftest import soon

pytestmark = NEEDS_VNC

LEFT, RIGHT = (0, 0, 1000, 700), (1200, 100, 800, 900)


def click(x: int, y: int) -> Any:
    return modern.Click(type="click", x=x, y=y, button="left")


def asked_for(*boxes: tuple[int, int, int, int]) -> bytes:
    """The message by which whoever looks says which screens there should be."""
    width, height = (max(box[side] + box[side + 2] for box in boxes) for side in (0, 1))
    screens = [struct.pack(">IHHHHI", number, *box, 0) for number, box in enumerate(boxes)]
    return struct.pack(">BxHHBx", 251, width, height, len(boxes)) + b"".join(screens)


async def test_a_gap_between_screens_is_refused_over_vnc_and_at_the_display() -> None:
    await asyncio.to_thread(int)  # the loop's own thread exists before the first test, which would leave it behind
    async with vnc_desktop("-SecurityTypes", "None") as theirs:
        endpoint = Endpoint.at(f"vnc://127.0.0.1:{theirs.port}", schemes=SCHEMES)
        other = await Rfb.open(endpoint)
        program = Program(theirs.display)
        driver = DesktopDriver(theirs.display, where="a desktop", is_ours=False, picture_at_most=(1000, 500))
        try:
            async with open_remote_desktop(endpoint) as opened:
                assert await opened.driver.size() == (1280, 800)
                await driver.picture_to_point_at()
                other.send(asked_for(LEFT, RIGHT))
                await soon(opened.driver.size, lambda size: size == (2000, 1000))
                assert program.server.screens == [LEFT, RIGHT]
                with pytest.raises(NotDone, match="at another scale"):
                    await driver.check(click(10, 10))
                assert (await driver.picture_to_point_at()).width == 1000
                program.show("left", 0xFF0000, LEFT)
                program.show("right", 0x00FF00, RIGHT)
                await _used(opened.driver, program, 1)
                await _used(driver, program, 2)
        finally:
            await driver.close()
            program.close()
            await other.close()


async def _used(driver: DesktopDriver, program: Program, scale: int) -> None:
    for at in ((1100, 400), (1500, 50), (500, 800)):
        refused: tuple[Callable[[Any], Awaitable[None]], ...] = (driver.check, driver.click)
        for act in refused:
            with pytest.raises(NotDone, match="outside every screen"):
                await act(click(at[0] // scale, at[1] // scale))
    assert program.pressed() == []
    await driver.click(click(1200 // scale, 100 // scale))
    await driver.click(click(998 // scale, 698 // scale))
    half = scale // 2
    assert program.pressed() == [("right", half, half), ("left", 998 + half, 698 + half)]
