"""Where the panels of the run window stand at first."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QTabBar, QTabWidget

from app.views.docks import DOCKS, LEFT, RIGHT, DockSpec
from app.views.style import GAP

if TYPE_CHECKING:
    from app.views.window import ConsoleWindow

NARROW = 1000
"""Pixels below which two columns would leave the picture too little."""

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
    window.setTabPosition(LEFT | RIGHT, QTabWidget.TabPosition.North)
    window.setDockOptions(window.dockOptions() & ~QMainWindow.DockOption.AnimatedDocks)
    for corner, area in CORNERS:
        window.setCorner(corner, area)
    for spec in DOCKS:
        window.addDockWidget(spec.area, window.docks[spec.key])
    for spec in DOCKS:
        if spec.behind:
            window.tabifyDockWidget(window.docks[spec.behind], window.docks[spec.key])


def put_default(window: ConsoleWindow) -> None:
    """Every panel shown where it stood at first; the picture keeps the most room."""
    docks = window.docks
    for spec in sorted(DOCKS, key=lambda spec: bool(spec.behind)):
        docks[spec.key].setFloating(False)
        if spec.behind:
            # At once: all below each other would be taller than a screen, and the window would grow to hold them.
            window.tabifyDockWidget(docks[spec.behind], docks[spec.key])
        else:
            window.addDockWidget(spec.area, docks[spec.key])
        docks[spec.key].setVisible(True)
    width, height = window.width(), window.height()
    if width < NARROW:
        _one_column(window)
    heads, widths = ["pending"], [min(310, max(200, width * 22 // 100))]
    if width >= NARROW:
        heads, widths = [*heads, "ask"], [*widths, min(290, max(190, width * 20 // 100))]
    columns = [_column(window, area) for area in (LEFT, RIGHT)]
    for column in columns:
        for above, below in itertools.pairwise(column):
            window.splitDockWidget(docks[above.key], docks[below.key], Qt.Orientation.Vertical)
        whole = sum(spec.share for spec in column)
        parts = [max(1, spec.share * height // whole) for spec in column]
        window.resizeDocks([docks[spec.key] for spec in column], parts, Qt.Orientation.Vertical)
    if width >= NARROW:
        for spec in DOCKS:
            if spec.behind:
                window.tabifyDockWidget(docks[spec.behind], docks[spec.key])
                docks[spec.behind].raise_()
    run = window.model.timeline.run if window.model is not None else None
    if run is not None and run.engine == "programs":
        # What such a run does is read there, and few of them have a page.
        docks["programs"].raise_()
    # In one call: each call of its own would take from the other column what it gives to its own.
    window.resizeDocks([docks[key] for key in heads], widths, Qt.Orientation.Horizontal)
    window.resizeDocks([docks["timeline"]], [1], Qt.Orientation.Vertical)


def hide_ghosts(window: ConsoleWindow) -> None:
    """Hide rows of tabs that belong to no panel.

    Panels that are put into one row of tabs one by one, before the window is on
    the screen, leave the shorter rows of tabs behind, over whatever lies there.
    """
    places = {(dock.windowTitle(), dock.x(), dock.width()) for dock in window.docks.values()}
    for bar in window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if not any((bar.tabText(at), bar.x(), bar.width()) in places for at in range(bar.count())):
            bar.hide()


def _column(window: ConsoleWindow, area: Qt.DockWidgetArea) -> list[DockSpec]:
    """The panels that have a place of their own in a column; of tabbed ones only the first."""
    here = [spec for spec in DOCKS if window.dockWidgetArea(window.docks[spec.key]) == area]
    return [spec for spec in here if spec.area == area and not spec.behind]


def _one_column(window: ConsoleWindow) -> None:
    """On a narrow window the right column's panels become tabs at the foot of the left one."""
    docks = window.docks
    for spec in DOCKS:
        if spec.area == RIGHT:
            window.tabifyDockWidget(docks["conversation"], docks[spec.key])
    docks["conversation"].raise_()
