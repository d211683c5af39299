"""A text of the list is found in every spelling, and nothing else of an event changes."""

import base64
import json
from collections.abc import Callable, Iterator
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.events import EVENT, AskRaised, DecisionMade
from app.core.redact import REDACTED, Redactor
from app.core.value import Json
from tests.helpers.journals import booking

SECRET = 'Zoë "Q" O\'Neil/7&<x>'
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z", "Cf", "M"]), min_size=3, max_size=12)


@pytest.mark.parametrize(
    "written",
    [
        SECRET,
        SECRET.upper(),
        SECRET.replace(" ", "\n  "),
        SECRET.replace("Q", "Q\u200b"),
        SECRET.replace("ë", "e\u0308"),
        json.dumps(SECRET)[1:-1],
        json.dumps(SECRET, ensure_ascii=False)[1:-1],
        json.dumps(json.dumps(SECRET)[1:-1])[1:-1],
        quote(SECRET),
        quote(SECRET, safe=""),
        quote_plus(SECRET),
        SECRET.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;"),
    ],
)
def test_every_spelling_is_found(written: str) -> None:
    assert Redactor([SECRET]).text(f"before {written} after") == f"before {REDACTED} after"


def strings_of(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for part in [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from strings_of(part)


@given(st.lists(WORDS, min_size=1, max_size=4), st.text(max_size=20))
def test_none_of_the_texts_is_left(texts: list[str], around: str) -> None:
    redactor = Redactor(texts)
    for text in texts:
        value = {f"{around}{text}": [f"{text}{around}", {"address": f"http://a.test/?q={quote(text)}"}]}
        for left in strings_of(redactor.value(value)):
            assert text not in left.replace(REDACTED, "\n")
            assert quote(text) not in left.replace(REDACTED, "\n")


def test_without_a_list_nothing_changes() -> None:
    recorded = booking().records[5]
    assert Redactor([" ", ""]).recorded(recorded) is recorded


def test_an_event_keeps_its_form_and_loses_what_could_be_found_out_by_trying() -> None:
    redactor = Redactor(["type", "click", "allow", "Party of two", "e41"])
    seen: set[str] = set()
    for recorded in booking().records:
        event = redactor.recorded(recorded).event
        # Every word of the format itself is still one that a reader knows.
        assert EVENT.validate_python(event.model_dump(mode="python")) == event
        assert event.type == recorded.event.type
        text = event.model_dump_json()
        assert "Party of two" not in text
        if isinstance(event, AskRaised):
            seen.add(event.type)
            assert event.ask.digest == ""
            assert event.ask.ask_id == recorded.event.ask.ask_id  # type: ignore[union-attr]
            assert event.ask.evidence.picture == recorded.event.ask.evidence.picture  # type: ignore[union-attr]
        if isinstance(event, DecisionMade):
            seen.add(event.type)
            assert (event.decision.digest, event.decision.verdict) == ("", "allow")
    assert seen == {"ask_raised", "decision_made"}


def test_what_only_the_service_can_read_goes_too_and_pictures_stay() -> None:
    picture = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAAAA"
    redactor = Redactor(["AAAA", "4711"])
    found = redactor.value({"encrypted_content": "opaque", "image_url": picture, "pin": 4711, "n": 5, "on": True})
    assert found == {"encrypted_content": REDACTED, "image_url": picture, "pin": REDACTED, "n": 5, "on": True}


@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
@pytest.mark.parametrize("after", ["", "1", "12", "123"])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_a_text_inside_base64_is_left_out(before: str, after: str, encode: Callable[[bytes], bytes]) -> None:
    redactor = Redactor(["Zürich>~?17"])
    for written in ("Zürich>~?17", "zürich>~?17", "ZÜRICH>~?17"):
        code = encode(f"{before}{written}{after}".encode()).decode()
        left = redactor.text(f'{{"file": "{code}"}}')
        assert REDACTED in left
        kept = left.removeprefix('{"file": "').partition(REDACTED)[0]
        # What is left of the code tells nothing of the text.
        assert len(kept) <= len(before) * 4 // 3 + 1


def test_a_short_text_is_no_reason_to_take_base64_apart() -> None:
    assert Redactor(["abc"]).text(base64.b64encode(b"abc").decode()) == "YWJj"
