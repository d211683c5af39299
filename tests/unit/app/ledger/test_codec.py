"""Whatever a model or a page can put into a JSON value comes back exactly as it was."""

import base64
import hashlib
import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.core.errors import LedgerProblem
from app.core.events import CallAnswered, FailureSeen
from app.ledger.codec import LONG_TEXT_CHARS, Encoder, decode, digests_in, event_from, event_of, event_text

texts = st.text(st.characters(), max_size=30) | st.sampled_from(
    ["\ud800", "\ud83d\ude00", "a\ude00\ud83d", "\x00", "$text", "😀", "x" * (LONG_TEXT_CHARS + 1)]
)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=20
)


def back(value: Any) -> Any:
    stored: dict[str, bytes] = {}
    text = Encoder().text(value, lambda data, kind: stored.__setitem__(_digest(data), data))
    assert text.isascii()
    assert set(digests_in(text)) <= set(stored)
    return decode(text, stored.__getitem__)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@given(values)
@example({"$text": "not a digest"})
@example({"$pairs": [["a", 1]], "b": 2})
@example({"\ud83d\ude00": "\ud83d\ude00", "😀": 1})
@example(10**6000)
@example(-(10**6000))
@example(float("inf"))
@example("\ud83d\ude00" * 4000)
@example(-0.0)
def test_a_value_comes_back_the_same(value: Any) -> None:
    # repr tells 1 from 1.0 and True, -0.0 from 0.0, and a split surrogate pair from a letter.
    assert show(back(value)) == show(value)


def show(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{show(key)}:{show(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(show(item) for item in value) + "]"
    if isinstance(value, str):
        return ascii([ord(letter) for letter in value])
    return hex(value) if type(value) is int else repr(value)


@pytest.mark.parametrize(
    "body", ["AAAA" * 2000, "AAAA" * 2000 + "AA==", "AAAA" * 2000 + "AB==", "AAAA" * 2000 + "\n", "@" * 9000]
)
def test_a_picture_s_address_comes_back_letter_for_letter(body: str) -> None:
    url = "data:image/png;base64," + body
    assert back({"image_url": url}) == {"image_url": url}


def test_a_picture_is_kept_as_its_bytes() -> None:
    data = bytes(range(256)) * 40
    kept: list[tuple[bytes, str]] = []
    url = "data:image/webp;base64," + base64.b64encode(data).decode()
    Encoder().text([url, url], lambda stored, kind: kept.append((stored, kind)))
    assert kept == [(data, "image/webp")]


def test_the_same_string_is_hashed_once_until_forgotten() -> None:
    encoder, stored = Encoder(), []
    text = "y" * (LONG_TEXT_CHARS + 1)
    for _ in range(3):
        encoder.text(text, lambda data, kind: stored.append(data))
    encoder.forget()
    encoder.text(text, lambda data, kind: stored.append(data))
    assert len(stored) == 2


@pytest.mark.parametrize("value", [{1: 2}, b"bytes", object(), {"a": {2}}])
def test_what_is_not_json_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        Encoder().text(value, lambda data, kind: None)


@pytest.mark.parametrize(
    "text", ["", "{", '{"$text": 5}', '{"$nothing": 1}', '{"$pairs": 3}', '{"$int": "z"}', "[" * 100_000]
)
def test_a_broken_value_is_a_problem_in_words(text: str) -> None:
    with pytest.raises(LedgerProblem):
        decode(text, lambda digest: b"")


def test_an_event_comes_back_equal() -> None:
    stored: dict[str, bytes] = {}
    event = CallAnswered(call_id="\udc00", ok=True, output=[{"\ud800": "z" * 5000}, {"$text": 1.5}])
    text = event_text(event, Encoder(), lambda data, kind: stored.__setitem__(_digest(data), data))
    assert event_of(decode(text, stored.__getitem__)) == event


@given(values)
@example({"a": [-0.0, 1e300, 10**400, "\ud800"]})
@example("\x00\u2028")
def test_an_event_comes_back_the_same_whatever_it_holds(value: Any) -> None:
    stored: dict[str, bytes] = {}
    event = CallAnswered(call_id="c", ok=True, output=value)
    text = event_text(event, Encoder(), lambda data, kind: stored.__setitem__(_digest(data), data))
    found = event_from(text, stored.__getitem__)
    assert isinstance(found, CallAnswered)
    assert show(found.output) == show(value)


def test_a_deeply_nested_value_comes_back() -> None:
    value: Any = 1
    for _ in range(300):
        value = [value]
    text = event_text(CallAnswered(call_id="c", ok=True, output=value), Encoder(), lambda data, kind: None)
    found = event_from(text, lambda digest: b"")
    assert isinstance(found, CallAnswered)
    assert found.output == value


def test_a_body_that_is_no_event_is_a_problem_in_words() -> None:
    body = json.loads(event_text(FailureSeen(where="a", error="b", detail="c"), Encoder(), lambda data, kind: None))
    with pytest.raises(LedgerProblem):
        event_of({**body, "type": "invented"})
    with pytest.raises(LedgerProblem):
        event_of({**body, "extra": 1})
