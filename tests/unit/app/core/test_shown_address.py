"""Addresses: the host stands apart, nothing is left out, what is odd about it is said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.shown_address import shown_address


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("https://harbour-table.example/book?x=1#y", ("https://", "harbour-table.example", "/book?x=1#y")),
        ("HTTP://EXAMPLE.com:8080/a/../b", ("http://", "example.com:8080", "/b")),
        ("https://shop.example.com@evil.test/x", ("https://shop.example.com@", "evil.test", "/x")),
        ("https://evil.test\\@shop.example.com/", ("https://", "evil.test", "/@shop.example.com/")),
        ("https://a:b@evil.test/evil.test", ("https://a:b@", "evil.test", "/evil.test")),
        ("https://https/https", ("https://", "https", "/https")),
        ("javascript:alert(1)", ("javascript:", "", "alert(1)")),
        ("back", ("", "", "back")),
        ("x\ud800", ("", "", "x\ud800")),
    ],
)
def test_the_host_stands_apart(written: str, parts: tuple[str, str, str]) -> None:
    address = shown_address(written)
    assert (address.before_host, address.host, address.after_host) == parts


@given(
    st.text(st.characters(exclude_categories=()), max_size=60), st.sampled_from(["", "https://", "http://a@", "file:"])
)
def test_any_text_can_be_shown(text: str, start: str) -> None:
    address = shown_address(start + text)
    assert address.whole or not (start + text)
    if not address.is_address:
        assert address.whole == start + text


def test_what_is_odd_is_said() -> None:
    assert shown_address("https://еріс.com/").host == "xn--e1awd7f.com"
    assert any("Cyrillic" in words for words in shown_address("https://еріс.com/").warnings)
    assert any("user name" in words for words in shown_address("https://a@b.test/").warnings)
    assert shown_address("back").warnings == ("not an address that a browser can open",)
    assert shown_address("https://example.com").same_as_written
    assert not shown_address("https://EXAMPLE.com/").same_as_written
