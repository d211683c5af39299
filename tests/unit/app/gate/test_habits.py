"""After many of the like, what differs is marked and needs a gesture of its own; so is a site that nobody allowed."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.clock import SystemClock
from app.core.ask import Ask
from app.core.events import AskRaised
from app.core.evidence import Evidence, Page
from app.core.plan import RulePlan
from app.gate.gate import Gate
from app.gate.rules import RuleBook
from app.gate.sites import Sites
from app.ledger.store import RunLedger
from tests.unit.app.gate.asks import ask, navigation
from tests.unit.app.gate.test_standing import SHOP, Person, click


class Desk:
    """A gate with a person at it, on a site that the run file opens."""

    def __init__(self, folder: Path, *plans: RulePlan) -> None:
        self.ledger = RunLedger.create(folder / "run.signalbox", SystemClock())
        self.person = Person()
        self.gate = Gate(
            self.ledger,
            self.person,
            RuleBook.of_plan(plans),
            SystemClock(),
            on_stop=lambda answer: None,
            sites=Sites([SHOP]),
        )

    async def raised(self, asked: Ask) -> Ask:
        """The ask as it went on record."""
        await self.gate.decide(asked)
        return [one.event.ask for one in self.ledger.events() if isinstance(one.event, AskRaised)][-1]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.ledger.close()


def on(asked: Ask, origin: str) -> Ask:
    page = Page(tab_id="1", url=f"{origin}/", origin=origin, title="")
    return asked.model_copy(update={"evidence": Evidence(page=page)})


async def test_two_hundred_alike_then_one_with_another_target(desk: Desk) -> None:
    for number in range(1, 201):
        asked = await desk.raised(click(number))
        assert asked.habit is None or asked.habit.differs == ()
    other = await desk.raised(click(201, label="Pay 900"))
    assert other.habit is not None
    assert [(one.what, one.before, one.now) for one in other.habit.differs] == [("element", "Save", "Pay 900")]
    assert (other.habit.alike, other.habit.must_tick) == (200, True)
    assert other.habit.answered_in_last_minute >= 100, "the pace is said"
    again = await desk.raised(click(202, label="Pay 900"))
    assert again.habit is not None
    assert again.habit.differs == (), "it has been looked at"


async def test_a_denial_and_other_kinds_of_question_start_anew(desk: Desk) -> None:
    for number in range(1, 8):
        await desk.raised(click(number))
    typed = await desk.raised(ask(8, member="type", arguments={"target": "e", "text": "x", "tab_id": None}))
    assert typed.habit is not None
    assert not typed.habit.differs
    desk.person.says = lambda asked: {"verdict": "deny"}
    denied = await desk.raised(click(9, label="Pay"))
    assert denied.habit is not None
    assert denied.habit.must_tick
    desk.person.says = lambda asked: {"verdict": "allow"}
    assert not (await desk.raised(click(10, label="Buy"))).habit.differs  # type: ignore[union-attr]


async def test_changed_arguments_and_sites_are_named(desk: Desk) -> None:
    for number in range(1, 7):
        await desk.raised(ask(number, kind="function_call", source="functions", member="pay", arguments={"sum": 5}))
    more = await desk.raised(ask(7, kind="function_call", source="functions", member="pay", arguments={"sum": 500}))
    assert more.habit is not None
    assert [(one.what, one.name, one.before, one.now) for one in more.habit.differs] == [
        ("argument", "sum", "5", "500")
    ]


async def test_a_site_that_a_redirect_led_to_is_marked_until_a_person_has_allowed_something_there(desk: Desk) -> None:
    assert not (await desk.raised(navigation(f"{SHOP}/go"))).unasked_site
    elsewhere = "https://evil.example"
    assert (await desk.raised(on(ask(2), elsewhere))).unasked_site
    assert not (await desk.raised(on(ask(3), elsewhere))).unasked_site
    await desk.raised(navigation("https://bank.example/"))
    assert not (await desk.raised(on(ask(5), "https://bank.example"))).unasked_site


async def test_a_page_that_gives_up_its_origin_is_still_of_its_site(desk: Desk) -> None:
    page = Page(tab_id="1", url="https://evil.example/sandboxed", origin="null", title="")
    assert (await desk.raised(ask(1).model_copy(update={"evidence": Evidence(page=page)}))).unasked_site
    blank = Page(tab_id="1", url="about:blank", origin="null", title="")
    assert not (await desk.raised(ask(2).model_copy(update={"evidence": Evidence(page=blank)}))).unasked_site


async def test_a_rule_without_a_site_does_not_allow_where_nobody_allowed_to_be(tmp_path: Path) -> None:
    desk = Desk(tmp_path, RulePlan(verdict="allow", kinds=("browser_action",)))
    desk.person.says = lambda asked: {"verdict": "deny"}
    assert (await desk.gate.decide(on(ask(1), SHOP))).by == "rule"
    assert (await desk.gate.decide(on(ask(2), "https://evil.example"))).by == "person"
    desk.gate.control.on_returned[-1]()
    assert (await desk.gate.decide(on(ask(3), "https://third.example"))).by == "rule", "a person brought it there"
    desk.ledger.close()
    await asyncio.sleep(0)


async def test_code_is_compared_with_what_was_allowed_last_of_the_same_function(desk: Desk) -> None:
    def piece(number: int, code: str, member: str = "exec_py") -> Ask:
        return ask(number, kind="code", source="code", member=member, arguments={"code": code})

    assert (await desk.raised(piece(1, "a\nb"))).code_change is None
    changed = (await desk.raised(piece(2, "a\nc"))).code_change
    assert changed is not None
    assert (changed.ask_id, changed.lines, changed.gone) == ("a0001", ((2, 2),), ("b",))
    desk.person.says = lambda asked: {"verdict": "deny"}
    await desk.raised(piece(3, "x"))
    after = (await desk.raised(piece(4, "a\nc\nd"))).code_change
    assert after is not None
    assert (after.ask_id, after.lines) == ("a0002", ((3, 3),)), "what was denied is nothing to compare with"
    assert (await desk.raised(piece(5, "a", "exec_js"))).code_change is None
