"""Where the panels of the run window stand at first."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QMainWindow, QTabBar, QTabWidget, QWidget

from app.views.docks import DOCKS, LEFT, RIGHT
from app.views.style import GAP

if TYPE_CHECKING:
    from app.core.events import RunStarted
    from app.views.window import ConsoleWindow

NARROW = 1000
"""Pixels below which two columns would leave the picture too little."""

LOW = 640
"""Pixels of the screen below which three panels cannot stand one below the other: so many a small screen has, or one
whose letters are made large."""

TITLE_BAR = 32

CORNERS = (
    (Qt.Corner.TopLeftCorner, LEFT),
    (Qt.Corner.BottomLeftCorner, LEFT),
    (Qt.Corner.TopRightCorner, RIGHT),
    (Qt.Corner.BottomRightCorner, RIGHT),
)


def read_in(run: RunStarted) -> str:
    """The panel of the left column in which such a run is read: few that are not about a page have one."""
    if run.engine == "programs":
        return "programs"
    return "code" if isinstance(run.plan, dict) and run.plan.get("code") is not None else "page_read"


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
    """Every panel shown where it stood at first; the picture keeps the most room, the window keeps its size."""
    laid_out = window.layout()
    assert laid_out is not None
    # On the way there panels stand below each other that will be tabs. A window that makes room for them never gives
    # it back, and its foot would lie below the screen.
    laid_out.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
    window.setMinimumSize(0, 0)
    try:
        _put_default(window)
    finally:
        laid_out.setSizeConstraint(QLayout.SizeConstraint.SetDefaultConstraint)
        laid_out.activate()


def _put_default(window: ConsoleWindow) -> None:
    docks = window.docks
    for spec in DOCKS:
        docks[spec.key].setFloating(False)
        # What is split from a panel that has tabs would become one of its tabs.
        window.removeDockWidget(docks[spec.key])
    width, height = window.width(), window.height()
    for spec in DOCKS:
        if not spec.behind:
            window.addDockWidget(spec.area, docks[spec.key])
            docks[spec.key].setVisible(True)
    columns = [[spec for spec in DOCKS if spec.area == area and not spec.behind] for area in (LEFT, RIGHT)]
    for column in columns:
        for above, below in itertools.pairwise(column):
            window.splitDockWidget(docks[above.key], docks[below.key], Qt.Orientation.Vertical)
    for spec in DOCKS:
        if spec.behind:
            window.tabifyDockWidget(docks[spec.behind], docks[spec.key])
            docks[spec.key].setVisible(True)
    for column in columns:
        whole = sum(spec.share for spec in column)
        parts = [max(1, spec.share * height // whole) for spec in column]
        window.resizeDocks([docks[spec.key] for spec in column], parts, Qt.Orientation.Vertical)
        for spec in column:
            docks[spec.key].raise_()
    run = window.model.timeline.run if window.model is not None else None
    if run is not None:
        docks[read_in(run)].raise_()
    heads, widths = ["pending"], [min(310, max(200, width * 22 // 100))]
    if width < NARROW:
        _one_column(window)
    if is_low(window):
        _one_row(window, narrow=width < NARROW)
    strip = getattr(docks["timeline"].panel, "strip", None)
    if strip is not None:
        # The lanes below it say the same without pictures.
        strip.setVisible(not is_low(window))
    if width >= NARROW:
        heads, widths = [*heads, "ask"], [*widths, min(290, max(190, width * 20 // 100))]
    # In one call: each call of its own would take from the other column what it gives to its own.
    window.resizeDocks([docks[key] for key in heads], widths, Qt.Orientation.Horizontal)
    window.resizeDocks([docks["timeline"]], [1], Qt.Orientation.Vertical)


def is_low(window: QWidget) -> bool:
    """Whether its screen is too low for panels one below the other."""
    return window.screen().availableGeometry().height() - TITLE_BAR < LOW


def fits(window: ConsoleWindow) -> bool:
    """Whether the panels, where they stand now, let the window be as low as its screen."""
    laid_out = window.layout()
    assert laid_out is not None
    laid_out.activate()
    return window.minimumSizeHint().height() + TITLE_BAR <= window.screen().availableGeometry().height()


def hide_ghosts(window: ConsoleWindow) -> None:
    """Hide rows of tabs that belong to no panel.

    Panels that are put into one row of tabs one by one, before the window is on
    the screen, leave the shorter rows of tabs behind, over whatever lies there.
    """
    places = {(dock.windowTitle(), dock.x(), dock.width()) for dock in window.docks.values()}
    for bar in window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if not any((bar.tabText(at), bar.x(), bar.width()) in places for at in range(bar.count())):
            bar.hide()


def _one_column(window: ConsoleWindow) -> None:
    """On a narrow window the right column's panels become tabs at the foot of the left one."""
    docks = window.docks
    for spec in DOCKS:
        if spec.area == RIGHT:
            window.tabifyDockWidget(docks["conversation"], docks[spec.key])
    docks["conversation"].raise_()


def _one_row(window: ConsoleWindow, *, narrow: bool) -> None:
    """On a low screen all panels of a column are tabs of one; `narrow`: there is one column only."""
    heads = {LEFT: "pending", RIGHT: "pending" if narrow else "ask"}
    for spec in DOCKS:
        head = heads.get(spec.area, spec.key)
        if spec.key != head:
            window.tabifyDockWidget(window.docks[head], window.docks[spec.key])
    for head in heads.values():
        window.docks[head].raise_()
