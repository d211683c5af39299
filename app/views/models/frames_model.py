"""The pictures on record as a list for the film strip; rows are made of what the fold holds, only when shown."""

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.core.timeline import Frame
from app.views.models.timeline_model import TimelineModel
from app.views.stage.subject import ROLES, clock_words
from app.views.timeline.dots import Dot, dots_between

Index = QModelIndex | QPersistentModelIndex
FRAME_ROLE = Qt.ItemDataRole.UserRole + 1
DOTS_ROLE = Qt.ItemDataRole.UserRole + 2


class FramesModel(QAbstractListModel):
    """One row a picture, oldest first. Rows are only ever added at the end."""

    def __init__(self, model: TimelineModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._rows = len(model.timeline.frames)
        model.changed.connect(self._on_changed)

    def row_at(self, seq: int) -> int:
        """The row of the picture that was the newest at `seq`; -1 before the first."""
        return min(self._model.timeline.frames.count(seq), self._rows) - 1

    def seq_of(self, row: int) -> int:
        """Where on the timeline the picture of `row` came."""
        return self._model.timeline.frames[row].seq

    def dots(self, row: int) -> list[Dot]:
        """What happened from the picture of `row` until the next one; before the first picture counts to the first."""
        frames = self._model.timeline.frames
        after = frames[row].seq - 1 if row else 0
        upto = frames[row + 1].seq - 1 if row + 1 < len(frames) else self._model.timeline.last_seq
        return dots_between(self._model.timeline, after, upto)

    def words(self, row: int) -> str:
        """The row for those who cannot see it."""
        frame = self._model.timeline.frames[row]
        happened = ", ".join(f"{dot.title}: {dot.word}" for dot in self.dots(row))
        said = f"picture {row + 1} of {self._rows}, {clock_words(frame.wall_ms)}, {ROLES[frame.role]}"
        return f"{said}; {happened}" if happened else said

    def _on_changed(self) -> None:
        count = len(self._model.timeline.frames)
        if count > self._rows:
            self.beginInsertRows(QModelIndex(), self._rows, count - 1)
            self._rows = count
            self.endInsertRows()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else self._rows

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= self._rows:
            return None
        if role == FRAME_ROLE:
            frame: Frame = self._model.timeline.frames[index.row()]
            return frame
        if role == DOTS_ROLE:
            return self.dots(index.row())
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return self.words(index.row())
        return None
