"""The window in which a run is set up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.views.bare_window import BareWindow

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QMessageBox

    from app.views.setup.ports import SetupPorts
    from app.views.setup.setup_panel import SetupPanel


class SetupWindow(BareWindow):
    """One run that is being set up. It stays open when the run has started, for the next one.

    Signals:
        start_wanted: the plan, and the folder of its run file (or None).
    """

    start_wanted = Signal(object, object)

    panel: SetupPanel

    dialog: QMessageBox | None = None
    """The question whether what was filled in may be dropped, while it stands."""

    def __init__(self, ports: SetupPorts, *, settings_path: Path | None = None) -> None:
        super().__init__("setup_window", width=1240, height=820, settings_path=settings_path)
        self.setWindowTitle("Signalbox · New run")
        self._ports = ports
        self.furnish()

    def _furnish(self) -> None:
        from app.views.commands import make_action
        from app.views.setup.setup_panel import SetupPanel

        self.panel = SetupPanel(self._ports, self)
        self.panel.start_wanted.connect(self.start_wanted)
        self.setCentralWidget(self.panel)
        # From here on the panel says how small the window may be.
        self.setMinimumSize(0, 0)
        make_action(self, "start_run", self.panel.start)
        make_action(self, "check_run", self.panel.check)
        make_action(self, "open_run_file", self.panel.ask_open)
        make_action(self, "save_run_file", self.panel.ask_save)
        make_action(self, "close_window", self.close)
        self.may_close = self._may_close

    def drop(self) -> None:
        """Close without a question, whatever is filled in."""
        self.may_close = lambda: True
        self.close()

    def _may_close(self) -> bool:
        if self.dialog is not None or not self.panel.changed:
            return self.dialog is None
        from PySide6.QtWidgets import QMessageBox

        words = "What is filled in is kept nowhere yet. Close and drop it?"
        self.dialog = asked = QMessageBox(QMessageBox.Icon.NoIcon, "Close the form", words, parent=self)
        asked.setObjectName("drop_dialog")
        back = asked.addButton("Go on filling in", QMessageBox.ButtonRole.RejectRole)
        drop = asked.addButton("Drop it", QMessageBox.ButtonRole.DestructiveRole)
        asked.setDefaultButton(back)
        asked.setEscapeButton(back)

        def answered() -> None:
            self.dialog = None
            asked.deleteLater()
            if asked.clickedButton() is drop:
                self.drop()

        asked.finished.connect(answered)
        asked.open()
        return False

    def _close_down(self) -> None:
        self.panel.close_down()
