"""Pictures of a virtual desktop against bare mss and Pillow on the same screen, in turn."""

import asyncio
import io
import time
from collections.abc import Callable

import mss
from PIL import Image

from drivers.desktop.camera import JPEG_QUALITY, Camera, jpeg
from drivers.desktop.mapping import Mapping
from drivers.desktop.virtual import VirtualDesktop, VirtualOptions, what_is_missing
from drivers.desktop.windows import Windows
from drivers.desktop.xserver import XServer
from tests.benchmarks.rows import Fact, Line, Row, hand_over, median
from tests.helpers.chromium import kiosk

SIZE = (1920, 1080)
COUNT = 150
GOAL = 1 / 0.9
"""At least nine tenths of the pictures a second."""
PAGE = "data:text/html,<body style='margin:0;background:linear-gradient(45deg,teal,gold)'><h1>" + "words " * 900


def _spent(what: Callable[[], object]) -> float:
    began = time.perf_counter()
    what()
    return (time.perf_counter() - began) * 1000


def _row(measure: str, bare: Callable[[], object], ours: Callable[[], object]) -> Row:
    bare()
    ours()
    floor: list[float] = []
    product: list[float] = []
    for turn in range(COUNT):
        for one, samples in ((bare, floor), (ours, product))[:: 1 if turn % 2 else -1]:
            samples.append(_spent(one))
    return Row(measure, median(floor), median(product), GOAL, COUNT)


def _rows(display: str) -> list[Line]:
    server = XServer(display)
    windows = Windows(server)
    deadline = time.monotonic() + 30
    while not windows.all() and time.monotonic() < deadline:
        time.sleep(0.1)
    camera = Camera(display, windows.of_console)
    mapping = Mapping.of((0, 0, *server.size), None)
    bare = mss.MSS(display=display)
    area = bare.monitors[0]

    def picture() -> Image.Image:
        shot = bare.grab(area)
        return Image.frombuffer("RGB", (shot.width, shot.height), shot.raw, "raw", "BGRX", 0, 1)

    def encoded() -> None:
        picture().save(io.BytesIO(), "JPEG", quality=JPEG_QUALITY)

    try:
        return [
            _row("desktop: a picture, the console's windows left out", picture, lambda: camera.grab(mapping)),
            _row("desktop: a live picture as JPEG", encoded, lambda: jpeg(camera.grab(mapping), mapping)),
        ]
    finally:
        bare.close()
        camera.close()
        server.close()


async def _measured() -> list[Line]:
    desktop = await VirtualDesktop.open(VirtualOptions(SIZE))
    try:
        await desktop.run(kiosk(PAGE))
        return await asyncio.to_thread(_rows, desktop.display)
    finally:
        await desktop.close()


def measure() -> list[Line]:
    """All rows, on one desktop."""
    if (reason := what_is_missing()) is not None:
        return [Fact(f"desktop: not measured. {reason}")]
    return asyncio.run(_measured())


if __name__ == "__main__":
    hand_over(measure)
