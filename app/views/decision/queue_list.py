"""The other questions that wait, on the card: what kind, how much hangs on each, how long it has waited."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from app.core.ask import Ask
from app.core.describe import ask_title
from app.core.risk import by_risk, risk_words
from app.views.decision.age_line import age_words

MOST_SHOWN = 4
ROW_PIXELS = 30


@dataclass(frozen=True)
class Waiting:
    """A question that stands unanswered."""

    ask: Ask
    age_ms: int


class QueueList(QWidget):
    """Hidden while there is no other question. Constant words and numbers only; showing another one answers nothing.

    Signals:
        chosen: the id of the question to be shown instead of this one.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("Other questions that wait, the riskiest first")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(0, 1)
        self._most = MOST_SHOWN
        self._shown: list[str] = []
        self._rows: list[QLabel] = []
        self._ages: list[QLabel] = []
        self.buttons: list[QPushButton] = []
        self.setVisible(False)

    @property
    def words(self) -> list[str]:
        """Each row as it is read."""
        return [label.text() for label in self._rows]

    def show_others(self, others: Sequence[Waiting], room: int) -> None:
        """Show these, riskiest first, as far as they fit into `room` pixels: the answers must stay on the screen."""
        most = min(MOST_SHOWN, max(0, room // ROW_PIXELS - 1))
        if most != self._most:
            self._most, self._shown = most, []
        by_id = {one.ask.ask_id: one for one in others}
        rows = [by_id[ask.ask_id] for ask in by_risk([one.ask for one in others])]
        if [one.ask.ask_id for one in rows] != self._shown:
            self._rebuild(rows)
        for label, one in zip(self._ages, rows, strict=False):
            label.setText(_age(one))
        shown = bool(rows) and most > 0
        self.setVisible(shown)
        if shown:
            self._keep_place()

    @property
    def keeps_its_place(self) -> bool:
        """Whether rows have stood here: what is below does not move up again under a press when they go."""
        return self.sizePolicy().retainSizeWhenHidden()

    def _keep_place(self) -> None:
        self.setMinimumHeight(max(self.minimumHeight(), self._grid.sizeHint().height()))
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)

    def _rebuild(self, rows: list[Waiting]) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        self._shown = [one.ask.ask_id for one in rows]
        self._rows, self._ages, self.buttons = [], [], []
        for at, one in enumerate(rows[: self._most]):
            self._row(at, one)
        if len(rows) > self._most:
            more = self._label(f"and {len(rows) - self._most:,} more")
            self._grid.addWidget(more, self._most, 0)
            more.show()

    def _row(self, at: int, one: Waiting) -> None:
        words = self._label(f"{ask_title(one.ask)} · {risk_words(one.ask)}")
        self._rows.append(words)
        age = self._label(_age(one))
        self._ages.append(age)
        button = QPushButton("Show", self)
        button.setProperty("flat", True)
        button.setAutoDefault(False)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setAccessibleName(f"Show the question: {words.text()}")
        ask_id = one.ask.ask_id
        button.clicked.connect(lambda: self.chosen.emit(ask_id))
        self.buttons.append(button)
        for column, widget in enumerate((words, age, button)):
            self._grid.addWidget(widget, at, column)
            # Qt shows what comes into a layout later only once the loop has turned.
            widget.show()

    def _label(self, words: str) -> QLabel:
        label = QLabel(words, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("role", "secondary")
        return label


def _age(one: Waiting) -> str:
    return f"waits {age_words(one.age_ms)}"
