"""What all inspector panels have in common: they read the moment, and redraw once for a burst of events."""

from typing import Protocol

from PySide6.QtCore import QTimer, Signal, SignalInstance
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.moment import Moment


class MomentSource(Protocol):
    """What a panel reads: a moment, and word that it is another one."""

    @property
    def moment(self) -> Moment:
        """The run as it stands where the cursor is."""

    @property
    def moment_changed(self) -> SignalInstance:
        """`moment` is another one."""


class InspectorPanel(QWidget):
    """Shows something of the moment. `refresh` runs at most once for each turn of the loop, and never while hidden.

    Signals:
        summary_changed: what the panel holds, in a few words for its title line.
    """

    summary_changed = Signal(str)

    settles_ms = 0
    """How long the cursor must rest before a panel whose `refresh` is dear shows where it came to."""

    def __init__(self, model: MomentSource, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name.lower().replace(" ", "_"))
        self.setAccessibleName(name)
        self._model = model
        self._summary = ""
        self._stale = True
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 6)
        self.column.setSpacing(4)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._refresh_if_shown)
        model.moment_changed.connect(self._on_moment_changed)

    @property
    def summary(self) -> str:
        """For the title line."""
        return self._summary

    def say_summary(self, words: str) -> None:
        """Put `words` on the title line."""
        if words != self._summary:
            self._summary = words
            self.summary_changed.emit(words)

    def refresh(self) -> None:
        """Show the moment."""
        raise NotImplementedError

    def _on_moment_changed(self) -> None:
        self._stale = True
        if self.isVisible() and (self.settles_ms or not self._soon.isActive()):
            self._soon.start(self._delay_ms())

    def _delay_ms(self) -> int:
        return self.settles_ms

    def _refresh_if_shown(self) -> None:
        if self._stale and self.isVisible():
            self._stale = False
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh_if_shown()
