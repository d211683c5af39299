"""The window in which a run is seen, live or saved: header, stage, panels. The panels are loaded with `show_run`."""

from __future__ import annotations

import importlib
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal

from app.views.bare_window import BareWindow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from PySide6.QtGui import QKeyEvent, QKeySequence
    from PySide6.QtWidgets import QWidget

    from app.core.live import LatestFrame
    from app.views.debugger.debug_bar import DebugBar
    from app.views.docks import PanelDock
    from app.views.header import HeaderBar
    from app.views.models.timeline_model import TimelineModel
    from app.views.run_header import RunHeader
    from app.views.stage.stage_panel import StagePanel
    from app.views.view_menu import ViewMenu

GHOSTS_GO_MS = 30
"""After this the panels lie where they stay, and rows of tabs that belong to none are known."""

FIRST_WIDTH, FIRST_HEIGHT = 1440, 900


class ConsoleWindow(BareWindow):
    """One run in one window. What it shows comes from its `TimelineModel`; what a person does leaves it as a signal.

    Signals:
        stop_wanted: *Stop run* was chosen.
    """

    stop_wanted = Signal()

    header: HeaderBar
    docks: dict[str, PanelDock]
    views: ViewMenu

    def __init__(self, *, settings_path: Path | None = None) -> None:
        super().__init__("run_window", width=FIRST_WIDTH, height=FIRST_HEIGHT, settings_path=settings_path)
        self.model: TimelineModel | None = None
        self.stage: StagePanel | None = None
        self.debug_bar: DebugBar | None = None
        self.run_header: RunHeader | None = None
        self._remembered = False
        self._early_key: QKeySequence | None = None
        """What was pressed last before there was a run that it could be for."""

    def press_early_key(self) -> None:
        """Do now what was asked for of the run by a key while it was being started: to be held, or to be stopped."""
        from app.views.commands import BY_KEY

        early, self._early_key = self._early_key, None
        for action in self.actions() if early is not None else ():
            spec = BY_KEY.get(action.objectName().removeprefix("action_"))
            if spec is not None and spec.place in ("run", "debug") and action.shortcut() == early:
                action.trigger()

    def _furnish(self) -> None:
        from app.views import layout
        from app.views.docks import DOCKS, PanelDock
        from app.views.header import HeaderBar
        from app.views.view_menu import ViewMenu

        self.header = HeaderBar(self)
        self.header.stop_pressed.connect(self.stop_wanted)
        self.setMenuWidget(self.header)
        self.setCentralWidget(_empty_stage(self))
        self.docks = {spec.key: PanelDock(spec, self) for spec in DOCKS}
        layout.prepare(self)
        # From here on the panels say how small the window may be; a smaller one would make them overlap.
        self.setMinimumSize(0, 0)
        self.views = ViewMenu(self)
        self._remembered = self.memory.restore_panels(self)
        if not self._remembered:
            self.default_layout()

    def _bring_forward(self) -> None:
        """Bring the panel forward in which such a run is read; in a run of another kind it stays empty.

        A question stands before the window as soon as there is one, and no tab can be pressed behind it.
        """
        if self.model is None or self.model.timeline.run is None:
            return
        self.model.moment_changed.disconnect(self._bring_forward)
        from app.views import layout

        front, page_read = layout.read_in(self.model.timeline.run), self.docks["page_read"]
        others = [self.docks[key] for key in ("programs", "code")]

        def hidden_by(other: PanelDock) -> bool:
            return page_read in self.tabifiedDockWidgets(other) and not other.visibleRegion().isEmpty()

        def bring() -> None:
            if front != "page_read":
                self.docks[front].raise_()
            elif any(hidden_by(other) for other in others):
                page_read.raise_()

        # Not before the panels lie where they stay.
        QTimer.singleShot(GHOSTS_GO_MS, self, bring)

    def _lay_out_again(self) -> None:
        from app.views import layout

        if not self.memory.restore_panels(self) or not layout.fits(self):
            self.default_layout()

    def default_layout(self) -> None:
        """Every panel where it stood at first."""
        from app.views import layout

        layout.put_default(self)
        QTimer.singleShot(GHOSTS_GO_MS, self, self._hide_ghosts)

    def _hide_ghosts(self) -> None:
        from app.views import layout

        layout.hide_ghosts(self)

    def show_run(
        self, model: TimelineModel, *, frames: LatestFrame | None = None, run_id: str = "", rest_later: bool = False
    ) -> None:
        """Fill the window with a run's panels. Called once. `rest_later`: all but the first come with `fill_rest`."""
        self.furnish()
        from app.views.debugger.debug_bar import DebugBar
        from app.views.run_header import RunHeader
        from app.views.stage.stage_panel import StagePanel

        model.setParent(self)
        self.model = model
        self.setWindowTitle(f"Signalbox · {run_id}" if run_id else "Signalbox")
        # The first that learns of a move of the cursor: see there.
        self._fill("timeline")
        self.run_header = RunHeader(self.header, model)
        self.stage = StagePanel(model, frames, self)
        self.debug_bar = DebugBar(self)
        self.debug_bar.setVisible(False)
        self.setCentralWidget(_column(self, self.debug_bar, self.stage))
        self.header.stop_button.setVisible(model.live)
        self.header.hold_button.setVisible(model.live)
        self.header.mode.setVisible(not model.live)
        if not rest_later:
            self.fill_rest()

    def fill_rest(self) -> None:
        """Put in the panels that are not there yet."""
        while self.fill_next():
            pass

    def fill_next(self) -> bool:
        """Put in one more panel; whether there may be another. After the last they are tied to each other."""
        if self.model is None:
            raise RuntimeError("there is no run to fill the panels with")
        for key, dock in self.docks.items():
            if dock.panel is None:
                self._fill(key)
                return True
        self._when_filled(self.model)
        return False

    def _when_filled(self, model: TimelineModel) -> None:
        # The panels want other sizes than the words that stood in their places; their own layouts come first. Where
        # they only grew, they would be remembered larger each time.
        QTimer.singleShot(0, self, self._lay_out_again if self._remembered else self.default_layout)
        self._tie_panels()
        self.views.add_run_actions(live=model.live)
        model.moment_changed.connect(self._bring_forward)
        self._bring_forward()

    def _fill(self, key: str) -> None:
        dock = self.docks[key]
        panel_class = getattr(importlib.import_module(dock.spec.module), dock.spec.class_name)
        panel: QWidget = panel_class(self.model)
        dock.fill(panel)

    def say_notes(self, notes: Sequence[str]) -> None:
        """What is wrong or unusual about the record, above the stage."""
        if self.stage is not None and notes:
            self.stage.say_notes([*self.stage.notes, *notes])

    def _tie_panels(self) -> None:
        from app.views.commands import make_action

        transport: Any = getattr(self.docks["timeline"].panel, "transport", None)
        if transport is not None:
            transport.install_actions(self)
        make_action(self, "before_after", self.show_before_and_after)
        find: Any = self.docks["find"].panel
        make_action(self, "find", partial(self._show_and, "find", find.start_typing))
        marks: Any = self.docks["marks"].panel
        if self.model is not None and self.model.marks is not None:
            make_action(self, "toggle_mark", marks.toggle)
            make_action(self, "edit_note", partial(self._show_and, "marks", marks.edit_note))
        chosen: Any = getattr(self.docks["page_read"].panel, "element_chosen", None)
        if chosen is not None and self.stage is not None:
            chosen.connect(self.stage.choose_element)

    def show_before_and_after(self) -> None:
        """Open the two pictures of the action at the cursor, or bring them to the front."""
        from app.views.compare.action_pictures import ActionPictures

        if self.model is None:
            return
        opened = self.findChild(ActionPictures)
        if opened is None:
            opened = ActionPictures(self.model, self)
            opened.show()
        else:
            opened.raise_()
        opened.activateWindow()

    def _show_and(self, key: str, then: Callable[[], None]) -> None:
        """Bring a panel to the front, wherever it is, and then do something in it."""
        self.docks[key].setVisible(True)
        self.docks[key].raise_()
        # A panel behind others comes forward only with the next turn of the loop.
        QTimer.singleShot(0, self, then)

    def _close_down(self) -> None:
        from PySide6.QtWidgets import QWidget

        pictures: QWidget | None = self.findChild(QWidget, "action_pictures")
        if pictures is not None:
            pictures.close()
        for part in [self.stage, *(dock.panel for dock in self.docks.values())]:
            close_down = getattr(part, "close_down", None)
            if close_down is not None:
                close_down()
        self.header.run_clock(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.model is None:
            from PySide6.QtGui import QKeySequence

            self._early_key = QKeySequence(event.keyCombination())
        super().keyPressEvent(event)


def _column(window: ConsoleWindow, above: QWidget, below: QWidget) -> QWidget:
    from PySide6.QtWidgets import QVBoxLayout, QWidget

    from app.views.style import GAP

    centre = QWidget(window)
    column = QVBoxLayout(centre)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(GAP)
    column.addWidget(above)
    column.addWidget(below, 1)
    return centre


def _empty_stage(window: ConsoleWindow) -> QWidget:
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout

    from app.views.style import mark

    frame = QFrame(window)
    frame.setProperty("stage", True)
    words = QLabel("Starting…", frame)
    words.setAlignment(Qt.AlignmentFlag.AlignCenter)
    mark(words, tone="dim")
    QVBoxLayout(frame).addWidget(words)
    return frame
