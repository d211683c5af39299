"""Two runs are chosen one after the other to be put beside each other."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.views.application import open_runs_window
from app.views.runs.runs_compare import FIRST, WITH
from app.views.runs.runs_window import RunsWindow
from tests.views.runs.test_runs_window import Row

WAIT_MS = 60_000


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[RunsWindow]:
    rows = [Row(path=Path("one.signalbox")), Row(path=Path("two.signalbox"), run_id="20261129-2207-aa31ff")]
    opened = open_runs_window(lambda: rows, settings_path=None)
    panel = opened.panel
    assert panel is not None
    qtbot.waitUntil(lambda: panel.runs.rowCount() == 2, timeout=WAIT_MS)
    yield opened
    opened.close()


def press(button: QPushButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_two_runs_are_chosen_by_pressing_twice(window: RunsWindow, qtbot: QtBot) -> None:
    wanted: list[tuple[Path, Path]] = []
    panel = window.panel
    assert panel is not None
    window.compare_wanted.connect(wanted.append)
    button = panel.findChild(QPushButton, "button_compare")
    assert isinstance(button, QPushButton)
    press(button)
    panel.view.setCurrentIndex(panel.runs.index(1, 0))
    assert button.text() == WITH
    press(button)
    assert wanted == [(Path("one.signalbox"), Path("two.signalbox"))]
    assert button.text() == FIRST


def test_the_same_run_pressed_again_compares_nothing(window: RunsWindow) -> None:
    wanted: list[tuple[Path, Path]] = []
    panel = window.panel
    assert panel is not None
    window.compare_wanted.connect(wanted.append)
    button = panel.findChild(QPushButton, "button_compare")
    assert isinstance(button, QPushButton)
    press(button)
    press(button)
    assert wanted == []
    assert button.text() == FIRST
