"""*Export…* in the window of a saved run."""

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QPushButton

from app.core.exporting import Exporter
from app.views.commands import make_action
from app.views.export.export_dialog import ExportDialog, PageShot
from app.views.window import ConsoleWindow


class SavedRunExport(QObject):
    """Adds the button and its key to the window; the picture on the stage is the one that regions are drawn on."""

    def __init__(self, window: ConsoleWindow, record: Path, exporter: Exporter) -> None:
        super().__init__(window)
        self._window = window
        self._record = record
        self._exporter = exporter
        self.dialog: ExportDialog | None = None
        action = make_action(window, "export", self.open)
        self.button = QPushButton("Export…", window.header)
        self.button.setObjectName("button_export_run")
        self.button.setToolTip(action.toolTip())
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self.open)
        window.header.buttons.insertWidget(0, self.button)
        window.closed.connect(self._on_window_closed)

    def open(self) -> None:
        """Ask how the run is to be handed on."""
        if self.dialog is None:
            self.dialog = ExportDialog(self._record, self._exporter, self._window, shot=self._shot())
            self.dialog.destroyed.connect(self._on_destroyed)
            self.dialog.open()

    def _shot(self) -> PageShot | None:
        stage = self._window.stage
        picture = stage.picture if stage is not None else None
        if picture is None or picture.image is None or picture.shot is None:
            return None
        return PageShot(picture.image, picture.shot.css_width, picture.shot.css_height)

    def _on_destroyed(self) -> None:
        self.dialog = None

    def _on_window_closed(self) -> None:
        if self.dialog is not None:
            self.dialog.close_down()
