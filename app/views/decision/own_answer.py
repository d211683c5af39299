"""Where a person answers in a function's place: fields made from its output schema, or free text where it has none."""

from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core.answer_form import LEFT_OUT, AnswerField, answer_field, read, written
from app.core.value import Json
from app.gate.output_schema import Fault, faults_of
from app.views.style import mark, mono_font
from app.views.widgets.choice_box import ChoiceBox

SENT = "What the model gets as the function's answer; the function does not run"
ROOM = 220
"""Pixels that a form may always have; a card that offers one keeps its body that much lower."""
_KEY_WIDTH, _INDENT, _LINES_HEIGHT, _JSON_HEIGHT, _FAULT_GAP = 132, 16, 58, 120, 2
_NOT_SAID = "not said"
_NEEDED = "is missing"


class OwnAnswer(QFrame):
    """One answer. `text` is what the model would get; `fits` says at each field what is wrong with it."""

    def __init__(self, schema: Json, room: int, parent: QWidget) -> None:
        """`schema`: None for free text. `room`: how many pixels high it may become."""
        super().__init__(parent)
        self._schema = schema
        self.setAccessibleName("Your answer in the function's place")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(4)
        self.line: QLineEdit | None = None
        self.form: _Field | None = None
        self.as_json: _JsonText | None = None
        if schema is None:
            self.line = QLineEdit(self)
            self.line.setAccessibleName("Your answer in the function's place")
            self.line.setPlaceholderText(SENT)
            self.column.addWidget(self.line)
            return
        self.wrong = _words("", self, tone="danger")
        self._build_form(schema, room)

    def _build_form(self, schema: Json, room: int) -> None:
        head = QHBoxLayout()
        head.addWidget(_words(SENT, self), 1)
        self.json_button = QPushButton("Write it as JSON", self)
        self.json_button.setAutoDefault(False)
        self.json_button.setProperty("flat", True)
        self.json_button.clicked.connect(self._on_json)
        head.addWidget(self.json_button, 0, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(head)
        self.column.addWidget(self.wrong)
        self._inside = QWidget(self)
        self._inside.setProperty("bare", True)
        inside = QVBoxLayout(self._inside)
        inside.setContentsMargins(0, 0, 8, 0)
        self.form = _made(answer_field(schema), (), self._inside)
        self.form.when_changed(self._on_changed)
        inside.addWidget(self.form)
        inside.addStretch(1)
        self.holder = QScrollArea(self)
        self.holder.setAccessibleName("The fields of your answer")
        self.holder.setFrameShape(QFrame.Shape.NoFrame)
        self.holder.setWidgetResizable(True)
        self.holder.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.holder.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.holder.setWidget(self._inside)
        self.holder.setFixedHeight(max(80, min(self._wanted_height(), room - 48)))
        self.column.addWidget(self.holder)
        # A whole that is no group is one field of JSON already.
        self.json_button.setVisible(bool(self.form.of.fields))

    def _wanted_height(self) -> int:
        """With room for what may be wrong at each field, and for JSON: a card that grew would move its buttons."""
        assert self.form is not None
        told = self.fontMetrics().height() + _FAULT_GAP
        fields = sum(one.editor is not None for one in self.form.all())
        return max(self._inside.sizeHint().height() + told * fields, _JSON_HEIGHT + told) + 4

    def start(self) -> None:
        """Put the keyboard into the first field."""
        first = self.line or next((one.editor for one in self._fields() if one.editor is not None), None)
        if first is not None:
            first.setFocus()

    def text(self) -> str:
        """What the model would get. Of a form: only after `fits`."""
        if self.line is not None:
            return self.line.text()
        value, _ = self._filled()
        return written(value)

    def fits(self) -> bool:
        """Whether it may be given. What is wrong is said at its field, and the keyboard goes to the first such."""
        if self.line is not None:
            return True
        found = self._faults()
        self._tell(found)
        if found:
            wrong = next((one for one in self._fields() if one.says_wrong and one.editor is not None), None)
            if wrong is not None and wrong.editor is not None:
                wrong.editor.setFocus()
                self.holder.ensureWidgetVisible(wrong)
        return not found

    def _filled(self) -> tuple[Json, list[Fault]]:
        if self.as_json is not None:
            return self.as_json.filled(())
        assert self.form is not None
        value, faults = self.form.filled(())
        if value is LEFT_OUT and not faults:
            faults = [Fault((), _NEEDED)]
        return value, faults

    def _faults(self) -> list[Fault]:
        value, faults = self._filled()
        return faults or faults_of(self._schema, written(value))

    def _tell(self, found: list[Fault]) -> None:
        for one in self._fields():
            one.say_wrong("")
        self.wrong.setText("")
        self.wrong.hide()
        for fault in found:
            at = self.as_json or (self.form.at(fault.place) if self.form is not None else None)
            assert at is not None
            inside = fault.place[len(at.place) :]
            words = f"{'.'.join(map(str, inside))} {fault.words}" if inside else fault.words
            if at is self.form and at.of.fields:
                self.wrong.setText(f"{self.wrong.text()}\n{words}" if self.wrong.text() else words)
                self.wrong.show()
            else:
                at.say_wrong(words)

    def _on_changed(self) -> None:
        """Once told, what is wrong follows what is typed."""
        if self.wrong.text() or any(one.says_wrong for one in self._fields()):
            self._tell(self._faults())

    def _on_json(self) -> None:
        """For what no field can say. It begins with what the fields say, and does not go back to them."""
        assert self.form is not None
        value, _ = self.form.filled(())
        self._tell([])
        self.as_json = _JsonText(AnswerField("", "json"), (), self._inside)
        self.as_json.put(value)
        self.as_json.when_changed(self._on_changed)
        self.form.hide()
        self.json_button.hide()
        layout = self._inside.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(0, self.as_json)
        self.as_json.show()
        self.as_json.text_edit.setFocus()

    def _fields(self) -> "Iterator[_Field]":
        if self.as_json is not None:
            yield self.as_json
        elif self.form is not None:
            yield from self.form.all()


class _Field(QWidget):
    """One field: what it is called, its editor, what is wrong with it, what it means."""

    def __init__(self, of: AnswerField, place: tuple[str | int, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self.of = of
        self.place = place
        self.editor: QWidget | None = None
        self.column = QVBoxLayout()
        self.column.setSpacing(2)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        if of.key:
            key = _words(of.key if of.required else f"{of.key} (may be left out)", self)
            key.setFont(mono_font())
            key.setFixedWidth(_KEY_WIDTH)
            row.addWidget(key, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(self.column, 1)
        self.wrong = _words("", self, tone="danger")
        self.about = _words(of.about, self)
        self.about.setVisible(bool(of.about))

    @property
    def says_wrong(self) -> bool:
        """Whether a fault stands at it."""
        return bool(self.wrong.text())

    def say_wrong(self, words: str) -> None:
        """Show what is wrong, under what has been said before; nothing takes all of it away."""
        self.wrong.setText(f"{self.wrong.text()}\n{words}" if words and self.wrong.text() else words)
        self.wrong.setVisible(bool(words))
        if self.editor is not None:
            self.editor.setAccessibleDescription(self.wrong.text() or self.of.about)

    def all(self) -> "Iterator[_Field]":
        """This one, and those inside it."""
        yield self

    def at(self, place: tuple[str | int, ...]) -> "_Field":
        """The innermost field that `place` leads to."""
        return self

    def filled(self, place: tuple[str | int, ...]) -> tuple[Json, list[Fault]]:
        """The value, or `LEFT_OUT`, and what is wrong."""
        raise NotImplementedError

    def when_changed(self, do: Callable[[], None]) -> None:
        """Call `do` whenever it may say something else."""
        raise NotImplementedError

    def _show(self, editor: QWidget) -> None:
        self.editor = editor
        editor.setAccessibleName(".".join(map(str, self.place)) or "Your answer")
        editor.setAccessibleDescription(self.of.about)
        for one in (editor, self.wrong, self.about):
            self.column.addWidget(one)


class _Line(_Field):
    """Text or a number."""

    def __init__(self, of: AnswerField, place: tuple[str | int, ...], parent: QWidget) -> None:
        super().__init__(of, place, parent)
        self.line = QLineEdit(self)
        self.line.setFont(mono_font())
        self._show(self.line)

    def filled(self, place: tuple[str | int, ...]) -> tuple[Json, list[Fault]]:
        return _read(self, self.line.text(), place)

    def when_changed(self, do: Callable[[], None]) -> None:
        self.line.textChanged.connect(do)


class _JsonText(_Field):
    """Several texts, one a line, or a value written out as JSON."""

    def __init__(self, of: AnswerField, place: tuple[str | int, ...], parent: QWidget) -> None:
        super().__init__(of, place, parent)
        self.text_edit = QPlainTextEdit(self)
        self.text_edit.setProperty("field", True)
        self.text_edit.setFont(mono_font())
        self.text_edit.setTabChangesFocus(True)
        self.text_edit.setPlaceholderText("one a line" if of.kind == "texts" else "as JSON")
        self.text_edit.setFixedHeight(_LINES_HEIGHT if of.key else _JSON_HEIGHT)
        self._show(self.text_edit)

    def put(self, value: Json) -> None:
        """Show `value`, spread out."""
        self.text_edit.setPlainText("" if value is LEFT_OUT else written(value, spread=True))

    def filled(self, place: tuple[str | int, ...]) -> tuple[Json, list[Fault]]:
        return _read(self, self.text_edit.toPlainText(), place)

    def when_changed(self, do: Callable[[], None]) -> None:
        self.text_edit.textChanged.connect(do)


class _Choice(_Field):
    """One of a few values; nothing is chosen for anybody."""

    def __init__(self, of: AnswerField, place: tuple[str | int, ...], parent: QWidget) -> None:
        super().__init__(of, place, parent)
        self.box = ChoiceBox(self)
        self.box.addItem(_NOT_SAID)
        self._values: list[Any] = [None if of.nullable and of.required else LEFT_OUT]
        for value in of.options:
            self.box.addItem(value if isinstance(value, str) else written(value))
            self._values.append(value)
        self._show(self.box)

    def filled(self, place: tuple[str | int, ...]) -> tuple[Json, list[Fault]]:
        return _checked(self, self._values[self.box.currentIndex()], place)

    def when_changed(self, do: Callable[[], None]) -> None:
        self.box.currentIndexChanged.connect(do)


class _Group(_Field):
    """An object: a field for each key."""

    def __init__(self, of: AnswerField, place: tuple[str | int, ...], parent: QWidget) -> None:
        super().__init__(of, place, parent)
        self.column.setSpacing(8)
        self.column.addWidget(self.wrong)
        if of.key:
            self.column.addWidget(self.about)
        self.inside = {one.key: _made(one, (*place, one.key), self) for one in of.fields}
        for one in self.inside.values():
            self.column.addWidget(one)

    def all(self) -> Iterator[_Field]:
        yield self
        for one in self.inside.values():
            yield from one.all()

    def at(self, place: tuple[str | int, ...]) -> _Field:
        found = self.inside.get(str(place[0])) if place else None
        return found.at(place[1:]) if found is not None else self

    def filled(self, place: tuple[str | int, ...]) -> tuple[Json, list[Fault]]:
        value: dict[str, Json] = {}
        faults: list[Fault] = []
        for key, one in self.inside.items():
            inner, wrong = one.filled((*place, key))
            faults += wrong
            if inner is not LEFT_OUT:
                value[key] = inner
        if not value and not self.of.required and all(fault.words == _NEEDED for fault in faults):
            # Nothing of it is said: then it is left out, whatever it would need if it were there.
            return LEFT_OUT, []
        return value, faults

    def when_changed(self, do: Callable[[], None]) -> None:
        for one in self.inside.values():
            one.when_changed(do)


def _made(of: AnswerField, place: tuple[str | int, ...], parent: QWidget) -> _Field:
    kinds: dict[str, type[_Field]] = {"group": _Group, "choice": _Choice, "json": _JsonText, "texts": _JsonText}
    return kinds.get(of.kind, _Line)(of, place, parent)


def _read(field: _Field, text: str, place: tuple[str | int, ...]) -> tuple[Json, list[Fault]]:
    try:
        value = read(field.of, text)
    except ValueError as error:
        return LEFT_OUT, [Fault(place, str(error))]
    return _checked(field, value, place)


def _checked(field: _Field, value: Json, place: tuple[str | int, ...]) -> tuple[Json, list[Fault]]:
    missing = value is LEFT_OUT and field.of.required
    return value, [Fault(place, _NEEDED)] if missing else []


def _words(words: str, parent: QWidget, *, tone: Any = None) -> QLabel:
    label = QLabel(words, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if tone is not None:
        mark(label, tone=tone)
        label.setVisible(bool(words))
    else:
        mark(label, role="secondary")
    return label
