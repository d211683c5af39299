"""Says that a question waits: task bar, tray, badge, a screen reader, a sound. Never comes to the front."""

from typing import ClassVar

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QStyle, QSystemTrayIcon, QWidget

from app.views.commands import BY_KEY
from app.views.memory import WindowMemory
from app.views.stop_all import stop_all

SHOWN_MS = 10_000


class Attention(QObject):
    """Says that questions wait, in constant words and a number: nothing of a page or model leaves the window by it."""

    _waiting: ClassVar[dict[int, int]] = {}
    """How many questions wait, by window: a program has one badge."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._tray: QSystemTrayIcon | None = None
        self._menu: QMenu | None = None
        self.said = ""
        """The newest notification's words; empty while none was called for."""
        self.announced = ""
        """What a screen reader was told last."""
        self.beeps = 0

    @property
    def badge(self) -> int:
        """The number on the program's icon, where the system shows one."""
        return sum(self._waiting.values())

    def count(self, waiting: int) -> None:
        """So many questions wait in this window now."""
        self._waiting[id(self)] = waiting
        self._show_badge()

    def call(self, waiting: int, *, here: bool) -> None:
        """A question is on the screen; `waiting` in all. Where the person is at this window it is only heard."""
        words = "A question waits" if waiting == 1 else f"{waiting:,} questions wait"
        self.announced = words
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._window, words))
        memory = getattr(self._window, "memory", None)
        if isinstance(memory, WindowMemory) and memory.sound:
            self.beeps += 1
            QApplication.beep()
        if here:
            return
        self.said = words
        QApplication.alert(self._window)
        if QSystemTrayIcon.isSystemTrayAvailable():
            tray = self._made_tray()
            tray.showMessage("Signalbox", self.said, QSystemTrayIcon.MessageIcon.NoIcon, SHOWN_MS)

    def close(self) -> None:
        """Leave nothing in the tray and nothing on the badge."""
        self._waiting.pop(id(self), None)
        self._show_badge()
        if self._tray is not None:
            self._tray.hide()

    def _show_badge(self) -> None:
        qapp = QGuiApplication.instance()
        if isinstance(qapp, QGuiApplication):
            qapp.setBadgeNumber(self.badge)

    def _made_tray(self) -> QSystemTrayIcon:
        if self._tray is None:
            icon = self._window.style().standardIcon(QStyle.StandardPixmap.SP_MessageBoxQuestion)
            self._tray = QSystemTrayIcon(icon, self)
            self._tray.setToolTip("Signalbox")
            self._menu = QMenu(self._window)
            self._menu.addAction("Show the window", self._on_clicked)
            self._menu.addAction(BY_KEY["stop_all"].words, stop_all)
            self._tray.setContextMenu(self._menu)
            self._tray.messageClicked.connect(self._on_clicked)
            self._tray.activated.connect(self._on_clicked)
        self._tray.show()
        return self._tray

    def _on_clicked(self) -> None:
        """The person asks for the window; only then does it come to the front."""
        self._window.raise_()
        self._window.activateWindow()
