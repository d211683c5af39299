"""An exception on record: its own words, its causes in order, and no key."""

from itertools import pairwise

import pytest

from app.core.causes import KEY_LEFT_OUT, MOST_CAUSES, causes_of, failure_seen, without_keys


def raised(*chain: BaseException) -> BaseException:
    """The last of `chain`, each raised from the one before it."""
    for inner, outer in pairwise(chain):
        outer.__cause__ = inner
    return chain[-1]


def test_causes_come_nearest_first() -> None:
    error = raised(OSError("the cable"), ConnectionError("the line"), RuntimeError("the call"))
    seen = failure_seen("browser.click", error, "c1")
    assert (seen.where, seen.error, seen.detail, seen.call_id) == ("browser.click", "RuntimeError", "the call", "c1")
    assert seen.causes == ("ConnectionError: the line", "OSError: the cable")


def test_what_was_being_handled_counts_unless_it_was_set_aside() -> None:
    error = ValueError("not there")
    error.__context__ = KeyError("ref")
    assert causes_of(error) == ("KeyError: 'ref'",)
    aside = ValueError("x")
    aside.__context__, aside.__suppress_context__ = KeyError("y"), True
    assert causes_of(aside) == ()


def test_a_chain_that_bites_its_tail_or_never_ends_is_cut() -> None:
    one, two = ValueError("1"), ValueError("2")
    one.__cause__, two.__cause__ = two, one
    assert causes_of(one) == ("ValueError: 2",)
    assert len(causes_of(raised(*(ValueError(str(n)) for n in range(40))))) == MOST_CAUSES


@pytest.mark.parametrize(
    "said",
    [
        "Incorrect API key provided: sk-proj-abcDEF123456.",
        "Incorrect API key provided: sk-abcd**********wxyz.",
        "header Authorization: Bearer abc.def-123/45==",
        "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln was refused",
    ],
)
def test_keys_in_error_messages_are_left_out(said: str) -> None:
    kept = without_keys(said)
    assert KEY_LEFT_OUT in kept
    assert not any(part in kept for part in ("abc", "eyJ", "wxyz"))


def test_plain_words_stay_as_they_are() -> None:
    said = "net::ERR_CONNECTION_REFUSED at https://shop.example.com/sk-eto (task risk-free)"
    assert without_keys(said) == said
