"""A question and the watch over its page: whichever speaks first, and a change beats an Allow."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.ask import Ask
from app.core.changes import Change
from app.core.decision import Answer
from app.gate.gate import Gate
from app.gate.inbox import AskInbox
from app.gate.permits import NoPermit
from app.gate.rules import RuleBook
from app.ledger.store import RunLedger
from tests.helpers.log_watch import LogWatch
from tests.unit.app.gate.asks import ask
from tests.unit.app.runner.page_rig import until

RELOADED = (Change(what="document"),)


class Watch:
    """Says what it is told to, when it is told to."""

    def __init__(self, at_last: tuple[Change, ...] = ()) -> None:
        self.saw: asyncio.Future[tuple[Change, ...]] = asyncio.get_running_loop().create_future()
        self.at_last = at_last

    async def changed(self) -> tuple[Change, ...]:
        return await self.saw

    async def last_look(self) -> tuple[Change, ...]:
        return self.at_last


def answer(to: Ask, verdict: Any = "allow") -> Answer:
    return Answer(verdict=verdict, by="person", shown_digest=to.digest)


@pytest.mark.parametrize(
    ("happens", "verdict", "by", "withdrawn"),
    [
        (lambda inbox, watch, one: inbox.answer(one.ask_id, answer(one)), "allow", "person", ()),
        (lambda inbox, watch, one: inbox.answer(one.ask_id, answer(one, "stop")), "stop", "person", ()),
        (lambda inbox, watch, one: watch.saw.set_result(RELOADED), "deny", "console", RELOADED),
        (lambda inbox, watch, one: _both(inbox, watch, one, "allow"), "deny", "console", RELOADED),
        (lambda inbox, watch, one: _both(inbox, watch, one, "deny"), "deny", "person", ()),
        (lambda inbox, watch, one: inbox.close("the window was closed"), "deny", "console", ()),
        (lambda inbox, watch, one: watch.saw.set_exception(RuntimeError("lost")), "deny", "console", ()),
    ],
)
async def test_whoever_speaks_first(
    tmp_path: Path,
    expected_log: LogWatch,
    happens: Callable[[AskInbox, Watch, Ask], Any],
    verdict: str,
    by: str,
    withdrawn: Any,
) -> None:
    with RunLedger.create(tmp_path / "run.signalbox", SystemClock()) as ledger:
        inbox, watch, one = AskInbox(), Watch(), ask()
        gate = Gate(ledger, inbox, RuleBook([]), SystemClock(), on_stop=lambda said: None)
        deciding = asyncio.create_task(gate.decide(one, watch=watch))
        await until(lambda: bool(inbox.waiting))
        happens(inbox, watch, one)
        if watch.saw.done() and not watch.saw.cancelled() and watch.saw.exception() is not None:
            expected_log("asking failed")
        decision = await deciding
        assert (decision.verdict, decision.by, decision.withdrawn) == (verdict, by, withdrawn)
        assert inbox.waiting == []
        if not decision.allowed:
            with pytest.raises(NoPermit):
                gate.permits.take(one.call_id, one.part, one.digest)


def _both(inbox: AskInbox, watch: Watch, one: Ask, verdict: str) -> None:
    inbox.answer(one.ask_id, answer(one, verdict))
    watch.saw.set_result(RELOADED)


async def test_an_allow_counts_only_if_the_last_look_finds_nothing(tmp_path: Path) -> None:
    with RunLedger.create(tmp_path / "run.signalbox", SystemClock()) as ledger:
        inbox, one = AskInbox(), ask()
        gate = Gate(ledger, inbox, RuleBook([]), SystemClock(), on_stop=lambda said: None)
        deciding = asyncio.create_task(gate.decide(one, watch=Watch(at_last=RELOADED)))
        await until(lambda: bool(inbox.waiting))
        inbox.answer(one.ask_id, answer(one))
        decision = await deciding
        assert (decision.allowed, decision.withdrawn) == (False, RELOADED)


async def test_a_cancelled_question_ends_its_watch(tmp_path: Path) -> None:
    with RunLedger.create(tmp_path / "run.signalbox", SystemClock()) as ledger:
        inbox, watch = AskInbox(), Watch()
        gate = Gate(ledger, inbox, RuleBook([]), SystemClock(), on_stop=lambda said: None)
        deciding = asyncio.create_task(gate.decide(ask(), watch=watch))
        await until(lambda: bool(inbox.waiting))
        deciding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await deciding
        assert watch.saw.cancelled()
        assert inbox.waiting == []
