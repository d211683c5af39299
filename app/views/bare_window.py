"""What every window of the program has: it can be painted before it is furnished, remembers itself, closes once.

Importing this file imports Qt's widgets and hardly anything else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QStyle

from app.views.memory import WindowMemory

if TYPE_CHECKING:
    import asyncio
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent, QPaintEvent, QShowEvent

    from app.views.style import Appearance


class BareWindow(QMainWindow):
    """A window that is first bare, then furnished, then closed; each once and in that order.

    Signals:
        painted: the bare window was painted; no more once it is furnished.
        closed: the window is closed for good; nothing of it is used afterwards.
    """

    painted = Signal()
    closed = Signal()

    looks: Appearance

    def __init__(self, name: str, *, width: int, height: int, settings_path: Path | None = None) -> None:
        """`width` and `height` in pixels, for the first time it is opened."""
        super().__init__()
        self.setObjectName(name)
        self.setWindowTitle("Signalbox")
        self.setMinimumSize(720, 480)
        self.memory = WindowMemory(settings_path, name)
        self.may_close: Callable[[], bool] = lambda: True
        """Asked when the window is to be closed; False keeps it open, and whoever said so closes it later."""
        self.is_closed = False
        self.furnished = False
        self.setCentralWidget(QLabel("   Starting…", self))
        self._put_on_screen(width, height)
        self.memory.restore_geometry(self)
        if not any(screen.availableGeometry().intersects(self.frameGeometry()) for screen in QApplication.screens()):
            self._put_on_screen(width, height)

    def furnish(self) -> None:
        """Put in the looks and all else that needs no data. A second call does nothing."""
        if self.furnished:
            return
        self.furnished = True
        from PySide6.QtCore import Qt

        from app.views.style import appearance

        # Otherwise the first button would have the keyboard, and look as if it were meant to be pressed.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.looks = appearance()
        self.looks.choose(self.memory.theme)
        self._furnish()

    def _furnish(self) -> None:
        """What this kind of window consists of."""

    def _close_down(self) -> None:
        """End workers and timers; the window is never shown again."""

    def _put_on_screen(self, width: int, height: int) -> None:
        screens = QApplication.screens()
        # Without a display there is a made-up small screen, and pictures of the window should not suffer from it.
        if screens and QApplication.platformName() not in ("offscreen", "minimal"):
            room = screens[0].availableGeometry()
            self.move(room.topLeft())
            # How tall the frame is shows only once the window is on the screen; twice the style's own bar is enough.
            free = room.height() - 2 * self.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
            width, height = min(width, max(800, room.width())), min(height, max(400, free))
        self.resize(width, height)

    async def wait_closed(self) -> None:
        """Wait until the window is closed for good."""
        import asyncio

        if self.is_closed:
            return
        closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def settle() -> None:
            if not closed.done():
                closed.set_result(None)

        self.closed.connect(settle)
        await closed

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.WindowBlocked, QEvent.Type.WindowUnblocked):
            # Behind a modal question nothing is reachable by itself; Qt would still tell each of some hundred parts,
            # none of which does anything with it, before the question is shown and before its answer is left alone.
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.furnished:
            self.painted.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.focusWidget() is None:
            self.setFocus()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.is_closed:
            event.accept()
            return
        if not self.may_close():
            event.ignore()
            return
        self.is_closed = True
        if self.furnished:
            self.memory.keep(self)
            self._close_down()
        event.accept()
        self.closed.emit()
        self.deleteLater()
