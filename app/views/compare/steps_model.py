"""The steps of two runs as a table: number, left, right, what differs."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush

from app.core import describe
from app.core.alignment import AlignedStep, Step
from app.core.untrusted import beginning, shown
from app.core.value import json_to_read
from app.views.style import colour
from app.views.theme import Tone

Index = QModelIndex | QPersistentModelIndex

MOST_ARGUMENT_CHARS = 120


class StepsModel(QAbstractTableModel):
    """One row a place in both runs."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.steps: list[AlignedStep] = []
        self._heads = ("", "", "", "")

    def show_steps(self, steps: list[AlignedStep], left: str, right: str) -> None:
        """Show these; `left` and `right` name the runs."""
        self.beginResetModel()
        self.steps, self._heads = steps, ("", shown(left), shown(right), "Differs")
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.steps)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._heads)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        across = orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return self._heads[section] if across else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.steps):
            return None
        step, column = self.steps[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            if column == 0:
                return str(index.row() + 1)
            return (
                ", ".join(step.differs) or "same"
                if column == 3
                else step_words(step.left if column == 1 else step.right)
            )
        if role == Qt.ItemDataRole.ForegroundRole:
            return QBrush(colour(_tone(step, column)))
        return None


def step_words(step: Step | None) -> str:
    """One step in a line: what, what was decided, what became of it, with which arguments."""
    if step is None:
        return "—"
    if not step.source:
        return f"The run: {step.outcome}"
    name = describe.member_phrase(step.source, step.member) or f"Call {beginning(step.member, MOST_ARGUMENT_CHARS)}"
    return " · ".join(part for part in (name, step.decision, step.outcome, _brief(step.arguments)) if part)


def _brief(arguments: Any) -> str:
    if isinstance(arguments, dict):
        arguments = {key: value for key, value in arguments.items() if value is not None}
    if not arguments:
        return ""
    text = json_to_read(arguments)
    return beginning(text, MOST_ARGUMENT_CHARS)


def _tone(step: AlignedStep, column: int) -> Tone:
    if column == 0 or not step.differs:
        return "dim" if column in (0, 3) else "text"
    return "hold" if column == 3 else "text"
