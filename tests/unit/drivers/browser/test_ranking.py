"""The order of what was found follows the stated rules."""

import pytest

from drivers.browser.ranking import SHOWN, rank, score


def element(label: str, role: str = "button", **more: object) -> dict[str, object]:
    return {"label": label, "role": role, "true_role": role, **more}


def test_a_nearer_name_comes_first() -> None:
    labels = ["Do not save", "Unrelated", "Save draft", "Saved searches", "Save"]
    found, _ = rank("save", [element(label) for label in labels], "")
    assert [e["label"] for e in found] == ["Save", "Save draft", "Saved searches", "Do not save"]


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("save button", element("Save"), element("Save", "link")),
        ("the email field", element("E-mail", "textbox"), element("Mailing list", "button")),
        ("departure city", element("Departure city"), element("City of departure and return")),
        ("Bern", element("Town", "combobox", options=[{"label": "Bern", "value": "1"}]), element("Zurich")),
    ],
)
def test_kind_and_value_help(query: str, better: dict[str, object], worse: dict[str, object]) -> None:
    assert score(query, better) > score(query, worse)


def test_nothing_fits_nothing() -> None:
    assert rank("zebra", [element("Save"), element("Send")], "one line\ntwo lines") == ([], "")


def test_lines_that_hold_the_words_are_kept() -> None:
    _, text = rank("opening hours", [], "Prices\nOur opening hours\nHours: 9 to 5\nContact")
    assert text.splitlines() == ["Our opening hours", "Hours: 9 to 5"]


def test_equal_ones_stay_in_page_order_and_are_bounded() -> None:
    found, _ = rank("row", [element(f"Row {number}") for number in range(100)], "")
    assert [e["label"] for e in found] == [f"Row {number}" for number in range(SHOWN)]
