"""One lasting code environment: started when it is first needed, asked one piece of code at a time, ended for sure."""

import asyncio
import base64
import binascii
import contextlib
import json
import logging
import os
import signal
import time
from collections.abc import Callable
from typing import Any

from drivers.code.isolation import Isolation, command
from drivers.code.limits import CodeLimits
from drivers.code.outside import MayOpen, Outside, RefusedOutside, WhyNot, always, nowhere
from drivers.code.result import CodeResult, Variable
from drivers.errors import NotDone

START_SECS = 20.0
GRACE_SECS = 2.0
"""How long code that was interrupted has to end before its process is ended."""
LONGEST_LINE_BYTES = 64 * 1024 * 1024

TOO_LONG = "it ran for longer than {secs:g} s and was interrupted"
ENDED = "it did not stop when it was interrupted, so its process was ended and all variables are gone"
DIED = "its process ended (out of memory, or it ended itself), and all variables are gone"

WORDS_BYTES = 500
"""So much is read of what the sandbox says when it does not start."""

log = logging.getLogger(__name__)

OnText = Callable[[str], None]


class CodeEnvironment:
    """Variables stay from one call to the next until `restart`, or until the process has to be ended.

    Objects of `outside` can be used only while a call is in progress.
    """

    def __init__(
        self,
        isolation: Isolation,
        limits: CodeLimits,
        outside: Outside | None = None,
        objects: Callable[[], dict[str, Any]] = dict,
    ) -> None:
        """`objects`: what is offered by name, asked for anew at each call: the page in front may be another one."""
        self.isolation = isolation
        self.outside = outside
        self._limits = limits
        self._objects = objects
        self._offered: dict[str, Any] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._numbers = 0
        self._interrupted = False

    @property
    def may_open(self) -> MayOpen:
        """Asked before the code has a page go anywhere."""
        return self.outside.may_open if self.outside is not None else nowhere

    @may_open.setter
    def may_open(self, may_open: MayOpen) -> None:
        if self.outside is not None:
            self.outside.may_open = may_open

    @property
    def why_not(self) -> WhyNot:
        """Asked before the code uses anything outside: why it may not, or nothing."""
        return self.outside.why_not if self.outside is not None else always

    @why_not.setter
    def why_not(self, why_not: WhyNot) -> None:
        if self.outside is not None:
            self.outside.why_not = why_not

    @property
    def running(self) -> bool:
        """Whether there is a process."""
        return self._process is not None and self._process.returncode is None

    async def run(self, code: str, on_text: OnText = lambda _text: None) -> CodeResult:
        """Run `code`; `on_text` hears its text as it comes.

        Raises:
            NotDone: no process could be started; nothing was run.
        """
        began = time.monotonic()
        process = await self._started()
        self._numbers += 1
        self._interrupted = False
        result = CodeResult()
        await self._offer()
        await self._send({"run": self._numbers, "code": code})
        try:
            result.error = await self._followed(process, result, on_text)
        except asyncio.CancelledError:
            await self.restart()
            raise
        result.millis = round((time.monotonic() - began) * 1000)
        return result

    async def interrupt(self) -> None:
        """Ask what runs to end; harmless when nothing runs."""
        self._interrupted = True
        if self.running:
            await self._send({"interrupt": True})

    async def variables(self) -> list[Variable]:
        """What the code has left behind so far. Only between calls."""
        if not self.running or self._process is None:
            return []
        await self._send({"variables": True})
        async with asyncio.timeout(START_SECS):
            while (message := await self._read(self._process)) is not None:
                if "variables" in message:
                    return [Variable(*map(str, entry)) for entry in message["variables"]]
        return []

    async def restart(self) -> None:
        """End the process; the next call begins with a new one and no variables."""
        process, self._process = self._process, None
        self._offered = {}
        if self.outside is not None:
            self.outside.forget()
        if process is not None:
            if process.returncode is None:
                # Not `process.kill`, which takes the exit status away from whoever waits for it.
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GRACE_SECS):
                    await process.communicate()

    aclose = restart

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        await self.restart()
        limits = self._limits
        bounds = {
            "memory_bytes": limits.memory_mb * 1024 * 1024,
            "processes": limits.processes,
            "file_bytes": limits.file_mb * 1024 * 1024,
        }
        try:
            self._process = process = await asyncio.create_subprocess_exec(
                *command(self.isolation, file_mb=limits.file_mb),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=_bare_environment(),
                limit=LONGEST_LINE_BYTES,
            )
            await self._send({"limits": bounds})
            async with asyncio.timeout(START_SECS):
                ready = await self._read(process)
        except (OSError, TimeoutError) as error:
            await self.restart()
            raise NotDone(f"The code environment could not be started ({type(error).__name__}).") from error
        if ready != {"ready": True}:
            assert process.stderr is not None
            why = (await process.stderr.read(WORDS_BYTES)).decode("utf-8", "replace").strip()
            log.info("the code environment ended at once: %s", why)
            await self.restart()
            raise NotDone(f"The code environment could not be started: {why or 'its process ended at once'}")
        return process

    async def _offer(self) -> None:
        if self.outside is None:
            return
        now = self._objects()
        new = {name: thing for name, thing in now.items() if self._offered.get(name) is not thing}
        if new:
            handles = {name: self.outside.hold(thing) for name, thing in new.items()}
            kinds = {name: type(thing).__name__ for name, thing in new.items()}
            await self._send({"objects": kinds, "handles": handles})
            self._offered = now

    async def _followed(self, process: asyncio.subprocess.Process, result: CodeResult, on_text: OnText) -> str | None:
        deadline = asyncio.get_running_loop().time() + self._limits.call_secs
        why = ""
        while True:
            try:
                async with asyncio.timeout_at(deadline):
                    message = await self._read(process)
            except TimeoutError:
                if why:
                    await self.restart()
                    result.lost = True
                    return f"{why}; {ENDED}"
                why = TOO_LONG.format(secs=self._limits.call_secs)
                deadline += GRACE_SECS
                await self._send({"interrupt": True})
                continue
            if message is None:
                await self.restart()
                result.lost = True
                return DIED
            if message.get("done") == self._numbers:
                error = message.get("error")
                return why or (None if error is None else str(error))
            began = asyncio.get_running_loop().time()
            await self._heard(message, result, on_text)
            # A person may have been asked meanwhile; that is not the code's time.
            deadline += asyncio.get_running_loop().time() - began

    async def _heard(self, message: dict[str, Any], result: CodeResult, on_text: OnText) -> None:
        if isinstance(text := message.get("text"), str):
            result.add_text(text, most=self._limits.output_chars)
            on_text(text)
        elif isinstance(image := message.get("image"), str):
            with contextlib.suppress(binascii.Error, ValueError):
                result.add_image(base64.b64decode(image, validate=True), most=self._limits.images)
        elif "ask" in message:
            await self._send({"answer": message["ask"], **await self._answered(message)})

    async def _answered(self, message: dict[str, Any]) -> dict[str, Any]:
        if self.outside is None or self._interrupted:
            return {"error": "there is nothing outside to use"}
        try:
            said = await self.outside.asked(message)
        except RefusedOutside as refused:
            return {"error": str(refused)}
        except Exception as error:
            # Whatever it is, it is the code's to deal with, as if the object had raised it.
            log.info("an object outside raised", exc_info=True)
            first, *_ = str(error).splitlines() or [""]
            return {"error": f"{type(error).__name__}: {first}"}
        try:
            json.dumps(said)
        except (TypeError, ValueError, RecursionError):
            # A page's own window, a date in a list: whatever leads back to itself or has no form on the way in.
            return {"error": "it was done, and what it gave back cannot be handed in"}
        return {"said": said}

    async def _send(self, message: dict[str, Any]) -> None:
        process = self._process
        if process is None or process.stdin is None:
            return
        with contextlib.suppress(ConnectionError):
            process.stdin.write(json.dumps(message).encode("ascii") + b"\n")
            await process.stdin.drain()

    async def _read(self, process: asyncio.subprocess.Process) -> dict[str, Any] | None:
        """The next message; None when the process has gone or speaks out of turn."""
        assert process.stdout is not None
        try:
            line = await process.stdout.readline()
            said = json.loads(line) if line else None
        except (ValueError, RecursionError):
            return None
        return said if isinstance(said, dict) else None


def _bare_environment() -> dict[str, str]:
    """No key and no address of the console's own reaches the process; Windows starts none without this one."""
    return {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
