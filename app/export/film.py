"""An animated WebP written frame by frame: of each picture only the part that differs from the one before it is stored.

The library's own way to animate keeps every frame in memory until the last, encodes each several times over, one after
the other. Here a frame is one still picture, encoded beside others, and what is done is put away.
"""

import io
import os
import shutil
import struct
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO

from PIL import Image, ImageChops

QUALITY, METHOD = 70, 1
WORKERS = max(1, min(4, os.cpu_count() or 1))
AHEAD = 2 * WORKERS
"""Pictures that are in memory at once, at most."""

IN_MEMORY_BYTES = 16 * 1024 * 1024
"""A longer film lies in a file without a name until its length is known."""

_HEADER_BYTES = 12
_REPLACES = 0b10
"""A frame's pixels take the place of those below and are left there."""
_LONGEST_MS = (1 << 24) - 1

Frame = tuple[Image.Image, int]
"""A picture, and for how many milliseconds it stands."""

Box = tuple[int, int, int, int]


def write_film(frames: Iterable[Frame], size: tuple[int, int], out: IO[bytes]) -> None:
    """Write the film; every picture is of `size`. `out` is written to once, from its beginning to its end."""
    width, height = size
    with tempfile.SpooledTemporaryFile(IN_MEMORY_BYTES) as body:
        body.write(_chunk(b"VP8X", struct.pack("<I", 0b10) + _three(width - 1) + _three(height - 1)))
        body.write(_chunk(b"ANIM", struct.pack("<IH", 0xFFFF_FFFF, 0)))
        for chunk in _encoded(frames):
            body.write(chunk)
        out.write(b"RIFF" + struct.pack("<I", 4 + body.tell()) + b"WEBP")
        body.seek(0)
        shutil.copyfileobj(body, out)


def _encoded(frames: Iterable[Frame]) -> Iterator[bytes]:
    """Chunks in the order of the frames, several of them in the making at once."""
    begun: deque[Future[bytes]] = deque()
    before: Image.Image | None = None
    with ThreadPoolExecutor(WORKERS, thread_name_prefix="film") as workers:
        try:
            for picture, stands_ms in frames:
                begun.append(workers.submit(_frame, picture, _differs(before, picture), stands_ms))
                before = picture
                if len(begun) >= AHEAD:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        finally:
            for one in begun:
                one.cancel()


def _differs(before: Image.Image | None, picture: Image.Image) -> Box:
    """The part that changed; where nothing did, a corner, so that the frame is there and stands for its time."""
    if before is None:
        return (0, 0, picture.width, picture.height)
    left, top, right, bottom = ImageChops.difference(before, picture).getbbox() or (0, 0, 2, 2)
    # A place in a film is counted in steps of two pixels.
    return (left & ~1, top & ~1, right, bottom)


def _frame(picture: Image.Image, part: Box, stands_ms: int) -> bytes:
    still = io.BytesIO()
    picture.crop(part).save(still, "WEBP", quality=QUALITY, method=METHOD)
    left, top, right, bottom = part
    place = _three(left // 2) + _three(top // 2) + _three(right - left - 1) + _three(bottom - top - 1)
    stands = _three(max(1, min(_LONGEST_MS, stands_ms))) + bytes([_REPLACES])
    return _chunk(b"ANMF", place + stands + still.getvalue()[_HEADER_BYTES:])


def _chunk(kind: bytes, data: bytes) -> bytes:
    return kind + struct.pack("<I", len(data)) + data + bytes(len(data) & 1)


def _three(number: int) -> bytes:
    return number.to_bytes(3, "little")
