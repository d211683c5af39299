"""The window in which a run is seen, live or saved: header, stage, panels. It shows itself before the rest is loaded.

Importing this file imports Qt and the looks only; the panels come with `show_run`.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow

from app.views.memory import WindowMemory

if TYPE_CHECKING:
    import asyncio
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent, QPaintEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from app.core.live import LatestFrame
    from app.views.docks import PanelDock
    from app.views.header import HeaderBar
    from app.views.models.timeline_model import TimelineModel
    from app.views.run_header import RunHeader
    from app.views.stage.stage_panel import StagePanel
    from app.views.style import Appearance
    from app.views.view_menu import ViewMenu

FIRST_WIDTH, FIRST_HEIGHT = 1440, 900


class ConsoleWindow(QMainWindow):
    """One run in one window. What it shows comes from its `TimelineModel`; what a person does leaves it as a signal.

    Signals:
        painted: the bare window was painted; no more once it is furnished.
        stop_wanted: *Stop run* was chosen.
        closed: the window is closed for good; nothing of it is used afterwards.
    """

    painted = Signal()
    stop_wanted = Signal()
    closed = Signal()

    header: HeaderBar
    docks: dict[str, PanelDock]
    views: ViewMenu
    looks: Appearance

    def __init__(self, *, settings_path: Path | None = None) -> None:
        """The bare window, ready to be shown; `furnish` does the rest."""
        super().__init__()
        self.setObjectName("console_window")
        self.setWindowTitle("Signalbox")
        self.setMinimumSize(720, 480)
        self.memory = WindowMemory(settings_path, "run_window")
        self.may_close: Callable[[], bool] = lambda: True
        """Asked when the window is to be closed; False keeps it open, and whoever said so closes it later."""
        self.is_closed = False
        self.furnished = False
        self.model: TimelineModel | None = None
        self.stage: StagePanel | None = None
        self.run_header: RunHeader | None = None
        self.setCentralWidget(QLabel("   Starting…", self))
        self.resize_to_screen()
        self.memory.restore_geometry(self)
        self.resize_to_screen(keep=True)

    def furnish(self) -> None:
        """Put in the looks, the header and the panels, still empty. A second call does nothing."""
        if self.furnished:
            return
        from PySide6.QtCore import Qt

        from app.views import layout
        from app.views.docks import DOCKS, PanelDock
        from app.views.header import HeaderBar
        from app.views.style import appearance
        from app.views.view_menu import ViewMenu

        self.furnished = True
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.looks = appearance()
        self.looks.choose(self.memory.theme)
        self.header = HeaderBar(self)
        self.header.stop_pressed.connect(self.stop_wanted)
        self.setMenuWidget(self.header)
        self.docks = {spec.key: PanelDock(spec, self) for spec in DOCKS}
        layout.prepare(self)
        self.views = ViewMenu(self)
        if not self.memory.restore_panels(self):
            self.default_layout()

    def default_layout(self) -> None:
        """Every panel where it stood at first."""
        from app.views import layout

        layout.put_default(self)

    def show_run(self, model: TimelineModel, *, frames: LatestFrame | None = None, run_id: str = "") -> None:
        """Fill the window with a run's panels. Called once."""
        self.furnish()
        from app.views.docks import DOCKS
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
        if not self.furnished:
            return
        self.memory.keep(self)
        parts = [self.stage, *(dock.panel for dock in self.docks.values())]
        for part in parts:
            close_down = getattr(part, "close_down", None)
            if close_down is not None:
                close_down()
        self.header.run_clock(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.furnished:
            self.painted.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Otherwise the first button would have the keyboard, and look as if it were meant to be pressed.
        if self.focusWidget() is None:
            self.setFocus()

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
