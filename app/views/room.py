"""How large a window may begin: no larger than its screen, or its buttons would lie beside it."""

from PySide6.QtWidgets import QApplication, QStyle, QWidget


def begin_at(window: QWidget, width: int, height: int) -> None:
    """Give `window` that size, or as much of it as its screen has room for with a title bar."""
    # Without a display there is a made-up small screen, and pictures of the window should not suffer from it.
    if QApplication.platformName() not in ("offscreen", "minimal"):
        free = window.screen().availableGeometry()
        # How tall the frame is shows only once the window is on the screen; twice the style's own bar is enough.
        bar = 2 * window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
        width, height = min(width, free.width()), min(height, free.height() - bar)
    window.resize(width, height)
