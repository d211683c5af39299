"""The server's process: what it inherits, its end, and the last words that it wrote to its error output."""

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import IO

from drivers.tool_server.messages import ToolServerError

INHERITED = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "TEMP",
             "APPDATA", "LOCALAPPDATA", "USERPROFILE", "PATHEXT", "COMSPEC", "NO_PROXY", "no_proxy")  # fmt: skip
"""Nothing else of the environment, so that no key of this program reaches a server that was not given it."""

MOST_BYTES = 64 * 1024 * 1024
"""Longest line that is read; a longer one breaks the connection off."""

GRACE_SECS = 2.0
_LAST_BYTES, _LAST_CHARS = 4096, 200


class ServerProcess:
    """One started server. Its whole group of processes is ended with it."""

    def __init__(self, process: asyncio.subprocess.Process, command: str, errors: IO[bytes]) -> None:
        self.command = command
        self._process = process
        self._errors = errors

    @classmethod
    async def start(cls, command: Sequence[str], env: Mapping[str, str], folder: str | None) -> "ServerProcess":
        """Start it. Raises `ToolServerError`."""
        # A file, not a pipe: a pipe that nobody empties would stop the server.
        errors = tempfile.TemporaryFile(prefix="signalbox-server-")  # noqa: SIM115 - closed in `end`
        given = {name: os.environ[name] for name in INHERITED if name in os.environ} | dict(env)
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                env=given,
                cwd=folder,
                limit=MOST_BYTES,
                # Ctrl-C is for the console, which ends the server when the run has ended.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            errors.close()
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise ToolServerError(f"the server cannot be started ({reason}): {command[0]}") from error
        return cls(process, command[0], errors)

    async def send(self, line: bytes) -> None:
        """Hand one line to the server. Raises `ToolServerError` when it has gone."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line)
            await self._process.stdin.drain()
        except (OSError, RuntimeError) as error:
            raise ToolServerError(self.gone()) from error

    async def line(self) -> bytes:
        """The next line of the server; empty when there will be none."""
        assert self._process.stdout is not None
        try:
            return await self._process.stdout.readline()
        except ValueError:
            # Longer than anybody needs; what follows it cannot be told from its rest.
            return b""

    def gone(self) -> str:
        """That the server has gone, with the last it said for people."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - _LAST_BYTES))
        lines = self._errors.read().decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"the server {self.command} broke off" + (f": {last[:_LAST_CHARS]}" if last else "")

    async def end(self) -> None:
        """Close its input; what then does not end is ended."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        killing = getattr(signal, "SIGKILL", signal.SIGTERM)
        try:
            for number in (None, signal.SIGTERM, killing):
                if number is not None:
                    self._signal(number)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._process.wait(), GRACE_SECS)
                    break
        finally:
            # Also where the waiting was cut off; and what it has started may hold its pipes.
            self._signal(killing)
            self._errors.close()
        # Somebody who still reads sees the end by himself.
        with contextlib.suppress(TimeoutError, RuntimeError):
            async with asyncio.timeout(GRACE_SECS):
                await self._process.communicate()

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                if self._process.returncode is None:
                    self._process.terminate()
            else:
                os.killpg(self._process.pid, number)
