"""What is allowed for the run: matched exactly, counted, timed, undone at once, and on record as by rule."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.clock import SystemClock
from app.core.ask import Ask, AskKind
from app.core.asking_plan import AskingPlan
from app.core.decision import Answer
from app.core.events import AskRaised
from app.core.evidence import Evidence, Page, Target
from app.core.plan import RulePlan
from app.core.value import call_digest
from app.gate.gate import Gate
from app.gate.rules import RuleBook
from app.gate.standing import NANOS_PER_MINUTE, StandingRules, scope_of
from app.ledger.store import RunLedger
from tests.unit.app.gate.asks import ask, navigation

SHOP = "https://shop.example"


class Clock(SystemClock):
    """Minutes that pass when told to."""

    minutes = 0

    def mono_ns(self) -> int:
        return super().mono_ns() + self.minutes * NANOS_PER_MINUTE


class Person:
    """Answers as told, and counts."""

    def __init__(self) -> None:
        self.says: Callable[[Ask], dict[str, Any]] = lambda asked: {"verdict": "allow"}
        self.asked: list[Ask] = []

    async def hold(self, asked: Ask) -> Answer:
        self.asked.append(asked)
        return Answer.model_validate({"by": "person", "shown_digest": asked.digest, **self.says(asked)})

    def close(self, reason: str) -> None: ...


class Rig:
    """A gate with standing rules."""

    def __init__(
        self, ledger: RunLedger, *plans: RulePlan, asking: AskingPlan | None = None, person: Person | None = None
    ) -> None:
        self.ledger, self.person, self.clock = ledger, person or Person(), Clock()
        self.standing = StandingRules(self.clock)
        rules = RuleBook.of_plan(plans, standing=self.standing)
        self.gate = Gate(
            ledger,
            self.person,
            rules,
            self.clock,
            on_stop=lambda answer: None,
            asking=asking,
            standing=self.standing,
        )

    @property
    def raised(self) -> list[Ask]:
        return [one.event.ask for one in self.ledger.events() if isinstance(one.event, AskRaised)]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[RunLedger]:
    with RunLedger.create(tmp_path / "run.signalbox", SystemClock()) as opened:
        yield opened


def click(number: int, *, label: str = "Save", origin: str = SHOP, ref: str = "e1", **changes: Any) -> Ask:
    """A click on a button of that page, the same one unless `ref` says another."""
    said = {name: changes.pop(name, "") for name in ("leads_to", "row")}
    target = Target(ref=ref, role="button", label=label, frame_origin=origin, box=None, covered_by=None, **said)
    page = Page(tab_id="1", url=f"{origin}/", origin=origin, title="")
    evidence = Evidence(page=page, target=target, aim="element", aimed=True)
    made = ask(number, arguments={"target": ref, "tab_id": None})
    return made.model_copy(update={"evidence": evidence, **changes})


def for_run(asked: Ask) -> dict[str, Any]:
    return {"verdict": "allow", "for_run": True}


async def test_it_answers_the_same_again_and_nothing_else(ledger: RunLedger) -> None:
    rig = Rig(ledger)
    rig.person.says = for_run
    first = await rig.gate.decide(click(1))
    assert first.for_run is not None
    rig.person.says = lambda asked: {"verdict": "deny"}
    again = await rig.gate.decide(click(2))
    assert (again.verdict, again.by, again.rule) == ("allow", "rule", "run 1")
    assert "allowed for this run with ask a0001" in again.reason
    for number, other in enumerate(
        [
            click(3, label="Pay"),
            click(4, origin="https://evil.example"),
            click(5, member="hover"),
            click(6, irreversible=True),
            ask(7, member="type", arguments={"target": "e7", "text": "x"}),
        ],
        start=3,
    ):
        decision = await rig.gate.decide(other)
        assert (decision.ask_id, decision.by) == (f"a{number:04d}", "person")


async def test_of_two_buttons_of_one_name_only_the_one_on_the_card_is_allowed(ledger: RunLedger) -> None:
    """Each row has its own *Delete*; and a link that was turned elsewhere is not the one that was allowed."""
    rig = Rig(ledger)
    rig.person.says = for_run
    first = await rig.gate.decide(click(1, label="Delete", ref="e7", leads_to=f"{SHOP}/7"))
    assert first.for_run is not None
    assert (first.for_run.element, first.for_run.leads) == ("e7", f"{SHOP}/7")
    rig.person.says = lambda asked: {"verdict": "allow"}
    same = await rig.gate.decide(click(2, label="Delete", ref="e7", leads_to=f"{SHOP}/7?page=2"))
    other = await rig.gate.decide(click(3, label="Delete", ref="e8", leads_to=f"{SHOP}/7"))
    turned = await rig.gate.decide(click(4, label="Delete", ref="e7", leads_to="https://evil.example/7"))
    assert [one.by for one in (same, other, turned)] == ["rule", "person", "person"]
    rig.person.says = lambda asked: {"verdict": "deny"}
    await rig.gate.decide(click(5, label="Delete", ref="e8"))
    assert rig.standing.in_force == [], "a no to the like of it ends it, too"


async def test_an_element_that_a_list_uses_again_for_another_row_is_asked_anew(ledger: RunLedger) -> None:
    rig = Rig(ledger)
    rig.person.says = for_run
    await rig.gate.decide(click(1, label="Delete", row="Draft of May Delete"))
    rig.person.says = lambda asked: {"verdict": "allow"}
    same = await rig.gate.decide(click(2, label="Delete", row="Draft of May Delete"))
    recycled = await rig.gate.decide(click(3, label="Delete", row="Contract Delete"))
    assert [one.by for one in (same, recycled)] == ["rule", "person"]


async def test_it_is_counted_and_timed(ledger: RunLedger) -> None:
    rig = Rig(ledger)
    rig.person.says = for_run
    await rig.gate.decide(click(1))
    rig.person.says = lambda asked: {"verdict": "allow"}
    by = [(await rig.gate.decide(click(number))).by for number in range(2, 13)]
    assert by == ["rule"] * 10 + ["person"]
    rig.person.says = for_run
    await rig.gate.decide(click(20))
    rig.clock.minutes = 16
    assert (await rig.gate.decide(click(21))).by == "person"
    assert len(rig.standing.in_force) == 1, "the newest press counts anew"


async def test_it_ends_with_the_page_the_run_and_never_reaches_another_site(ledger: RunLedger) -> None:
    def on(number: int, document: str, origin: str = SHOP) -> Ask:
        made = click(number, origin=origin)
        assert made.evidence.page is not None
        page = made.evidence.page.model_copy(update={"document": document})
        return made.model_copy(update={"evidence": made.evidence.model_copy(update={"page": page})})

    rig = Rig(ledger)
    rig.person.says = for_run
    await rig.gate.decide(on(1, "d1"))
    rig.person.says = lambda asked: {"verdict": "allow"}
    assert (await rig.gate.decide(on(2, "d1"))).by == "rule"
    assert (await rig.gate.decide(on(3, "d2"))).by == "person"
    assert (await rig.gate.decide(on(4, "d1"))).by == "person", "left once, it has ended"
    rig.person.says = for_run
    await rig.gate.decide(on(5, "d1"))
    rig.person.says = lambda asked: {"verdict": "allow"}
    assert (await rig.gate.decide(on(6, "d1", "https://b.example"))).by == "person"
    assert StandingRules(rig.clock).answer(on(7, "d1")) is None, "another run knows nothing of it"


async def test_undo_counts_at_once_and_a_fresh_no_wins(ledger: RunLedger) -> None:
    rig = Rig(ledger)
    rig.person.says = for_run
    await rig.gate.decide(click(1))
    (rule,) = rig.standing.in_force
    assert rig.standing.undo(rule.number)
    assert not rig.standing.undo(rule.number)
    rig.person.says = lambda asked: {"verdict": "deny"}
    assert (await rig.gate.decide(click(2))).by == "person"
    rig.person.says = for_run
    await rig.gate.decide(click(3))
    rig.standing.take_back(click(4))
    rig.person.says = lambda asked: {"verdict": "deny"}
    assert (await rig.gate.decide(click(5))).by == "person"


def test_numbers_go_on_after_those_of_an_earlier_process() -> None:
    """The window names a rule by its number in the whole run; another one would take back the wrong rule or none."""
    standing = StandingRules(SystemClock(), made_before=2)
    asked = click(1)
    standing.add(asked.model_copy(update={"scope": scope_of(asked)}))
    assert [rule.number for rule in standing.in_force] == [3]
    assert not standing.undo(1)
    assert standing.undo(3)


@pytest.mark.parametrize(
    "kind",
    [
        *("navigation", "computer_action", "safety_checks", "mcp_approval", "code", "script", "file_grant", "step"),
        *("patch", "shell", "tool_search"),
    ],
)
def test_it_is_not_offered_where_it_cannot_be_said_exactly(kind: AskKind) -> None:
    assert scope_of(click(1, kind=kind)) is None


def test_it_is_not_offered_for_what_has_no_name_or_is_covered() -> None:
    assert scope_of(click(1, label=" ")) is None
    covered = click(1)
    target = covered.evidence.target
    assert target is not None
    under = covered.evidence.model_copy(update={"target": target.model_copy(update={"covered_by": "a banner"})})
    assert scope_of(covered.model_copy(update={"evidence": under})) is None


async def test_a_hold_of_the_run_file_is_asked_each_time_and_may_be_irreversible(ledger: RunLedger) -> None:
    rig = Rig(ledger, RulePlan(verdict="hold", members=("click",), irreversible=True))
    rig.person.says = for_run
    for number in (1, 2):
        decision = await rig.gate.decide(click(number))
        assert (decision.by, decision.for_run) == ("person", None)
    assert [(one.irreversible, one.scope) for one in rig.raised] == [(True, None)] * 2
    with pytest.raises(ValueError, match="irreversible"):
        RulePlan(verdict="allow", irreversible=True)


async def test_what_was_not_offered_cannot_be_taken(ledger: RunLedger) -> None:
    rig = Rig(ledger)
    rig.person.says = for_run
    decision = await rig.gate.decide(ask(1, kind="mcp_approval"))
    assert (decision.verdict, decision.for_run) == ("allow", None)
    assert rig.standing.in_force == []


URL = "https://shop.example/help"


async def test_one_press_answers_both_questions_of_one_call(ledger: RunLedger) -> None:
    rig = Rig(ledger)
    opening = navigation(URL).model_copy(update={"joined": ("browser_action",)})
    first = await rig.gate.decide(opening)
    second = await rig.gate.decide(
        opening.model_copy(update={"ask_id": "a0002", "kind": "browser_action", "url": None})
    )
    assert [one.joined for one in rig.person.asked] == [("browser_action",)]
    assert [(one.ask_id, one.verdict, one.by, one.digest) for one in (first, second)] == [
        ("a0001", "allow", "person", opening.digest),
        ("a0002", "allow", "person", opening.digest),
    ]
    assert second.reason == "answered together with ask a0001"
    third = await rig.gate.decide(opening.model_copy(update={"ask_id": "a0003", "kind": "browser_action", "url": None}))
    assert (len(rig.person.asked), third.reason) == (2, "")


async def test_the_other_question_is_asked_where_it_is_about_something_else(ledger: RunLedger) -> None:
    rig = Rig(ledger)
    opening = navigation(URL).model_copy(update={"joined": ("browser_action",)})
    await rig.gate.decide(opening)
    other = {"url": "https://evil.example/", "tab_id": None}
    changed = {"ask_id": "a0002", "kind": "browser_action", "arguments": other, "url": None}
    await rig.gate.decide(opening.model_copy(update={**changed, "digest": call_digest("navigate", other)}))
    assert len(rig.person.asked) == 2


@pytest.mark.parametrize(
    ("plan", "asking"),
    [
        (None, AskingPlan(together=False)),
        (RulePlan(verdict="deny", kinds=("browser_action",)), None),
        (RulePlan(verdict="allow", kinds=("browser_action",)), None),
    ],
)
async def test_they_are_asked_apart_where_set_or_where_a_rule_answers_one(
    ledger: RunLedger, plan: RulePlan | None, asking: AskingPlan | None
) -> None:
    rig = Rig(ledger, *([plan] if plan else []), asking=asking)
    opening = navigation(URL).model_copy(update={"joined": ("browser_action",)})
    await rig.gate.decide(opening)
    assert [one.joined for one in rig.person.asked] == [()]
    second = await rig.gate.decide(
        opening.model_copy(update={"ask_id": "a0002", "kind": "browser_action", "url": None})
    )
    expected = ("person", "allow") if plan is None else ("rule", plan.verdict)
    assert (second.by, second.verdict) == expected


async def test_an_unanswered_question_is_denied_only_where_that_is_set(ledger: RunLedger) -> None:
    class Nobody(Person):
        async def hold(self, asked: Ask) -> Answer:
            await asyncio.Event().wait()
            raise AssertionError

    rig = Rig(ledger, asking=AskingPlan.model_construct(together=True, expire_secs=0.01), person=Nobody())
    decision = await rig.gate.decide(click(1))
    assert (decision.verdict, decision.by) == ("deny", "console")
    assert decision.reason == "nobody answered within 0.01 seconds"
    assert rig.raised[0].expires_secs == 0.01
    assert AskingPlan().expire_secs is None


async def test_an_own_value_is_taken_only_where_it_was_offered(ledger: RunLedger) -> None:
    rig = Rig(ledger)
    rig.person.says = lambda asked: {"verdict": "deny", "value": "open all day"}
    call = ask(1, kind="function_call", source="functions", member="opening_hours", arguments={})
    offered = await rig.gate.decide(call.model_copy(update={"own_value": True}))
    refused = await rig.gate.decide(call.model_copy(update={"ask_id": "a0002"}))
    assert (offered.allowed, offered.value) == (False, "open all day")
    assert (refused.allowed, refused.value) == (False, None)


async def test_while_everything_is_held_no_rule_allows_or_counts_and_denials_stand(ledger: RunLedger) -> None:
    rig = Rig(
        ledger,
        RulePlan(verdict="allow", members=("hover",)),
        RulePlan(verdict="deny", members=("key",)),
    )
    rig.person.says = for_run
    await rig.gate.decide(click(1))
    rig.person.says = lambda asked: {"verdict": "deny"}
    rig.gate.holding_all = True
    decided = [
        await rig.gate.decide(click(2).model_copy(update={"member": "hover"})),
        await rig.gate.decide(ask(3, member="key", arguments={"keys": ["Enter"]})),
        await rig.gate.decide(navigation("file:///etc/passwd").model_copy(update={"ask_id": "a0004"})),
    ]
    assert [decision.by for decision in decided] == ["person", "rule", "rule"]
    assert rig.raised[1].everything_held
    assert rig.raised[1].scope is None
    assert [rule.uses_left for rule in rig.standing.in_force] == [10], "nothing was counted"
    rig.gate.holding_all = False
    assert (await rig.gate.decide(click(5))).rule == "run 1"
