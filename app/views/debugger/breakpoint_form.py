"""The line that makes a breakpoint: what to break on, its value, which time, and whether it only logs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from PySide6.QtCore import Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QPushButton, QWidget

from app.core.breakpoint import BreakpointPlan
from app.core.untrusted import shown
from app.views.style import mark
from app.views.widgets.choice_box import ChoiceBox

MOST_TIMES = 9999


@dataclass(frozen=True)
class What:
    """One thing to break on: its words, an example, and the fields that a value gives."""

    words: str
    example: str
    fields: Callable[[str], dict[str, Any]]


def _argument(value: str) -> dict[str, Any]:
    name, _, pattern = value.partition("=")
    return {"arguments": {name.strip(): pattern.strip()}}


def _diagnostic(value: str) -> dict[str, Any]:
    stage, _, reason = value.strip().partition(" ")
    return {"diagnostic_stages": [stage], "diagnostic_reasons": [reason.strip().replace(" ", "_")] if reason else []}


WHATS: tuple[What, ...] = (
    What("Member", "click", lambda value: {"members": [value]}),
    What("Argument", "text = Ada", _argument),
    What("Address", "https://example.com/pay*", lambda value: {"urls": [value]}),
    What("Site", "https://example.com", lambda value: {"origins": [value]}),
    What("Tool", "functions", lambda value: {"sources": [value]}),
    What("Question", "navigation", lambda value: {"kinds": [value.replace(" ", "_")]}),
    What("Diagnostic", "action driver_failed", _diagnostic),
    What("Page change", "navigation", lambda value: {"page_changes": [value.replace(" ", "_")]}),
    What("Text appears", "Your table is reserved", lambda value: {"text_appears": value}),
    What("Tokens spent", "20000", lambda value: {"tokens": value}),
    What("Seconds passed", "60", lambda value: {"secs": value}),
)


class BreakpointForm(QWidget):
    """Makes a `BreakpointPlan` of what stands in it, or says why it cannot.

    Signals:
        wanted: the `BreakpointPlan` to put in force.
    """

    wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.what = ChoiceBox(self)
        self.what.setAccessibleName("Break on")
        self.what.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.what.setMinimumContentsLength(8)
        self.what.view().setAccessibleName("What to break on")
        for what in WHATS:
            self.what.addItem(what.words)
        self.value = QLineEdit(self)
        self.value.setAccessibleName("Value to break on")
        self.nth = QLineEdit(self)
        self.nth.setAccessibleName("Which time only; empty for every time")
        self.nth.setPlaceholderText("every time")
        self.nth.setToolTip("A number: only the time of that number")
        self.nth.setValidator(QIntValidator(1, MOST_TIMES, self.nth))
        self.log_only = QPushButton("Log only", self)
        self.log_only.setCheckable(True)
        self.log_only.setAutoDefault(False)
        self.log_only.setProperty("flat", True)
        self.log_only.setToolTip("Note it on record and go on")
        self.add_button = QPushButton("Add", self)
        self.add_button.setAutoDefault(False)
        self.add_button.setAccessibleName("Add this breakpoint")
        self.problem = QLabel(self)
        self.problem.setWordWrap(True)
        mark(self.problem, tone="danger")
        self.problem.setVisible(False)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        grid.addWidget(self.what, 0, 0)
        grid.addWidget(self.value, 1, 0, 1, 3)
        grid.addWidget(self.nth, 0, 1, 1, 2)
        grid.addWidget(self.log_only, 2, 0)
        grid.addWidget(self.add_button, 2, 2)
        grid.addWidget(self.problem, 3, 0, 1, 3)
        grid.setColumnStretch(1, 1)
        self.what.currentIndexChanged.connect(self._say_example)
        self.value.returnPressed.connect(self._on_add)
        self.add_button.clicked.connect(self._on_add)
        self._say_example()

    def plan(self) -> BreakpointPlan:
        """What stands in the form. Raises `ValueError` where that is no breakpoint."""
        value = self.value.text().strip()
        if not value:
            raise ValueError("say what it is to break on")
        fields = WHATS[self.what.currentIndex()].fields(value)
        return BreakpointPlan.model_validate(
            {**fields, "nth": self.nth.text() or None, "log_only": self.log_only.isChecked()}
        )

    def _say_example(self) -> None:
        self.value.setPlaceholderText(f"such as {WHATS[self.what.currentIndex()].example}")

    def _on_add(self) -> None:
        try:
            plan = self.plan()
        except ValidationError as error:
            self._say(error.errors()[0]["msg"].removeprefix("Value error, "))
        except ValueError as error:
            self._say(str(error))
        else:
            self._say("")
            self.value.clear()
            self.wanted.emit(plan)

    def _say(self, words: str) -> None:
        self.problem.setText(shown(words[:200]))
        self.problem.setVisible(bool(words))
