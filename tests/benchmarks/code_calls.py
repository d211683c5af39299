"""Code environments: from nothing to the first result, and one call, each against a bare process behind a pipe."""

import asyncio
import json
import sys
import time

from drivers.code.environment import CodeEnvironment
from drivers.code.isolation import Isolation, Language, isolation, node_program
from drivers.code.limits import CodeLimits
from drivers.errors import SandboxUnavailable
from tests.benchmarks.rows import Fact, Line, Row, hand_over, median

STARTS = 15
CALLS = 400
START_GOAL = 5.0
"""Namespaces and bounds are made, and Node's second thread."""
CALL_GOAL = 5.0
"""Of some tenths of a millisecond: what comes back is looked at, and JavaScript goes through the inspector."""

BARE: dict[Language, str] = {
    "py": "import json, sys\nnames = {}\nfor line in sys.stdin:\n"
    " exec(json.loads(line)['code'], names); print('{}', flush=True)",
    "js": "require('readline').createInterface({input: process.stdin})"
    ".on('line', line => { (0, eval)(JSON.parse(line).code); console.log('{}') })",
}
CODE: dict[Language, str] = {"py": "x = 1", "js": "x = 1"}


class Bare:
    """A process that runs each line that it is sent, with nothing around it."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._process: asyncio.subprocess.Process | None = None

    async def run(self, code: str) -> None:
        """One piece of code; the first starts the process."""
        if self._process is None:
            program = [sys.executable, "-I", "-c"] if self._language == "py" else [str(node_program()), "-e"]
            self._process = await asyncio.create_subprocess_exec(
                *program, BARE[self._language], stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"code": code}).encode() + b"\n")
        await self._process.stdin.drain()
        assert await self._process.stdout.readline() == b"{}\n"

    async def aclose(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.kill()
            await self._process.communicate()


async def _spent(environment: Bare | CodeEnvironment, language: Language) -> float:
    began = time.perf_counter()
    await environment.run(CODE[language])
    return (time.perf_counter() - began) * 1000


async def _starts(language: Language, chosen: Isolation) -> Row:
    samples: tuple[list[float], list[float]] = ([], [])
    for turn in range(STARTS + 1):
        made = (Bare(language), CodeEnvironment(chosen, CodeLimits(), language=language))
        for at in (0, 1) if turn % 2 else (1, 0):
            spent = await _spent(made[at], language)
            await made[at].aclose()
            if turn:
                samples[at].append(spent)
    words = f"code: from nothing to the first result, {language}"
    return Row(words, median(samples[0]), median(samples[1]), START_GOAL, STARTS)


async def _calls(language: Language, chosen: Isolation) -> Row:
    made = (Bare(language), CodeEnvironment(chosen, CodeLimits(), language=language))
    samples: tuple[list[float], list[float]] = ([], [])
    try:
        for turn in range(CALLS + 10):
            for at in (0, 1) if turn % 2 else (1, 0):
                spent = await _spent(made[at], language)
                if turn >= 10:
                    samples[at].append(spent)
    finally:
        for one in made:
            await one.aclose()
    return Row(f"code: one call, {language}", median(samples[0]), median(samples[1]), CALL_GOAL, CALLS)


async def _measured() -> list[Line]:
    try:
        chosen = isolation(required=True)
        node_program()
    except SandboxUnavailable as missing:
        return [Fact(f"code: not measured. {missing}")]
    languages: tuple[Language, ...] = ("py", "js")
    return [row for language in languages for row in (await _starts(language, chosen), await _calls(language, chosen))]


def measure() -> list[Line]:
    """All rows, in one loop."""
    return asyncio.run(_measured())


if __name__ == "__main__":
    hand_over(measure)
