"""What was said by the task, the model, the operator. The model's words stand in quotes, never in a question."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget

from app.core.timeline import Said
from app.core.untrusted import page_count
from app.views.inspector.panel import InspectorPanel, MomentSource
from app.views.inspector.rows import SIDE
from app.views.inspector.say_row import SayRow
from app.views.style import mark
from app.views.theme import Tone
from app.views.widgets.outside_text import OutsideCanvas, OutsideText
from app.views.widgets.text_flow import Line, Outside, Words

FEW_NEW = 4
MOST_SHOWN = 200
"""Older lines are counted, not shown."""

_SPEAKERS: dict[str, tuple[str, Tone]] = {
    "task": ("Task", "dim"),
    "model": ("Model", "accent"),
    "operator": ("You", "clear"),
    "console": ("Console", "hold"),
}
_EMPTY = "What the model and you say appears here."
_FOOT = "Words of the model are never part of a question"


class ConversationPanel(InspectorPanel):
    """One block a speaker's turn; new ones are appended, and the end stays in view while it is in view."""

    settles_ms = 80

    def __init__(self, model: MomentSource, parent: QWidget | None = None) -> None:
        super().__init__(model, "Conversation", parent)
        self._first = 0
        self._shown: list[OutsideCanvas | OutsideText] = []
        self._list = QWidget()
        self._blocks = QVBoxLayout(self._list)
        self._blocks.setContentsMargins(SIDE, 2, SIDE, 2)
        self._blocks.setSpacing(8)
        self.foot = QLabel(_EMPTY, self._list)
        self.foot.setWordWrap(True)
        self.foot.setTextFormat(Qt.TextFormat.PlainText)
        mark(self.foot, role="secondary")
        self._blocks.addWidget(self.foot)
        self._blocks.addStretch(1)
        self.area = QScrollArea(self)
        self.area.setAccessibleName("Conversation")
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(self._list)
        self._list.setAutoFillBackground(False)
        self._at_end = True
        bar = self.area.verticalScrollBar()
        bar.rangeChanged.connect(self._on_range_changed)
        bar.valueChanged.connect(self._on_scrolled)
        self.column.addWidget(self.area)
        self.say_row: SayRow | None = None

    def let_say(self) -> SayRow:
        """Offer a person to say something; for a live run whose model can be told."""
        self.say_row = SayRow(self)
        self.column.addWidget(self.say_row)
        return self.say_row

    def refresh(self) -> None:
        moment = self._model.moment
        series = moment.timeline.conversation
        count = series.count(moment.seq)
        first = max(0, count - MOST_SHOWN)
        if first < self._first or first >= self._first + len(self._shown):
            self._drop(0, len(self._shown))
            self._first = first
        self._drop(0, first - self._first)
        self._first = first
        self._drop(count - first, len(self._shown))
        for at in range(first + len(self._shown), count):
            self._append(series[at])
        earlier = f" · {first:,} earlier not shown" if first else ""
        self.foot.setText(f"{_FOOT}{earlier}" if count else _EMPTY)
        self.say_summary(f"{count:,}" if count else "")

    def shown_text(self) -> str:
        """Everything that stands in the panel, in plain letters; marks stand in ``⟦ ⟧``."""
        return "\n".join([*(block.shown_text() for block in self._shown), self.foot.text()])

    def _delay_ms(self) -> int:
        """Where the blocks that are shown only grow, nothing is waited for."""
        count = self._model.moment.timeline.conversation.count(self._model.moment.seq)
        known = self._first + len(self._shown)
        return 0 if known <= count <= known + FEW_NEW else self.settles_ms

    def _append(self, said: Said) -> None:
        words, tone = _SPEAKERS[said.speaker]
        block: OutsideCanvas | OutsideText
        if page_count(said.text) > 1:
            block = OutsideText(words, parent=self._list)
            block.set_value(said.text, (Words(words, tone, "bold"),))
        else:
            block = OutsideCanvas(self._list)
            outside = Outside(said.text, "block", quoted=said.speaker == "model")
            block.set_lines([Line((Words(words, tone, "bold"), Words("  "), outside))])
        block.setAccessibleName(words)
        self._blocks.insertWidget(len(self._shown), block)
        self._shown.append(block)

    def _drop(self, begin: int, end: int) -> None:
        for block in self._shown[begin:end]:
            self._blocks.removeWidget(block)
            block.hide()
            block.deleteLater()
        del self._shown[begin:end]

    def _on_range_changed(self, low: int, high: int) -> None:
        if self._at_end:
            self.area.verticalScrollBar().setValue(high)

    def _on_scrolled(self, value: int) -> None:
        self._at_end = value >= self.area.verticalScrollBar().maximum() - 2
