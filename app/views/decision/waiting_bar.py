"""A strip over the window for what must not jump at the operator: a question that waits for a text field, trouble."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

_MARGIN = 12


class WaitingBar(QFrame):
    """Floats at the bottom of its parent; takes no focus by itself.

    Signals:
        wanted: the operator asks for the question.
    """

    wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self.setObjectName("waiting_bar")
        self.setProperty("panel", True)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 8)
        self._words = QLabel()
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setProperty("tone", "hold")
        row.addWidget(self._words)
        self.button = QPushButton("Show the question")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self.wanted)
        row.addWidget(self.button)
        parent.installEventFilter(self)
        self.hide()

    @property
    def words(self) -> str:
        """What it says; empty while hidden."""
        return self._words.text() if not self.isHidden() else ""

    def say(self, words: str, *, with_button: bool) -> None:
        """Show `words`; constant words and numbers only."""
        self._words.setText(words)
        self.button.setVisible(with_button)
        self.setAccessibleName(words)
        self._place()
        self.show()
        self.raise_()

    def _place(self) -> None:
        parent = self._over
        self.adjustSize()
        self.move((parent.width() - self.width()) // 2, parent.height() - self.height() - _MARGIN)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return False
