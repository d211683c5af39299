"""The SDK's own diagnostics: which stage, how it ended, how long it took, how many tokens; with a filter."""

from PySide6.QtCore import QSortFilterProxyModel, Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app.core.events import DiagnosticReported
from app.views.inspector.panel import InspectorPanel, MomentSource
from app.views.inspector.rows import SIDE, Row, RowsModel, RowsView
from app.views.theme import Tone
from app.views.widgets.empty_words import EmptyWords
from app.views.widgets.text_flow import Outside, Run, Words

_ENDED_WELL = frozenset({"completed", "started", "allowed", "approved"})


class DiagnosticsPanel(InspectorPanel):
    """One row a diagnostic, oldest first, up to the cursor; new ones are appended."""

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
        self.column.addWidget(self.view, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(SIDE, 0, SIDE, 0)
        foot.addWidget(self.filter)
        self.column.addLayout(foot)

    def refresh(self) -> None:
        moment = self._model.moment
        series = moment.timeline.diagnostics
        count, known = series.count(moment.seq), self.rows.rowCount()
        bar = self.view.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 2
        self.rows.cut_to(count)
        self.rows.append([_row(series[at]) for at in range(known, count)])
        if at_end:
            self.view.scrollToBottom()
        self.say_summary(f"{count:,}" if count else "")


def _row(diagnostic: DiagnosticReported) -> Row:
    tone: Tone = "dim" if diagnostic.reason in _ENDED_WELL else "hold"
    runs: list[Run] = [Outside(diagnostic.reason, tone="text" if tone == "dim" else "hold")]
    if diagnostic.member is not None:
        runs += [Words("  "), Outside(diagnostic.member, tone="dim")]
    if diagnostic.total_tokens is not None:
        runs.append(Words(f"  {diagnostic.total_tokens:,} tokens", "dim", "small"))
    right = "" if diagnostic.duration_ms is None else f"{diagnostic.duration_ms:,.0f} ms"
    return Row(diagnostic.stage, tone, tuple(runs), right, diagnostic)
