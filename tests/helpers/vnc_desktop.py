"""A desktop that somebody else's VNC server shows on loopback, and programs on it."""

import asyncio
import contextlib
import os
import shutil
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from Xlib import X

from drivers.desktop.windows import Windows
from drivers.desktop.xserver import XServer
from tests.helpers import editor
from tests.helpers.elsewhere import ended

SERVER = "Xtigervnc"
LATE_SECS = 60.0
LOOK_SECS = 0.05
TRIES = 5
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
        """With a window manager, where there is one, that has every window which is shown from now on."""
        if manager := shutil.which("openbox"):
            await self.run(manager)
            await self._until(lambda server, _: bool(server.cards(server.root, "_NET_SUPPORTING_WM_CHECK")))

    async def focused(self, name: str) -> None:
        """Wait until a window of that program has the keys."""

        def has_keys(_: XServer, windows: Windows) -> bool:
            window = windows.with_keys()
            return window is not None and window.program == name

        await self._until(has_keys)

    async def _until(self, seen: Callable[[XServer, Windows], bool]) -> None:
        server = await asyncio.to_thread(XServer, self.display)
        windows = Windows(server)
        try:
            for _ in range(int(LATE_SECS / LOOK_SECS)):
                if await asyncio.to_thread(seen, server, windows):
                    return
                await asyncio.sleep(LOOK_SECS)
            raise TimeoutError(f"never so within {LATE_SECS} s")
        finally:
            await asyncio.to_thread(server.close)

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

    def caps_lock(self) -> bool:
        """Whether it is on."""
        server = XServer(self.display)
        try:
            return bool(server.root.query_pointer().mask & X.LockMask)
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
    made = await _started(options)
    try:
        yield made
    finally:
        await made.end()


async def _started(options: tuple[str, ...]) -> VncDesktop:
    for _ in range(TRIES):
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
            if await asyncio.wait_for(_greeted(made), LATE_SECS):
                return made
        except BaseException:
            await made.end()
            raise
        await made.end()
    raise RuntimeError(f"{SERVER} ended at once, {TRIES} times")


async def _greeted(desktop: VncDesktop) -> bool:
    """The display is there a moment before its server takes connections and keeps them. False: the server has ended, as
    it does where somebody took its port or its number since they were found free.
    """
    while desktop.process.returncode is None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", desktop.port)
            try:
                await reader.readexactly(12)
                return desktop.process.returncode is None
            finally:
                writer.close()
        await asyncio.sleep(LOOK_SECS)
    return False
