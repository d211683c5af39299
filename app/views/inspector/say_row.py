"""One line in which a person says something to the model of a live run, and what became of it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.views.style import mark

PURPOSE = "Say something to the model…"
WAITS = "It is sent when this turn is over"
NOT_SENT = "Not sent: the run has ended"
MOST_CHARS = 4000


class SayRow(QWidget):
    """What is said stays visible as waiting until the run has sent it; words of a run that ends first are not sent.

    Signals:
        said: a person's words, once.
    """

    said = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._waiting = 0
        self.line = QLineEdit(self)
        self.line.setPlaceholderText(PURPOSE)
        self.line.setAccessibleName("Say something to the model")
        self.line.setMaxLength(MOST_CHARS)
        self.button = QPushButton("Say", self)
        self.button.setAutoDefault(False)
        self.button.setAccessibleName("Say it to the model")
        self.words = QLabel(self)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        mark(self.words, role="secondary")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.line, 1)
        row.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 0, 12, 4)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.words)
        self.line.returnPressed.connect(self._on_say)
        self.button.clicked.connect(self._on_say)
        self._show()

    @property
    def waiting(self) -> int:
        """How many times something was said that has not been sent."""
        return self._waiting

    def sent(self, count: int) -> None:
        """The run has sent so many of them."""
        self._waiting = max(0, self._waiting - count)
        self._show()

    def run_over(self) -> None:
        """Nothing can be said any more."""
        self.line.setEnabled(False)
        self.button.setEnabled(False)
        self.words.setText(NOT_SENT if self._waiting else "")
        self.words.setVisible(bool(self._waiting))
        mark(self.words, tone="danger")

    def _on_say(self) -> None:
        text = self.line.text().strip()
        if text:
            self.line.clear()
            self._waiting += 1
            self._show()
            self.said.emit(text)

    def _show(self) -> None:
        self.words.setText(WAITS if self._waiting == 1 else f"{WAITS} ({self._waiting:,})")
        self.words.setVisible(bool(self._waiting))
