"""Twenty asks arrive while somebody holds all and somebody stops all: each gets one decision, and none slips past."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.clock import SystemClock
from app.core.events import AskRaised, DecisionMade
from app.core.plan import RulePlan
from app.gate.gate import Gate
from app.gate.inbox import AskInbox
from app.gate.permits import NoPermit
from app.gate.rules import RuleBook
from app.ledger.store import RunLedger
from tests.unit.app.gate.asks import ask

MANY = 20
STOPPED = "all runs were stopped at once"
EVERYTHING = RulePlan(verdict="allow", text="everything is harmless here")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[RunLedger]:
    with RunLedger.create(tmp_path / "run.signalbox", SystemClock()) as opened:
        yield opened


@pytest.mark.parametrize(("held_from", "stopped_from"), [(0, 0), (0, 20), (7, 7), (7, 13), (13, 20), (20, 20)])
async def test_hold_all_and_stop_all_while_asks_arrive(ledger: RunLedger, held_from: int, stopped_from: int) -> None:
    inbox = AskInbox()
    gate = Gate(ledger, inbox, RuleBook.of_plan([EVERYTHING]), SystemClock(), on_stop=lambda answer: None)
    asks = [ask(number) for number in range(1, MANY + 1)]
    arriving: list[asyncio.Task[object]] = []
    for at, one in enumerate(asks):
        if at == held_from:
            gate.holding_all = True
        if at == stopped_from:
            gate.close(STOPPED)
            inbox.close(STOPPED)
        arriving.append(asyncio.create_task(gate.decide(one)))
        if at % 3:
            # Some have come to their place and some have not when the next one comes.
            await asyncio.sleep(0)
    if held_from == MANY:
        gate.holding_all = True
    await asyncio.sleep(0)
    waiting = {one.ask_id for one in inbox.waiting}
    gate.close(STOPPED)
    inbox.close(STOPPED)
    await asyncio.gather(*arriving)
    raised = [event.event.ask for event in ledger.events() if isinstance(event.event, AskRaised)]
    made = {e.event.decision.ask_id: e.event.decision for e in ledger.events() if isinstance(e.event, DecisionMade)}
    assert len(raised) == len(made) == MANY
    allowed = [one.ask_id for one in asks if made[one.ask_id].allowed]
    assert {made[ask_id].by for ask_id in allowed} <= {"rule"}
    assert not set(allowed) & waiting, "what waited for a person was allowed"
    order = [one.ask_id for one in raised]
    assert all(order.index(ask_id) < min(held_from, stopped_from) for ask_id in allowed)
    denied = [made[one.ask_id] for one in asks if one.ask_id not in allowed]
    assert {(one.verdict, one.by, one.reason) for one in denied} <= {("deny", "console", STOPPED)}
    if held_from == 0:
        assert len(waiting) == (MANY if stopped_from == MANY else 0)
        assert allowed == []
    for one in asks:
        with pytest.raises(NoPermit):
            gate.permits.take(one.call_id, one.part, one.digest)
