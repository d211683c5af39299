"""Lets a person say something to the model of a live run from the conversation, and shows when it was sent."""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.core.events import Recorded, RunStarted, UserTextAdded
from app.core.live import RunHandle
from app.views.inspector.conversation import ConversationPanel
from app.views.inspector.say_row import SayRow
from app.views.run_bridge import RunBridge
from app.views.window import ConsoleWindow


class Saying(QObject):
    """One for each live run; what is said is sent as the run's engine can send it."""

    def __init__(self, window: ConsoleWindow, handle: RunHandle, bridge: RunBridge) -> None:
        super().__init__(bridge)
        panel = window.docks["conversation"].panel
        self._panel = panel if isinstance(panel, ConversationPanel) else None
        self._handle = handle
        self._row: SayRow | None = None
        self._said: list[str] = []
        bridge.recorded.connect(self.follow)
        bridge.finished.connect(self._on_finished)

    def follow(self, records: Sequence[Recorded]) -> None:
        """What the run has recorded: when it begins something can be said, and what is sent waits no more."""
        for one in records:
            if isinstance(one.event, RunStarted):
                self._offer()
            elif isinstance(one.event, UserTextAdded) and one.event.text in self._said and self._row is not None:
                self._said.remove(one.event.text)
                self._row.sent(1)

    def _offer(self) -> None:
        if self._panel is not None and self._row is None:
            self._row = self._panel.let_say()
            self._row.said.connect(self._on_said)

    def _on_said(self, text: str) -> None:
        self._said.append(text)
        self._handle.by_hand.say(text)

    def _on_finished(self) -> None:
        if self._row is not None:
            self._row.run_over()
