"""Addresses as a browser reads them: the shipped cases, and addresses of any kind."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.plan import RulePlan
from app.gate.rules import RuleBook
from app.gate.url_policy import origin_of, read_address
from tests.unit.app.gate.asks import navigation

CASES = json.loads((Path(__file__).parents[3] / "helpers/cases/url_policy.json").read_text(encoding="ascii"))
POLICY = CASES["policy"]

PRIVATE_REASONS = {"address_not_public", "internal_name"}
"""Reasons of the shipped cases that a run file decides about: their policy opens no private network."""

RULES = RuleBook.of_plan(
    [RulePlan(verdict="allow", kinds=("navigation",), origins=tuple(POLICY["allow_origins"]), text="on the list")],
    allow_private=False,
)
VERDICTS = {"allow": "allow", "ask": "hold", "warn": "hold", "deny": "deny"}


def url_of(case: dict[str, Any]) -> str:
    """The address of a case; long ones are written as a repetition."""
    given = case["url"]
    return str(given if isinstance(given, str) else given["repeat"] * given["times"])


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["id"])
def test_an_address_is_judged_as_the_policy_says(case: dict[str, Any]) -> None:
    url = url_of(case)
    if url == "about:blank":
        # On nobody's list and harmless: not refused, and asked unless a rule of the run file allows it.
        assert read_address(url).refused is None
        return
    assert RULES.answer(navigation(url)).verdict == VERDICTS[case["expect"]]


@pytest.mark.parametrize("case", [case for case in CASES["cases"] if set(case["reasons"]) & PRIVATE_REASONS])
def test_where_private_networks_are_open_their_addresses_are_marked_and_asked(case: dict[str, Any]) -> None:
    address = read_address(url_of(case))
    assert address.private or address.refused is not None
    assert RuleBook.of_plan([]).answer(navigation(url_of(case))).verdict != "allow"


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["id"])
def test_the_address_shown_is_the_one_that_a_browser_opens(case: dict[str, Any]) -> None:
    address, expected = read_address(url_of(case)), case["whatwg"]
    if address.refused is not None or expected is None:
        return
    assert (address.href, address.hostname) == (expected["href"], expected["hostname"])
    if address.origin:
        assert address.origin == expected["origin"] == origin_of(url_of(case))


@pytest.mark.parametrize("case", [case for case in CASES["cases"] if case["expect"] == "deny"], ids=lambda c: c["id"])
def test_no_rule_of_a_run_file_opens_what_is_never_opened(case: dict[str, Any]) -> None:
    everything = RuleBook.of_plan([RulePlan(verdict="allow")], allow_private=False)
    assert everything.answer(navigation(url_of(case))).verdict == "deny"


def test_an_odd_address_may_be_denied_in_advance() -> None:
    book = RuleBook.of_plan([RulePlan(verdict="deny", text="no"), RulePlan(verdict="allow")])
    assert book.answer(navigation("https://shop.example.com./")).verdict == "deny"


@given(st.text(max_size=40) | st.text("htps:/\\@.#?[]%x\u200b\u3002\t 1a", max_size=25).map("http".__add__))
def test_no_text_at_all_breaks_the_reading_and_nothing_but_web_pages_is_let_through(raw: str) -> None:
    address = read_address(raw)
    assert address.raw == raw
    if address.refused is None and raw != "about:blank":
        assert address.href.startswith(("http://", "https://"))
        assert address.origin == origin_of(raw) != ""
        assert "@" not in address.origin
