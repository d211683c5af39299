"""Rules answer in order, only what they name, and never more than their author wrote."""

from typing import Any

import pytest

from app.core.plan import RulePlan
from app.gate.rules import RuleBook
from tests.unit.app.gate.asks import ask, navigation


def says(plans: list[dict[str, Any]], asked: Any, **options: Any) -> str:
    return RuleBook.of_plan([RulePlan.model_validate(plan) for plan in plans], **options).answer(asked).verdict


CLICK = ask(arguments={"target": "e1", "tab_id": None})


def test_without_rules_everything_is_held() -> None:
    assert says([], CLICK) == "hold"


def test_the_first_rule_that_matches_answers() -> None:
    assert says([{"verdict": "deny", "members": ["type"]}, {"verdict": "allow"}, {"verdict": "deny"}], CLICK) == "allow"


@pytest.mark.parametrize(
    ("rule", "matches"),
    [
        ({"kinds": ["browser_action"]}, True),
        ({"kinds": ["computer_action"]}, False),
        ({"sources": ["browser"], "members": ["click"]}, True),
        ({"sources": ["computer"], "members": ["click"]}, False),
        ({"arguments": {"target": "e1"}}, True),
        ({"arguments": {"target": "e1", "tab_id": None}}, True),
        ({"arguments": {"target": "e2"}}, False),
        ({"arguments": {"frame": None}}, False),
        ({"origins": ["https://a.test"]}, False),
    ],
)
def test_everything_that_a_rule_names_must_match(rule: dict[str, Any], matches: bool) -> None:
    assert (says([{"verdict": "allow", **rule}], CLICK) == "allow") is matches


@pytest.mark.parametrize(
    ("wanted", "given", "matches"),
    [
        (1, 1, True),
        (1, True, False),
        (0, False, False),
        ([1], [True], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ("1", 1, False),
    ],
)
def test_an_argument_equals_only_its_own_kind(wanted: Any, given: Any, matches: bool) -> None:
    asked = ask(arguments={"value": given})
    assert (says([{"verdict": "allow", "arguments": {"value": wanted}}], asked) == "allow") is matches


@pytest.mark.parametrize(
    ("url", "verdict"),
    [
        ("https://shop.test/cart", "allow"),
        ("https://shop.test:443/", "allow"),
        ("https://SHOP.test/", "allow"),
        ("http://shop.test/", "hold"),
        ("https://shop.test:444/", "hold"),
        ("https://a.shop.test/", "hold"),
        ("https://shop.test.evil.test/", "hold"),
        ("https://evil.test/?https://shop.test", "hold"),
        ("https://shop.test@evil.test/", "deny"),
        ("javascript:alert(1)", "deny"),
    ],
)
def test_an_origin_is_exact(url: str, verdict: str) -> None:
    assert says([{"verdict": "allow", "kinds": ["navigation"], "origins": ["https://shop.test"]}], navigation(url)) == (
        verdict
    )


def test_the_origin_of_an_action_is_that_of_the_page_it_acts_on() -> None:
    rule = {"verdict": "allow", "origins": ["https://shop.test"]}
    assert says([rule], ask(page_origin="https://shop.test")) == "allow"
    assert says([rule], ask(page_origin="https://evil.test")) == "hold"


PICTURE = ask(kind="computer_action", source="computer", member="screenshot", arguments={"type": "screenshot"})


def test_the_picture_that_ends_a_computer_call_is_allowed_unless_somebody_wants_to_be_asked() -> None:
    assert says([], PICTURE) == "allow"
    assert says([], PICTURE, ask_screenshots=True) == "hold"
    assert says([{"verdict": "deny", "members": ["screenshot"]}], PICTURE) == "deny"
    assert says([{"verdict": "hold"}], PICTURE) == "hold"


def test_a_browser_member_of_the_same_name_is_not_the_computer_s() -> None:
    assert says([], ask(kind="protected_read", member="screenshot")) == "hold"


def test_a_rule_without_words_is_recorded_as_it_is_written() -> None:
    book = RuleBook.of_plan([RulePlan(verdict="deny", members=("click",))])
    assert book.answer(CLICK).text == '{"verdict":"deny","members":["click"]}'
