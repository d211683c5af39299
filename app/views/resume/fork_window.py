"""The form in which a saved run is forked: which boundary, which model, whose rules, what the model is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.views.bare_window import BareWindow

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.forking import ForkAnswer, ForkOffer
    from app.views.resume.fork_panel import ForkPanel


class ForkWindow(BareWindow):
    """Gives one answer, or none by being closed.

    Signals:
        answered: a new run is wanted; a `ForkAnswer`.
    """

    answered = Signal(object)

    def __init__(self, *, settings_path: Path | None = None) -> None:
        super().__init__("fork_window", width=900, height=640, settings_path=settings_path)
        self.panel: ForkPanel | None = None
        self.answer: ForkAnswer | None = None

    def show_offer(self, offer: ForkOffer, at_seq: int | None = None) -> None:
        """Fill the window, with the boundary before event `at_seq` chosen, or the newest. Called once."""
        self.furnish()
        from app.views.commands import make_action
        from app.views.resume.fork_panel import ForkPanel

        self.setWindowTitle(f"Signalbox · fork {offer.run_id}")
        self.panel = ForkPanel(offer, self)
        if at_seq is not None:
            self.panel.choose_before(at_seq)
        self.panel.wanted.connect(self._on_wanted)
        self.panel.given_up.connect(self.close)
        self.setCentralWidget(self.panel)
        make_action(self, "close_window", self.close)

    def _on_wanted(self, answer: ForkAnswer) -> None:
        if self.answer is None:
            self.answer = answer
            self.answered.emit(answer)
            self.close()
