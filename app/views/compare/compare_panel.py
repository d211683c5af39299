"""What the window of two runs holds: steps with their differences, the pictures of the chosen step, the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QScrollArea,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.core.alignment import Step, aligned, first_difference, steps_of
from app.core.comparison import OTHER_TASK, figures_of, rows_of, same_task
from app.core.untrusted import beginning, shown
from app.replay.frames import Frames
from app.views.commands import tip
from app.views.compare.pair_panel import PairPanel
from app.views.compare.picture_pair import Side
from app.views.compare.sides import marks_of, side_of
from app.views.compare.steps_model import StepsModel
from app.views.style import GAP, mark
from app.views.widgets.elided_label import ElidedLabel

if TYPE_CHECKING:
    from app.views.compare.compare_window import ComparedRun

MOST_CELL_CHARS = 60
NO_STEP = "This run has no such step."
NO_PICTURE = "No picture had been recorded by then."
ALL_SAME = "Every step is the same in both"


class ComparePanel(QWidget):
    """Stands at the first difference when it is made."""

    def __init__(self, left: ComparedRun, right: ComparedRun, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("compare_panel")
        self._runs = (left, right)
        self._pictures = (Frames(left.blobs), Frames(right.blobs))
        self.steps = StepsModel(self)
        self.steps.show_steps(aligned(steps_of(left.timeline), steps_of(right.timeline)), left.title, right.title)
        self.verdict = QLabel(self)
        self.verdict.setTextFormat(Qt.TextFormat.PlainText)
        self.verdict.setWordWrap(True)
        mark(self.verdict, role="strong")
        self.previous = QPushButton("Difference before", self)
        self.next = QPushButton("Next difference", self)
        self.view = QTableView(self)
        self.pictures = PairPanel(self)
        self._set_up_view()
        self._lay_out()
        self._say_verdict()
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)
        first = first_difference(self.steps.steps)
        self.view.setCurrentIndex(self.steps.index(first if first is not None else 0, 1))

    def to_next_difference(self) -> None:
        """To the next step in which the two differ, if there is one."""
        at = first_difference(self.steps.steps, self.view.currentIndex().row())
        if at is not None:
            self.view.setCurrentIndex(self.steps.index(at, 1))

    def to_previous_difference(self) -> None:
        """To the step before in which the two differ, if there is one."""
        here = self.view.currentIndex().row()
        before = [at for at in range(here) if self.steps.steps[at].differs]
        if before:
            self.view.setCurrentIndex(self.steps.index(before[-1], 1))

    def close_down(self) -> None:
        """End the workers."""
        self.pictures.close_down()

    def _set_up_view(self) -> None:
        view = self.view
        view.setObjectName("compared_steps")
        view.setAccessibleName("Steps of both runs")
        view.setModel(self.steps)
        view.setShowGrid(False)
        view.setTabKeyNavigation(False)
        view.setWordWrap(False)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.verticalHeader().setVisible(False)
        view.verticalHeader().setAccessibleName("Numbers of the rows")
        columns = view.horizontalHeader()
        columns.setAccessibleName("Columns of the steps")
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for column, width in ((0, 44), (3, 150)):
            columns.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            columns.resizeSection(column, width)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.verdict, 1)
        for button, key, slot in (
            (self.previous, "previous_difference", self.to_previous_difference),
            (self.next, "next_difference", self.to_next_difference),
        ):
            button.setObjectName(f"button_{key}")
            button.setToolTip(tip(key))
            button.setAutoDefault(False)
            button.clicked.connect(slot)
            row.addWidget(button)
        above = QSplitter(Qt.Orientation.Horizontal, self)
        above.addWidget(self.view)
        above.addWidget(_figures(self._runs, self))
        above.setStretchFactor(0, 3)
        above.setStretchFactor(1, 1)
        whole = QSplitter(Qt.Orientation.Vertical, self)
        whole.addWidget(above)
        whole.addWidget(self.pictures)
        whole.setStretchFactor(0, 2)
        whole.setStretchFactor(1, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(GAP, GAP, GAP, GAP)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(whole, 1)

    def _say_verdict(self) -> None:
        steps = self.steps.steps
        first = first_difference(steps)
        same = sum(not step.differs for step in steps)
        words = ALL_SAME if first is None else f"First difference at step {first + 1:,}"
        words += f" · {same:,} of {len(steps):,} steps are the same"
        if not same_task([figures_of(run.timeline) for run in self._runs if run.timeline.run is not None]):
            words += f" · {OTHER_TASK}"
        self.verdict.setText(words)

    def _on_current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        step = self.steps.steps[current.row()]
        self.view.scrollTo(current)
        self.next.setEnabled(first_difference(self.steps.steps, current.row()) is not None)
        self.previous.setEnabled(any(one.differs for one in self.steps.steps[: current.row()]))
        sides = [self._side(at, one) for at, one in enumerate((step.left, step.right))]
        words = tuple(
            f"{shown(run.title)}{f' · event {one.seq:,}' if one is not None else ''}"
            for run, one in zip(self._runs, (step.left, step.right), strict=True)
        )
        self.pictures.show_sides(sides[0], sides[1], (words[0], words[1]))

    def _side(self, at: int, step: Step | None) -> Side:
        if step is None:
            return Side("", words=NO_STEP)
        timeline = self._runs[at].timeline
        call = timeline.call(step.call_id) if step.call_id else None
        ask = call.asks[0].ask if call is not None and call.asks else None
        frame = timeline.frames.last(step.seq)
        picture = ask.evidence.picture if ask is not None else None
        return side_of(
            self._pictures[at],
            picture or (frame.picture if frame is not None else None),
            marks_of(ask, target=True),
            NO_PICTURE,
        )


def _figures(runs: tuple[ComparedRun, ComparedRun], parent: QWidget) -> QScrollArea:
    """What each took, as `signalbox compare` prints it."""
    inside = QWidget()
    inside.setProperty("bare", True)
    grid = QGridLayout(inside)
    grid.setContentsMargins(12, 8, 12, 8)
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(3)
    figures = [figures_of(run.timeline) for run in runs if run.timeline.run is not None]
    for row, (name, values) in enumerate(rows_of(figures) if figures else []):
        label = QLabel(name, inside)
        mark(label, role="secondary")
        grid.addWidget(label, row, 0)
        for column, value in enumerate(values, start=1):
            cell = ElidedLabel(beginning(value, MOST_CELL_CHARS), inside)
            cell.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            mark(cell, tone="text" if len(set(values)) > 1 else "dim")
            grid.addWidget(cell, row, column)
    grid.setColumnStretch(1, 1)
    grid.setColumnStretch(2, 1)
    grid.setRowStretch(grid.rowCount(), 1)
    area = QScrollArea(parent)
    area.setAccessibleName("What each run took")
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(inside)
    return area
