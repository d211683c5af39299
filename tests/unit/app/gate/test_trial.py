"""Rules tried on saved asks, and rules proposed from answers: nothing is decided by either."""

from typing import Any

from app.core.ask import Ask
from app.core.decision import Decision
from app.core.events import AskRaised, DecisionMade, Event, Recorded
from app.core.plan import RulePlan
from app.gate.trial import proposed, try_rules
from tests.unit.app.gate.asks import ask, navigation

SITE = "https://shop.example"


def run(*answers: tuple[Ask, Any, Any]) -> list[Recorded]:
    """A run's record of these asks, each with a verdict and by whom."""
    events: list[Event] = []
    for asked, verdict, by in answers:
        events.append(AskRaised(ask=asked))
        if verdict is not None:
            made = Decision(ask_id=asked.ask_id, verdict=verdict, by=by, digest=asked.digest)
            events.append(DecisionMade(decision=made))
    return [Recorded(seq, 0, 0, event) for seq, event in enumerate(events, start=1)]


def test_each_ask_gets_the_word_of_the_first_rule_that_fits() -> None:
    rules = [
        RulePlan(verdict="deny", members=("type",)),
        RulePlan(verdict="allow", kinds=("browser_action",), origins=(SITE,)),
    ]
    saved = run(
        (ask(1, page_origin=SITE), "allow", "person"),
        (ask(2, page_origin=SITE), "deny", "person"),
        (ask(3, member="type", page_origin=SITE), "allow", "person"),
        (ask(4, page_origin="https://other.example"), "deny", "person"),
        (navigation("file:///etc/passwd").model_copy(update={"ask_id": "a0005"}), "deny", "rule"),
        (ask(6, page_origin=SITE), None, None),
    )
    trial = try_rules(rules, [("one", saved)])
    assert trial.counts() == {"allow": 3, "hold": 1, "deny": 2}
    assert [(one.verdict, one.rule) for one in trial.tried] == [
        ("allow", "file 2"),
        ("allow", "file 2"),
        ("deny", "file 1"),
        ("hold", ""),
        ("deny", "console"),
        ("allow", "file 2"),
    ]
    assert [one.ask.ask_id for one in trial.hits("file 2")] == ["a0001", "a0002", "a0006"]
    assert [one.ask.ask_id for one in trial.loosened] == ["a0002"], "what somebody had said no to"


def test_without_rules_everything_is_asked() -> None:
    assert try_rules([], [("one", run((ask(1), "allow", "person")))]).counts() == {"allow": 0, "hold": 1, "deny": 0}


def test_rules_are_proposed_from_equal_answers_of_a_person_only() -> None:
    def on(number: int, **more: Any) -> Ask:
        return ask(number, page_origin=SITE, **more)

    saved = run(
        *((on(number), "allow", "person") for number in (1, 2, 3)),
        *((on(number, member="hover"), "allow", "person") for number in (4, 5)),
        *((on(number, member="type"), "deny" if number == 8 else "allow", "person") for number in (6, 7, 8)),
        *((on(number, member="scroll"), "allow", "scripted") for number in (9, 10, 11)),
        *((ask(number, member="key"), "allow", "person") for number in (12, 13, 14)),
    )
    (rule,) = proposed([("one", saved)])
    assert (rule.verdict, rule.members, rule.origins) == ("allow", ("click",), (SITE,))
    assert rule.kinds == ("browser_action",)
