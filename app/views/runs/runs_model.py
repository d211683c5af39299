"""The saved runs as a list model."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from app.core.untrusted import shown
from app.views.runs.run_row import RunRow, spoken

Index = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole + 1
MOST_SPOKEN = 600


class RunsModel(QAbstractListModel):
    """One row a saved run, in the order given."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[RunRow] = []

    def show_rows(self, rows: Sequence[RunRow]) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def row_at(self, row: int) -> RunRow | None:
        """The run in `row`."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row_at(index.row()) if index.isValid() else None
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return shown(spoken(row)[:MOST_SPOKEN])
        return None
