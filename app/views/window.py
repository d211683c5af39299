"""The window in which a run is seen, live or saved: header, stage, panels. It shows itself before the rest is loaded.

Importing this file imports Qt and the looks only; the panels come with `show_run`.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QMainWindow, QVBoxLayout, QWidget

from app.views.docks import DOCKS, LEFT, RIGHT, PanelDock
from app.views.header import HeaderBar
from app.views.memory import WindowMemory
from app.views.style import GAP, appearance, mark
from app.views.view_menu import ViewMenu

if TYPE_CHECKING:
    import asyncio

    from app.core.live import LatestFrame
    from app.views.models.timeline_model import TimelineModel
    from app.views.run_header import RunHeader
    from app.views.stage.stage_panel import StagePanel

FIRST_WIDTH, FIRST_HEIGHT = 1440, 900


class ConsoleWindow(QMainWindow):
    """One run in one window. What it shows comes from its `TimelineModel`; what a person does leaves it as a signal.

    Signals:
        stop_wanted: *Stop run* was chosen.
        closed: the window is closed for good; nothing of it is used afterwards.
    """

    stop_wanted = Signal()
    closed = Signal()

    def __init__(self, *, settings_path: Path | None = None) -> None:
        super().__init__()
        self.setObjectName("console_window")
        self.setWindowTitle("Signalbox")
        self.memory = WindowMemory(settings_path, "run_window")
        self.looks = appearance()
        self.looks.choose(self.memory.theme)
        self.may_close: Callable[[], bool] = lambda: True
        """Asked when the window is to be closed; False keeps it open, and whoever said so closes it later."""
        self.is_closed = False
        self.model: TimelineModel | None = None
        self.stage: StagePanel | None = None
        self.run_header: RunHeader | None = None
        self.header = HeaderBar(self)
        self.docks = {spec.key: PanelDock(spec, self) for spec in DOCKS}
        self._build()
        self.views = ViewMenu(self)
        self.resize_to_screen()
        if not self.memory.restore(self):
            self.default_layout()
        self.resize_to_screen(keep=True)

    def _build(self) -> None:
        self.setMenuWidget(self.header)
        self.setContentsMargins(GAP, 0, GAP, GAP)
        self.setDockNestingEnabled(True)
        self.setDockOptions(self.dockOptions() & ~QMainWindow.DockOption.AnimatedDocks)
        self.setMinimumSize(720, 480)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        for corner, area in (
            (Qt.Corner.TopLeftCorner, LEFT),
            (Qt.Corner.BottomLeftCorner, LEFT),
            (Qt.Corner.TopRightCorner, RIGHT),
            (Qt.Corner.BottomRightCorner, RIGHT),
        ):
            self.setCorner(corner, area)
        self.setCentralWidget(self._empty_stage())
        for spec in DOCKS:
            self.addDockWidget(spec.area, self.docks[spec.key])
        self.header.stop_pressed.connect(self.stop_wanted)

    def _empty_stage(self) -> QWidget:
        frame = QFrame(self)
        frame.setProperty("stage", True)
        words = QLabel("Starting…", frame)
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        mark(words, tone="dim")
        QVBoxLayout(frame).addWidget(words)
        return frame

    def show_run(self, model: TimelineModel, *, frames: LatestFrame | None = None, run_id: str = "") -> None:
        """Fill the window with a run's panels. Called once."""
        from app.views.run_header import RunHeader
        from app.views.stage.stage_panel import StagePanel

        model.setParent(self)
        self.model = model
        self.setWindowTitle(f"Signalbox · {run_id}" if run_id else "Signalbox")
        self.run_header = RunHeader(self.header, model)
        self.stage = StagePanel(model, frames, self)
        self.setCentralWidget(self.stage)
        for spec in DOCKS:
            if importlib.util.find_spec(spec.module) is None:
                continue
            panel_class = getattr(importlib.import_module(spec.module), spec.class_name)
            panel: QWidget = panel_class(model)
            self.docks[spec.key].fill(panel)
        self._tie_panels()
        self.header.stop_button.setVisible(model.live)
        self.views.add_run_actions(live=model.live)

    def _tie_panels(self) -> None:
        transport: Any = getattr(self.docks["timeline"].panel, "transport", None)
        if transport is not None:
            transport.install_actions(self)
        chosen: Any = getattr(self.docks["page_read"].panel, "element_chosen", None)
        if chosen is not None and self.stage is not None:
            chosen.connect(self.stage.choose_element)

    def default_layout(self) -> None:
        """Every panel where it stood at first."""
        for spec in DOCKS:
            dock = self.docks[spec.key]
            dock.setFloating(False)
            self.addDockWidget(spec.area, dock)
            dock.setVisible(True)
        for area in (LEFT, RIGHT):
            column = [spec for spec in DOCKS if spec.area == area]
            for above, below in itertools.pairwise(column):
                self.splitDockWidget(self.docks[above.key], self.docks[below.key], Qt.Orientation.Vertical)
        width, height = self.width(), self.height()
        left, right = min(330, max(200, width * 23 // 100)), min(300, max(190, width * 20 // 100))
        self.resizeDocks([self.docks["pending"], self.docks["diagnostics"]], [left, right], Qt.Orientation.Horizontal)
        for area in (LEFT, RIGHT):
            column = [spec for spec in DOCKS if spec.area == area]
            parts = [spec.share * height // 13 for spec in column]
            self.resizeDocks([self.docks[spec.key] for spec in column], parts, Qt.Orientation.Vertical)
        self.resizeDocks([self.docks["timeline"]], [1], Qt.Orientation.Vertical)

    def resize_to_screen(self, *, keep: bool = False) -> None:
        """Take the first size, or with `keep` only what does not fit the screen any more is put right."""
        rooms = [screen.availableGeometry() for screen in QApplication.screens()]
        if not rooms or (keep and any(room.intersects(self.frameGeometry()) for room in rooms)):
            return
        room = rooms[0]
        if keep:
            self.move(room.topLeft())
        self.resize(min(FIRST_WIDTH, max(800, room.width())), min(FIRST_HEIGHT, max(600, room.height())))

    async def wait_closed(self) -> None:
        """Wait until the window is closed for good."""
        import asyncio

        if self.is_closed:
            return
        closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def settle() -> None:
            if not closed.done():
                closed.set_result(None)

        self.closed.connect(settle)
        try:
            await closed
        finally:
            self.closed.disconnect(settle)

    def _close_down(self) -> None:
        self.is_closed = True
        self.memory.keep(self)
        parts = [self.stage, *(dock.panel for dock in self.docks.values())]
        for part in parts:
            close_down = getattr(part, "close_down", None)
            if close_down is not None:
                close_down()
        self.header.run_clock(False)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Otherwise the first button would have the keyboard, and look as if it were meant to be pressed.
        if self.focusWidget() is None:
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange and self.stage is not None and not self.isMinimized():
            self.stage.refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.is_closed:
            event.accept()
            return
        if not self.may_close():
            event.ignore()
            return
        self._close_down()
        event.accept()
        self.closed.emit()
        self.deleteLater()
