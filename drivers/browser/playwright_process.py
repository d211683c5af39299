"""Playwright's own process: started with a folder for what it and its browser write, ended within a stated time.

What a killed console leaves in that folder goes when the next browser is opened.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

from playwright._impl._driver import compute_driver_executable, get_driver_env, node_launch_error
from playwright._impl.connection import Connection
from playwright._impl.out_of_process import PlaywrightClient
from playwright._impl.playwright import Playwright as Started
from playwright._impl.transport import PipeTransport, _get_stderr_fileno
from playwright.async_api import Playwright

from drivers.errors import BrowserMissing
from drivers.own_folder import OwnFolder

STOP_SECS = 4.0
"""How long its process has for ending its browser."""
KILL_SECS = 2.0
MOST_PATH_BYTES = 56
"""A browser ends at once where the name of a socket that it makes some way below its folder would be too long."""
_NO_WINDOW: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)
"""Windows would open a console for it."""


class PlaywrightProcess:
    """One process with its own connection. Its end, however it comes, is told by the calls that then fail."""

    def __init__(self, client: _Client, folder: OwnFolder, playwright: Playwright) -> None:
        self._client = client
        self._folder = folder
        self.playwright = playwright

    @classmethod
    async def start(cls) -> Self:
        """Raises :class:`BrowserMissing` when it cannot be started; nothing of it is left then."""
        folder = await asyncio.to_thread(OwnFolder, "browser")
        client = _Client(folder.path)
        try:
            # Cut off in the middle it would leave its process to nobody; it takes well below a second.
            playwright = Playwright(await asyncio.shield(client.started))
        except BaseException as error:
            await client.end()
            folder.close()
            if isinstance(error, Exception):
                said = str(error).strip().splitlines()
                words = f"Playwright, which drives the browser, could not be started. {said[0] if said else ''}"
                raise BrowserMissing(words.strip()) from error
            raise
        return cls(client, folder, playwright)

    @property
    def browser_environment(self) -> dict[str, str]:
        """What a browser on this machine has to be told so that it writes into the same folder."""
        fits = len(os.fsencode(self._folder.path)) <= MOST_PATH_BYTES
        return _writes_into(self._folder.path) if fits else {}

    async def stop(self) -> None:
        """End it and its browser, and remove what they wrote; idempotent. What does not end in time is killed."""
        await self._client.end()
        await asyncio.to_thread(self._folder.close)


class _Client(PlaywrightClient):
    """Playwright's own client, whose process is in no group with the console's: a signal to all of that is not for it.

    WORKAROUND https://github.com/microsoft/playwright-python: the stock client gives its process the console's own
    environment and group, and has no way to end one that does not answer.
    """

    def __init__(self, folder: Path) -> None:
        self._pipe = _Pipe(asyncio.get_running_loop(), folder)
        super().__init__()

    @property
    def started(self) -> asyncio.Task[Started]:
        return self._playwright

    async def _run(self, connection: Connection) -> Started:
        pipe = self._pipe
        pipe.on_message, connection.onmessage = self._transport.on_message, pipe.send
        self._transport = pipe
        return await super()._run(connection)

    async def end(self) -> None:
        """Ask it to end, then make it."""
        await self._pipe.end()
        # What was asked of it fails now. Both are waited for, and what they raise was said before.
        over: set[asyncio.Future[Any]] = {self._playwright, self._close_promise}
        await asyncio.wait(over, timeout=KILL_SECS)
        if not self._playwright.cancel() and not self._playwright.cancelled():
            self._playwright.exception()


class _Pipe(PipeTransport):
    def __init__(self, loop: asyncio.AbstractEventLoop, folder: Path) -> None:
        super().__init__(loop)
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None
        self._tried = asyncio.Event()
        # It is for a start that fails; afterwards nobody asks it, and asyncio would tell people of it.
        self.on_error_future.add_done_callback(lambda told: told.cancelled() or told.exception())

    async def connect(self) -> None:
        self._stopped_future = self._loop.create_future()
        try:
            program, entry = compute_driver_executable()
            self._process = self._proc = await asyncio.create_subprocess_exec(
                program,
                entry,
                "run-driver",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=_get_stderr_fileno(),
                limit=32768,
                env={**get_driver_env(), **_writes_into(self._folder)},
                start_new_session=True,
                creationflags=_NO_WINDOW,
            )
        except OSError as error:
            raise node_launch_error(program, error) from error
        finally:
            self._tried.set()
        self._output = self._proc.stdin

    async def end(self) -> None:
        await self._tried.wait()
        process = self._process
        if process is None:
            return
        self.request_stop()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), STOP_SECS)
        if process.returncode is None:
            process.kill()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), KILL_SECS)


def _writes_into(folder: Path) -> dict[str, str]:
    return dict.fromkeys(("TMPDIR", "TEMP", "TMP") if sys.platform == "win32" else ("TMPDIR",), str(folder))
