"""Addresses with stars and braces, as the expressions that the page compares with."""

import re

import pytest

from drivers.code.addresses import expression_of


@pytest.mark.parametrize(
    ("address", "fits", "not_"),
    [
        ("https://a.example/", ["https://a.example/"], ["https://aXexample/", "https://a.example/b"]),
        ("https://a.example", ["https://a.example/"], ["https://a.example.org/"]),
        ("**/login?next=1", ["https://a.example/login?next=1"], ["https://a.example/logi"]),
        ("https://a.example/*", ["https://a.example/b"], ["https://a.example/b/c"]),
        ("https://a.example/**/c", ["https://a.example/c", "https://a.example/b/d/c"], ["https://a.example/bc"]),
        ("https://{a,b}.example/**", ["https://a.example/x/y", "https://b.example/"], ["https://c.example/"]),
        ("https://a.example/b,c*", ["https://a.example/b,cd"], ["https://a.example/b"]),
    ],
)
def test_an_address_fits_what_playwright_lets_it_fit(address: str, fits: list[str], not_: list[str]) -> None:
    expression = re.compile(expression_of(address))
    assert [one for one in (*fits, *not_) if expression.search(one)] == fits
