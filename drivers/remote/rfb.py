"""The client's side of RFB 3.8, as VNC servers speak it: one connection, the picture it shows, keys and pointer."""

from __future__ import annotations

import asyncio
import logging
import random
import struct
import threading
import zlib

from PIL import Image

from drivers.remote.endpoint import CONNECT_SECS, Endpoint, RemoteMissing
from drivers.remote.rfb_entry import enter

log = logging.getLogger(__name__)

RAW, COPY, ZLIB, SIZE, MORE_SIZE, LAST = 0, 1, 6, -223, -308, -224
MOST_PIXELS = 64_000_000
MOST_CLIPBOARD_BYTES = 1 << 24
BREATH_SECS = 0.005
"""So long at most what a server pours in is dealt with before anything else in the loop has its turn."""
TRIES = 10
"""Answers that are waited for at most before it is certain that one of them came after the question."""
ANSWER_PIXELS = 256
"""A rectangle no larger than that, around a pixel that was just drawn by lot, answers the question for that pixel."""

Box = tuple[int, int, int, int]


class Lost(Exception):
    """The connection has gone; what had been sent may have arrived."""


class Rfb:
    """Belongs to the loop that opened it; only `picture` may be asked from another thread."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, size: tuple[int, int]) -> None:
        self._reader = reader
        self._writer = writer
        self._lock = threading.Lock()
        self._image = Image.new("RGB", size)
        self._zlib = zlib.decompressobj()
        self._lot = random.Random()
        self._update = asyncio.Event()
        self._boxes: list[Box] = []
        self.screens: list[Box] = []
        """Left, top, width, height of each; none where the server does not tell."""
        self._breath = 0.0
        self.is_encrypted = False
        self.lost = False
        self._task = asyncio.get_running_loop().create_task(self._read(), name="read from a VNC server")

    @classmethod
    async def open(cls, endpoint: Endpoint) -> Rfb:
        """Connect, come in, and wait for the first whole picture. Raises :class:`RemoteMissing`."""
        try:
            async with asyncio.timeout(CONNECT_SECS):
                reader, writer = await endpoint.connect_bare()
                try:
                    made = await cls._begun(endpoint, reader, writer)
                except BaseException:
                    writer.close()
                    raise
        except TimeoutError as late:
            raise RemoteMissing(f"{endpoint.authority} did not answer in time.") from late
        return made

    @classmethod
    async def _begun(cls, endpoint: Endpoint, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Rfb:
        encrypted = await enter(endpoint, reader, writer)
        # Shared: whoever is connected already stays so.
        writer.write(b"\1")
        try:
            width, height, _, length = struct.unpack(">HH16sI", await reader.readexactly(24))
            await reader.readexactly(min(length, MOST_CLIPBOARD_BYTES))
        except (OSError, asyncio.IncompleteReadError) as wrong:
            raise RemoteMissing(f"{endpoint.authority} does not show a desktop.") from wrong
        if not 0 < width * height <= MOST_PIXELS:
            raise RemoteMissing(f"{endpoint.authority} shows a desktop of {width} by {height} pixels.")
        made = cls(reader, writer, (width, height))
        made.is_encrypted = encrypted
        try:
            made.send(struct.pack(">BxxxBBBBHHHBBBxxx", 0, 32, 24, 0, 1, 255, 255, 255, 16, 8, 0))
            kinds = (COPY, ZLIB, RAW, SIZE, MORE_SIZE, LAST)
            made.send(struct.pack(f">BxH{len(kinds)}i", 2, len(kinds), *kinds))
            made._ask(changed_only=False)
            await made._next_update()
        except Lost as lost:
            raise RemoteMissing(f"{endpoint.authority} does not show a desktop.") from lost
        except BaseException:
            await made.close()
            raise
        return made

    async def close(self) -> None:
        """Hang up. The desktop stays as it is."""
        self._task.cancel()
        # The task does so, too, unless it has never begun.
        self._writer.transport.abort()
        await asyncio.gather(self._task, return_exceptions=True)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._image.size

    def picture(self, box: Box) -> Image.Image:
        """A copy of a rectangle (left, top, right, bottom) as it is known now."""
        with self._lock:
            return self._image.crop(box)

    def send(self, message: bytes) -> None:
        """Send a message; :class:`Lost` when that is certain to reach nobody."""
        if self.lost:
            raise Lost
        self._writer.write(message)

    async def settled(self) -> None:
        """Return once the server has dealt with all that was sent so far.

        RFB has no question that only says so, but an update that was asked for is sent after everything before it was
        read. One that was on its way already is told from it by its rectangle.
        """
        for _ in range(TRIES):
            width, height = self.size
            x, y = self._lot.randrange(width), self._lot.randrange(height)
            self.send(struct.pack(">BBHHHH", 3, 0, x, y, 1, 1))
            boxes = await self._next_update()
            if any(
                box[0] <= x < box[2] and box[1] <= y < box[3] and (box[2] - box[0]) * (box[3] - box[1]) <= ANSWER_PIXELS
                for box in boxes
            ):
                return

    async def _next_update(self) -> list[Box]:
        self._boxes = []
        self._update.clear()
        if not self.lost:
            await self._update.wait()
        if self.lost:
            raise Lost
        return self._boxes

    def _ask(self, *, changed_only: bool) -> None:
        width, height = self.size
        self.send(struct.pack(">BBHHHH", 3, changed_only, 0, 0, width, height))

    async def _read(self) -> None:
        try:
            while True:
                await self._breathe()
                await self._message((await self._reader.readexactly(1))[0])
        except (OSError, asyncio.IncompleteReadError, ValueError, zlib.error, struct.error) as wrong:
            log.debug("a VNC server is no longer there: %s", type(wrong).__name__)
        finally:
            self.lost = True
            self._update.set()
            self._writer.transport.abort()

    async def _breathe(self) -> None:
        # What is there already is read without ever waiting.
        loop = asyncio.get_running_loop()
        if loop.time() - self._breath > BREATH_SECS:
            await asyncio.sleep(0)
            self._breath = loop.time()

    async def _message(self, kind: int) -> None:
        read = self._reader.readexactly
        if kind == 0:
            (count,) = struct.unpack(">xH", await read(3))
            self._boxes += await self._rectangles(count)
            self._update.set()
            self._ask(changed_only=True)
        elif kind == 1:
            (count,) = struct.unpack(">xHH", await read(5))[1:]
            await read(6 * count)
        elif kind == 3:
            (length,) = struct.unpack(">xxxI", await read(7))
            if length > MOST_CLIPBOARD_BYTES:
                raise ValueError("more text than a clipboard holds")
            # What somebody has copied there is none of a run's business.
            await read(length)
        elif kind != 2:
            raise ValueError("an unknown message")

    async def _rectangles(self, count: int) -> list[Box]:
        boxes: list[Box] = []
        for _ in range(count):
            await self._breathe()
            x, y, width, height, kind = struct.unpack(">HHHHi", await self._reader.readexactly(12))
            if kind == LAST:
                break
            if kind in (SIZE, MORE_SIZE):
                await self._resized(width, height, with_screens=kind == MORE_SIZE)
                continue
            box = (x, y, x + width, y + height)
            if box[2] > self.size[0] or box[3] > self.size[1]:
                raise ValueError("a rectangle outside of the desktop")
            await self._painted(box, kind)
            boxes.append(box)
        return boxes

    async def _resized(self, width: int, height: int, *, with_screens: bool) -> None:
        screens: list[Box] = []
        if with_screens:
            (count,) = struct.unpack(">Bxxx", await self._reader.readexactly(4))
            each = struct.iter_unpack(">4xHHHH4x", await self._reader.readexactly(16 * count))
            screens = [box for box in each if box[2] and box[3]]
        if not 0 < width * height <= MOST_PIXELS:
            raise ValueError("a desktop of no possible size")
        self.screens = screens
        if (width, height) != self.size:
            with self._lock:
                self._image = self._image.crop((0, 0, width, height))
            self._ask(changed_only=False)

    async def _painted(self, box: Box, kind: int) -> None:
        size = (box[2] - box[0], box[3] - box[1])
        length = 4 * size[0] * size[1]
        if kind == COPY:
            x, y = struct.unpack(">HH", await self._reader.readexactly(4))
            part = self.picture((x, y, x + size[0], y + size[1]))
        elif kind in (RAW, ZLIB):
            data = await self._reader.readexactly(length) if kind == RAW else await self._unpacked(length)
            part = Image.frombuffer("RGB", size, data, "raw", "BGRX", 0, 1) if length else Image.new("RGB", size)
        else:
            raise ValueError("an encoding that was not asked for")
        with self._lock:
            self._image.paste(part, box)

    async def _unpacked(self, length: int) -> bytes:
        (packed,) = struct.unpack(">I", await self._reader.readexactly(4))
        if packed > length + (1 << 16):
            raise ValueError("packed data larger than what it holds")
        data = self._zlib.decompress(await self._reader.readexactly(packed), length + 1)
        if len(data) != length:
            raise ValueError("packed data of another size")
        return data
