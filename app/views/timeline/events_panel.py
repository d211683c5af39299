"""The journal as a list: every event in order, the one the cursor stands at marked. Choosing one moves the cursor."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView, QVBoxLayout, QWidget

from app.replay.cursor import Seek
from app.views.models.events_model import EventsModel
from app.views.models.timeline_model import TimelineModel
from app.views.style import SECONDARY_POINTS, text_font
from app.views.widgets.empty_words import EmptyWords

CELL_PADDING = 18
"""Pixels that the style sheet and Qt put around a cell's text."""
TIME_FITS = 250
"""Below this width, in pixels, the time gives way to the words."""


class EventsPanel(QWidget):
    """Follows the cursor; is never what moves it unless a person chose a row.

    Signals:
        summary_changed: how many events there are, in words.
    """

    summary_changed = Signal(str)

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("events_panel")
        self.setAccessibleName("Events")
        self._model = model
        self._showing = False
        self.events = EventsModel(model, self)
        self.view = QTreeView(self)
        self.view.setObjectName("events_view")
        self.view.setAccessibleName("Events on record")
        self.view.setModel(self.events)
        self.empty_words = EmptyWords(self.view, "Every event of the run appears here as soon as it is on disk.")
        self.view.setFont(text_font(SECONDARY_POINTS))
        self.view.setRootIsDecorated(False)
        self.view.setUniformRowHeights(True)
        self.view.setHeaderHidden(True)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.view.header()
        header.setAccessibleName("Columns of the events")
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(24)
        for column, widest in enumerate(("88888", "88:88:88")):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, self.view.fontMetrics().horizontalAdvance(widest) + CELL_PADDING)
        column_layout = QVBoxLayout(self)
        column_layout.setContentsMargins(4, 0, 4, 4)
        column_layout.addWidget(self.view)
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)
        model.changed.connect(lambda: self.summary_changed.emit(self.summary))
        model.moment_changed.connect(self.show_moment)
        self.show_moment()

    @property
    def summary(self) -> str:
        """For the title line."""
        return f"{len(self._model.timeline.events):,}"

    def show_moment(self) -> None:
        """Mark the event at which the cursor stands."""
        row = self.events.row_at(self._model.seq)
        if row < 0 or row == self.view.currentIndex().row():
            return
        index = self.events.index(row, 0)
        self._showing = True
        try:
            flags = QItemSelectionModel.SelectionFlag
            self.view.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.view.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
        finally:
            self._showing = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.view.setColumnHidden(1, self.width() < TIME_FITS)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.view.currentIndex().isValid():
            self.view.scrollTo(self.view.currentIndex(), QAbstractItemView.ScrollHint.EnsureVisible)

    def _on_current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        if current.isValid() and not self._showing:
            self._model.do(Seek(self.events.seq_of(current.row())))
