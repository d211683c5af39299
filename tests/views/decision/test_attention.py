"""Calling attention: only while another window has the keyboard, with constant words and a number."""

from PySide6.QtWidgets import QMainWindow, QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from app.views.decision.attention import Attention


def test_nothing_is_said_over_the_active_window(window: QMainWindow, qtbot: QtBot) -> None:
    attention = Attention(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    attention.call(1)
    assert attention.said == ""


def test_another_window_keeps_the_keyboard_and_is_told_how_many_wait(window: QMainWindow, qtbot: QtBot) -> None:
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(other.isActiveWindow)
    attention = Attention(window)
    attention.call(1)
    assert attention.said == "A question waits"
    attention.call(3)
    assert attention.said == "3 questions wait"
    assert other.isActiveWindow()
    attention.close()
    assert not any(tray.isVisible() for tray in attention.findChildren(QSystemTrayIcon))
