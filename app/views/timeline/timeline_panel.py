"""The timeline as a panel: what moves the cursor, and what the cursor moves on."""

from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.replay.cursor import Seek
from app.views.models.timeline_model import TimelineModel
from app.views.timeline.film_strip import FilmStrip
from app.views.timeline.lanes import LanesView
from app.views.timeline.transport import Transport


class TimelinePanel(QWidget):
    """Film strip above lanes; its controls stand in the panel's title line."""

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timeline_panel")
        self.setAccessibleName("Timeline")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._model = model
        self.strip = FilmStrip(model, self)
        self.lanes = LanesView(model, self)
        model.moment_changed.connect(self._on_moment)
        self.transport = Transport(model, self)
        self.title_extra: QWidget = self.transport
        for view in (self.strip, self.lanes):
            view.seek_wanted.connect(lambda seq: self.transport.move_by(Seek(seq)))
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 0, 8, 6)
        column.setSpacing(2)
        column.addWidget(self.strip)
        column.addWidget(self.lanes)

    def _on_moment(self) -> None:
        """A person who moves the cursor sees it move before any other panel says what is there.

        IMPORTANT: it is the first to be told, so that nothing else waits to be painted with it.
        """
        if not self._model.following:
            self.repaint()

    def close_down(self) -> None:
        """End workers and playing."""
        self.transport.close_down()
        self.strip.close_down()
