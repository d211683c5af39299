"""How large a window may begin: no larger than its screen, or its buttons would lie beside it."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QStyle, QWidget


def begin_at(window: QWidget, width: int, height: int) -> None:
    """Give `window` that size, or as much of it as its screen has room for with a title bar."""
    free = room_of(window)
    window.resize(min(width, free.width()), min(height, free.height()))


def room_of(window: QWidget) -> QSize:
    """How large a window may be on its screen, its frame left out."""
    if QApplication.platformName() in ("offscreen", "minimal"):
        # Without a display there is a made-up small screen, and pictures of the window should not suffer from it.
        return QSize(10_000, 10_000)
    free = window.screen().availableGeometry()
    # How tall the frame is shows only once the window is on the screen; twice the style's own bar is enough.
    return free.size() - QSize(0, 2 * window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight))
