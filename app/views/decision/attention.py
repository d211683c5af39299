"""Draws the eye to a question while another window has the keyboard: task bar and tray. Never comes to the front."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QStyle, QSystemTrayIcon, QWidget

SHOWN_MS = 10_000


class Attention(QObject):
    """Says that questions wait, in constant words and a number: nothing of a page or model leaves the window by it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._tray: QSystemTrayIcon | None = None
        self.said = ""
        """The newest notification's words; empty while none was called for."""

    def call(self, waiting: int) -> None:
        """A question is on the screen; `waiting` in all. Does nothing where the window is the active one."""
        if self._window.isActiveWindow():
            return
        self.said = "A question waits" if waiting == 1 else f"{waiting:,} questions wait"
        QApplication.alert(self._window)
        if QSystemTrayIcon.isSystemTrayAvailable():
            tray = self._made_tray()
            tray.showMessage("Signalbox", self.said, QSystemTrayIcon.MessageIcon.NoIcon, SHOWN_MS)

    def close(self) -> None:
        """Leave nothing in the tray."""
        if self._tray is not None:
            self._tray.hide()

    def _made_tray(self) -> QSystemTrayIcon:
        if self._tray is None:
            icon = self._window.style().standardIcon(QStyle.StandardPixmap.SP_MessageBoxQuestion)
            self._tray = QSystemTrayIcon(icon, self)
            self._tray.setToolTip("Signalbox")
            self._tray.messageClicked.connect(self._on_clicked)
            self._tray.activated.connect(self._on_clicked)
        self._tray.show()
        return self._tray

    def _on_clicked(self) -> None:
        """The person asks for the window; only then does it come to the front."""
        self._window.raise_()
        self._window.activateWindow()
