"""A person at the controls: the run gives way between two effects; what was read or allowed before counts no more."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.breakpoint import Point
from app.core.decision import Answer
from app.core.errors import NotDurable
from app.core.events import Event, PictureTaken, Recorded
from app.core.human import (
    ControlChanged,
    HoldAllSet,
    HumanActed,
    HumanInput,
    KeyInput,
    MouseInput,
    RecordingChanged,
    RuleTakenBack,
    TextInput,
    WheelInput,
)
from app.core.live import LatestFrame, LiveFrame
from app.gate.control import NO_HANDS, PERSON_ACTED, UNCERTAIN, Control
from app.gate.standing import StandingRules
from app.gate.stepping import Stepper
from app.ledger.store import RunLedger
from app.runner import hands as hands_module
from app.runner.by_hand import PROGRAM_ENDED, ByHand, left_open
from app.runner.effects import Effect
from app.runner.hands import BROKEN, Hands
from app.runner.holding import Holding
from tests.helpers.log_watch import LogWatch
from tests.unit.app.rehearsal.form_driver import PIXEL
from tests.unit.app.runner.harness import SeenDriver
from tests.unit.app.runner.page_rig import PageRig, turns, until


class Keyboard:
    """Takes a person's input and knows in which field it lands."""

    def __init__(self) -> None:
        self.did: list[Any] = []
        self.secret: bool | None = False
        self.tab_id = "t1"
        self.voided = 0

    def __getattr__(self, name: str) -> Callable[..., Awaitable[None]]:
        async def do(*given: Any) -> None:
            self.did.append((name, *given))

        return do

    async def secret_focus(self) -> bool | None:
        return self.secret

    def void_refs(self) -> None:
        self.voided += 1


class Rig(PageRig):
    """A page rig with a person's hands on its driver."""

    def __init__(self, folder: Path) -> None:
        super().__init__(SeenDriver("http://127.0.0.1/"), folder)
        self.keyboard = Keyboard()
        self.frames = LatestFrame()
        self.control = self.gate.control
        holder = SimpleNamespace(human=self.keyboard)
        self.hands = Hands.of(holder, self.ledger, self.frames, SystemClock(), self.control)
        self.control.uncertain = lambda: self.effects.uncertain

    def of(self, kind: type[Any]) -> list[Any]:
        """Events of one type, in order."""
        return [one.event for one in self.ledger.events() if isinstance(one.event, kind)]

    @property
    def steps(self) -> list[str]:
        """What became of control."""
        return [f"{one.step}{': ' if one.reason else ''}{one.reason}" for one in self.of(ControlChanged)]

    async def reads(self) -> str:
        """One read, as the SDK makes it."""
        self.calls.call_id = "call_r"

        async def read(action: Any) -> dict[str, Any]:
            return {"version": 1, "text": "", "elements": [], "omitted": []}

        await self.calls.perform("read_page", read, {"filter": "all", "tab_id": None})
        return "read"


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    with made:
        yield made


def letters(text: str) -> list[HumanInput]:
    return [KeyInput(key, down, types=True) for key in text for down in (True, False)]


async def test_control_is_taken_only_between_two_effects(rig: Rig) -> None:
    doing, finish = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        doing.set()
        await finish.wait()

    effect = Effect("call_1", "browser", "read_page", {}, reads_only=True, needs_permit=False)
    work = asyncio.create_task(rig.effects.perform(effect, slow))
    await doing.wait()
    rig.control.want()
    await turns(5)
    assert rig.steps == ["wanted"]
    finish.set()
    await work
    assert rig.steps == ["wanted", "taken"]
    rig.control.give_back()
    await rig.hands.aclose()


async def test_nothing_of_the_run_begins_while_a_person_has_control(rig: Rig) -> None:
    rig.control.want()
    act = asyncio.create_task(rig.act("click_at", {"x": 1, "y": 1, "tab_id": None}))
    read = asyncio.create_task(rig.reads())
    await turns(50)
    assert rig.asks == []
    assert not read.done()
    rig.control.give_back()
    assert await act == PERSON_ACTED, "what the model chose from an older look is not even asked about"
    assert await read == "read"
    assert rig.keyboard.voided == 1
    await rig.hands.aclose()


async def test_the_model_must_look_again_before_it_acts(rig: Rig) -> None:
    rig.control.want()
    rig.control.give_back()
    assert await rig.act("navigate", {"url": "http://127.0.0.1/", "tab_id": None}) == PERSON_ACTED
    await rig.reads()
    person = asyncio.create_task(rig.person(lambda ask: "deny"))
    assert (await rig.act("click_at", {"x": 1, "y": 1, "tab_id": None})).startswith(("not approved", "Browser action"))
    person.cancel()
    assert len(rig.asks) == 1
    await rig.hands.aclose()


async def test_what_was_allowed_before_is_not_done_after(rig: Rig) -> None:
    rig.calls.call_id = "call_1"
    arguments = {"target": "e1", "tab_id": None}
    person = asyncio.create_task(rig.person(lambda ask: "allow"))
    assert await rig.calls.confirm({"call_id": "call_1", "member": "click", "arguments": arguments, "state": {}})
    person.cancel()
    rig.control.want()
    act = asyncio.create_task(rig.calls.perform("click", rig.driver.click, arguments))
    await turns(5)
    rig.control.give_back()
    with pytest.raises(Exception, match="operator has taken control"):
        await act
    assert rig.driver.did == []
    await rig.hands.aclose()


async def test_a_question_that_stands_is_answered_first_and_what_is_allowed_is_done_first(rig: Rig) -> None:
    rig.calls.call_id = "call_1"
    asked = asyncio.create_task(rig.act("scroll", {"direction": "down", "amount": 1, "tab_id": None}))
    await until(lambda: bool(rig.inbox.waiting))
    rig.control.want()
    await turns(20)
    assert rig.steps == ["wanted"]
    (standing,) = rig.inbox.waiting
    rig.inbox.answer(standing.ask_id, Answer(verdict="allow", by="person", shown_digest=standing.digest))
    assert await asked == "done"
    assert rig.steps == ["wanted", "taken"]
    rig.control.give_back()
    await rig.hands.aclose()


async def test_after_a_denial_with_nothing_else_to_do_control_is_taken(rig: Rig) -> None:
    asked = asyncio.create_task(rig.asking.ask("mcp_approval", "mcp", "call_1", "create", {}))
    await until(lambda: bool(rig.inbox.waiting))
    rig.control.want()
    rig.inbox.refuse(rig.inbox.waiting[0].ask_id, "no")
    await asked
    await until(lambda: rig.steps == ["wanted", "taken"])
    rig.control.give_back()
    await rig.hands.aclose()


async def test_it_is_refused_when_an_effect_is_uncertain_or_nothing_is_open(rig: Rig) -> None:
    rig.effects.outcomes["call_9"] = "may_have_happened"
    rig.control.want()
    rig.effects.outcomes.clear()
    await rig.hands.aclose()
    rig.control.want()
    assert rig.steps == [f"refused: {reason}" for reason in (UNCERTAIN, NO_HANDS)]


async def test_an_effect_that_ends_uncertain_refuses_control_that_was_waited_for(rig: Rig) -> None:
    finish = asyncio.Event()

    async def breaks() -> None:
        await finish.wait()
        raise RuntimeError("the browser died")

    effect = Effect("call_1", "browser", "click", {}, reads_only=False, needs_permit=False)
    work = asyncio.create_task(rig.effects.perform(effect, breaks))
    await turns(5)
    rig.control.want()
    finish.set()
    with pytest.raises(RuntimeError):
        await work
    assert rig.steps == ["wanted", f"refused: {UNCERTAIN}"]
    assert await rig.reads() == "read", "the run goes on by itself"


async def test_what_a_person_does_is_recorded_as_theirs_and_secrets_are_counted_only(
    rig: Rig, monkeypatch: Any
) -> None:
    monkeypatch.setattr(hands_module, "QUIET_SECS", 0.01)
    rig.control.want()
    given: HumanInput
    for given in [MouseInput("down", 5, 6), MouseInput("up", 5, 6), *letters("Ada"), KeyInput("Tab", True)]:
        rig.control.act(given)
    await until(lambda: len(rig.of(HumanActed)) == 3)
    rig.keyboard.secret = True
    for given in [*letters("hunter2"), TextInput("s3cret", pasted=True)]:
        rig.control.act(given)
    await until(lambda: len(rig.of(HumanActed)) == 5)
    acts = [(one.by, one.act, one.text, one.characters) for one in rig.of(HumanActed)]
    assert acts == [
        ("person", "press", None, 0),
        ("person", "text", "Ada", 3),
        ("person", "keys", None, 0),
        ("person", "text", None, 7),
        ("person", "paste", None, 6),
    ]
    assert ("key", "h", True) in rig.keyboard.did
    assert ("insert", "s3cret") in rig.keyboard.did
    rig.control.give_back()
    await rig.hands.aclose()
    assert "hunter2" not in repr([one.event for one in rig.ledger.events()])


async def test_private_mode_is_a_gap_with_its_reason(rig: Rig, monkeypatch: Any) -> None:
    monkeypatch.setattr(hands_module, "QUIET_SECS", 0.01)
    rig.control.want()
    rig.control.set_private(True)
    written: list[int] = []
    write_down = rig.hands._write_down

    def noted() -> None:
        write_down()
        written.append(len(rig.keyboard.did))

    monkeypatch.setattr(rig.hands, "_write_down", noted)
    for given in [MouseInput("down", 5, 6), *letters("pin")]:
        rig.control.act(given)
    rig.frames.put(LiveFrame(PIXEL.encode(), "image/jpeg", 1, 1, 1, 1, SystemClock().mono_ns(), "t1"))
    await until(lambda: written[-1:] == [7])
    assert rig.of(HumanActed) == []
    assert rig.of(PictureTaken) == []
    rig.control.set_private(False)
    rig.control.act(MouseInput("down", 7, 8))
    await until(lambda: len(rig.of(HumanActed)) == 1)
    rig.control.set_private(True)
    rig.control.give_back()
    gaps = [one.recording for one in rig.of(RecordingChanged)]
    assert gaps == [False, True, False, True], "handing back ends it"
    assert all("private mode" in one.reason or "handed back" in one.reason for one in rig.of(RecordingChanged))
    await rig.hands.aclose()


class FullDisk:
    """A journal that takes nothing from some time on."""

    def __init__(self, journal: RunLedger) -> None:
        self.journal = journal
        self.full = False

    def append(self, event: Event, blobs: Any = ()) -> Recorded:
        if self.full:
            raise NotDurable("no room")
        return self.journal.append(event, blobs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.journal, name)


@pytest.mark.parametrize("how", ["input", "hand back", "stop"])
async def test_a_record_that_fails_in_a_person_s_hands_leaves_no_run_waiting(
    rig: Rig, how: str, expected_log: LogWatch
) -> None:
    if how != "stop":
        expected_log("a person's input failed")
    journal = FullDisk(rig.ledger)
    control = Control(journal)
    hands = Hands.of(SimpleNamespace(human=rig.keyboard), journal, rig.frames, SystemClock(), control)
    control.want()
    control.set_private(True)
    waiting = asyncio.create_task(control.give_way())
    await turns(5)
    journal.full = True
    if how == "stop":
        with pytest.raises(NotDurable):
            control.give_back("stopped by you")
    else:
        control.set_private(False)
        control.act(MouseInput("down", 5, 6))
        if how == "hand back":
            control.finish()
    await until(waiting.done)
    assert await waiting, "and what was read before counts no more"
    assert control.state == "run"
    assert control.must_look
    assert rig.keyboard.voided == 1
    await hands.aclose()


async def test_input_that_breaks_the_way_to_the_browser_gives_it_back(rig: Rig, expected_log: LogWatch) -> None:
    async def breaks(*_given: Any) -> None:
        raise KeyError("no such thing")

    expected_log("a person's input failed")
    rig.keyboard.wheel = breaks  # type: ignore[attr-defined]
    rig.control.want()
    rig.control.act(WheelInput(1, 1, 0, 9))
    await until(lambda: rig.control.state == "run")
    assert rig.steps[-1] == f"returned: {BROKEN}"
    await rig.hands.aclose()


async def test_hold_all_and_undo_are_on_record_in_the_order_of_the_presses(rig: Rig) -> None:
    by_hand = ByHand(rig.gate, StandingRules(SystemClock()), rig.ledger, [])
    by_hand.hold_all(True)
    assert rig.gate.holding_all, "it holds at once"
    assert rig.of(HoldAllSet) == []
    by_hand.begin()
    assert by_hand.undo_rule(3) is False
    by_hand.hold_all(False)
    await turns(3)
    assert rig.of(HoldAllSet) == [HoldAllSet(on=True), HoldAllSet(on=False)]
    assert rig.of(RuleTakenBack) == [RuleTakenBack(rule="run 3", in_force=False)]
    assert not rig.gate.holding_all


async def test_a_run_that_is_held_at_a_point_can_be_taken(rig: Rig) -> None:
    stepper = Stepper((), SystemClock())
    stepper.command("step_turn")
    holding = Holding(rig.gate, stepper)

    async def at_the_point() -> None:
        with rig.control.inside():
            await holding.at(Point("request"))

    held = asyncio.create_task(at_the_point())
    await until(lambda: bool(rig.inbox.waiting))
    rig.control.want()
    assert rig.steps == ["wanted", "taken"]
    (hold,) = rig.inbox.waiting
    rig.inbox.answer(hold.ask_id, Answer(verdict="allow", by="person", shown_digest=hold.digest))
    await turns(20)
    assert not held.done(), "going on waits for the browser to be handed back"
    rig.control.give_back()
    await held
    await rig.hands.aclose()


def test_a_run_taken_up_again_is_in_nobody_s_hands_and_has_no_gap() -> None:
    taken: list[Event] = [ControlChanged(step="taken"), RecordingChanged(recording=False, reason="private")]
    past = [Recorded(seq, 0, 0, event) for seq, event in enumerate(taken, start=1)]
    assert left_open(past) == [
        RecordingChanged(recording=True, reason=PROGRAM_ENDED),
        ControlChanged(step="returned", reason=PROGRAM_ENDED),
    ]
    over = [*past, *(Recorded(9, 0, 0, event) for event in left_open(past))]
    assert left_open(over) == left_open([]) == []
