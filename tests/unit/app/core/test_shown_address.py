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


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("https://example.com/", ("", "example.com", "")),
        ("https://shop.example.com.evil.test:8443/x", ("shop.example.com.", "evil.test", ":8443")),
        ("https://a.b.example.co.uk/", ("a.b.", "example.co.uk", "")),
        ("https://www.alice.github.io/", ("www.", "alice.github.io", "")),
        ("https://github.io/", ("", "github.io", "")),
        ("http://127.0.0.1:8000/", ("", "127.0.0.1:8000", "")),
        ("http://[::1]:8000/", ("", "[::1]:8000", "")),
        ("http://localhost:8000/", ("", "localhost", ":8000")),
        ("https://com.com.com/", ("com.", "com.com", "")),
        ("https://example.com./", ("", "example.com", ".")),
        ("https://www.bücher.example/", ("www.", "xn--bcher-kva.example", "")),
        ("https://shop.公司.cn/", ("", "shop.xn--55qx5d.cn", "")),
    ],
)
def test_the_registrable_domain_stands_apart(written: str, parts: tuple[str, str, str]) -> None:
    address = shown_address(written)
    assert address.host_parts == parts
    assert "".join(parts) == address.host


def test_a_host_that_many_share_is_said() -> None:
    words = "anybody can have a name under this host"
    assert words in shown_address("https://github.io/").warnings
    assert words in shown_address("https://co.uk/").warnings
    for own in ("https://alice.github.io/", "https://127.0.0.1/", "http://localhost/"):
        assert words not in shown_address(own).warnings


def test_what_is_odd_is_said() -> None:
    assert shown_address("https://еріс.com/").host == "xn--e1awd7f.com"
    assert any("Cyrillic" in words for words in shown_address("https://еріс.com/").warnings)
    assert any("user name" in words for words in shown_address("https://a@b.test/").warnings)
    assert shown_address("back").warnings == ("not an address that a browser can open",)
    assert shown_address("https://example.com").same_as_written
    assert not shown_address("https://EXAMPLE.com/").same_as_written
