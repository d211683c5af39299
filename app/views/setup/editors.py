"""One editor for each kind of field that is not a table. Each gives back exactly what was put into it."""

from typing import Any, Final

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.views.setup import field_text
from app.views.setup.fields import Field
from app.views.style import mono_font
from app.views.widgets.choice_box import ChoiceBox

UNSET: Final = object()
"""Nothing is said: the run file does not have the key."""

LONG = frozenset({"task", "instructions"})
SECRET = frozenset({"authorization"})
_MIN_LINES, _MAX_LINES = 2, 8
_FRAME = 22


class Editor(QWidget):
    """What a person fills in for one field.

    Signals:
        changed: `value` may be another one.
    """

    changed = Signal()

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)

    def value(self) -> Any:
        """What is filled in, or `UNSET` where the key is to be left out."""
        raise NotImplementedError

    def put(self, value: Any) -> None:
        """Show `value`; `UNSET` empties the field."""
        raise NotImplementedError

    def fault(self, place: tuple[str | int, ...], words: str) -> None:
        """Show a fault further inside; editors without an inside have none."""


class LineEditor(Editor):
    """A text, a number, several numbers, or any value, on one line."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.line = QLineEdit(self)
        self.line.setFont(mono_font())
        self.line.setAccessibleName(field.key)
        if field.key in SECRET:
            self.line.setEchoMode(QLineEdit.EchoMode.Password)
        if field.default not in (None, "", [], {}):
            self.line.setPlaceholderText(self._written(field.default))
        elif field.options:
            self.line.setPlaceholderText("  ".join(field.options))
        self.line.textChanged.connect(self.changed)
        self._row.addWidget(self.line)

    def value(self) -> Any:
        text = self.line.text()
        if not (text if self.field.kind == "text" else text.strip()):
            return UNSET
        match self.field.kind:
            case "text":
                value: Any = field_text.read_text(text)
            case "number":
                value = field_text.read_number(text.strip())
            case "numbers":
                value = field_text.read_numbers(text)
            case _:
                value = field_text.read_value(text)
        return value

    def put(self, value: Any) -> None:
        self.line.setText("" if value is UNSET else self._written(value))
        self.line.setCursorPosition(0)

    def _written(self, value: Any) -> str:
        match self.field.kind:
            case "text":
                return field_text.write_text(value)
            case "number":
                return field_text.write_number(value)
            case "numbers":
                return field_text.write_numbers(value)
            case _:
                return field_text.write_value(value)


class _Lines(QPlainTextEdit):
    """As tall as its text, within limits. Tab goes to the next field."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("field", True)
        self.setFont(mono_font())
        self.setTabChangesFocus(True)
        self.textChanged.connect(self.fit)
        self.fit()

    def fit(self) -> None:
        """Take the height that the text needs."""
        lines = min(max(self.document().blockCount(), _MIN_LINES), _MAX_LINES)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + _FRAME)


class LinesEditor(Editor):
    """Texts, one a line, with the words that can be meant at hand; or one long text."""

    def __init__(self, field: Field, options: tuple[str, ...] = (), parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        # Where leaving the key out is another thing than an empty list, the empty list is written out.
        self._may_lack = field.default != []
        self.lines = _Lines(self)
        self.lines.setAccessibleName(field.key)
        if field.kind == "texts":
            self.lines.setPlaceholderText("one a line")
        self.lines.textChanged.connect(self.changed)
        self._row.addWidget(self.lines)
        self.options = field.options or options
        self.add_button = QPushButton("Add…", self)
        self.add_button.setAutoDefault(False)
        self.add_button.setAccessibleName(f"Add to {field.key}")
        self.add_button.setVisible(bool(self.options))
        self.add_button.clicked.connect(self._on_add)
        side = QVBoxLayout()
        side.addWidget(self.add_button)
        side.addStretch(1)
        self._row.addLayout(side)

    def value(self) -> Any:
        text = self.lines.toPlainText()
        if not text.strip() and not (text and self.field.kind == "text"):
            return UNSET
        if self.field.kind == "text":
            return field_text.read_text(text)
        return field_text.read_texts(text, optional=self._may_lack)

    def put(self, value: Any) -> None:
        if value is UNSET:
            text = ""
        elif self.field.kind == "text":
            text = field_text.write_text(value, lines=True)
        else:
            text = field_text.write_texts(value, optional=self._may_lack)
        self.lines.setPlainText(text)

    def add(self, word: str) -> None:
        """Put `word` on a line of its own at the end."""
        text = self.lines.toPlainText().rstrip("\n")
        self.lines.setPlainText(f"{text}\n{word}" if text else word)

    def _on_add(self) -> None:
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        for word in self.options:
            menu.addAction(word).triggered.connect(lambda _checked=False, word=word: self.add(word))
        menu.popup(self.add_button.mapToGlobal(QPoint(0, self.add_button.height())))


class ChoiceEditor(Editor):
    """Yes or no, or one of a few words; where a field may be left out, that is the first choice."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.combo = ChoiceBox(self)
        self.combo.setAccessibleName(field.key)
        self._values: list[Any] = []
        if field.optional or field.required:
            # Nothing is chosen for anybody where the run file must say it.
            self._offer("not said", UNSET)
        if field.kind in ("flag", "tristate"):
            self._offer("yes", True)
            self._offer("no", False)
        for word in field.options:
            self._offer(word, word)
        self.combo.setMinimumWidth(120)
        self.put(UNSET)
        self.combo.currentIndexChanged.connect(self.changed)
        self._row.addWidget(self.combo)
        self._row.addStretch(1)

    def _offer(self, words: str, value: Any) -> None:
        self.combo.addItem(words)
        self._values.append(value)

    def value(self) -> Any:
        chosen = self._values[self.combo.currentIndex()]
        return UNSET if chosen == self.field.default and not self.field.required else chosen

    def put(self, value: Any) -> None:
        if value is UNSET and UNSET not in self._values and self.field.default in self._values:
            value = self.field.default
        self.combo.setCurrentIndex(self._values.index(value) if value in self._values else 0)
