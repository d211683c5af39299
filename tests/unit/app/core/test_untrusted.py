"""Outside text: nothing hidden stays hidden, nothing is lost, nothing big is worked on whole."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.untrusted import (
    PAGE_CHARS,
    Form,
    alphabet_warnings,
    beginning,
    findings,
    page_count,
    pieces,
    script_of,
    shown,
    size_of,
    unshown,
)
from tests.helpers.case_files import case_value, spoofing_cases

TEXT_CASES = [case for case in spoofing_cases() if isinstance(case_value(case), str)]
NAMED = {
    "bidi_named",
    "invisibles_named",
    "controls_named",
    "symbols_named",
    "marks_named",
    "not_text_refused_or_named",
}
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)
TRICKY = st.text(st.sampled_from("aЖé \n\r\t\u0301\u0489\u202e\u200b\ud800⟦⟧U+×✅ｆ\U000e0041א"), max_size=60)


def _is_form(case: dict[str, Any]) -> Form:
    return "block" if case["where"] in ("type.text", "run_script.source", "model.message") else "row"


@pytest.mark.parametrize("case", TEXT_CASES, ids=lambda case: case["id"])
def test_what_a_case_needs_can_be_read(case: dict[str, Any]) -> None:
    value = case_value(case)
    told = " ".join([shown(value, _is_form(case)), size_of(value).words, *findings(value), case.get("code", "")])
    for words in case["must_be_visible"]:
        assert words in told
    if "chars" in case:
        assert f"{len(value):,} characters" in told


@pytest.mark.parametrize(
    "case", [case for case in TEXT_CASES if NAMED & set(case["checks"])], ids=lambda case: case["id"]
)
def test_what_must_be_named_is_a_mark(case: dict[str, Any]) -> None:
    value = case_value(case)
    marks = {piece.raw[0] for piece in pieces(value, _is_form(case)) if piece.is_mark}
    plain = "".join(piece.raw for piece in pieces(value, _is_form(case)) if not piece.is_mark)
    for code in [words for words in case["must_be_visible"] if words.startswith("U+")]:
        assert chr(int(code[2:], 16)) in marks
        assert chr(int(code[2:], 16)) not in plain


@given(value=st.one_of(ANY_TEXT, TRICKY), form=st.sampled_from(["row", "block"]))
def test_nothing_is_lost_and_what_is_shown_can_be_read_back(value: str, form: Form) -> None:
    cut = [piece for page in range(page_count(value)) for piece in pieces(value, form, page=page)]
    assert "".join(piece.raw for piece in cut) == value
    assert unshown(shown(value, form)) == value


def test_what_is_left_out_is_told() -> None:
    assert beginning("\u202eabc", 4) == "⟦U+202E⟧abc"
    assert beginning("\u202eabcd", 4) == "⟦U+202E⟧abc…"
    assert beginning("", 4) == shown("")


@given(value=st.one_of(ANY_TEXT, TRICKY))
def test_a_row_is_one_row_of_letters_that_can_be_seen(value: str) -> None:
    text = shown(value, "row")
    assert "\n" not in text
    assert all(piece.is_mark or piece.raw.isprintable() for piece in pieces(value, "row"))


@pytest.mark.parametrize(("value", "mark"), [(" a", "⟦U+0020⟧a"), ("a ", "a⟦U+0020⟧"), ("", "⟦empty⟧")])
def test_edges_and_emptiness_are_named(value: str, mark: str) -> None:
    assert shown(value, "row") == mark


def test_blanks_are_counted_where_they_would_hide_something() -> None:
    assert shown("ok" + " " * 500 + "end", "block") == "ok⟦U+0020×500⟧end"
    assert shown("\n" * 300, "block") == "⟦U+000A×300⟧\n"
    assert shown("x\n    y", "block") == "x⟦U+000A⟧\n    y"


def test_stacked_marks_do_not_stay_on_their_letter() -> None:
    kept = pieces("e\u0301\u0323x")
    stacked = pieces("e" + "\u0301" * 30)
    assert [piece.raw for piece in kept] == ["e\u0301\u0323x"]
    assert [piece.kind for piece in stacked] == ["plain", "combining"]


@pytest.mark.parametrize(
    "word", ["Ⅳ", "ｆree", "𝐏ay", "\u00a0", "\u3164x", "\ufe0f", "\U000e0100", "\ue000", "\u0378", "⟦U+0041⟧"]
)
def test_letters_that_stand_for_others_are_marks(word: str) -> None:
    assert any(piece.is_mark for piece in pieces(word))


@pytest.mark.parametrize(
    "word", ["naïve", "Ελλάδα", "日本語のテスト", "한국어", "हिन्दी", "Việt", "Привет мир", "Tシャツ", "“€5”…"]
)
def test_ordinary_words_of_any_language_stay_as_they_are(word: str) -> None:
    assert shown(word) == word
    assert alphabet_warnings(word) == []


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("Рayрal", "mixed alphabets in one word: Cyrillic among Latin"),
        ("gitһub", "mixed alphabets in one word: Cyrillic among Latin"),
        ("раура", "Cyrillic letters that look like Latin ones"),
        ("Рayрal" + "x" * 30_000, "letters of several alphabets: Cyrillic, Latin"),
    ],
)
def test_look_alike_alphabets_are_named(value: str, said: str) -> None:
    assert said in alphabet_warnings(value)


def test_findings_count_each_kind() -> None:
    assert findings("a\u200b\u200b\u202e\x00\ud800") == [
        "2 hidden characters",
        "1 direction control",
        "1 control character",
        "1 invalid code",
    ]
    assert findings("plain\n\ttext") == []


def test_size_counts_characters_bytes_and_lines() -> None:
    assert size_of("é\ud800\n").words == "3 characters · 6 bytes · 2 lines"


def test_a_million_letters_are_answered_at_once() -> None:
    begun = time.process_time()
    for letter in "Aé\u200b":
        value = letter * 1_000_000
        assert size_of(value).words.startswith("1,000,000 characters")
        findings(value)
        assert sum(len(piece.raw) for piece in pieces(value, "block", page=page_count(value) - 1)) == PAGE_CHARS
    assert time.process_time() - begun < 1.0
    assert findings("é" * 2_000_001) == ["too long to be searched for hidden characters at once"]


@pytest.mark.parametrize(
    ("letter", "script"),
    [("a", "Latin"), ("р", "Cyrillic"), ("ア", "Katakana"), ("漢", "Han"), ("1", None), ("µ", None)],
)
def test_scripts_are_named(letter: str, script: str | None) -> None:
    assert script_of(letter) == script


def test_marks_say_their_names() -> None:
    assert [piece.name for piece in pieces("a\u202e\u0000\ud800")][1:] == [
        "RIGHT-TO-LEFT OVERRIDE",
        "control character",
        "lone surrogate",
    ]
    assert pieces(" " * 40, "row")[0].name == "40 × SPACE"
    assert pieces("")[0].name == "empty"
