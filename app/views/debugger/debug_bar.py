"""The bar above the stage: the debugger's buttons, and where the run is held with exactly what comes next."""

import json

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.ask import Ask
from app.core.describe import ask_title
from app.core.step import Step, reason_words
from app.core.value import call_digest
from app.views.style import mark
from app.views.widgets.elided_label import ElidedLabel
from app.views.widgets.outside_text import OutsideCanvas, OutsideText
from app.views.widgets.text_flow import Line, Outside, Run, Words
from app.views.widgets.yielding import Yielding

ROWS = 4
"""So many rows of what comes next are seen without scrolling; the picture below stays the largest thing."""
NARROW_ROWS = 2
"""In a narrow bar, whose other lines wrap: the window can be made as low as with a wide one."""
LEAST_HELD = 48
"""Pixels that stay of where the run is held and what comes next; the rest is reached by scrolling."""
MOST_LEFT_OUT = 5
SIDE = 12
BUTTONS = ("debug_run", "debug_pause", "debug_step_turn", "debug_step_call", "debug_step_action", "debug_run_to")


class DebugBar(QFrame):
    """Not modal and never in the way: it takes the keyboard from nobody.

    Signals:
        shown_changed: it holds something else, or nothing any more.
    """

    shown_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("debug_bar")
        self.setProperty("panel", True)
        self.setAccessibleName("Debugger")
        self.ask: Ask | None = None
        """The hold that is shown."""
        self.shown_digest = ""
        """Of what is shown, read back from the letters on the screen."""
        self.buttons: dict[str, QPushButton] = {}
        self.words = ElidedLabel(parent=self)
        self.words.setObjectName("debug_words")
        self.words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.facts = OutsideCanvas(self)
        self.body = OutsideText("What comes next, exactly", max_rows=ROWS, parent=self)
        self._row = QHBoxLayout()
        self._row.setSpacing(4)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(SIDE, 6, SIDE, 6)
        column.setSpacing(4)
        column.addLayout(self._row)
        self._held = QWidget()
        held = QVBoxLayout(self._held)
        held.setContentsMargins(0, 0, 0, 0)
        held.setSpacing(4)
        held.addWidget(self.facts)
        held.addWidget(self.body)
        self._place = Yielding(self._held, LEAST_HELD, self)
        column.addWidget(self._place)
        self._place.viewport().installEventFilter(self)
        self.clear()

    def put_buttons(self, actions: dict[str, QAction]) -> None:
        """One button for each of `actions`, which stay in step with it."""
        for key in BUTTONS:
            action = actions[key]
            button = QPushButton(action.text(), self)
            button.setObjectName(f"button_{key}")
            button.setProperty("flat", True)
            button.setAutoDefault(False)
            button.setToolTip(action.toolTip())
            button.setEnabled(action.isEnabled())
            button.clicked.connect(action.trigger)
            action.enabledChanged.connect(button.setEnabled)
            self._row.addWidget(button)
            self.buttons[key] = button
        self._place_words()

    def _place_words(self) -> None:
        """Beside the buttons; where they would be cut there, on a row of their own."""
        buttons = sum(button.sizeHint().width() + self._row.spacing() for button in self.buttons.values())
        beside = self.words.sizeHint().width() <= self.width() - 2 * SIDE - buttons
        (self._column if beside else self._row).removeWidget(self.words)
        if beside and self._row.indexOf(self.words) < 0:
            self._row.addWidget(self.words, 1)
            self.body.set_max_rows(ROWS)
        elif not beside and self._column.indexOf(self.words) < 0:
            self._column.insertWidget(1, self.words)
            self.body.set_max_rows(NARROW_ROWS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_words()

    def _give_facts_room(self) -> None:
        # Where height is scarce a layout takes it from rows that have wrapped: what stands below is painted on them.
        self.facts.setFixedHeight(self.facts.heightForWidth(self._place.viewport().width()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._give_facts_room()
        return super().eventFilter(watched, event)

    def say_going(self, words: str) -> None:
        """The run goes on; what it will be held at, in words."""
        self._hide_body()
        self._say(words or "Running to the next breakpoint", "dim" if not words else "hold")

    def show_hold(self, ask: Ask) -> None:
        """The run is held, or was at this place of the record.

        Raises:
            ValueError: what would be shown is not what is about to happen.
        """
        step = ask.step
        if step is None:
            raise ValueError("no hold")
        text = json.dumps(ask.arguments, ensure_ascii=False, indent=2)
        digest = call_digest(ask.member, json.loads(text))
        if digest != ask.digest:
            raise ValueError("what would be shown is not what was held")
        self.ask, self.shown_digest = ask, digest
        self._say(ask_title(ask), "hold")
        self.facts.set_lines(_facts(ask, step))
        self._give_facts_room()
        self.body.set_value(text)
        self._place.verticalScrollBar().setValue(0)
        self._place.setVisible(True)
        self.shown_changed.emit()

    def clear(self) -> None:
        """Nothing is held and nothing is waited for."""
        self._hide_body()
        self._say("", "dim")

    def _hide_body(self) -> None:
        self.ask, self.shown_digest = None, ""
        self._place.setVisible(False)
        self.shown_changed.emit()

    def _say(self, words: str, tone: str) -> None:
        self.words.say(words)
        self._place_words()
        mark(self.words, tone="hold" if tone == "hold" else "dim")
        self.setAccessibleDescription(words)


def _why(step: Step) -> str:
    parts = [f"held by {reason_words(step)}"]
    if step.stage == "request":
        parts.append("the run can be resumed from here" if step.resumable else "no place to resume from")
    return " · ".join(parts)


def _facts(ask: Ask, step: Step) -> list[Line]:
    prefix = "browser_" if ask.source == "browser" and step.stage != "output" else ""
    runs: list[Run] = [Outside(f"{prefix}{ask.member}")]
    if ask.part:
        runs.append(Words(f"  action {ask.part} of {ask.parts}", "dim", "small"))
    runs.append(Words(f"  {_why(step)}", "dim", "small"))
    lines = [Line(tuple(runs), label=_label(ask, step))]
    if step.text:
        lines.append(Line((Outside(step.text, quoted=True),), label="Breakpoint"))
    if step.left_out:
        named = step.left_out[:MOST_LEFT_OUT]
        more = len(step.left_out) - len(named)
        words = f"  and {more} more" if more else ""
        lines.append(
            Line(
                (*(run for one in named for run in (Outside(one), Words("  "))), Words(words, "dim")), label="Left out"
            )
        )
    return lines


def _label(ask: Ask, step: Step) -> str:
    names: dict[str, str] = {"request": "POST", "answer": "Answer", "output": "Output of"}
    return names.get(step.stage, "Action" if ask.part else "Call")
