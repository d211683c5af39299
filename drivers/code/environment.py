"""One lasting code environment: started when it is first needed, asked one piece of code at a time, ended for sure."""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from typing import Any

from drivers.code.isolation import Isolation, Language, command
from drivers.code.limits import CodeLimits
from drivers.code.outside import MayOpen, Outside, RefusedOutside, WhyNot, always, nowhere
from drivers.code.process import LONGEST_LINE_BYTES, CodeProcess
from drivers.code.result import CodeResult, Variable
from drivers.code.spoken import picture_of, shortened, variables_of
from drivers.code.syscalls import handed_over, system_call_filter
from drivers.code.total import bounded, held_by, scope_program

GRACE_SECS = 2.0
"""How long code that was interrupted has to end before its process is ended."""

TOO_LONG = "it ran for longer than {secs:g} s and was interrupted"
BY_HAND = "the operator interrupted it"
ENDED = "it did not stop when it was interrupted, so its process was ended and all variables are gone"
DIED = "its process ended (out of memory, or it ended itself), and all variables are gone"
ALL_GONE = "so they were ended, and all variables are gone"
TOO_MUCH = "its processes held more than {mb:,} MB of memory together, " + ALL_GONE
TOO_MANY = "there were more than {most:,} processes and threads, " + ALL_GONE
TOO_LONG_A_LINE = "it gave back more at once than is taken, so its process was ended and all variables are gone"
BEGUN_ANEW = "the operator began the environment anew while it ran, and all variables are gone"

BETWEEN = "the operator has begun the environment anew since the last call, and all variables are gone"

WATCH_SECS = 0.25
OWN_TASKS = 6
"""Processes and threads inside that are not the code's: what holds the sandbox, what listens."""
OPEN_FILES = 256
"""Of each process inside: pipes and sockets hold memory that is no process's own."""
BREATH_SECS = 0.005
"""So long at most what floods in is dealt with before anything else in the loop has its turn."""

log = logging.getLogger(__name__)

OnText = Callable[[str], None]


class CodeEnvironment:
    """Variables stay from one call to the next until `restart`, or until the process has to be ended.

    Objects of `outside` can be used only while a call is in progress. Calls, and `variables`, come one after the other;
    `interrupt` and `begin_anew` may come at any time.
    """

    def __init__(
        self,
        isolation: Isolation,
        limits: CodeLimits,
        outside: Outside | None = None,
        objects: Callable[[], dict[str, Any]] = dict,
        *,
        language: Language = "py",
    ) -> None:
        """`objects`: what is offered by name, asked for anew at each call: the page in front may be another one."""
        self.isolation = isolation
        self.outside = outside
        self._limits = limits
        self._language: Language = language
        self._objects = objects
        self._offered: dict[str, Any] = {}
        self._process: CodeProcess | None = None
        self._numbers = 0
        self._reads = False
        """Whether a call, or a look at the variables, is in progress."""
        self._why = ""
        """Why what runs is being ended."""
        self._before = ""
        """What became of the last process, until the next call says it."""
        self._deadline = 0.0
        self._waiting: asyncio.Timeout | None = None

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
        return self._process is not None and self._process.running

    async def run(self, code: str, on_text: OnText = lambda _text: None) -> CodeResult:
        """Run `code`; `on_text` hears what is kept of its text as it comes. What `on_text` raises ends the process.

        Raises:
            NotDone: no process could be started; nothing was run.
        """
        began = time.monotonic()
        self._reads = True
        try:
            process = await self._started()
            self._numbers += 1
            self._why = ""
            result = CodeResult(before=self._before)
            self._before = ""
            await self._offer(process)
            await process.send({"run": self._numbers, "code": code})
            result.error = await self._followed(process, result, on_text)
            self._why = ""
        except BaseException:
            await self.restart()
            raise
        finally:
            self._reads = False
        result.millis = round((time.monotonic() - began) * 1000)
        return result

    async def interrupt(self) -> None:
        """End what runs; what does not end soon loses its process. Harmless when nothing runs."""
        if not self._reads or self._process is None:
            return
        self._why = BY_HAND
        self._deadline = asyncio.get_running_loop().time() + GRACE_SECS
        if self._waiting is not None:
            self._waiting.reschedule(self._deadline)
        await self._process.send({"interrupt": True})

    async def begin_anew(self) -> bool:
        """End the process at a person's wish. False where a call is in progress: that one says so, else the next."""
        if self._process is not None and self._reads:
            # Whoever reads from the process sees its end, and does the rest.
            self._why = BEGUN_ANEW
            self._process.kill()
            return False
        if self._process is not None:
            self._before = BETWEEN
        await self.restart()
        return True

    async def variables(self) -> list[Variable]:
        """What the code has left behind so far. Only between calls."""
        process = self._process
        if process is None or not process.running:
            return []
        self._reads, self._why = True, ""
        try:
            await process.send({"variables": True})
            self._deadline = asyncio.get_running_loop().time() + GRACE_SECS
            while (message := await self._next(process)) is not None:
                if (found := variables_of(message)) is not None:
                    return found
            await self.restart()
        finally:
            self._reads = False
        return []

    async def restart(self) -> None:
        """End the process; the next call begins with a new one and no variables."""
        process, self._process = self._process, None
        self._offered = {}
        if self.outside is not None:
            self.outside.forget()
        if process is not None:
            await process.end()

    aclose = restart

    async def _started(self) -> CodeProcess:
        if self._process is not None and self._process.running:
            return self._process
        if self._process is not None:
            self._before = self._why or DIED
        await self.restart()
        limits = self._limits
        bounds = {
            "memory_bytes": limits.memory_mb * 1024 * 1024,
            "processes": limits.processes,
            "file_bytes": limits.file_mb * 1024 * 1024,
            "open_files": OPEN_FILES,
        }
        total_bytes = limits.total_mb * 1024 * 1024
        # To ask the system takes a moment the first time.
        await asyncio.to_thread(scope_program)
        with handed_over(system_call_filter() if self.isolation.bubblewrap is not None else b"") as descriptor:
            line = command(self.isolation, language=self._language, file_mb=limits.file_mb, filter_from=descriptor)
            line, needs = bounded(line, total_bytes=total_bytes, processes=limits.processes)
            self._process = await CodeProcess.start(line, bounds, needs, descriptor)
        self._watch(self._process, total_bytes)
        return self._process

    def _watch(self, process: CodeProcess, most_bytes: int) -> None:
        """End the process when all in it hold too much; looked at again and again, as the system may not bound it."""
        if not process.running:
            return
        held_bytes, tasks = held_by(process.pid)
        if held_bytes > most_bytes or tasks > self._limits.processes + OWN_TASKS:
            too_much = held_bytes > most_bytes
            words = (
                TOO_MUCH.format(mb=self._limits.total_mb) if too_much else TOO_MANY.format(most=self._limits.processes)
            )
            self._why = words
            process.kill()
            return
        asyncio.get_running_loop().call_later(WATCH_SECS, self._watch, process, most_bytes)

    async def _offer(self, process: CodeProcess) -> None:
        if self.outside is None:
            return
        now = self._objects()
        new = {name: thing for name, thing in now.items() if self._offered.get(name) is not thing}
        if new:
            handles = {name: self.outside.hold(thing) for name, thing in new.items()}
            kinds = {name: type(thing).__name__ for name, thing in new.items()}
            await process.send({"objects": kinds, "handles": handles})
            self._offered = now

    async def _followed(self, process: CodeProcess, result: CodeResult, on_text: OnText) -> str | None:
        loop = asyncio.get_running_loop()
        breath = loop.time()
        self._deadline = breath + self._limits.call_secs
        while (message := await self._next(process)) is not None:
            if message.get("done") == self._numbers:
                error = message.get("error")
                return self._why or (None if error is None else shortened(str(error), self._limits.output_chars))
            asked = self.outside.asking_secs if self.outside is not None else 0.0
            await self._heard(process, message, result, on_text)
            if self.outside is not None:
                # A person was asked meanwhile; that is not the code's time.
                self._deadline += self.outside.asking_secs - asked
            if loop.time() - breath > BREATH_SECS:
                await asyncio.sleep(0)
                breath = loop.time()
        result.lost = True
        if process.spoke_too_long:
            self._why = TOO_LONG_A_LINE
        await self.restart()
        ended_here = self._why.endswith((ENDED, BEGUN_ANEW, ALL_GONE, TOO_LONG_A_LINE))
        return self._why if ended_here else "; ".join(part for part in (self._why, DIED) if part)

    async def _next(self, process: CodeProcess) -> dict[str, Any] | None:
        """The next message before the deadline; past it what runs is interrupted, and soon after that ended."""
        while True:
            try:
                async with asyncio.timeout_at(self._deadline) as self._waiting:
                    if asyncio.get_running_loop().time() > self._deadline:
                        # What is there already would be taken without ever looking at the time.
                        await asyncio.sleep(1)
                    return await process.read()
            except TimeoutError:
                if self._why:
                    self._why = f"{self._why}; {ENDED}"
                    process.kill()
                    return None
                self._why = TOO_LONG.format(secs=self._limits.call_secs)
                self._deadline += GRACE_SECS
                await process.send({"interrupt": True})
            finally:
                self._waiting = None

    async def _heard(self, process: CodeProcess, message: dict[str, Any], result: CodeResult, on_text: OnText) -> None:
        if isinstance(text := message.get("text"), str):
            if kept := result.add_text(text, most=self._limits.output_chars):
                on_text(kept)
        elif "image" in message:
            result.add_image(picture_of(message), most=self._limits.images)
        elif "ask" in message:
            await process.send({"answer": message["ask"], **await self._answered(message)})

    async def _answered(self, message: dict[str, Any]) -> dict[str, Any]:
        if self.outside is None or self._why:
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
            length = len(json.dumps(said))
        except (TypeError, ValueError, RecursionError):
            # A page's own window, a date in a list: whatever leads back to itself or has no form on the way in.
            return {"error": "it was done, and what it gave back cannot be handed in"}
        return {"said": said} if length <= LONGEST_LINE_BYTES else {"error": "it was done, and gave back too much"}
