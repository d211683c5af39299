"""The gate fails closed: whatever goes wrong while an ask waits, it is denied, once, and on record."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.ask import Ask, AskKind
from app.core.decision import Answer, Decision
from app.core.errors import NotDurable
from app.core.events import AskRaised, DecisionMade, Event, Recorded
from app.core.ports import Inbox, InboxClosed
from app.core.value import call_digest
from app.gate.gate import ACTING_KINDS, Gate
from app.gate.inbox import AskInbox
from app.gate.permits import NoPermit
from app.gate.rules import RuleAnswer, RuleBook
from app.ledger.store import RunLedger
from tests.helpers.log_watch import LogWatch
from tests.unit.app.gate.asks import ask


@pytest.fixture
def ledger(tmp_path: Path) -> Any:
    with RunLedger.create(tmp_path / "run.signalbox", SystemClock()) as opened:
        yield opened


def gate_of(ledger: Any, inbox: Inbox, *rules: Any, on_stop: Callable[[Answer], None] = lambda answer: None) -> Gate:
    return Gate(ledger, inbox, RuleBook(rules), SystemClock(), on_stop=on_stop)


def answer(to: Ask, verdict: Any = "allow", **more: Any) -> Answer:
    return Answer(verdict=verdict, by="person", **{"shown_digest": to.digest, **more})


class Says:
    """An inbox that does one thing with each ask."""

    def __init__(self, reaction: Callable[[Ask], Any]) -> None:
        self.reaction = reaction
        self.closed = ""

    async def hold(self, asked: Ask) -> Answer:
        said = self.reaction(asked)
        if isinstance(said, BaseException):
            raise said
        result: Answer = said
        return result

    def close(self, reason: str) -> None:
        self.closed = reason


class Rule:
    """A rule that says or raises one thing."""

    def __init__(self, said: RuleAnswer | Exception | None) -> None:
        self._said = said

    def answer(self, asked: Ask) -> RuleAnswer | None:
        if isinstance(self._said, Exception):
            raise self._said
        return self._said


def recorded(ledger: RunLedger) -> list[str]:
    return [one.event.type for one in ledger.events()]


async def test_an_allowed_ask_is_on_record_with_its_answer_and_permits_one_effect(ledger: RunLedger) -> None:
    one = ask()
    gate = gate_of(ledger, Says(answer))
    decision = await gate.decide(one)
    assert (decision.verdict, decision.by, decision.digest) == ("allow", "person", one.digest)
    assert [event.event for event in ledger.events()] == [AskRaised(ask=one), DecisionMade(decision=decision)]
    assert gate.permits.take(one.call_id, 1, one.digest) == one
    with pytest.raises(NoPermit):
        gate.permits.take(one.call_id, 1, one.digest)


@pytest.mark.parametrize(
    ("reaction", "reason"),
    [
        (lambda asked: InboxClosed("the window was closed"), "the window was closed"),
        (lambda asked: answer(asked, shown_digest="0" * 64), "what was shown is not what was asked"),
        (lambda asked: answer(asked, shown_digest=""), "what was shown is not what was asked"),
        (lambda asked: RuntimeError("no display"), "asking failed: RuntimeError"),
        (lambda asked: None, "asking failed: AttributeError"),
        (lambda asked: TimeoutError(), "asking failed: TimeoutError"),
    ],
)
async def test_whatever_goes_wrong_is_a_denial_by_the_console(
    ledger: RunLedger, expected_log: LogWatch, reaction: Any, reason: str
) -> None:
    if "failed" in reason:
        expected_log("asking failed")
    one = ask()
    gate = gate_of(ledger, Says(reaction))
    decision = await gate.decide(one)
    assert (decision.verdict, decision.by, decision.reason) == ("deny", "console", reason)
    assert recorded(ledger) == ["ask_raised", "decision_made"]
    with pytest.raises(NoPermit):
        gate.permits.take(one.call_id, 1, one.digest)


async def test_a_rule_that_raises_denies(ledger: RunLedger, expected_log: LogWatch) -> None:
    expected_log("asking failed")
    decision = await gate_of(ledger, Says(answer), Rule(KeyError("x")), Rule(RuleAnswer("allow", "yes"))).decide(ask())
    assert (decision.verdict, decision.by, decision.reason) == ("deny", "console", "asking failed: KeyError")


@pytest.mark.parametrize("verdict", ["allow", "deny"])
async def test_a_rule_s_answer_is_its_own_and_asks_nobody(ledger: RunLedger, verdict: Any) -> None:
    nobody = Says(lambda asked: AssertionError("was asked"))
    decision = await gate_of(ledger, nobody, Rule(None), Rule(RuleAnswer(verdict, "as written"))).decide(ask())
    assert (decision.verdict, decision.by, decision.reason) == (verdict, "rule", "as written")


async def test_nothing_matching_holds(ledger: RunLedger) -> None:
    decision = await gate_of(ledger, Says(answer), Rule(None), Rule(RuleAnswer("hold", "look"))).decide(ask())
    assert (decision.verdict, decision.by) == ("allow", "person")


async def test_an_allow_that_comes_after_the_stop_is_a_denial(ledger: RunLedger) -> None:
    inbox = AskInbox()
    gate = gate_of(ledger, inbox)
    one = ask()
    deciding = asyncio.create_task(gate.decide(one))
    await asyncio.sleep(0)
    assert inbox.waiting == [one]
    assert inbox.answer(one.ask_id, answer(one))
    # The press was in time for the inbox; the run was closed before the gate heard of it.
    gate.close("stopped by you")
    decision = await deciding
    assert (decision.verdict, decision.by, decision.reason) == ("deny", "console", "stopped by you")
    with pytest.raises(NoPermit):
        gate.permits.take(one.call_id, 1, one.digest)


async def test_a_permit_given_before_the_stop_is_void_after_it(ledger: RunLedger) -> None:
    one = ask()
    gate = gate_of(ledger, Says(answer))
    await gate.decide(one)
    gate.close("stopped by you")
    with pytest.raises(NoPermit):
        gate.permits.take(one.call_id, 1, one.digest)


async def test_a_permit_is_for_its_own_call_part_and_arguments_only(ledger: RunLedger) -> None:
    one = ask(part=2)
    gate = gate_of(ledger, Says(answer))
    await gate.decide(one)
    for call_id, part, digest in [
        ("call_9", 2, one.digest),
        (one.call_id, 1, one.digest),
        (one.call_id, 2, call_digest("click", {"target": "e2"})),
        # Having been shown for something else, it is gone for good.
        (one.call_id, 2, one.digest),
    ]:
        with pytest.raises(NoPermit):
            gate.permits.take(call_id, part, digest)


async def test_kinds_that_the_sdk_acts_on_itself_leave_no_permit(ledger: RunLedger) -> None:
    gate = gate_of(ledger, Says(answer))
    kinds: tuple[AskKind, ...] = ("navigation", "mcp_approval", "safety_checks")
    for number, kind in enumerate(kinds, start=1):
        assert kind not in ACTING_KINDS
        one = ask(number, kind=kind)
        await gate.decide(one)
        with pytest.raises(NoPermit):
            gate.permits.take(one.call_id, 1, one.digest)


async def test_cancelling_withdraws_the_ask_and_records_the_denial(ledger: RunLedger) -> None:
    inbox = AskInbox()
    gate = gate_of(ledger, inbox)
    one = ask()
    deciding = asyncio.create_task(gate.decide(one))
    await asyncio.sleep(0)
    assert inbox.waiting == [one]
    deciding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await deciding
    assert inbox.waiting == []
    assert not inbox.answer(one.ask_id, answer(one)), "a late press counts for nothing"
    (event,) = (one.event for one in ledger.events(after_seq=1))
    assert isinstance(event, DecisionMade)
    assert (event.decision.verdict, event.decision.by) == ("deny", "console")
    assert "withdrawn" in event.decision.reason


async def test_a_stop_is_told_after_its_decision_is_on_record(ledger: RunLedger) -> None:
    seen: list[list[str]] = []
    gate = gate_of(
        ledger, Says(lambda asked: answer(asked, "stop")), on_stop=lambda said: seen.append(recorded(ledger))
    )
    decision = await gate.decide(ask())
    assert (decision.verdict, decision.allowed) == ("stop", False)
    assert seen == [["ask_raised", "decision_made"]]


async def test_a_closed_gate_still_puts_the_question_on_record(ledger: RunLedger) -> None:
    gate = gate_of(ledger, Says(lambda asked: AssertionError("was asked")), Rule(RuleAnswer("allow", "yes")))
    gate.close("the window was closed")
    gate.close("later, and for another reason")
    decision = await gate.decide(ask())
    assert (decision.verdict, decision.by, decision.reason) == ("deny", "console", "the window was closed")
    assert recorded(ledger) == ["ask_raised", "decision_made"]


@pytest.mark.parametrize("fails_at", [1, 2])
async def test_what_cannot_be_recorded_is_not_allowed(ledger: RunLedger, fails_at: int) -> None:
    class Failing:
        """Fails once."""

        writes = 0

        def append(self, event: Event, blobs: Sequence[Any] = ()) -> Recorded:
            self.writes += 1
            if self.writes == fails_at:
                raise NotDurable("no room")
            return ledger.append(event, blobs)

        append_soon = append

        def save_checkpoint(self, checkpoint: dict[str, Any]) -> Recorded:
            raise AssertionError("none is saved here")

        def subscribe(self, listener: Any) -> None: ...

    one = ask()
    gate = gate_of(Failing(), Says(answer))
    with pytest.raises(NotDurable):
        await gate.decide(one)
    with pytest.raises(NoPermit):
        gate.permits.take(one.call_id, 1, one.digest)


async def test_an_answer_with_a_note_and_how_long_it_took_are_on_record(ledger: RunLedger) -> None:
    now = iter([0, 1_500_000_000, 1_500_000_000])

    class Clock(SystemClock):
        def mono_ns(self) -> int:
            return next(now)

    gate = Gate(ledger, Says(lambda asked: answer(asked, "deny", note="No.")), RuleBook([]), Clock(), on_stop=print)
    decision: Decision = await gate.decide(ask())
    assert (decision.note, decision.waited_ms) == ("No.", 1500)
