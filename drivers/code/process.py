"""The process that runs code: started in its isolation, spoken to in lines of JSON, ended for sure."""

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from drivers.errors import NotDone

START_SECS = 20.0
END_SECS = 10.0
LONGEST_LINE_BYTES = 16 * 1024 * 1024
"""More is said in several lines, or refused inside."""

WORDS_BYTES = 500
"""So much is read of what the sandbox says when it does not start."""

log = logging.getLogger(__name__)


class CodeProcess:
    """One process from its start to its end. Only one task reads from it at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.spoke_too_long = False
        """Whether a line was longer than is taken, so that what follows cannot be understood."""
        self._held: list[int] = []
        """Descriptors of the processes that it has started itself: in a sandbox the first of those inside."""

    @classmethod
    async def start(
        cls, command: Sequence[str], bounds: dict[str, int], needs: Mapping[str, str], descriptor: int
    ) -> "CodeProcess":
        """Start it and give it its bounds; it has taken them when this returns.

        `needs`: its environment; `descriptor`: the only one of the console's that it gets, beside its own pipes.

        Raises:
            NotDone: it could not be started, or ended at once.
        """
        try:
            started = cls(
                await asyncio.create_subprocess_exec(
                    *command,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.PIPE,
                    env={**_bare_environment(), **needs},
                    pass_fds=() if sys.platform == "win32" else (descriptor,),
                    limit=LONGEST_LINE_BYTES,
                )
            )
        except OSError as error:
            raise NotDone(f"The code environment could not be started ({type(error).__name__}).") from error
        try:
            await started._get_ready(bounds)
        except BaseException:
            await started.end()
            raise
        return started

    async def _get_ready(self, bounds: dict[str, int]) -> None:
        try:
            await self.send({"limits": bounds})
            async with asyncio.timeout(START_SECS):
                ready = await self.read()
        except TimeoutError as error:
            raise NotDone("The code environment could not be started (TimeoutError).") from error
        if ready != {"ready": True}:
            assert self._process.stderr is not None
            why = (await self._process.stderr.read(WORDS_BYTES)).decode("utf-8", "replace").strip()
            log.info("the code environment ended at once: %s", why)
            raise NotDone(f"The code environment could not be started: {why or 'its process ended at once'}")
        self._held = _children(self.pid)

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None

    @property
    def pid(self) -> int:
        """Of the process that holds all others of the sandbox."""
        return self._process.pid

    async def send(self, message: dict[str, Any]) -> None:
        """Write one message; nothing happens where nobody reads any more."""
        assert self._process.stdin is not None
        with contextlib.suppress(ConnectionError):
            self._process.stdin.write(json.dumps(message).encode("ascii") + b"\n")
            await self._process.stdin.drain()

    async def read(self) -> dict[str, Any] | None:
        """The next message; None when the process has gone or speaks out of turn."""
        assert self._process.stdout is not None
        try:
            line = await self._process.stdout.readuntil()
        except asyncio.IncompleteReadError:
            return None
        except asyncio.LimitOverrunError:
            self.spoke_too_long = True
            self.kill()
            return None
        try:
            said = json.loads(line) if line else None
        except (ValueError, RecursionError):
            return None
        return said if isinstance(said, dict) else None

    def kill(self) -> None:
        """End it, and whatever it has started, without waiting; whoever reads from it then reads its end."""
        if self.running:
            # Not `process.kill`, which takes the exit status away from whoever waits for it.
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)

    async def end(self) -> None:
        """End it and wait until it has gone, and all inside. Not while another task reads from it."""
        self.kill()
        try:
            async with asyncio.timeout(END_SECS):
                await self._process.communicate()
                for descriptor in self._held:
                    await _gone(descriptor)
        except TimeoutError:
            log.info("the code environment was told to end and had not done so after %.0f s", END_SECS)
        finally:
            while self._held:
                os.close(self._held.pop())


def _children(pid: int) -> list[int]:
    """Linux only. The kernel ends the first process of a sandbox last, after all others inside have gone."""
    found: list[int] = []
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
            found.extend(os.pidfd_open(int(child)) for child in listed)
    return found


async def _gone(descriptor: int) -> None:
    """Until the process of that descriptor has ended."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(descriptor)


def _bare_environment() -> dict[str, str]:
    """No key and no address of the console's own reaches the process; Windows starts none without this one."""
    return {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
