"""One effect that may have happened: what is on record of it, and the three answers, none of them preset."""

import json
from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QLabel, QRadioButton, QVBoxLayout, QWidget

from app.core import describe
from app.core.events import Found
from app.core.resuming import InDoubt
from app.views.decision.ask_body import AskBody
from app.views.stage.subject import clock_words
from app.views.style import mark
from app.views.widgets.outside_text import OutsideCanvas
from app.views.widgets.text_flow import Line, Outside, Words

ANSWERS: tuple[tuple[Found, str], ...] = (
    ("done", "It was done"),
    ("not_done", "It was not done"),
    ("unknown", "I cannot tell"),
)


class DoubtView(QFrame):
    """Shows the question as it was asked, with its picture from before the effect.

    Signals:
        answered: one of the three was chosen.
    """

    answered = Signal()

    def __init__(self, doubt: InDoubt, width: int, blob: Callable[[str], bytes], parent: QWidget | None = None) -> None:
        """`width` in pixels. `blob` reads a stored picture, in another thread."""
        super().__init__(parent)
        self.doubt = doubt
        self.setObjectName("doubt")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 8)
        column.setSpacing(8)
        phrase = describe.member_phrase(doubt.call.source, doubt.call.member) or "Call"
        batch = f" · action {doubt.call.part} of a batch" if doubt.call.part > 1 else ""
        title = QLabel(f"{phrase}{batch} · {clock_words(doubt.wall_ms)}", self)
        mark(title, role="strong")
        column.addWidget(title)
        if doubt.call.about:
            which = OutsideCanvas(self)
            which.setAccessibleName("Which")
            which.set_lines([Line((Outside(doubt.call.about, strong=True),))])
            which.fix_width(width)
            column.addWidget(which)
        self.body = self._body(width, blob)
        column.addWidget(self.body)
        question = QLabel("It may have happened. What do you find?", self)
        mark(question, tone="hold")
        column.addWidget(question)
        column.addLayout(self._answers(phrase))

    def _answers(self, phrase: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(20)
        group = QButtonGroup(self)
        group.setExclusive(True)
        self.buttons: dict[Found, QRadioButton] = {}
        for found, words in ANSWERS:
            button = QRadioButton(words, self)
            button.setObjectName(f"found_{found}")
            button.setAccessibleName(f"{phrase}: {words}")
            group.addButton(button)
            row.addWidget(button)
            self.buttons[found] = button
        row.addStretch(1)
        group.buttonClicked.connect(lambda _button: self.answered.emit())
        return row

    @property
    def found(self) -> Found | None:
        """What was answered; None for nothing yet."""
        return next((found for found, button in self.buttons.items() if button.isChecked()), None)

    def _body(self, width: int, blob: Callable[[str], bytes]) -> QWidget:
        ask = self.doubt.ask
        if ask is not None:
            try:
                body = AskBody(ask, width, with_ticks=False, parent=self)
            except ValueError:
                return self._plain(width, "the question does not match its record and is not shown")
            body.read_picture(blob)
            return body
        return self._plain(width, "it was not asked about")

    def _plain(self, width: int, words: str) -> QWidget:
        canvas = OutsideCanvas(self)
        arguments = json.dumps(self.doubt.arguments, ensure_ascii=True)
        canvas.set_lines(
            [
                Line((Outside(self.doubt.call.member, quoted=True),), label="Call"),
                Line((Outside(arguments, quoted=True),), label="With"),
                Line((Words(words, "dim"),), label=""),
            ]
        )
        canvas.fix_width(width)
        return canvas
