"""Asking about a page and acting on it, without model and window: real gate, inbox, ledger and effects."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from openai.lib.browser import BrowserError

from app.clock import SystemClock
from app.core.ask import Ask
from app.core.asking_plan import AskingPlan
from app.core.decision import Answer, Decision, Verdict
from app.core.events import AskRaised, DecisionMade
from app.core.live import LatestFrame
from app.gate.gate import Gate
from app.gate.inbox import AskInbox
from app.gate.rules import RuleBook
from app.gate.stepping import Stepper
from app.ledger.store import RunLedger
from app.runner.asking import Asking
from app.runner.browser import BrowserCalls
from app.runner.checkpoints import Checkpoints
from app.runner.effects import Effects
from app.runner.holding import Holding
from app.runner.outputs import OutputRecorder
from app.runner.screen import Screen


class PageRig:
    """Everything between a call of the SDK's and the page; use it as a context manager."""

    def __init__(self, driver: Any, folder: Path, *, name: str = "run", asking: AskingPlan | None = None) -> None:
        clock = SystemClock()
        self.driver = driver
        self.ledger = RunLedger.create(folder / f"{name}.signalbox", clock)
        self.inbox = AskInbox()
        self.gate = Gate(self.ledger, self.inbox, RuleBook([]), clock, on_stop=lambda answer: None, asking=asking)
        self.screen = Screen(driver, LatestFrame(), clock, always_fresh=True)
        self.effects = Effects(self.ledger, self.gate, clock)
        self.asking = Asking(self.gate, Checkpoints("20261129-2100-abcdef", self.ledger, lambda: None))
        outputs = OutputRecorder(self.ledger, driver, (1280, 800))
        holding = Holding(self.gate, Stepper((), clock))
        self.calls = BrowserCalls(self.asking, self.effects, self.screen, outputs, holding)

    def __enter__(self) -> "PageRig":
        return self

    def __exit__(self, *error: object) -> None:
        self.ledger.close()

    async def act(self, member: str, arguments: dict[str, Any]) -> str:
        """One call as the SDK makes it: asked, then done. ``done``, or why not."""
        self.calls.call_id = "call_1"
        context = {"call_id": "call_1", "member": member, "arguments": arguments, "state": {}}
        try:
            if await self.calls.confirm(context) is not True:
                return "not approved"
            await self.calls.perform(member, getattr(self.driver, member), arguments)
        except BrowserError as refusal:
            return str(refusal)
        return "done"

    async def person(self, says: Callable[[Ask], Verdict], ticks: int = 0) -> None:
        """Answer each question that comes, `ticks` turns of the loop after it stood; until cancelled."""
        while True:
            await until(lambda: bool(self.inbox.waiting))
            await turns(ticks)
            for ask in self.inbox.waiting:
                answer = Answer(verdict=says(ask), by="person", shown_digest=ask.digest)
                self.inbox.answer(ask.ask_id, answer)
            await asyncio.sleep(0)

    @property
    def asks(self) -> list[Ask]:
        """What was asked, in order."""
        return [one.event.ask for one in self.ledger.events() if isinstance(one.event, AskRaised)]

    @property
    def decisions(self) -> list[Decision]:
        """What was decided, in order."""
        return [one.event.decision for one in self.ledger.events() if isinstance(one.event, DecisionMade)]


async def turns(count: int) -> None:
    """Let the loop turn so often."""
    for _ in range(count):
        await asyncio.sleep(0)


PATIENCE_SECS = 120.0


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop turn until `condition` holds. What is waited for may be a browser on a busy machine."""
    late = time.monotonic() + PATIENCE_SECS
    while not condition():
        if time.monotonic() > late:
            raise AssertionError("it never came")
        await asyncio.sleep(0)
