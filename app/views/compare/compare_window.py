"""Two runs beside each other: where they first part ways, the pictures of both there, and what each took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.views.bare_window import BareWindow

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.ports import Blobs
    from app.core.timeline import Timeline
    from app.views.compare.compare_panel import ComparePanel

FIRST_WIDTH, FIRST_HEIGHT = 1280, 860


@dataclass(frozen=True)
class ComparedRun:
    """One of the two, all of it read."""

    title: str
    """Outside text for an imported record."""
    timeline: Timeline
    blobs: Blobs


class CompareWindow(BareWindow):
    """Read-only, as every saved run; bare until `show_runs`."""

    def __init__(self, *, settings_path: Path | None = None) -> None:
        super().__init__("compare_window", width=FIRST_WIDTH, height=FIRST_HEIGHT, settings_path=settings_path)
        self.panel: ComparePanel | None = None

    def show_runs(self, left: ComparedRun, right: ComparedRun) -> None:
        """Show these two. Called once."""
        from app.core.untrusted import shown
        from app.views.commands import make_action
        from app.views.compare.compare_panel import ComparePanel

        self.furnish()
        self.panel = ComparePanel(left, right, self)
        self.setCentralWidget(self.panel)
        self.setWindowTitle(f"Signalbox · {shown(left.title)} and {shown(right.title)}")
        make_action(self, "next_difference", self.panel.to_next_difference)
        make_action(self, "previous_difference", self.panel.to_previous_difference)
        make_action(self, "close_window", self.close)
        self.panel.view.setFocus()

    def _close_down(self) -> None:
        if self.panel is not None:
            self.panel.close_down()
