"""Colours of code: the stretches are exactly the text, and what reaches out is marked wherever it stands."""

from hypothesis import given
from hypothesis import strategies as st

from app.core.code_words import toned


@given(st.text(max_size=200))
def test_the_stretches_are_exactly_the_text(text: str) -> None:
    assert "".join(part for part, _ in toned(text)) == text


def test_what_reaches_out_is_marked_also_where_it_looks_like_a_comment() -> None:
    assert ("fetch", "hold") in toned("a = /[/]/; // fetch('/pay')")
    assert ("return", "accent") in toned("return rows.length")
    assert toned("prefetched") == [("prefetched", "text")]
