"""What a window remembers from one start to the next: its size, its panels, its theme. A broken memory is forgotten."""

from __future__ import annotations

import binascii
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QMainWindow

if TYPE_CHECKING:
    from app.views.style import Choice

LAYOUT_VERSION = 3
"""Raised when panels come, go or change their names: an older layout is then not restored but replaced."""

MOST_BYTES = 200_000


class WindowMemory:
    """One group of an INI file. Reading never fails: what is not understood counts as not remembered."""

    def __init__(self, settings_path: Path | None, group: str) -> None:
        """`settings_path` None remembers nothing."""
        self._group = group
        self._settings = (
            QSettings(str(settings_path), QSettings.Format.IniFormat) if settings_path is not None else None
        )

    def restore_geometry(self, window: QMainWindow) -> None:
        """Give the window its remembered size and place."""
        geometry = self._bytes("geometry")
        if geometry is not None:
            window.restoreGeometry(geometry)

    def restore_panels(self, window: QMainWindow) -> bool:
        """Put the window's panels where they were remembered; False when nothing usable was."""
        state = self._bytes("state")
        return state is not None and window.restoreState(state, LAYOUT_VERSION)

    def keep(self, window: QMainWindow) -> None:
        """Remember the window as it is."""
        import logging

        self._put("geometry", _text(window.saveGeometry()))
        self._put("state", _text(window.saveState(LAYOUT_VERSION)))
        if self._settings is not None:
            self._settings.sync()
            if self._settings.status() != QSettings.Status.NoError:
                logging.getLogger(__name__).info("the window's layout could not be kept")

    @property
    def theme(self) -> Choice:
        """The remembered choice of light or dark."""
        value = self._settings.value("looks/theme", "system") if self._settings is not None else "system"
        return "light" if value == "light" else "dark" if value == "dark" else "system"

    @theme.setter
    def theme(self, choice: Choice) -> None:
        if self._settings is not None:
            self._settings.setValue("looks/theme", choice)

    @property
    def sound(self) -> bool:
        """Whether a question is heard; off until it is chosen."""
        return self._settings is not None and self._settings.value("asking/sound", "off") == "on"

    @sound.setter
    def sound(self, on: bool) -> None:
        if self._settings is not None:
            self._settings.setValue("asking/sound", "on" if on else "off")

    def _bytes(self, name: str) -> QByteArray | None:
        value = self._settings.value(f"{self._group}/{name}") if self._settings is not None else None
        if not isinstance(value, str) or len(value) > MOST_BYTES:
            return None
        try:
            return QByteArray(binascii.a2b_base64(value.encode("ascii"), strict_mode=True))
        except (binascii.Error, UnicodeEncodeError):
            return None

    def _put(self, name: str, value: str) -> None:
        if self._settings is not None:
            self._settings.setValue(f"{self._group}/{name}", value)


def _text(data: QByteArray) -> str:
    return binascii.b2a_base64(data.data(), newline=False).decode("ascii")
