"""The longest stall of the window's loop in a run of many steps with 300 KB pictures.

Floor: an idle window on the same loop, and the bare SDK's runner in a worker thread with a ledger that saves nothing.
Product: the console's window, furnished and following, with its session. The scripted model is a process of its own.

A program of its own too: ``python -m tests.benchmarks.stalls bare|console STEPS`` runs one of the two once.
"""

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, cast

from app.runner.session_ports import ModelService
from tests.benchmarks.folder import work_folder
from tests.benchmarks.rows import Fact, Line, Row, hand_over, longest, median
from tests.benchmarks.service import BUDGET, plan_for, served

STEPS = 300
MEMBER = "screenshot"
ROUNDS = 1


def measure() -> list[Line]:
    """The two in turn, each in a process of its own."""
    sides: dict[str, list[dict[str, float]]] = {"bare": [], "console": []}
    for _ in range(ROUNDS):
        for side, found in sides.items():
            done = subprocess.run(
                [sys.executable, "-m", __spec__.name, side, str(STEPS)], stdout=subprocess.PIPE, text=True, check=True
            )
            found.append(json.loads(done.stdout.splitlines()[-1]))
    values = {side: {name: median([one[name] for one in found]) for name in found[0]} for side, found in sides.items()}
    bare, console = values["bare"], values["console"]
    lines: list[Line] = [
        Row(f"longest stall of the window, {STEPS} steps", bare["longest"], console["longest"], 2, ROUNDS),
        Row("the one longest of all", bare["worst"], console["worst"], None, ROUNDS),
        Row("99.9 % of the window's beats come within", bare["p999"], console["p999"], None, ROUNDS),
        Row(f"the whole run of {STEPS} steps", bare["run"], console["run"], None, ROUNDS),
    ]
    if "stored" in console:
        share = console["stored"] / console["unique"]
        lines.append(Fact(f"stalls: the run's ledger is {share:.3f} times the bytes of its pictures"))
    return lines


def once(side: str, steps: int) -> dict[str, float]:
    """One run; the numbers of the window's loop."""
    folder = work_folder()
    with served(folder, MEMBER, {}, steps) as service:
        return _bare(service, steps) if side == "bare" else _console(service, steps, folder / "stalls.signalbox")


def _numbers(gaps: list[float], took_secs: float) -> dict[str, float]:
    ordered = sorted(gaps)
    return {
        "longest": longest(gaps),
        "worst": ordered[-1],
        "p999": ordered[int(len(ordered) * 0.999)],
        "run": took_secs * 1e3,
    }


def _in_loop(main: Callable[[Any], Coroutine[Any, Any, dict[str, float]]]) -> dict[str, float]:
    """Run `main` on the window's loop, without the console's looks."""
    import qasync  # type: ignore[import-untyped]
    from PySide6.QtWidgets import QApplication

    qapp = QApplication([])
    qapp.setQuitOnLastWindowClosed(False)
    loop = qasync.QEventLoop(qapp)
    try:
        return cast(dict[str, float], loop.run_until_complete(main(qapp)))
    finally:
        loop.close()


def _bare(service: ModelService, steps: int) -> dict[str, float]:
    from PySide6.QtWidgets import QLabel, QMainWindow

    from tests.benchmarks.heart import Heart

    async def main(_qapp: Any) -> dict[str, float]:
        window = QMainWindow()
        window.setCentralWidget(QLabel("nothing to see"))
        window.resize(1440, 900)
        window.show()
        heart = Heart(window)
        took: list[float] = []
        begun = asyncio.Event()
        loop = asyncio.get_running_loop()

        def run() -> None:
            took.append(asyncio.run(_bare_run(service, steps, lambda: loop.call_soon_threadsafe(begin))))

        def begin() -> None:
            heart.start()
            begun.set()

        thread = threading.Thread(target=run)
        thread.start()
        await begun.wait()
        await loop.run_in_executor(None, thread.join)
        heart.stop()
        window.close()
        return _numbers(heart.gaps, took[0])

    return _in_loop(main)


async def _bare_run(service: ModelService, steps: int, begin: Callable[[], Any]) -> float:
    from openai import AsyncOpenAI
    from openai.lib.browser import AsyncBrowserToolset
    from openai.lib.responses_tool_runner import AsyncResponsesToolLedger, AsyncResponsesToolRunner

    from app.runner.budget import context_budget
    from tests.benchmarks.scene import Scene

    async def save(checkpoint: Any) -> None:
        pass

    toolset = AsyncBrowserToolset(cast(Any, Scene()), members=[MEMBER, "list_tabs"])
    params: Any = {"model": service.model, "store": False, "input": [{"role": "user", "content": "Go on."}]}
    async with AsyncOpenAI(api_key=service.api_key, base_url=service.base_url) as client:
        began = asyncio.get_running_loop().time()
        begin()
        await AsyncResponsesToolRunner(browser=toolset).run(
            client,
            params,
            max_steps=steps + 2,
            stream=True,
            ledger=AsyncResponsesToolLedger("bare", save),
            context_budget=context_budget(BUDGET),
        )
        return asyncio.get_running_loop().time() - began


def _console(service: ModelService, steps: int, file: Path) -> dict[str, float]:
    from app.views.bridge import run_window
    from app.views.window import ConsoleWindow

    found: list[dict[str, float]] = []
    made: list[ConsoleWindow] = []

    def first(_qapp: Any) -> ConsoleWindow:
        made.append(ConsoleWindow())
        made[0].show()
        return made[0]

    async def main(_qapp: Any) -> int:
        found.append(await _console_run(made[0], service, steps, file))
        return 0

    run_window(main, first=first)
    return found[0]


async def _console_run(window: Any, service: ModelService, steps: int, file: Path) -> dict[str, float]:
    from app.core.events import Recorded, SegmentStarted, TurnAnswered
    from app.gate.inbox import AskInbox
    from app.views.application import open_live_window
    from tests.benchmarks.heart import Heart
    from tests.benchmarks.pictures import picture
    from tests.benchmarks.scene import Scene, session_on

    inbox = AskInbox()
    session = session_on(Scene(), plan_for(MEMBER, steps), service, inbox, file)
    open_live_window(session, inbox, settings_path=None, window=window)
    heart = Heart(window)
    loop = asyncio.get_running_loop()
    begun, ended = asyncio.Event(), asyncio.Event()
    times: list[int] = []

    def listener(recorded: Recorded) -> None:
        event = recorded.event
        if isinstance(event, SegmentStarted):
            times.append(recorded.mono_ns)
            loop.call_soon_threadsafe(begun.set)
        elif isinstance(event, TurnAnswered) and event.final:
            times.append(recorded.mono_ns)
            loop.call_soon_threadsafe(ended.set)

    session.subscribe(listener)
    session.start()
    joined = asyncio.ensure_future(asyncio.to_thread(session.join))
    for wanted, then in ((begun, heart.start), (ended, heart.stop)):
        await asyncio.wait([joined, asyncio.ensure_future(wanted.wait())], return_when=asyncio.FIRST_COMPLETED)
        then()
    await joined
    if len(times) != 2:
        raise ValueError(f"the console's run did not finish: {session.ended}")
    window.close()
    await window.wait_closed()
    numbers = _numbers(heart.gaps, (times[1] - times[0]) / 1e9)
    unique = sum(len(picture(number + 1)) for number in range(steps))
    stored = await asyncio.to_thread(lambda: file.stat().st_size)
    return {**numbers, "stored": stored, "unique": unique}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(once(sys.argv[1], int(sys.argv[2]))))
    else:
        hand_over(measure)
