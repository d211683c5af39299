"""Outside text on the screen: plain, wrapped, marked, in stored order, paged, copied raw."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.core.untrusted import PAGE_CHARS, unshown
from app.views.widgets.outside_text import OutsideCanvas, OutsideText
from app.views.widgets.text_flow import Flow, Line, Outside, Stop, Words, faces
from tests.helpers.case_files import case_value, spoofing_cases

TEXT_CASES = [case for case in spoofing_cases() if isinstance(case_value(case), str)]


def _canvas(qtbot: QtBot, *lines: Line, width: int = 400) -> OutsideCanvas:
    canvas = OutsideCanvas()
    qtbot.addWidget(canvas)
    canvas.set_lines(lines)
    canvas.fix_width(width)
    canvas.show()
    qtbot.waitUntil(canvas.has_seen_end)
    return canvas


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    value=st.text(st.characters(exclude_categories=()), max_size=120)
    | st.text(st.sampled_from("a \nא漢é\u0301\u202eU "), max_size=120),
    width=st.integers(30, 700),
)
def test_every_letter_is_on_a_row_within_its_width(qtbot: QtBot, value: str, width: int) -> None:
    flow = Flow(width)
    flow.add(Line((Outside(value, "block"),), label="Label"))
    painted = [atom for row in flow.rows for atom in row.atoms if atom.source is not None]
    plain = "".join(atom.text for atom in painted if not atom.is_mark)
    for letter in set(value):
        if "!" <= letter <= "~":
            assert plain.count(letter) == value.count(letter)
    for row in flow.rows:
        for one, following in pairwise(row.atoms):
            assert following.x >= one.x + one.width - 0.01
    for one_row, next_row in pairwise(flow.rows):
        assert next_row.top >= one_row.top + one_row.height - 0.01


@pytest.mark.parametrize(("width", "value_x"), [(600, 24), (190, 7)])
def test_a_column_that_leaves_no_room_for_the_values_is_given_up(qtbot: QtBot, width: int, value_x: int) -> None:
    flow = Flow(width)
    flow.add(Line((Outside("model"), Stop(24), Outside("scripted-model"))))
    (row,) = flow.rows
    value = next(atom for atom in row.atoms if atom.text.startswith("s"))
    assert value.x == value_x * faces().cell


def test_nothing_needs_sideways_scrolling(qtbot: QtBot) -> None:
    flow = Flow(300)
    flow.add(Line((Words("lead "), Outside("x" * 900), Outside("wide words " * 40))))
    for row in flow.rows:
        for atom in row.atoms:
            assert atom.x + atom.width <= 300 + 9


@pytest.mark.parametrize("rows", [1, 40])
def test_within_its_margins_no_letter_stands_beside_what_can_be_seen(qtbot: QtBot, rows: int) -> None:
    text = OutsideText("Text", max_rows=3)
    text.setContentsMargins(12, 0, 12, 0)
    qtbot.addWidget(text)
    text.resize(500, 300)
    text.show()
    with qtbot.waitExposed(text):
        pass
    text.set_value("We are closed on Tuesdays. " * rows)
    canvas, head = text.findChildren(OutsideCanvas)
    if canvas.parent() is text:
        canvas, head = head, canvas
    seen = canvas.parentWidget()
    assert seen is not None
    for width in (400, 215, 320):
        text.resize(width, 300)
        qtbot.waitUntil(lambda: canvas.width() <= seen.width())
        assert head.width() <= width - 24
    text.fix_width(260)
    qtbot.waitUntil(lambda: canvas.width() <= 236 and head.width() <= 236)


def test_right_to_left_words_stay_in_stored_order(qtbot: QtBot) -> None:
    flow = Flow(500)
    flow.add(Line((Outside("pay אבג 001 דהו EUR"),)))
    [row] = flow.rows
    assert [atom.text.strip() for atom in row.atoms] == ["pay", "אבג", "001", "דהו", "EUR"]
    assert [atom.x for atom in row.atoms] == sorted(atom.x for atom in row.atoms)


def test_columns_line_up(qtbot: QtBot) -> None:
    flow = Flow(500)
    for key in ("a", "longer"):
        flow.add(Line((Outside(key), Stop(10), Outside("value")), label=""))
    assert len({row.atoms[-1].x for row in flow.rows}) == 1


@pytest.mark.parametrize("case", TEXT_CASES, ids=lambda case: case["id"])
def test_a_spoofing_text_stays_in_its_rows_and_opens_nothing(qtbot: QtBot, case: dict[str, Any]) -> None:
    value = case_value(case)[:PAGE_CHARS]
    canvas = _canvas(qtbot, Line((Words("own "), Outside(value, quoted=True), Words(" own"))))
    assert unshown(canvas.shown_text()[len("own “") : -len("” own")]) == value
    for x in range(5, 400, 50):
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(x, 8))
    assert canvas.value_at(QPoint(60, 8)) in (value, None)
    assert canvas.toolTip() == ""


def test_marks_are_painted_in_a_colour_of_their_own(qtbot: QtBot) -> None:
    def colours(value: str) -> set[str]:
        image = _canvas(qtbot, Line((Outside(value),)), width=200).grab().toImage()
        return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}

    assert "#8a5d00" in colours("a\u202eb")
    assert "#8a5d00" not in colours("U+202E")


def test_a_stack_of_marks_does_not_leave_its_row(qtbot: QtBot) -> None:
    def around(middle: str) -> list[QImage]:
        lines = [Line((Outside(words),)) for words in ("plain", middle, "plain")]
        image = _canvas(qtbot, *lines).grab().toImage()
        row = round(image.height() / 3)
        return [image.copy(0, 0, image.width(), row - 1), image.copy(0, 2 * row + 1, image.width(), row - 1)]

    assert around("e\u0301\u0323") == around("e")


def test_a_value_is_copied_raw(qtbot: QtBot) -> None:
    text = OutsideText("Value")
    qtbot.addWidget(text)
    text.set_value("a\u202eb\nc")
    text.show()
    text.setFocus()
    QTest.keyClick(text, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "a\u202eb\nc"


def test_a_long_value_is_turned_page_by_page_to_its_end(qtbot: QtBot) -> None:
    value = "".join(f"{number:05d}\n" for number in range(2000))
    text = OutsideText("Value", max_rows=5)
    qtbot.addWidget(text)
    text.set_value(value)
    text.resize(400, 300)
    text.show()
    with qtbot.waitExposed(text):
        pass
    assert "12,000 characters · 12,000 bytes · 2,001 lines" in text.shown_text()
    assert not text.has_seen_end()
    for page in range(1, 6):
        text.turn_to(page)
        assert text.page == page
    qtbot.wait(0)
    assert not text.has_seen_end()
    with qtbot.waitSignal(text.end_seen):
        QTest.keyClick(text, Qt.Key.Key_End)
    assert "01999" in text.shown_text()
    QTest.keyClick(text, Qt.Key.Key_PageUp)
    text.set_value("short")
    assert not text.has_seen_end()
    qtbot.waitUntil(text.has_seen_end)
    assert text.value == "short"


def test_the_whole_text_can_be_reached_by_page_down_alone(qtbot: QtBot) -> None:
    text = OutsideText("Value", max_rows=5)
    qtbot.addWidget(text)
    text.set_value("x" * (PAGE_CHARS + 100))
    text.resize(400, 300)
    text.show()
    for _ in range(40):
        QTest.keyClick(text, Qt.Key.Key_PageDown)
        qtbot.wait(0)
    assert text.page == 1
    qtbot.waitUntil(text.has_seen_end)


def test_lines_of_code_carry_their_numbers_on_every_page(qtbot: QtBot) -> None:
    flow = Flow(400)
    flow.add(Line((Outside("one\ntwo " + "x" * 90 + "\n\n\n\n\nlast", "block"),), numbered_from=9))
    first_atoms = [row.atoms[0].text for row in flow.rows if row.atoms[0].source is None]
    assert first_atoms == ["9", "10", "15"]
    text = OutsideText("Code", numbered=True)
    qtbot.addWidget(text)
    text.set_value("line\n" * 1000)
    text.turn_to(1)
    assert text._canvas.lines[0].numbered_from == 401


def test_screen_readers_get_the_marks_in_letters(qtbot: QtBot) -> None:
    canvas = _canvas(qtbot, Line((Outside("a\u202eb"),), label="Element"))
    assert canvas.accessibleDescription() == "Element: a⟦U+202E⟧b"


def test_marked_lines_of_code_bear_a_sign_and_a_ground_in_all_their_rows(qtbot: QtBot) -> None:
    flow = Flow(400)
    code = "one\ntwo " + "x" * 90 + "\nthree\nfour"
    flow.add(Line((Outside(code, "block"),), numbered_from=9, marked=((10, 10), (12, 12))))
    assert [row.marked for row in flow.rows] == [False, *[True] * (len(flow.rows) - 3), False, True]
    assert len(flow.rows) > 4, "the long line has more than one row"
    assert [atom.text for row in flow.rows if row.marked for atom in row.atoms].count("+") == 2
    flow.add(Line((Words("after it"),)))
    assert not flow.rows[-1].marked
