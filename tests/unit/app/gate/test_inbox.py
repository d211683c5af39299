"""The inbox between two threads: each ask is settled once, whoever is first, and nothing waits for ever."""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.ask import Ask
from app.core.asking_plan import AskingPlan
from app.core.decision import Answer
from app.core.errors import NotDurable
from app.core.events import DecisionMade, Event, Recorded
from app.core.ports import InboxClosed
from app.gate.gate import Gate
from app.gate.inbox import AskInbox
from app.gate.rules import RuleBook
from tests.helpers.log_watch import LogWatch
from tests.unit.app.gate.asks import ask

MANY = 1_000


def answer(to: Ask, verdict: Any = "allow") -> Answer:
    return Answer(verdict=verdict, by="person", shown_digest=to.digest)


class Log:
    """What an inbox tells its listeners."""

    def __init__(self, on_held: Callable[[Ask], None] = lambda asked: None) -> None:
        self.held: list[str] = []
        self.settled: list[str] = []
        self._on_held = on_held

    def ask_held(self, asked: Ask) -> None:
        self.held.append(asked.ask_id)
        self._on_held(asked)

    def ask_settled(self, ask_id: str) -> None:
        self.settled.append(ask_id)


class Memory:
    """A journal in memory; the order of its events is what is looked at."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def append(self, event: Event, blobs: Any = ()) -> Recorded:
        self.events.append(event)
        return Recorded(len(self.events), 0, 0, event)

    append_soon = append

    def save_checkpoint(self, checkpoint: dict[str, Any]) -> Recorded:
        raise AssertionError("none is saved here")

    def subscribe(self, listener: Any) -> None: ...


async def test_a_thousand_asks_answered_twice_from_two_threads_get_one_decision_each() -> None:
    inbox, journal = AskInbox(), Memory()
    counted: Counter[str] = Counter()
    waiting: list[list[Ask]] = [[], []]
    there = [threading.Semaphore(0), threading.Semaphore(0)]

    def hand_out(asked: Ask) -> None:
        for which in (0, 1):
            waiting[which].append(asked)
            there[which].release()

    log = Log(hand_out)
    inbox.subscribe(log)

    def person(which: int) -> None:
        for number in range(MANY):
            assert there[which].acquire(timeout=60)
            asked = waiting[which][number]
            verdict = "allow" if which == 0 else "deny"
            for _ in range(2):
                if inbox.answer(asked.ask_id, answer(asked, verdict)):
                    counted[f"{asked.ask_id} {verdict}"] += 1

    people = [threading.Thread(target=person, args=(which,)) for which in (0, 1)]
    for each in people:
        each.start()
    gate = Gate(journal, inbox, RuleBook([]), SystemClock(), on_stop=lambda said: None)
    decisions = await asyncio.gather(*(gate.decide(ask(number)) for number in range(MANY)))
    for each in people:
        await asyncio.to_thread(each.join)
    assert inbox.waiting == []
    assert set(counted.values()) == {1}
    assert len(counted) == MANY, "two presses counted for one ask, or none did"
    assert {f"{decision.ask_id} {decision.verdict}" for decision in decisions} == counted.keys()
    made = [event.decision.ask_id for event in journal.events if isinstance(event, DecisionMade)]
    assert sorted(made) == sorted({f"a{number:04d}" for number in range(MANY)})
    assert sorted(log.held) == sorted(log.settled) == sorted(made)


async def test_asks_wait_in_the_order_they_came_and_answers_reach_their_own() -> None:
    inbox = AskInbox()
    asks = [ask(number) for number in range(3)]
    holding = [asyncio.create_task(inbox.hold(one)) for one in asks]
    await asyncio.sleep(0)
    assert inbox.waiting == asks
    for one, verdict in zip(reversed(asks), ("deny", "stop", "allow"), strict=True):
        assert inbox.answer(one.ask_id, answer(one, verdict))
    assert [said.verdict for said in await asyncio.gather(*holding)] == ["allow", "stop", "deny"]


async def test_closing_from_another_thread_ends_every_wait_and_every_later_one() -> None:
    inbox, log = AskInbox(), Log()
    inbox.subscribe(log)
    holding = [asyncio.create_task(inbox.hold(ask(number))) for number in range(2)]
    await asyncio.sleep(0)
    await asyncio.to_thread(inbox.close, "the window was closed")
    for one in holding:
        with pytest.raises(InboxClosed, match="the window was closed"):
            await one
    with pytest.raises(InboxClosed, match="the window was closed"):
        await inbox.hold(ask(7))
    assert log.settled == ["a0000", "a0001"]
    assert not inbox.answer("a0000", answer(ask(0)))


async def test_a_cancelled_wait_is_withdrawn_and_told() -> None:
    inbox, log = AskInbox(), Log()
    inbox.subscribe(log)
    holding = asyncio.create_task(inbox.hold(ask()))
    await asyncio.sleep(0)
    holding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await holding
    assert (inbox.waiting, log.settled) == ([], ["a0001"])


async def test_two_questions_of_one_name_are_not_held_together() -> None:
    """The answer to one would go to the other."""
    inbox = AskInbox()
    first = asyncio.create_task(inbox.hold(ask(1)))
    await asyncio.sleep(0)
    with pytest.raises(ValueError, match="a0001"):
        await inbox.hold(ask(1, member="type"))
    assert inbox.answer("a0001", answer(ask(1)))
    assert (await first).verdict == "allow"


def test_an_answer_after_the_run_s_loop_has_gone_breaks_nothing() -> None:
    inbox = AskInbox()
    held = threading.Event()
    inbox.subscribe(Log(lambda asked: held.set()))

    async def abandoned() -> None:
        await asyncio.wait_for(inbox.hold(ask()), 0.01)

    with pytest.raises(TimeoutError):
        asyncio.run(abandoned())
    assert held.is_set()
    assert not inbox.answer("a0001", answer(ask()))


async def test_an_ask_is_announced_before_it_is_written_and_held_after() -> None:
    inbox, journal = AskInbox(), Memory()
    order: list[str] = []
    inbox.hear_announced(lambda asked: order.append(f"announced, {len(journal.events)} on record"))
    inbox.subscribe(Log(lambda asked: order.append(f"held, {len(journal.events)} on record")))
    deciding = asyncio.create_task(
        Gate(journal, inbox, RuleBook([]), SystemClock(), on_stop=lambda said: None).decide(ask())
    )
    await asyncio.sleep(0)
    assert order == ["announced, 0 on record", "held, 1 on record"]
    assert inbox.answer("a0001", answer(ask()))
    await deciding


async def test_what_was_announced_and_is_not_held_is_said_to_be_over_and_what_was_held_is_not() -> None:
    inbox, log = AskInbox(), Log()
    inbox.subscribe(log)
    inbox.announce(ask())
    inbox.recall("a0001")
    inbox.recall("a0001")
    assert (log.held, log.settled) == ([], ["a0001"])
    inbox.announce(ask())
    holding = asyncio.create_task(inbox.hold(ask()))
    await asyncio.sleep(0)
    inbox.recall("a0001")
    assert (log.held, log.settled) == (["a0001"], ["a0001"])
    holding.cancel()


async def test_nothing_is_announced_to_an_inbox_that_was_closed() -> None:
    inbox = AskInbox()
    announced: list[Ask] = []
    inbox.hear_announced(announced.append)
    inbox.close("the window was closed")
    inbox.announce(ask())
    assert announced == []


async def test_a_question_that_was_not_written_is_recalled() -> None:
    class Broken(Memory):
        def append(self, event: Event, blobs: Any = ()) -> Recorded:
            raise NotDurable("no space left")

    inbox, log = AskInbox(), Log()
    inbox.subscribe(log)
    announced: list[str] = []
    inbox.hear_announced(lambda asked: announced.append(asked.ask_id))
    gate = Gate(Broken(), inbox, RuleBook([]), SystemClock(), on_stop=lambda said: None)
    with pytest.raises(NotDurable):
        await gate.decide(ask())
    assert (announced, log.held, log.settled) == (["a0001"], [], ["a0001"])


async def test_what_no_person_will_be_asked_is_not_announced() -> None:
    """What was answered together with another question, and what comes after the gate was closed."""
    inbox, journal = AskInbox(), Memory()
    announced: list[str] = []
    inbox.hear_announced(lambda asked: announced.append(asked.ask_id))
    asking = AskingPlan(together=True)
    gate = Gate(journal, inbox, RuleBook([]), SystemClock(), on_stop=lambda said: None, asking=asking)
    first = ask(kind="navigation").model_copy(update={"joined": ("browser_action",)})
    deciding = asyncio.create_task(gate.decide(first))
    await asyncio.sleep(0)
    (held,) = inbox.waiting
    assert held.joined == ("browser_action",)
    assert inbox.answer("a0001", answer(held))
    assert (await deciding).verdict == "allow"
    second = await gate.decide(first.model_copy(update={"ask_id": "a0002", "kind": "browser_action", "joined": ()}))
    assert second.verdict == "allow"
    gate.close("the run is being stopped")
    assert (await gate.decide(ask().model_copy(update={"ask_id": "a0003"}))).verdict == "deny"
    assert announced == ["a0001"]


async def test_a_listener_that_fails_at_an_announcement_keeps_no_question_back(expected_log: LogWatch) -> None:
    expected_log("cannot be made ready")

    def fail(asked: Ask) -> None:
        raise OSError("no display")

    inbox = AskInbox()
    inbox.hear_announced(fail)
    gate = Gate(Memory(), inbox, RuleBook([]), SystemClock(), on_stop=lambda said: None)
    deciding = asyncio.create_task(gate.decide(ask()))
    await asyncio.sleep(0)
    assert inbox.answer("a0001", answer(ask()))
    assert (await deciding).verdict == "allow"
