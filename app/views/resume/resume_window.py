"""The form in which a saved run is resumed: what is left, what changed, what may have happened; then it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.views.bare_window import BareWindow

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.core.resuming import PageLook, ResumeAnswer, ResumeOffer
    from app.views.resume.resume_panel import ResumePanel


class ResumeWindow(BareWindow):
    """Gives one answer, or none by being closed. Nothing is written before the answer.

    Signals:
        answered: the person goes on; a `ResumeAnswer`.
    """

    answered = Signal(object)

    def __init__(self, *, settings_path: Path | None = None) -> None:
        super().__init__("resume_window", width=1180, height=780, settings_path=settings_path)
        self.panel: ResumePanel | None = None
        self.answer: ResumeAnswer | None = None

    def show_offer(self, offer: ResumeOffer, look: PageLook | None, blob: Callable[[str], bytes]) -> None:
        """Fill the window. Called once."""
        self.furnish()
        from app.views.commands import make_action
        from app.views.resume.resume_panel import ResumePanel

        self.setWindowTitle(f"Signalbox · resume {offer.left.started.run_id}")
        self.panel = ResumePanel(offer, look, blob, self)
        self.panel.went_on.connect(self._on_went_on)
        self.panel.given_up.connect(self.close)
        self.setCentralWidget(self.panel)
        make_action(self, "close_window", self.close)

    def _on_went_on(self, answer: ResumeAnswer) -> None:
        if self.answer is None:
            self.answer = answer
            self.answered.emit(answer)
            self.close()

    def _close_down(self) -> None:
        if self.panel is not None:
            self.panel.close_down()
