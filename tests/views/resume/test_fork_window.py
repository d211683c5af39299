"""The form for a fork: newest boundary first, its warning in the note until a person writes their own."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.core.forking import Boundary, ForkAnswer, ForkOffer
from app.views.resume.fork_panel import NOTHING_AFTER, STANDS, ForkPanel
from app.views.resume.fork_window import ForkWindow

OFFER = ForkOffer(
    "20261129-2105-k7m3qx",
    "Book a table for two",
    "gpt-x",
    [
        Boundary(1, 4, 0, 0, (), ("Type text (done)", "Click on a page element (may have happened)")),
        Boundary(6, 20, 1000, 1, ("Type text",), ("Click on a page element (may have happened)",)),
        Boundary(11, 40, 2000, 2, ("Click on a page element",), ()),
    ],
)


@pytest.fixture
def form(qtbot: QtBot) -> Iterator[tuple[ForkWindow, ForkPanel]]:
    window = ForkWindow()
    window.show_offer(OFFER)
    window.show()
    closed: list[bool] = []
    window.closed.connect(lambda: closed.append(True))
    assert window.panel is not None
    yield window, window.panel
    if not closed:
        window.close()


def test_the_note_says_what_may_still_stand_until_it_is_changed_by_hand(form: tuple[ForkWindow, ForkPanel]) -> None:
    panel = form[1]
    assert panel.chosen == OFFER.boundaries[-1]
    assert (panel.stands.text(), panel.note.toPlainText()) == (NOTHING_AFTER, "")
    panel.boundaries.setCurrentRow(1)
    assert panel.stands.text() == STANDS
    assert "Click on a page element (may have happened)" in panel.note.toPlainText()
    panel.boundaries.setCurrentRow(0)
    assert panel.note.toPlainText() == ""
    panel.note.setPlainText("Mine.")
    panel.boundaries.setCurrentRow(2)
    assert panel.note.toPlainText() == "Mine."


def test_the_answer_is_what_was_chosen(form: tuple[ForkWindow, ForkPanel]) -> None:
    window, panel = form
    given: list[ForkAnswer] = []
    window.answered.connect(given.append)
    panel.boundaries.setCurrentRow(1)
    panel.model.setText(" another ")
    panel.rules.setText("/rules.toml")
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        QTest.keyClick(panel.model, key)
    assert given == []
    QTest.mouseClick(panel.start_button, Qt.MouseButton.LeftButton)
    assert given == [ForkAnswer(6, "another", "/rules.toml", OFFER.boundaries[1].warning)]


def test_closing_it_starts_nothing(form: tuple[ForkWindow, ForkPanel]) -> None:
    window, panel = form
    QTest.mouseClick(panel.leave_button, Qt.MouseButton.LeftButton)
    assert window.is_closed
    assert window.answer is None


@pytest.mark.parametrize(("seq", "revision"), [(1, 1), (4, 1), (25, 6), (40, 11), (999, 11)])
def test_forking_from_a_place_takes_the_boundary_before_it(qtbot: QtBot, seq: int, revision: int) -> None:
    window = ForkWindow()
    window.show_offer(OFFER, seq)
    assert window.panel is not None
    assert window.panel.chosen is not None
    assert window.panel.chosen.revision == revision
    window.close()
