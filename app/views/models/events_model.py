"""Every event on record as a table; a cell is worded only when it is shown."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush

from app.core import describe
from app.core.events import Event
from app.views.models.timeline_model import TimelineModel
from app.views.stage.subject import clock_words
from app.views.style import colour
from app.views.theme import Tone
from app.views.timeline.dots import lane_of
from app.views.timeline.wording import event_words

Index = QModelIndex | QPersistentModelIndex
COLUMNS = ("No.", "Time", "Event")


class EventsModel(QAbstractTableModel):
    """One row an event, oldest first; rows are only ever added at the end."""

    def __init__(self, model: TimelineModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._rows = len(model.timeline.events)
        model.changed.connect(self._on_changed)

    def row_at(self, seq: int) -> int:
        """The row of event `seq`, or of the last one before it."""
        return min(self._model.timeline.events.count(seq), self._rows) - 1

    def seq_of(self, row: int) -> int:
        """The event that `row` shows."""
        return self._model.timeline.events[row].seq

    def _on_changed(self) -> None:
        count = len(self._model.timeline.events)
        if count > self._rows:
            self.beginInsertRows(QModelIndex(), self._rows, count - 1)
            self._rows = count
            self.endInsertRows()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else self._rows

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        across = orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return COLUMNS[section] if across else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= self._rows:
            return None
        recorded = self._model.timeline.events[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            match index.column():
                case 0:
                    return str(recorded.seq)
                case 1:
                    return clock_words(recorded.wall_ms)
                case _:
                    what = event_words(recorded.event)
                    name = describe.event_name(recorded.event)
                    return f"{name} · {what}" if what else name
        if role == Qt.ItemDataRole.ForegroundRole:
            tones: tuple[Tone, ...] = ("dim", "dim", _tone(recorded.event))
            return QBrush(colour(tones[index.column()]))
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == 0:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None


def _tone(event: Event) -> Tone:
    """Only what asks, allows, denies or fails stands out; the rest is plain text."""
    tone = lane_of(event)[1]
    return tone if tone in ("clear", "hold", "danger") else "text"
