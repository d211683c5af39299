"""The breakpoints of the run: how often each has fitted, a line to add more, stages to hold at each time."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core.breakpoint import BreakpointPlan
from app.core.breakpoint_use import BreakpointUse, breakpoint_uses
from app.core.live import StepControl
from app.core.step import STAGE_NAMES, STAGE_WORDS, STAGES, Stage
from app.views.debugger.breakpoint_form import BreakpointForm
from app.views.inspector.panel import InspectorPanel, MomentSource
from app.views.inspector.rows import Row, RowsModel, RowsView
from app.views.style import mark
from app.views.widgets.empty_words import EmptyWords
from app.views.widgets.text_flow import Outside

EMPTY = "Breakpoints of the run file, and those that you add below, appear here with how often each has fitted."
LIST_HEIGHT = 60
"""Pixels of the list at least."""


class BreakpointsPanel(InspectorPanel):
    """Live it can be changed; of a saved run it shows the run file's, and those that have held or noted."""

    def __init__(self, model: MomentSource, parent: QWidget | None = None) -> None:
        super().__init__(model, "Breakpoints", parent)
        self._control: StepControl | None = None
        self._at_stage: dict[Stage, str] = {}
        """Names of the breakpoints that the boxes have put in force."""
        self.boxes: dict[Stage, QPushButton] = {}
        self._live_part = QWidget(self)
        self._live_part.setProperty("bare", True)
        grid = QGridLayout()
        grid.setSpacing(2)
        heading = QLabel("Hold at each", self._live_part)
        mark(heading, role="secondary")
        grid.addWidget(heading, 0, 0, 1, 3)
        for at, stage in enumerate(STAGES):
            box = QPushButton(STAGE_NAMES[stage], self._live_part)
            box.setCheckable(True)
            box.setAutoDefault(False)
            box.setProperty("flat", True)
            box.setAccessibleName(f"Hold {STAGE_WORDS[stage]}, each time")
            box.setToolTip(f"Hold {STAGE_WORDS[stage]}, each time")
            box.toggled.connect(lambda on, stage=stage: self._on_stage(stage, on=on))
            self.boxes[stage] = box
            grid.addWidget(box, 1 + at // 3, at % 3)
        self.form = BreakpointForm(self._live_part)
        self.form.wanted.connect(self._on_wanted)
        live = QGridLayout(self._live_part)
        live.setContentsMargins(0, 0, 0, 0)
        live.setSpacing(6)
        live.addWidget(self.form, 0, 0)
        live.addLayout(grid, 1, 0)
        self._live_part.setVisible(False)
        self.rows = RowsModel(self)
        self.view = RowsView("Breakpoints of the run", self)
        self.view.setModel(self.rows)
        self.empty_words = EmptyWords(self.view, EMPTY)
        self.view.setMinimumHeight(LIST_HEIGHT)
        self.switch_button = self._button("Off", self._on_switch)
        self.remove_button = self._button("Remove", self._on_remove)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.switch_button)
        row.addWidget(self.remove_button)
        self.column.addWidget(self._scrolled(row))
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._say_buttons())
        self._say_buttons()

    def _scrolled(self, buttons: QHBoxLayout) -> QScrollArea:
        """All of it behind a scroll bar: it must not make its column, and the window, taller."""
        inside = QWidget()
        inside.setProperty("bare", True)
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 2, 12, 6)
        column.setSpacing(6)
        # What there is stands first: in a low panel the rest is scrolled to.
        column.addWidget(self.view, 1)
        column.addLayout(buttons)
        column.addWidget(self._live_part)
        holder = QScrollArea(self)
        holder.setAccessibleName("Breakpoints")
        holder.setFrameShape(QFrame.Shape.NoFrame)
        holder.setWidgetResizable(True)
        holder.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        holder.setWidget(inside)
        return holder

    def take_control(self, control: StepControl) -> None:
        """The run is live: what is changed here is in force at once."""
        self._control = control
        self._live_part.setVisible(True)
        self.refresh()

    def refresh(self) -> None:
        uses = self._uses()
        self.rows.show_rows([_row(use) for use in uses])
        self.say_summary(f"{len(uses):,}" if uses else "")
        self._say_buttons()

    def _uses(self) -> list[BreakpointUse]:
        moment = self._model.moment
        started = moment.timeline.run
        planned = started.plan.get("breakpoints") if started is not None and isinstance(started.plan, dict) else []
        recorded = breakpoint_uses(planned, moment.timeline.steps, moment.seq)
        if self._control is None:
            return recorded
        last = {use.name: use.last_ms for use in recorded}
        return [
            BreakpointUse(one.name, one.words, one.plan.log_only, one.enabled, one.hits, last_ms=last.get(one.name, 0))
            for one in self._control.breakpoints
        ]

    def _button(self, words: str, slot: object) -> QPushButton:
        button = QPushButton(words, self)
        button.setAutoDefault(False)
        button.clicked.connect(slot)
        return button

    def _chosen(self) -> BreakpointUse | None:
        rows = self.view.selectionModel().selectedIndexes()
        use = self.rows.row(rows[0].row()).subject if rows else None
        return use if isinstance(use, BreakpointUse) else None

    def _say_buttons(self) -> None:
        use, live = self._chosen(), self._control is not None and bool(getattr(self._model, "live", False))
        self.switch_button.setVisible(self._control is not None)
        self.remove_button.setVisible(self._control is not None)
        self.switch_button.setText("On" if use is not None and not use.enabled else "Off")
        self.switch_button.setAccessibleName(f"Switch the chosen breakpoint {self.switch_button.text().lower()}")
        self.remove_button.setAccessibleName("Remove the chosen breakpoint")
        self.switch_button.setEnabled(live and use is not None)
        self.remove_button.setEnabled(live and use is not None)

    def _on_stage(self, stage: Stage, *, on: bool) -> None:
        if self._control is None:
            return
        if on and stage not in self._at_stage:
            self._at_stage[stage] = self._control.add(BreakpointPlan(stages=(stage,)))
        elif not on and stage in self._at_stage:
            self._control.remove(self._at_stage.pop(stage))
        self.refresh()

    def _on_wanted(self, plan: BreakpointPlan) -> None:
        if self._control is not None:
            self._control.add(plan)
            self.refresh()
            # The new one stands last: whoever has added it sees that it is there.
            self.view.scrollToBottom()

    def _on_switch(self) -> None:
        if (use := self._chosen()) is not None and self._control is not None:
            self._control.switch(use.name, enabled=not use.enabled)
            self.refresh()

    def _on_remove(self) -> None:
        if (use := self._chosen()) is None or self._control is None:
            return
        self._control.remove(use.name)
        for stage, name in list(self._at_stage.items()):
            if name == use.name:
                del self._at_stage[stage]
                self.boxes[stage].setChecked(False)
        self.refresh()


def _row(use: BreakpointUse) -> Row:
    word = "off" if not use.enabled else "log" if use.log_only else "hold"
    hits = f"{use.hits:,} hit" if use.hits == 1 else f"{use.hits:,} hits"
    return Row(word, "hold" if word == "hold" else "dim", (Outside(use.words or use.name),), hits, use)
