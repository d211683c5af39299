"""On X11, opens a card while another window has the keyboard: it becomes modal once the keyboard has come to it."""

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtWidgets import QDialog, QWidget


class QuietOpening(QObject):
    """Lives as long as its card. To a modal window a window manager gives the keyboard, whatever it asks for."""

    def __init__(self, card: QDialog, window: QWidget) -> None:
        super().__init__(card)
        self._card = card
        self._window = window
        card.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        card.setModal(False)
        qapp = QGuiApplication.instance()
        assert isinstance(qapp, QGuiApplication)
        qapp.focusWindowChanged.connect(self._on_focus_window)

    def _on_focus_window(self, now: QWindow | None) -> None:
        if now is not None and now in (self._card.windowHandle(), self._window.windowHandle()):
            # Not under the change itself: the card is shown anew.
            QTimer.singleShot(0, self, self._make_modal)

    def _make_modal(self) -> None:
        card = self._card
        if not card.isVisible():
            return
        if card.isModal():
            # The window manager gave the keyboard to the window behind while the card was being shown anew.
            if not card.isActiveWindow():
                card.activateWindow()
            return
        card.hide()
        card.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, False)
        card.open()
        card.activateWindow()
