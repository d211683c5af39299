"""The event at the cursor as it is on record: its JSON, letter for letter what the views are made from."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.core import describe
from app.core.value import json_to_read
from app.views.inspector.panel import InspectorPanel
from app.views.inspector.rows import SIDE
from app.views.models.timeline_model import TimelineModel
from app.views.stage.subject import clock_words
from app.views.style import mark
from app.views.timeline.wording import event_words
from app.views.widgets.outside_text import OutsideCanvas
from app.views.widgets.text_flow import Line, Outside, Words

EMPTY = "The event at the cursor appears here as it is on record, as JSON."
MOST_LINES = 600
MOST_LINE_CHARS = 4000
INDENT_CELLS = 1


class EventPanel(InspectorPanel):
    """One event at a time; what is scrubbed past is not worded."""

    settles_ms = 80

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(model, "Event", parent)
        self._timeline_model = model
        self._shown_seq = 0
        inside = QWidget(self)
        inside.setProperty("bare", True)
        self.head = QLabel(EMPTY, inside)
        self.head.setTextFormat(Qt.TextFormat.PlainText)
        self.head.setWordWrap(True)
        mark(self.head, role="secondary")
        self.text = OutsideCanvas(inside)
        self.text.setAccessibleName("The event as JSON")
        self.text.hide()
        self.json = ""
        self.copying = QPushButton("Copy JSON", inside)
        self.copying.setObjectName("button_copy_json")
        self.copying.setProperty("flat", True)
        self.copying.setAutoDefault(False)
        self.copying.setVisible(False)
        self.copying.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.json))
        column = QVBoxLayout(inside)
        column.setContentsMargins(SIDE, 0, SIDE, SIDE)
        column.setSpacing(6)
        column.addWidget(self.head)
        column.addWidget(self.text)
        column.addWidget(self.copying, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self.area = QScrollArea(self)
        self.area.setAccessibleName("The event as it is on record")
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(inside)
        self.column.addWidget(self.area)

    def refresh(self) -> None:
        events, seq = self._timeline_model.timeline.events, self._timeline_model.seq
        if seq == self._shown_seq:
            return
        self._shown_seq = seq
        for widget in (self.text, self.copying):
            widget.setVisible(bool(seq))
        if not seq:
            self.head.setText(EMPTY)
            self.say_summary("")
            return
        recorded = events[events.count(seq) - 1]
        what = event_words(recorded.event)
        name = describe.event_name(recorded.event)
        self.head.setText(f"{clock_words(recorded.wall_ms)} · {name}{f' · {what}' if what else ''}")
        self.json = json_to_read(recorded.event.model_dump(), indent=1)
        self.text.set_lines(_lines(self.json))
        self.area.verticalScrollBar().setValue(0)
        self.say_summary(f"{seq:,}")


def _lines(text: str) -> list[Line]:
    """Each line of the JSON in its place; of a very long one the beginning, and how much is left out."""
    lines = text.split("\n")
    shown = [
        Line((Outside(line.lstrip(" ")[:MOST_LINE_CHARS]),), indent=INDENT_CELLS * (len(line) - len(line.lstrip(" "))))
        for line in lines[:MOST_LINES]
    ]
    if len(lines) > MOST_LINES or any(len(line) > MOST_LINE_CHARS for line in lines):
        left = max(0, len(lines) - MOST_LINES)
        words = f"… {left:,} more lines: " if left else "… long values are cut here: "
        shown.append(Line((Words(f"{words}copied, they are all there", "hold", "small"),)))
    return shown
