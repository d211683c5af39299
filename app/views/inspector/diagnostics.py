"""The SDK's own diagnostics and the real exceptions that it hides: in order, with a filter, and their times in bars."""

import heapq
from typing import Any

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app.core.events import DiagnosticReported, FailureSeen
from app.views.inspector.durations_chart import DurationsChart, stage_times
from app.views.inspector.panel import InspectorPanel, MomentSource
from app.views.inspector.rows import SIDE, Row, RowsModel, RowsView
from app.views.theme import Tone
from app.views.timeline.dots import ENDED_WELL
from app.views.widgets.empty_words import EmptyWords
from app.views.widgets.outside_text import OutsideText
from app.views.widgets.text_flow import Outside, Run, Words

_ROOM_FOR_CHART = 280
"""Pixels of height from which on the bars are shown: in a lower panel the rows need the room."""


class DiagnosticsPanel(InspectorPanel):
    """One row a diagnostic or failure, oldest first, up to the cursor; new ones are appended. A chosen failure is shown
    with what caused it.
    """

    def __init__(self, model: MomentSource, parent: QWidget | None = None) -> None:
        super().__init__(model, "Diagnostics", parent)
        self.rows = RowsModel(self)
        self.shown_rows = QSortFilterProxyModel(self)
        self.shown_rows.setSourceModel(self.rows)
        self.shown_rows.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.view = RowsView("Diagnostics", self)
        self.view.setModel(self.shown_rows)
        self.empty_words = EmptyWords(self.view, "How each stage of a call ended and how long it took appears here.")
        self.filter = QLineEdit(self)
        self.filter.setAccessibleName("Filter diagnostics")
        self.filter.setPlaceholderText("Only rows with these letters")
        self.filter.setClearButtonEnabled(True)
        # IMPORTANT: never focused by itself, or a question would wait for this field to be left.
        self.filter.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.filter.textChanged.connect(self.shown_rows.setFilterFixedString)
        self.chart = DurationsChart(self)
        self.causes = OutsideText("The failure and what caused it", max_rows=6, parent=self)
        self.causes.setContentsMargins(SIDE, 0, SIDE, 0)
        self.causes.hide()
        self.column.addWidget(self.chart)
        self.column.addWidget(self.view, 1)
        self.column.addWidget(self.causes)
        foot = QHBoxLayout()
        foot.setContentsMargins(SIDE, 0, SIDE, 0)
        foot.addWidget(self.filter)
        self.column.addLayout(foot)
        self.view.selectionModel().currentChanged.connect(self._on_chosen)

    def refresh(self) -> None:
        moment = self._model.moment
        diagnostics, failures = moment.timeline.diagnostics, moment.timeline.failures
        count, failed = diagnostics.count(moment.seq), failures.count(moment.seq)
        known = self.rows.rowCount()
        bar = self.view.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 2
        self.rows.cut_to(count + failed)
        if known < count + failed:
            # Both only grow, so that what is shown is always the beginning of what there is.
            told = ((diagnostics.seq_of(at), diagnostics[at]) for at in range(count))
            broke = ((failures.seq_of(at), failures[at]) for at in range(failed))
            merged: list[tuple[int, Any]] = list(heapq.merge(told, broke, key=lambda pair: pair[0]))
            self.rows.append([_row(event) for _, event in merged[known:]])
        if at_end:
            self.view.scrollToBottom()
        self.chart.show_times(stage_times(diagnostics.upto(moment.seq)))
        self._share_out()
        failure_words = f" · {failed:,} failure{'' if failed == 1 else 's'}" if failed else ""
        self.say_summary(f"{count:,}{failure_words}" if count or failed else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_out()

    def _share_out(self) -> None:
        self.chart.setVisible(bool(self.chart.times) and self.height() >= _ROOM_FOR_CHART)

    def _on_chosen(self, current: QModelIndex, previous: QModelIndex) -> None:
        chosen = self.rows.row(self.shown_rows.mapToSource(current).row()).subject if current.isValid() else None
        self.causes.setVisible(isinstance(chosen, FailureSeen))
        if isinstance(chosen, FailureSeen):
            causes = (f"caused by {cause}" for cause in chosen.causes)
            self.causes.set_value("\n".join((f"{chosen.error}: {chosen.detail}", *causes)))


def _row(event: DiagnosticReported | FailureSeen) -> Row:
    if isinstance(event, FailureSeen):
        what = (Outside(event.where, tone="dim"), Words("  "), Outside(event.error, tone="danger"))
        runs: tuple[Run, ...] = (*what, Words("  "), Outside(event.detail, tone="dim"))
        causes = len(event.causes)
        right = f"{causes} cause{'' if causes == 1 else 's'}" if causes else ""
        return Row("failure", "danger", runs, right, event)
    return _diagnostic(event)


def _diagnostic(diagnostic: DiagnosticReported) -> Row:
    tone: Tone = "dim" if diagnostic.reason in ENDED_WELL else "hold"
    runs: list[Run] = [Outside(diagnostic.reason, tone="text" if tone == "dim" else "hold")]
    if diagnostic.member is not None:
        runs += [Words("  "), Outside(diagnostic.member, tone="dim")]
    if diagnostic.total_tokens is not None:
        runs.append(Words(f"  {diagnostic.total_tokens:,} tokens", "dim", "small"))
    right = "" if diagnostic.duration_ms is None else f"{diagnostic.duration_ms:,.0f} ms"
    return Row(diagnostic.stage, tone, tuple(runs), right, diagnostic)
