"""Calling attention, with constant words and a number; tray and task bar only while another window has the keyboard."""

from pathlib import Path

from PySide6.QtWidgets import QMainWindow, QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from app.views.bare_window import BareWindow
from app.views.decision.attention import Attention


def test_nothing_is_said_over_the_active_window(window: QMainWindow) -> None:
    attention = Attention(window)
    attention.call(1, here=True)
    assert attention.said == ""
    assert attention.announced == "A question waits", "a screen reader is told wherever the keyboard is"


def test_another_window_keeps_the_keyboard_and_is_told_how_many_wait(window: QMainWindow, qtbot: QtBot) -> None:
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(other.isActiveWindow)
    attention = Attention(window)
    attention.call(1, here=False)
    assert attention.said == "A question waits"
    attention.call(3, here=False)
    assert attention.said == "3 questions wait"
    assert other.isActiveWindow()
    attention.close()
    assert not any(tray.isVisible() for tray in attention.findChildren(QSystemTrayIcon))


def test_the_badge_counts_the_questions_of_all_windows(window: QMainWindow) -> None:
    one, two = Attention(window), Attention(window)
    # The program has one badge: windows of other tests may stand there still.
    others = one.badge
    one.count(2)
    two.count(3)
    assert (one.badge, two.badge) == (others + 5, others + 5)
    one.close()
    assert two.badge == others + 3
    two.close()
    assert two.badge == others


def test_a_question_is_heard_only_where_that_was_chosen(qtbot: QtBot, tmp_path: Path) -> None:
    window = BareWindow("run_window", width=400, height=300, settings_path=tmp_path / "window.ini")
    attention = Attention(window)
    attention.call(1, here=False)
    assert attention.beeps == 0
    window.memory.sound = True
    attention.call(1, here=False)
    assert attention.beeps == 1
    again = BareWindow("run_window", width=400, height=300, settings_path=tmp_path / "window.ini")
    assert again.memory.sound, "remembered"
    for one in (window, again):
        one.close()
