"""A virtual desktop: a private X server with a window manager, for one run, thrown away with all its programs."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from drivers.desktop.xserver import DesktopMissing

SERVER, MANAGER = "Xvfb", "openbox"
START_SECS = 50.0
"""For the screen, its window manager, and room beside; a program on it begins within the second."""
END_SECS = 15.0
GET_IT = "On Debian and Ubuntu: sudo apt-get install xvfb openbox"


@dataclass(frozen=True)
class VirtualOptions:
    """The same options give the same desktop."""

    size: tuple[int, int] = (1280, 800)
    """In pixels."""
    keeper: tuple[str, ...] | None = None
    """The command that keeps the desktop; None: this Python."""


def what_is_missing() -> str | None:
    """Why there can be no virtual desktop here, in words; None when there can."""
    if sys.platform != "linux":
        return "A virtual desktop needs Linux with Xvfb; on this system the computer tool can use a browser page only."
    absent = [name for name in (SERVER, MANAGER) if shutil.which(name) is None]
    return f"A virtual desktop needs {' and '.join(absent)}, not found here. {GET_IT}." if absent else None


class VirtualDesktop:
    """From :meth:`open` to :meth:`close` there is a desktop; a kill of this process ends it as well."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.display = ""
        """As in ``DISPLAY``."""
        self.access = ""
        """The file with the cookie, as in ``XAUTHORITY``."""

    @classmethod
    async def open(cls, options: VirtualOptions) -> VirtualDesktop:
        """Start it. Raises :class:`DesktopMissing` where it cannot be had."""
        if (missing := what_is_missing()) is not None:
            raise DesktopMissing(missing)
        keeper = options.keeper or (sys.executable, "-P", "-c", "from drivers.desktop.keeper import keep; keep()")
        process = await asyncio.create_subprocess_exec(
            *keeper,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=_without_keys(),
            # A key press in a terminal reaches everything that was started there, and this must end last.
            start_new_session=True,
        )
        made = cls(process)
        try:
            order = {"size": list(options.size), "server": shutil.which(SERVER), "manager": [shutil.which(MANAGER)]}
            told = await made._told(order)
            made.display, made.access = told["display"], told["access"]
        except BaseException:
            await made.close()
            raise
        return made

    async def run(self, command: Sequence[str]) -> None:
        """Start a program on it. Raises :class:`DesktopMissing` when there is no such program."""
        await self._told({"run": list(command)})

    async def close(self) -> None:
        """End every program on it, and it; all of them are gone when this returns."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), END_SECS)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def _told(self, order: dict[str, Any]) -> dict[str, str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), START_SECS)
            told: dict[str, str] = json.loads(line) if line else {"problem": "it ended at once"}
        except (TimeoutError, ConnectionError):
            told = {"problem": "it did not answer"}
        if "problem" in told:
            raise DesktopMissing(f"The virtual desktop: {told['problem']}.")
        return told


def _without_keys() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "SIGNALBOX_"))}
    root = str(Path(__file__).resolve().parents[2])
    return {**kept, "PYTHONPATH": root}
