"""What the presenter of questions stands on: the inbox and the live picture as it knows them; who types where."""

from typing import Protocol

from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from app.core.ask import Ask
from app.core.decision import Answer
from app.core.live import LiveFrame


class Desk(Protocol):
    """The inbox as the window knows it."""

    @property
    def waiting(self) -> list[Ask]:
        """The asks that stand unanswered, oldest first."""

    def answer(self, ask_id: str, answer: Answer) -> bool:
        """Settle an ask; False when it was settled before."""

    def refuse(self, ask_id: str, reason: str) -> bool:
        """Let the console deny an ask that no person answered; False when it was settled before."""


class Frames(Protocol):
    """The live picture."""

    @property
    def frame(self) -> LiveFrame | None:
        """The newest frame."""


def typing_in(window: QWidget) -> QWidget | None:
    """The text field of `window` that has, or would get back, the keyboard; None when nothing could be typed over."""
    field = QApplication.focusWidget() or window.focusWidget()
    if isinstance(field, (QLineEdit, QTextEdit, QPlainTextEdit)):
        return None if field.isReadOnly() else field
    if isinstance(field, QAbstractSpinBox):
        return field
    return field if isinstance(field, QComboBox) and field.isEditable() else None
