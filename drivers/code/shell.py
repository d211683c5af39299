"""Shell commands in the code sandbox, one after another; its scratch folder stays from command to command."""

import contextlib
import json
import os
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from pathlib import Path

from drivers.code.environment import CodeEnvironment
from drivers.code.isolation import Isolation, isolation
from drivers.code.limits import CodeLimits

MARGIN_SECS = 10.0
"""How much longer than its command the sandbox itself may take."""
ROOM = 14
"""Letters of JSON that one letter of both streams takes at most, with room to spare."""
LOST = "the sandbox ended: {why}"

_INSIDE = """
def _run_command(command, secs, most):
    import contextlib, json, os, signal, subprocess, tempfile
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            ["/bin/sh", "-c", command], stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
        )
        try:
            code = process.wait(secs)
        except subprocess.TimeoutExpired:
            code = None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        said = []
        for stream in (out, err):
            stream.seek(0)
            text = stream.read(4 * most).decode("utf-8", "replace")
            said.append([text[:most], os.fstat(stream.fileno()).st_size > len(text[:most].encode("utf-8", "replace"))])
    log(json.dumps([*said, code]))
"""


@dataclass(frozen=True)
class CommandDone:
    """What one command said, and how it ended."""

    stdout: str
    stderr: str
    exit_code: int | None
    """None: it took too long and was ended. Negative: it was ended by that signal."""


class SandboxShell:
    """Commands of one run. Nothing is started before the first; nothing outside the sandbox is written."""

    def __init__(self, isolation: Isolation, limits: CodeLimits, folder: Path | None = None) -> None:
        """`folder`: what commands may read, as ``/folder``. `limits.output_chars` are of one stream of one command."""
        self._limits = limits
        self._environment = CodeEnvironment(
            replace(isolation, shown=Path(os.path.expanduser(folder)).resolve() if folder is not None else None),
            replace(limits, call_secs=limits.call_secs + MARGIN_SECS, output_chars=ROOM * limits.output_chars + 1000),
        )

    async def run(self, command: str, *, secs: float | None = None, most_chars: int | None = None) -> CommandDone:
        """Run `command` with ``/bin/sh``; both bounds can only be narrowed.

        Raises:
            NotDone: no process could be started.
        """
        limits = self._limits
        bounds = (
            limits.call_secs if secs is None else min(secs, limits.call_secs),
            limits.output_chars if most_chars is None else min(most_chars, limits.output_chars),
        )
        given = json.dumps([command, *bounds])
        result = await self._environment.run(f"{_INSIDE}\n_run_command(*__import__('json').loads({given!r}))")
        try:
            out, err, code = json.loads("".join(part for part in result.parts if isinstance(part, str)))
            return CommandDone(_cut(*out), _cut(*err), code)
        except (ValueError, TypeError):
            return CommandDone("", LOST.format(why=result.error or "its words could not be read"), 1)

    async def aclose(self) -> None:
        """End the sandbox, and with it whatever still runs there."""
        await self._environment.aclose()


@contextlib.asynccontextmanager
async def open_shell(limits: CodeLimits, folder: str | None) -> AsyncGenerator[SandboxShell]:
    """The sandbox of one run's commands; no process is started before the first. Raises `SandboxUnavailable`."""
    shell = SandboxShell(isolation(required=True), limits, Path(folder) if folder is not None else None)
    try:
        yield shell
    finally:
        await shell.aclose()


def _cut(text: str, more: bool) -> str:
    return f"{text}\n(cut off here)" if more else text
