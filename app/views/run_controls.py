"""Ties the window's controls to a running run: hold all, take control of the browser, hand back, stop all."""

from PySide6.QtCore import QObject

from app.core.live import RunControls
from app.views.models.timeline_model import TimelineModel
from app.views.window import ConsoleWindow


class WindowControls(QObject):
    """Passes on what is pressed; what the window then shows comes from the record alone."""

    def __init__(self, window: ConsoleWindow, model: TimelineModel, by_hand: RunControls) -> None:
        super().__init__(window)
        self._model = model
        self._by_hand = by_hand
        window.header.hold_pressed.connect(self._on_hold_pressed)
        if window.stage is not None:
            bar, hand = window.stage.control, window.stage.hand
            bar.take_wanted.connect(by_hand.want_control)
            bar.back_wanted.connect(by_hand.give_back)
            bar.private_wanted.connect(by_hand.set_private)
            hand.acted.connect(by_hand.act)

    def hold_everything(self) -> None:
        """Suspend what allows by itself; nothing where that is so already."""
        if not self._held:
            self._by_hand.hold_all(True)

    @property
    def _held(self) -> bool:
        newest = self._model.timeline.holds.last(self._model.timeline.last_seq)
        return newest is not None and newest.on

    def _on_hold_pressed(self) -> None:
        self._by_hand.hold_all(not self._held)
