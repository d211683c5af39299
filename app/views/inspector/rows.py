"""A dense list: a word of the console in its colour, outside text in monospace, a figure on the right."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.views.style import colour, theme
from app.views.theme import Tone
from app.views.widgets.text_flow import Flow, Line, Run, Words, faces, paint_rows

Index = QModelIndex | QPersistentModelIndex

SIDE = 12
"""Pixels left and right of a row."""
_ROW_SPACE = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `subject` is what choosing the row is about; it is not shown."""

    word: str
    tone: Tone
    runs: tuple[Run, ...] = ()
    right: str = ""
    subject: Any = None

    @property
    def line(self) -> Line:
        """The row without its right side."""
        return Line((Words(self.word, self.tone, "bold"), Words("  "), *self.runs))

    @property
    def words(self) -> str:
        """The whole row in plain letters, for screen readers and for searching."""
        return "  ".join(part for part in (self.line.shown, self.right) if part)


class RowsModel(QAbstractListModel):
    """Rows that grow at the end and are cut there; what stays the same is not told anew."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []

    def row(self, at: int) -> Row:
        """The row at that place."""
        return self._rows[at]

    def append(self, rows: Sequence[Row]) -> None:
        """Put `rows` at the end."""
        if rows:
            self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows) + len(rows) - 1)
            self._rows.extend(rows)
            self.endInsertRows()

    def cut_to(self, count: int) -> None:
        """Keep the first `count` rows."""
        if count < len(self._rows):
            self.beginRemoveRows(QModelIndex(), count, len(self._rows) - 1)
            del self._rows[count:]
            self.endRemoveRows()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show exactly `rows`; only what differs changes."""
        self.cut_to(len(rows))
        for at, (old, new) in enumerate(zip(self._rows, rows, strict=False)):
            if old != new:
                self._rows[at] = new
                self.dataChanged.emit(self.index(at), self.index(at))
        self.append(rows[len(self._rows) :])

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._rows[index.row()].words
        return self._rows[index.row()] if role == Qt.ItemDataRole.UserRole else None


class RowDelegate(QStyledItemDelegate):
    """Paints a row on one line; what does not fit ends in an ellipsis and is whole where it is asked about."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, round(faces().row_height) + _ROW_SPACE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(Qt.ItemDataRole.UserRole)
        if not isinstance(row, Row):
            return
        rect = QRectF(option.rect)
        painter.save()
        painter.setClipRect(rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme().soft)
        known = faces()
        right_width = known.width(row.right, "small") if row.right else 0.0
        dots = known.width("…", "words")
        room = rect.width() - 2 * SIDE - (right_width + SIDE if row.right else 0) - dots
        flow = Flow(room, max_rows=1)
        flow.add(row.line)
        painter.translate(rect.left() + SIDE, rect.top() + _ROW_SPACE / 2)
        paint_rows(painter, flow.rows, QRectF(0, 0, room, rect.height()))
        end = max((atom.x + atom.width for atom in flow.rows[0].atoms), default=0.0)
        baseline = known.ascent + 2
        painter.setPen(colour("dim"))
        if flow.cut:
            painter.setFont(known.fonts["words"])
            painter.drawText(round(end + 1), round(baseline), "…")
        painter.setFont(known.fonts["small"])
        painter.drawText(round(rect.width() - 2 * SIDE - right_width), round(baseline), row.right)
        painter.restore()


class RowsView(QListView):
    """The list itself: no editing, no tooltips, no sideways scrolling."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setItemDelegate(RowDelegate(self))
        self.setUniformItemSizes(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.entering = False
        """Whether the keyboard is just coming in: a row that becomes current by that was chosen by nobody."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.entering = True
        try:
            super().focusInEvent(event)
        finally:
            self.entering = False
