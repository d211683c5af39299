"""Holds go through the gate and allow nothing: no rule answers one, none expires, and a denied one ends the run."""

from typing import Any

from app.clock import SystemClock
from app.core.ask import Ask
from app.core.asking_plan import AskingPlan
from app.core.decision import Answer
from app.core.plan import RulePlan
from app.core.step import Step
from app.gate.gate import Gate
from app.gate.permits import NoPermit
from app.gate.rules import RuleBook
from app.ledger.store import RunLedger
from tests.unit.app.gate.asks import ask
from tests.unit.app.gate.test_gate import Says, answer, ledger

__all__ = ["ledger"]

ALLOW_ALL = RuleBook.of_plan([RulePlan(verdict="allow", text="everything")])


def held(*, logged: bool = False) -> Ask:
    step = Step(stage="action", held_by="breakpoint", breakpoint="file 1", logged=logged)
    return ask().model_copy(update={"ask_id": "s0001", "kind": "step", "step": step})


def gate_of(ledger: RunLedger, inbox: Any, stopped: list[Answer]) -> Gate:
    asking = AskingPlan(expire_secs=3)
    return Gate(ledger, inbox, ALLOW_ALL, SystemClock(), on_stop=stopped.append, asking=asking)


async def test_no_rule_goes_on_from_a_hold_and_going_on_permits_nothing(ledger: RunLedger) -> None:
    seen: list[Ask] = []

    def person(asked: Ask) -> Answer:
        seen.append(asked)
        return answer(asked)

    gate = gate_of(ledger, Says(person), [])
    decision = await gate.decide(held())
    assert (decision.verdict, decision.by) == ("allow", "person")
    assert seen == [held()], "put to the person as it was raised: it never expires"
    try:
        gate.permits.take("call_1", 1, held().digest)
    except NoPermit:
        return
    raise AssertionError("a hold gave a permit")


async def test_a_denied_hold_ends_the_run(ledger: RunLedger) -> None:
    stopped: list[Answer] = []
    gate = gate_of(ledger, Says(lambda asked: answer(asked, "deny")), stopped)
    assert (await gate.decide(held())).verdict == "stop"
    assert len(stopped) == 1


async def test_a_breakpoint_that_only_logs_asks_nobody_and_is_on_record(ledger: RunLedger) -> None:
    def nobody(asked: Ask) -> Answer:
        raise AssertionError("somebody was asked")

    gate = gate_of(ledger, Says(nobody), [])
    decision = await gate.decide(held(logged=True))
    assert (decision.verdict, decision.by, decision.rule) == ("allow", "rule", "file 1")
    assert [one.event.type for one in ledger.events()] == ["ask_raised", "decision_made"]


async def test_what_was_not_shown_is_not_gone_on_from(ledger: RunLedger) -> None:
    gate = gate_of(ledger, Says(lambda asked: answer(asked, shown_digest="other")), [])
    decision = await gate.decide(held())
    assert (decision.verdict, decision.by) == ("deny", "console")
