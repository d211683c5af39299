"""Whatever a model calls: the painted words hold exactly what the driver then gets, and so does the recorded digest."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openai.lib.browser import BROWSER_MEMBERS
from openai.types.responses import ResponseFunctionToolCall
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.clock import SystemClock
from app.core.events import ActionStarted, AskRaised, DecisionMade
from app.core.live import LatestFrame
from app.core.untrusted import unshown
from app.core.value import call_digest
from app.gate.gate import Gate
from app.gate.rules import RuleBook
from app.gate.stepping import Stepper
from app.ledger.store import RunLedger
from app.runner.asking import Asking
from app.runner.browser import BrowserCalls, ConsoleBrowser
from app.runner.effects import Effects
from app.runner.holding import Holding
from app.runner.outputs import OutputRecorder, picture_blob
from app.runner.screen import Screen
from app.views.decision.ask_body import Tick
from app.views.decision.card import Card
from tests.unit.app.rehearsal.form_driver import PIXEL
from tests.unit.app.runner.harness import SeenDriver
from tests.views.decision.office import Office

LEFT = Qt.MouseButton.LeftButton
ROUNDS = 3
LETTERS = 'abcXYZ 019"\\/<&;{}[]é日\u202e\u200b\t\n…'
MEMBERS = [member for member in BROWSER_MEMBERS if member != "list_tabs"]


class EveryMember(SeenDriver):
    """Keeps what each of its members was really given, and does nothing."""

    def __init__(self) -> None:
        super().__init__("http://site.example/")
        self.got: list[tuple[str, Any]] = []
        for member in MEMBERS:
            setattr(self, member, self._member(member))

    def _member(self, member: str) -> Any:
        async def do(action: Any) -> str:
            self.got.append((member, json.loads(json.dumps(action))))
            return "done"

        return do


class FirstTurn:
    """Where the run stands."""

    requests = 1


class Desk:
    """The SDK's toolset over a person's office, all on the office's own loop."""

    def __init__(self, office: Office, folder: Path) -> None:
        self.office = office
        clock = SystemClock()
        self.ledger = RunLedger.create(folder / "run.signalbox", clock)
        self.driver = EveryMember()
        pixel = picture_blob(PIXEL)
        assert pixel is not None
        office.blobs.by_digest[pixel.digest] = pixel.data
        gate = Gate(self.ledger, office.inbox, RuleBook([]), clock, on_stop=lambda answer: None)
        screen = Screen(self.driver, LatestFrame(), clock, always_fresh=True)
        effects = Effects(self.ledger, gate, clock)
        outputs = OutputRecorder(self.ledger, self.driver, (1280, 800))
        holding = Holding(gate, Stepper((), clock))
        calls = BrowserCalls(Asking(gate, FirstTurn()), effects, screen, outputs, holding)
        guarded = [
            member for member in ("read_page", "get_page_text", "find", "screenshot", "zoom", "read_page_scoped")
        ]
        self._parts = (calls, effects, outputs, MEMBERS, guarded)
        self.schemas = {
            str(tool["name"]).removeprefix("browser_"): tool["parameters"]
            for tool in map(dict[str, Any], self._toolset().tools)
        }

    def _toolset(self) -> ConsoleBrowser:
        """A fresh one for each call: after one that was not done the rest of an answer is skipped."""
        return ConsoleBrowser(self.driver, *self._parts)

    def call(self, member: str, arguments: dict[str, Any], number: int) -> list[str]:
        """Make the call and allow whatever it asks; the painted words of each card."""
        call = ResponseFunctionToolCall(
            type="function_call",
            name=f"browser_{member}",
            call_id=f"call_{number}",
            arguments=json.dumps(arguments),
            status="completed",
        )
        task = self.office.loop.create_task(self._toolset()._execute(call))
        said: list[str] = []
        answered: set[str] = set()
        while not task.done():
            self.office.turn()
            card = self.office.presenter.card
            if card is not None and card.isVisible() and card.is_held and card.ask.ask_id not in answered:
                answered.add(card.ask.ask_id)  # it stands for a moment longer
                said.append(self._allow(card))
        # What this driver gives back is no page: the SDK may not like it, but then the driver has had its call.
        assert task.exception() is None or self.driver.got
        return said

    def _allow(self, card: Card) -> str:
        self.office.card(card.ask.ask_id)
        self.office._qtbot.waitUntil(lambda: card.body.crop is None or card.body.crop.was_painted, timeout=60_000)
        for tick in card.findChildren(Tick):
            QTest.mouseClick(tick, LEFT)
        for value in card.body.big_values:
            value.turn_to_end()
        self.office._qtbot.waitUntil(card.allow_button.isEnabled, timeout=60_000)
        words = card.body.shown_text()
        QTest.mouseClick(card.allow_button, LEFT)
        QApplication.processEvents()
        return words


@pytest.fixture
def exact(office: Office, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(office, tmp_path)
    yield made
    office.loop.run_until_complete(made.driver.aclose())
    made.ledger.close()


def any_value(schema: dict[str, Any], dice: random.Random, name: str) -> Any:
    """A random value that the schema allows."""
    if "enum" in schema:
        return dice.choice(schema["enum"])
    kind = schema["type"]
    if isinstance(kind, list):
        kind = dice.choice(kind) if name != "tab_id" else "null"
    if name in ("target", "root") and kind == "string":
        return f"e{dice.randrange(1, 99)}"
    if name == "url" and kind == "string":
        return f"http://site.example/{dice.randrange(10**9)}?q=%2F&r={dice.randrange(99)}"
    if kind == "string":
        return "".join(dice.choice(LETTERS) for _ in range(dice.randrange(1, 40))).strip() or "x"
    if kind == "integer":
        return dice.randint(schema["minimum"], min(schema["maximum"], 2000))
    if kind == "boolean":
        return dice.random() < 0.5
    if kind == "null":
        return None
    if kind == "array":
        return _any_list(schema, dice)
    return {key: any_value(one, dice, key) for key, one in schema["properties"].items()}


def _any_list(schema: dict[str, Any], dice: random.Random) -> list[Any]:
    least, most = schema.get("minItems", 1), min(schema.get("maxItems", 4), 4)
    made: list[Any] = []
    while len(made) < dice.randint(max(1, least), most):
        item = any_value(schema["items"], dice, "")
        if item not in made or schema["items"]["type"] == "integer":
            made.append(item)
    return sorted(made) if schema["items"].get("type") == "integer" and least == 4 else made


def leaves(value: Any) -> Iterator[Any]:
    """Every text, number and literal in it, and every key."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)
    else:
        yield value


@pytest.mark.parametrize("member", MEMBERS)
def test_the_painted_words_are_what_the_driver_gets(exact: Desk, member: str) -> None:
    dice, reached = random.Random(f"exact {member}"), 0
    for number in range(ROUNDS):
        arguments = any_value(exact.schemas[member], dice, "")
        exact.driver.got.clear()
        said = exact.call(member, arguments, number)
        events = [one.event for one in exact.ledger.events()]
        started = [one for one in events if isinstance(one, ActionStarted) and one.call_id == f"call_{number}"]
        if not exact.driver.got:
            assert started == [], "what the SDK or the driver does not take is not started"
            continue
        reached += 1
        ((got_member, got),) = exact.driver.got
        assert (got_member, got) == (member, arguments)
        digest = call_digest(member, got)
        asks = {one.ask.ask_id: one.ask for one in events if isinstance(one, AskRaised)}
        mine = [one.decision for one in events if isinstance(one, DecisionMade)]
        mine = [one for one in mine if asks[one.ask_id].call_id == f"call_{number}"]
        assert [one.digest for one in started] == [digest]
        if member != "wait_for":
            assert {one.digest for one in mine} == {digest}
            assert said
        for words in said:
            painted = unshown(words)
            for leaf in leaves(got):
                written = leaf if isinstance(leaf, str) else json.dumps(leaf)
                assert written.replace("\n", "") in painted.replace("\n", ""), (member, leaf)
    assert reached > 0
