"""A desktop that runs elsewhere and belongs to somebody else: looked at and used over VNC, and left as it is."""

from __future__ import annotations

import asyncio
import contextlib
import random
import struct
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from drivers.desktop.driver import DesktopDriver
from drivers.desktop.session import Desktop
from drivers.desktop.support import own_display
from drivers.desktop.xserver import DesktopMissing, XServer
from drivers.remote.endpoint import Endpoint, RemoteMissing
from drivers.remote.rfb import Lost, Rfb
from drivers.remote.vnc import VncGround

SCHEMES = ("vnc",)
TRIALS = 3
OWN = (
    "{where} shows the display that this console is on, where the model could press its buttons. Use "
    'target = "desktop" for your own, or another desktop.'
)


@asynccontextmanager
async def open_remote_desktop(
    endpoint: Endpoint, *, picture_at_most: tuple[int, int] | None = None, any_letter: bool = False
) -> AsyncIterator[Desktop]:
    """`any_letter`: the server takes letters that its keyboard lacks. Raises :class:`RemoteMissing`.

    Nobody's connection is ended by this one, and no program on the desktop."""
    rfb = await Rfb.open(endpoint)
    try:
        await _require_another_display(endpoint, rfb)
        seen_on_the_way = not rfb.is_encrypted and not endpoint.is_loopback
        name = f"the desktop at {endpoint.authority}{' (not encrypted)' if seen_on_the_way else ''}"
        ground = VncGround(rfb, asyncio.get_running_loop(), name, any_letter=any_letter)
        driver = DesktopDriver(ground, where=name, is_ours=True, picture_at_most=picture_at_most)
        try:
            yield Desktop(driver, {})
        finally:
            await driver.close()
    finally:
        await rfb.close()


async def _require_another_display(endpoint: Endpoint, rfb: Rfb) -> None:
    """Whether the display of this console is shown there is tried: its pointer would follow."""
    if sys.platform != "linux":
        return
    try:
        here = await asyncio.to_thread(XServer, own_display())
    except (LookupError, DesktopMissing):
        return
    try:
        width, height = rfb.size
        for _ in range(TRIALS):
            at = (random.randrange(width), random.randrange(height))
            rfb.send(struct.pack(">BBHH", 5, 0, *at))
            await rfb.settled()
            found = await asyncio.to_thread(here.asked, here.root.query_pointer)
            if found is None or (found.root_x, found.root_y) != at:
                return
        raise RemoteMissing(OWN.format(where=endpoint.authority))
    except Lost as lost:
        raise RemoteMissing(f"{endpoint.authority} hung up at once.") from lost
    finally:
        with contextlib.suppress(OSError):
            await asyncio.to_thread(here.close)
