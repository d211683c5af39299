"""No cell of the table is a formula, whatever a page or a model wrote and whatever reads it."""

import csv
import io
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from app.export.table import COLUMNS, cell, line_of
from tests.helpers.case_files import case_value, spoofing_cases
from tests.unit.app.export.saved_booking import exported, save_booking

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠", "%", "|")
HOSTILE = st.text(st.sampled_from("=+-@|%＝＋－＠;,\t\r\n \"'a1(\u200b\ud800\x00"), max_size=30) | st.text(max_size=30)


def check_cells(line: bytes) -> None:
    text = line.decode().removesuffix("\r\n")
    for delimiter in ",;\t|":
        for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
            reader = csv.reader(io.StringIO(text), delimiter=delimiter, quoting=quoting)
            for row in reader:
                for value in row:
                    assert not value.lstrip(' "').startswith(FORMULAS), (delimiter, value)


@given(st.lists(HOSTILE, min_size=1, max_size=4))
def test_no_cell_is_a_formula_for_any_reader(values: list[str]) -> None:
    check_cells(line_of(tuple(cell(value) for value in values)))


def test_no_spoofing_text_is_a_formula() -> None:
    for case in spoofing_cases():
        text = str(case_value(case))[:5000]
        check_cells(line_of((cell(text), cell(text))))


def test_the_table_has_one_line_an_ask(tmp_path: Path) -> None:
    data = exported(save_booking(tmp_path / "run.signalbox"), "csv", tmp_path / "out.csv")
    assert data.startswith(b"\xef\xbb\xbf")
    head, *lines = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert tuple(head) == COLUMNS
    first = dict(zip(head, lines[0], strict=True))
    assert (first["ask"], first["member"], first["decided_by"]) == ("a0001", "navigate", "allowed by a person")
    assert first["what_became_of_the_call"] == "done"
    assert len(lines) == 6
