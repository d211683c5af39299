"""Pictures of a window as it stands: for reports, the documentation, and a demo on a machine without a display."""

import asyncio
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from app.core.errors import SignalboxError
from app.views.window import ConsoleWindow

LONGEST_WAIT_SECS = 5.0

BEHIND = QColor(0, 0, 0, 60)
"""Laid over the window where a card stands in front of it, as a desktop does."""


class PictureNotSaved(SignalboxError):
    """The file could not be written; names it."""


def picture_of(window: QWidget) -> QPixmap:
    """What `window` shows at this moment, with the card or dialog in front of it, if there is one."""
    picture = window.grab()
    in_front = [one for one in window.findChildren(QDialog) if one.isVisible() and one.isWindow()]
    if in_front:
        painter = QPainter(picture)
        painter.fillRect(window.rect(), BEHIND)
        for dialog in in_front:
            painter.drawPixmap(window.mapFromGlobal(dialog.mapToGlobal(QPoint(0, 0))), dialog.grab())
        painter.end()
    return picture


def grab_to(window: QWidget, path: Path) -> Path:
    """Save what `window` shows at this moment as a PNG file.

    Raises:
        PictureNotSaved: the file could not be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not picture_of(window).save(str(path), "PNG"):
        raise PictureNotSaved(f"the picture of the window could not be written: {path}")
    return path


async def save_window_picture(window: ConsoleWindow, path: Path) -> Path:
    """Wait until the pictures inside the window have been decoded, then save it. Works without a display.

    Raises:
        PictureNotSaved: the file could not be written.
    """
    await pictures_settled(window)
    return grab_to(window, path)


async def pictures_settled(window: ConsoleWindow) -> None:
    """Wait until the stage and the film strip have the pictures they asked for, for some seconds at most."""
    loop = asyncio.get_running_loop()
    until = loop.time() + LONGEST_WAIT_SECS
    calm = 0
    while calm < 3 and loop.time() < until:
        # Each round lets paint events ask for what they miss; three quiet ones in a row mean nobody misses anything.
        await asyncio.sleep(0.03)
        calm = 0 if pictures_busy(window) else calm + 1


def pictures_busy(window: ConsoleWindow) -> bool:
    """Whether the stage, the film strip or the ask still wait for a picture."""
    strip = getattr(window.docks["timeline"].panel, "strip", None)
    stage_busy = window.stage is not None and window.stage.picture.decoder.busy
    ask = window.docks["ask"].panel
    return stage_busy or bool(getattr(ask, "busy", False)) or (strip is not None and strip.thumbnails.busy)


def ask_and_save(window: ConsoleWindow) -> QFileDialog:
    """Take the picture now, ask where to save it, save it there. Returns at once, with the dialog that asks."""
    picture = picture_of(window)
    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    dialog = QFileDialog(window, "Save a picture of the window", f"signalbox-{stamp}.png", "PNG pictures (*.png)")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix("png")

    def save(chosen: str) -> None:
        saved = picture.save(chosen, "PNG")
        window.statusBar().showMessage(f"Saved: {chosen}" if saved else f"Could not be written: {chosen}", 8000)

    dialog.fileSelected.connect(save)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog
