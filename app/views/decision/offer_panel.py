"""What a candidate was chosen from: the question and its answer, all candidates, the observation as it was sent."""

import json

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.core.offer import CHOSEN_BY, Candidate, Offer
from app.core.value import Json
from app.views.style import mark
from app.views.widgets.number_field import NumberField
from app.views.widgets.outside_text import OutsideCanvas, OutsideText
from app.views.widgets.text_flow import Line, Outside, Run, Words, faces

CANDIDATE_ROWS, OBSERVATION_ROWS = 8, 6
INSTEAD = "Ask about it instead"


class OfferPanel(QWidget):
    """Stands below the question. Picking another candidate allows nothing: a question of its own is asked about it.

    Signals:
        picked: the id of the candidate that a person wants to be asked about instead.
    """

    picked = Signal(str)

    def __init__(self, offer: Offer, width: int, *, with_pick: bool, parent: QWidget) -> None:
        """`with_pick`: another candidate can be taken. `width` in pixels, fixed."""
        super().__init__(parent)
        self._offer = offer
        self._ready = False
        self._others = {one.candidate_id for one in offer.others()}
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        self.head = OutsideCanvas(self)
        self.head.setAccessibleName("What was asked of the model")
        self.head.set_lines(_head_lines(offer))
        self.head.fix_width(width)
        box.addWidget(self.head)
        self.candidates = OutsideCanvas()
        self.candidates.setAccessibleName("Candidates")
        self.candidates.set_lines([_row(at, one, offer) for at, one in enumerate(offer.candidates)])
        box.addWidget(self._scrolling(self.candidates, width))
        self.observation = OutsideText("Observation as sent", max_rows=OBSERVATION_ROWS, parent=self)
        self.observation.set_value(observation_text(offer.observation), (Words("Observation as sent", "dim", "small"),))
        self.observation.fix_width(width)
        box.addWidget(self.observation)
        self.number: NumberField | None = None
        self.instead: QPushButton | None = None
        if with_pick and self._others and offer.chosen_by == "model":
            box.addLayout(self._pick_row())

    def set_ready(self, ready: bool) -> None:
        """Whether a press counts now."""
        self._ready = ready
        self._refresh()

    def _scrolling(self, canvas: OutsideCanvas, width: int) -> QScrollArea:
        most = round(CANDIDATE_ROWS * faces().row_height)
        area = QScrollArea(self)
        area.setAccessibleName("Candidates")
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        high = canvas.heightForWidth(width) > most
        canvas.fix_width(width - (area.verticalScrollBar().sizeHint().width() if high else 0))
        area.setWidget(canvas)
        canvas.setAutoFillBackground(False)
        area.setFixedSize(width, min(canvas.height(), most) if high else canvas.height())
        return area

    def _pick_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        label = QLabel("Another candidate, by its number:", self)
        mark(label, role="secondary")
        row.addWidget(label)
        self.number = NumberField(self)
        self.number.setRange(1, len(self._offer.candidates))
        self.number.setAccessibleName("Number of another candidate")
        self.number.valueChanged.connect(self._refresh)
        row.addWidget(self.number)
        self.instead = QPushButton(INSTEAD, self)
        self.instead.setAutoDefault(False)
        self.instead.setProperty("flat", True)
        self.instead.clicked.connect(self._on_instead)
        row.addWidget(self.instead)
        row.addStretch(1)
        self._refresh()
        return row

    def _wanted(self) -> str | None:
        if self.number is None:
            return None
        candidate_id = self._offer.candidates[self.number.value() - 1].candidate_id
        return candidate_id if candidate_id in self._others else None

    def _refresh(self) -> None:
        if self.instead is not None:
            self.instead.setEnabled(self._ready and self._wanted() is not None)

    def _on_instead(self) -> None:
        wanted = self._wanted()
        if self._ready and wanted is not None:
            self.picked.emit(wanted)


def observation_text(observation: Json) -> str:
    """The observation in plain letters; a picture is named by its digest, under which it is on record."""
    if isinstance(observation, str):
        return observation
    parts = observation if isinstance(observation, list) else [observation]
    return "\n".join(_part_text(part) for part in parts)


def _part_text(part: Json) -> str:
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        return str(part["text"])
    if isinstance(part, dict) and isinstance(part.get("picture"), str):
        return f"(a picture of the page, {part['picture'][:12]})"
    return json.dumps(part)


def _head_lines(offer: Offer) -> list[Line]:
    said: list[Run] = [Words(CHOSEN_BY[offer.chosen_by], "hold" if offer.chosen_by == "operator" else "text")]
    if offer.confidence is not None:
        whose = "" if offer.chosen_by == "model" else "for its own choice "
        said.append(Words(f" · the model's confidence {whose}{offer.confidence:.2f}", "dim"))
    said.append(Words(f" · {offer.input_tokens:,} + {offer.output_tokens:,} tokens", "dim"))
    return [
        Line((Outside(offer.question, quoted=True),), label="Question"),
        Line(tuple(said), label="Answer"),
        Line((Words(f"{len(offer.candidates):,} candidates", "dim", "small"),), label=""),
    ]


def _row(at: int, candidate: Candidate, offer: Offer) -> Line:
    is_chosen = candidate.candidate_id == offer.chosen
    runs: list[Run] = [Words(f"{at + 1}  ", "dim"), Outside(candidate.description, strong=is_chosen)]
    if is_chosen:
        runs.append(Words(f"  {CHOSEN_BY[offer.chosen_by]}", "hold", "small"))
    if candidate.done:
        runs.append(Words("  ends the run", "dim", "small"))
    return Line(tuple(runs))
