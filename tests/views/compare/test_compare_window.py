"""Two runs stand beside each other at their first difference, with the pictures of both and what each took."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.views.compare.compare_panel import ALL_SAME, ComparePanel
from app.views.compare.compare_window import ComparedRun, CompareWindow
from tests.helpers.journals import JournalWriter, booking, folded
from tests.views.reading_screen import texts

WAIT_MS = 60_000


@pytest.fixture
def compare_windows() -> Iterator[list[CompareWindow]]:
    opened: list[CompareWindow] = []
    yield opened
    for window in opened:
        window.close()


def compared(
    qtbot: QtBot, opened: list[CompareWindow], left: JournalWriter, right: JournalWriter
) -> tuple[CompareWindow, ComparePanel]:
    window = CompareWindow()
    opened.append(window)
    window.show_runs(
        ComparedRun("the first", folded(left.records), left.blobs),
        ComparedRun("the second", folded(right.records), right.blobs),
    )
    window.show()
    with qtbot.waitActive(window):
        pass
    assert window.panel is not None
    return window, window.panel


def test_it_stands_at_the_first_difference_with_both_pictures(
    qtbot: QtBot, compare_windows: list[CompareWindow]
) -> None:
    _, panel = compared(qtbot, compare_windows, booking(), booking(deny_last=True))
    assert panel.verdict.text() == "First difference at step 8 · 9 of 10 steps are the same"
    assert panel.view.currentIndex().row() == 7
    assert panel.steps.index(7, 3).data() == "decision, outcome"
    assert "allowed by you" in panel.steps.index(7, 1).data()
    assert "denied by you" in panel.steps.index(7, 2).data()
    qtbot.waitUntil(lambda: all(one is not None for one in panel.pictures.pair.images), timeout=WAIT_MS)
    assert panel.pictures.captions[0].text().startswith("the first · event ")
    assert not panel.next.isEnabled()


def test_keys_go_from_difference_to_difference(qtbot: QtBot, compare_windows: list[CompareWindow]) -> None:
    whole, cut = booking(), booking()
    del cut.records[40:]
    window, panel = compared(qtbot, compare_windows, whole, cut)
    first = panel.view.currentIndex().row()
    # One turn of the loop: until then the window has no keys.
    qtbot.wait(1)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_F7)
    qtbot.waitUntil(lambda: panel.view.currentIndex().row() > first, timeout=WAIT_MS)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier)
    assert panel.view.currentIndex().row() == first


def test_runs_that_are_alike_are_said_to_be(qtbot: QtBot, compare_windows: list[CompareWindow]) -> None:
    window, panel = compared(qtbot, compare_windows, booking(), booking())
    assert panel.verdict.text().startswith(ALL_SAME)
    assert "not given the same task" not in panel.verdict.text()
    assert "of it waiting for answers" in texts(window)["labels"]


def test_another_task_is_said(qtbot: QtBot, compare_windows: list[CompareWindow]) -> None:
    _, panel = compared(qtbot, compare_windows, booking(), booking(task="Something else"))
    assert "not given the same task" in panel.verdict.text()
