"""The journal as a list: every event in order, the one the cursor stands at marked. Choosing one moves the cursor."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QVBoxLayout, QWidget

from app.replay.cursor import Seek
from app.views.models.events_model import EventsModel
from app.views.models.timeline_model import TimelineModel
from app.views.style import SECONDARY_POINTS, text_font
from app.views.widgets.empty_words import EmptyWords

CELL_PADDING = 18
"""Pixels that the style sheet and Qt put around a cell's text."""
ROW_PADDING = 7
TIME_FITS = 250
"""Below this width, in pixels, the time gives way to the words."""


class EventsPanel(QWidget):
    """Follows the cursor while it is on the screen; is never what moves it unless a person chose a row.

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
        # A table whose rows all have one fixed height adds a row without looking at the others; a tree does not.
        self.view = QTableView(self)
        self._set_up_view()
        self.empty_words = EmptyWords(self.view, "Every event of the run appears here as soon as it is on disk.")
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 0, 4, 4)
        column.addWidget(self.view)
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)
        model.changed.connect(lambda: self.summary_changed.emit(self.summary))
        model.moment_changed.connect(self.show_moment)

    def _set_up_view(self) -> None:
        view = self.view
        view.setObjectName("events_view")
        view.setAccessibleName("Events on record")
        view.setModel(self.events)
        view.setFont(text_font(SECONDARY_POINTS))
        view.setShowGrid(False)
        view.setTabKeyNavigation(False)
        view.setWordWrap(False)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows, columns = view.verticalHeader(), view.horizontalHeader()
        for header, name in ((rows, "Numbers of the rows"), (columns, "Columns of the events")):
            header.setAccessibleName(name)
            header.setVisible(False)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(view.fontMetrics().height() + ROW_PADDING)
        columns.setMinimumSectionSize(24)
        for column, widest in enumerate(("88888", "88:88:88")):
            columns.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            columns.resizeSection(column, view.fontMetrics().horizontalAdvance(widest) + CELL_PADDING)
        columns.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)

    @property
    def summary(self) -> str:
        """For the title line."""
        return f"{len(self._model.timeline.events):,}"

    def show_moment(self) -> None:
        """Mark the event at which the cursor stands; nothing is done while nobody sees it."""
        row = self.events.row_at(self._model.seq)
        if row < 0 or row == self.view.currentIndex().row() or not self.isVisible():
            return
        index = self.events.index(row, 0)
        self._showing = True
        try:
            flags = QItemSelectionModel.SelectionFlag
            self.view.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.view.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
        finally:
            self._showing = False

    def _on_current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        if current.isValid() and not self._showing:
            self._model.do(Seek(self.events.seq_of(current.row())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.view.setColumnHidden(1, self.width() < TIME_FITS)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_moment()
        if self.view.currentIndex().isValid():
            self.view.scrollTo(self.view.currentIndex(), QAbstractItemView.ScrollHint.EnsureVisible)
