"""Each request to the model service with its answer, as they went over the wire: to read, to search, to send again."""

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from app.core.exchange import ExchangeSeen
from app.views.inspector.exchange_texts import ExchangeReader, ExchangeTexts
from app.views.inspector.panel import InspectorPanel
from app.views.inspector.rows import SIDE, Row, RowsModel, RowsView
from app.views.models.timeline_model import TimelineModel
from app.views.style import mark
from app.views.theme import Tone
from app.views.widgets.choice_box import ChoiceBox
from app.views.widgets.empty_words import EmptyWords
from app.views.widgets.outside_text import OutsideText
from app.views.widgets.text_flow import Run, Words, faces

PARTS = {"Request": "request", "Answer": "answer", "Events": "events", "Timing": "timing"}
_LIST_SHARE = 0.3
_FEWEST_ROWS = 4
_AROUND = 120
"""Pixels of the panel that are neither list nor text."""


class ProtocolPanel(InspectorPanel):
    """One row an exchange up to the cursor; of the chosen one its request, answer, stream events or timing."""

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(model, "Protocol", parent)
        self.rows = RowsModel(self)
        self.view = RowsView("Requests and answers", self)
        self.view.setModel(self.rows)
        self.empty_words = EmptyWords(
            self.view,
            "Requests and answers appear here as they went over the wire, in runs whose run file says so:"
            " wire = true under [record].",
        )
        self.part = ChoiceBox(self)
        self.part.addItems(list(PARTS))
        self.part.setAccessibleName("What of it is shown")
        self.part.view().setAccessibleName("What of it can be shown")
        self.search = QLineEdit(self)
        self.search.setAccessibleName("Only lines with these letters")
        self.search.setPlaceholderText("Only lines with these letters")
        self.search.setClearButtonEnabled(True)
        # IMPORTANT: never focused by itself, or a question would wait for this field to be left.
        self.search.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.found = QLabel(self)
        mark(self.found, role="secondary")
        self.copy_button = QPushButton("Copy as curl", self)
        self.copy_button.setAutoDefault(False)
        self.copy_button.setProperty("flat", True)
        self.copy_button.setAccessibleDescription("Copies a line for a shell; the key is left out")
        self.text = OutsideText("Of the chosen exchange", max_rows=_FEWEST_ROWS, parent=self)
        self.text.setContentsMargins(SIDE, 0, SIDE, 0)
        self._texts: ExchangeTexts | None = None
        self._reader = ExchangeReader(model.blobs.blob, self)
        self._lay_out()
        self._reader.read.connect(self._on_read)
        self.view.selectionModel().currentChanged.connect(self._on_chosen)
        self.part.currentIndexChanged.connect(self._show)
        self.search.textChanged.connect(self._show)
        self.copy_button.clicked.connect(self._copy)
        self._show()

    def _lay_out(self) -> None:
        self.column.addWidget(self.view, 1)
        # Two rows: in a panel of the default width the search has no room beside the others.
        for widgets in ((self.part, self.copy_button), (self.search, self.found)):
            row = QHBoxLayout()
            row.setContentsMargins(SIDE, 0, SIDE, 0)
            for widget in widgets:
                row.addWidget(widget, 1 if widget in (self.part, self.search) else 0)
            self.column.addLayout(row)
        self.column.addWidget(self.text)

    def refresh(self) -> None:
        moment = self._model.moment
        series = moment.timeline.exchanges
        count, known = series.count(moment.seq), self.rows.rowCount()
        self.rows.cut_to(count)
        self.rows.append([_row(series[at]) for at in range(known, count)])
        if not count:
            self._reader.forget()
            self._texts = None
            self._show()
        self.say_summary(f"{count:,}" if count else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        left = self.height() * (1 - _LIST_SHARE) - _AROUND
        self.text.set_max_rows(max(_FEWEST_ROWS, int(left / faces().row_height)))

    def _on_chosen(self, current: QModelIndex, previous: QModelIndex) -> None:
        if current.isValid():
            self._reader.ask(self.rows.row(current.row()).subject)

    def _on_read(self, texts: ExchangeTexts) -> None:
        self._texts = texts
        self._show()

    def _show(self) -> None:
        texts = self._texts
        for widget in (self.part, self.search):
            widget.setEnabled(texts is not None)
        # There is nothing to copy of one whose bytes cannot be had.
        self.copy_button.setEnabled(texts is not None and not texts.problem)
        self.text.setVisible(texts is not None)
        if texts is None:
            self.found.setText("")
            return
        said: str = texts.problem or getattr(texts, PARTS[self.part.currentText()])
        wanted = self.search.text().casefold()
        self.found.setText("")
        if wanted:
            lines = [line for line in said.splitlines() if wanted in line.casefold()]
            self.found.setText(f"{len(lines):,} line{'' if len(lines) == 1 else 's'}")
            said = "\n".join(lines)
        self.text.set_value(said)

    def _copy(self) -> None:
        if self._texts is not None:
            QGuiApplication.clipboard().setText(self._texts.curl)


def _row(exchange: ExchangeSeen) -> Row:
    good = 200 <= exchange.status < 300 and not exchange.cut
    tone: Tone = "dim" if good else "hold"
    runs: list[Run] = [Words(f"{exchange.status}", "text" if good else "hold")]
    runs.append(Words("  streamed" if exchange.streamed else "  in one piece", "dim"))
    if exchange.cut:
        runs.append(Words("  broken off", "hold"))
    runs.append(Words(f"  {exchange.answer_bytes:,} bytes", "dim", "small"))
    return Row(f"turn {exchange.turn}", tone, tuple(runs), f"{exchange.ended_ms:,.0f} ms", exchange)
