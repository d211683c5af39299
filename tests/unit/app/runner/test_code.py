"""What approved code may still do once the run is stopped or a person acts, and what is on record of it meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.code_events import CodeActed, CodeSaid, VariablesSeen
from app.core.errors import NotDurable
from app.gate.control import PERSON_ACTED
from app.gate.standing import StandingRules
from app.runner.by_hand import ByHand
from app.runner.code import NO_CALL, STOPPED, code_functions
from app.runner.code_record import CodeHands
from drivers.code.environment import BETWEEN, BY_HAND, CodeEnvironment
from drivers.code.isolation import isolation
from drivers.code.limits import CodeLimits
from drivers.code.result import CodeResult
from drivers.errors import SandboxUnavailable
from tests.unit.app.runner.test_by_hand import Rig

IN_CALL = SimpleNamespace(call_in_progress="call_1")


class Sandbox:
    """Code that acts three times, each time after asking whether it may; `between` comes after its first act."""

    may_open: Callable[[str], Awaitable[bool]]
    why_not: Callable[[], str]

    def __init__(self) -> None:
        self.did = 0
        self.between: Callable[[], object] = lambda: None

    async def run(self, code: str, on_text: Callable[[str], None]) -> Any:
        result = CodeResult()
        for _ in range(3):
            if reason := self.why_not():
                result.error = reason
                break
            self.did += 1
            self.between()
        return result

    async def variables(self) -> Sequence[Any]:
        return ()

    async def interrupt(self) -> None:
        raise AssertionError("nobody interrupts it")

    async def begin_anew(self) -> bool:
        raise AssertionError("nobody begins it anew")


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    with made:
        yield made


@pytest.mark.parametrize(("comes", "words"), [("stop", STOPPED), ("hand", PERSON_ACTED), ("nothing", None)])
async def test_between_two_acts_of_one_piece_of_code(rig: Rig, comes: str, words: str | None) -> None:
    sandbox = Sandbox()
    (function,) = code_functions({"py": sandbox}, rig.asking, IN_CALL, rig.ledger)
    assert sandbox.why_not() == NO_CALL, "nothing of the page before the first call"

    def hand() -> None:
        rig.control.want()
        rig.control.give_back()

    sandbox.between = {"stop": lambda: rig.gate.close("stopped by you"), "hand": hand, "nothing": lambda: None}[comes]
    output = await function.execute({"code": "three acts"})
    assert sandbox.did == (3 if words is None else 1)
    assert output == [{"type": "input_text", "text": words or "(no output)"}]
    assert sandbox.why_not() == NO_CALL, "and nothing after it"
    await rig.hands.aclose()


class Hand:
    """A real code environment, and a person whose acts reach it through the run's controls."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.environment = CodeEnvironment(isolation(required=True), CodeLimits(call_secs=50.0))
        (self.function,) = code_functions({"py": self.environment}, rig.asking, IN_CALL, rig.ledger)
        self.hands = CodeHands({"py": self.environment}, rig.ledger)
        rig.gate.act_on_code = self.hands.act
        self.by_hand = ByHand(rig.gate, StandingRules(SystemClock()), rig.ledger, [])

    async def said(self, code: str) -> list[str]:
        """What the model reads of it."""
        output = await self.function.execute({"code": code})
        assert isinstance(output, list)
        return [block["text"] for block in output]


@pytest.fixture
async def hand(rig: Rig) -> AsyncIterator[Hand]:
    try:
        made = Hand(rig)
    except SandboxUnavailable as missing:
        pytest.skip(str(missing))
    made.by_hand.begin()
    yield made
    await made.hands.aclose()
    await made.environment.aclose()
    await rig.hands.aclose()


async def test_what_code_says_is_on_record_while_it_runs_and_a_person_can_end_it(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.code.environment.GRACE_SECS", 30.0)
    heard = asyncio.Event()
    hand.rig.ledger.subscribe(lambda one: heard.set() if isinstance(one.event, CodeSaid) else None)
    running = asyncio.ensure_future(hand.said("x = [1]\nprint('a place')\nimport time; time.sleep(60)"))
    await heard.wait()
    hand.by_hand.act_on_code("py", "interrupt")
    assert await running == ["a place\n", BY_HAND]
    acted, left = hand.rig.of(CodeActed), hand.rig.of(VariablesSeen)
    assert [(one.by, one.language, one.act) for one in acted] == [("person", "py", "interrupt")]
    assert [one.text for one in hand.rig.of(CodeSaid)] == ["a place\n"]
    assert ("x", "list", "[1]") in [(one.name, one.kind, one.shown) for one in left[0].variables]


async def test_what_a_person_begins_anew_is_told_to_the_model_with_the_next_call(hand: Hand) -> None:
    assert await hand.said("x = 1") == ["(no output)"]
    gone = asyncio.Event()
    hand.rig.ledger.subscribe(lambda one: gone.set() if isinstance(one.event, VariablesSeen) else None)
    hand.by_hand.act_on_code("py", "restart")
    await gone.wait()
    assert [one.lost for one in hand.rig.of(VariablesSeen)] == [False, True]
    assert await hand.said("log('x' in globals())") == [f"({BETWEEN})\n", "False\n"]


async def test_a_record_that_fails_while_code_speaks_ends_the_code(hand: Hand) -> None:
    def broken(event: Any, blobs: Any = ()) -> Any:
        raise NotDurable("the disk is full")

    hand.rig.ledger.append = broken  # type: ignore[method-assign]
    with pytest.raises(NotDurable):
        await hand.said("print('y' * 5000)\nwhile True: pass")
    assert not hand.environment.running
