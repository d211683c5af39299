"""A desktop that somebody else's VNC server shows on loopback, and programs on it."""

import asyncio
import contextlib
import os
import shutil
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from drivers.desktop.windows import Windows
from drivers.desktop.xserver import XServer
from tests.helpers import editor
from tests.helpers.elsewhere import ended

SERVER = "Xtigervnc"
LATE_SECS = 60.0
GET_IT = f"{SERVER} is not installed (Debian: tigervnc-standalone-server)"
NEEDS_VNC = pytest.mark.skipif(shutil.which(SERVER) is None, reason=GET_IT)


class VncDesktop:
    """It runs from start to end of `vnc_desktop`."""

    def __init__(self, port: int, display: str, process: Process) -> None:
        self.port = port
        self.display = display
        self.process = process
        self._programs: list[Process] = []

    async def run(self, *command: str) -> None:
        """Start a program on it."""
        env = {**os.environ, "DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"}
        root = Path(__file__).parents[2]
        self._programs.append(
            await asyncio.create_subprocess_exec(*command, env=env, stdout=DEVNULL, stderr=DEVNULL, cwd=root)
        )

    async def managed(self) -> None:
        """With a window manager, where there is one."""
        if manager := shutil.which("openbox"):
            await self.run(manager)

    async def editor(self, notes: Path) -> None:
        """A text editor that fills it, with what it holds in a file."""
        await asyncio.to_thread(notes.write_text, "", "utf-8")
        await self.managed()
        await self.run(sys.executable, editor.__file__, str(notes))

    def shows(self, name: str) -> bool:
        """Whether a window of that name is there. Not to be called in a loop."""
        server = XServer(self.display)
        try:
            return Windows(server).named(name) is not None
        finally:
            server.close()

    async def end(self) -> None:
        """End the programs, then the server."""
        for program in self._programs:
            await ended(program)
        await ended(self.process)


@asynccontextmanager
async def vnc_desktop(*options: str) -> AsyncIterator[VncDesktop]:
    """`options` say how it is entered."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    # A number that is said takes a lock; one that is looked for may be found by two servers at once.
    display = f":{1000 + port % 50_000}"
    command = [SERVER, display, "-rfbport", str(port), "-localhost", "-geometry", "1280x800", "-depth", "24"]
    command += ["-noreset", "-nolisten", "tcp", *options]
    process = await asyncio.create_subprocess_exec(*command, stdout=DEVNULL, stderr=DEVNULL)
    made = VncDesktop(port, display, process)
    try:
        await asyncio.wait_for(_greeted(port), LATE_SECS)
    except BaseException:
        await made.end()
        raise
    try:
        yield made
    finally:
        await made.end()


async def _greeted(port: int) -> None:
    """The display is there a moment before its server takes connections and keeps them."""
    for _ in range(int(LATE_SECS / 0.05)):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                await reader.readexactly(12)
                return
            finally:
                writer.close()
        await asyncio.sleep(0.05)
