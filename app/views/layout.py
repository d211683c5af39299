"""Where the panels of the run window stand at first."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from app.views.docks import DOCKS, LEFT, RIGHT
from app.views.style import GAP

if TYPE_CHECKING:
    from app.views.window import ConsoleWindow

CORNERS = (
    (Qt.Corner.TopLeftCorner, LEFT),
    (Qt.Corner.BottomLeftCorner, LEFT),
    (Qt.Corner.TopRightCorner, RIGHT),
    (Qt.Corner.BottomRightCorner, RIGHT),
)


def prepare(window: ConsoleWindow) -> None:
    """Space between panels, columns from top to bottom at both sides, the timeline under the stage."""
    window.setContentsMargins(GAP, 0, GAP, GAP)
    window.setDockNestingEnabled(True)
    window.setDockOptions(window.dockOptions() & ~QMainWindow.DockOption.AnimatedDocks)
    for corner, area in CORNERS:
        window.setCorner(corner, area)
    for spec in DOCKS:
        window.addDockWidget(spec.area, window.docks[spec.key])


def put_default(window: ConsoleWindow) -> None:
    """Every panel shown where it stood at first; the picture keeps the most room."""
    docks = window.docks
    for spec in DOCKS:
        docks[spec.key].setFloating(False)
        window.addDockWidget(spec.area, docks[spec.key])
        docks[spec.key].setVisible(True)
    width, height = window.width(), window.height()
    left, right = min(330, max(200, width * 23 // 100)), min(300, max(190, width * 20 // 100))
    for area in (LEFT, RIGHT):
        column = [spec for spec in DOCKS if spec.area == area]
        for above, below in itertools.pairwise(column):
            window.splitDockWidget(docks[above.key], docks[below.key], Qt.Orientation.Vertical)
        whole = sum(spec.share for spec in column)
        parts = [max(1, spec.share * height // whole) for spec in column]
        window.resizeDocks([docks[spec.key] for spec in column], parts, Qt.Orientation.Vertical)
    window.resizeDocks([docks["pending"], docks["diagnostics"]], [left, right], Qt.Orientation.Horizontal)
    window.resizeDocks([docks["timeline"]], [1], Qt.Orientation.Vertical)
