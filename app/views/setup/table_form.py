"""Tables and lists of tables as forms: a row for each key, faults beside the field that they are about."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from app.core.describe import BROWSER_MEMBERS
from app.views.setup.editors import LONG, UNSET, ChoiceEditor, Editor, LineEditor, LinesEditor
from app.views.setup.fields import Field, fields_of
from app.views.setup.words import help_for
from app.views.style import mark, mono_font

KEY_WIDTH = 172
"""Pixels of the column in which the keys stand."""

BEGINNINGS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "server_tools": (
        {"type": "web_search"},
        {"type": "file_search", "vector_store_ids": []},
        {"type": "code_interpreter", "container": {"type": "auto"}},
        {"type": "image_generation"},
    )
}
"""What an entry may begin as, by the list's path."""

_MEMBER_LISTS = frozenset({"members", "additional_members", "confirm_reads"})


def make_editor(field: Field, path: str, parent: QWidget | None = None) -> Editor:
    """The editor for a field; `path` leads to it in words (``browser.members``)."""
    match field.kind:
        case "flag" | "tristate" | "choice":
            return ChoiceEditor(field, parent)
        case "texts":
            return LinesEditor(field, tuple(BROWSER_MEMBERS) if field.key in _MEMBER_LISTS else (), parent)
        case "table":
            return TableEditor(field, path, parent)
        case "tables" | "values":
            return ListEditor(field, path, parent)
        case _:
            return LinesEditor(field, (), parent) if field.key in LONG else LineEditor(field, parent)


class FieldRow(QWidget):
    """A key, its editor, what it means, and what is wrong with it."""

    def __init__(self, field: Field, path: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.key = QLabel(field.key, self)
        self.key.setFont(mono_font())
        self.key.setFixedWidth(KEY_WIDTH)
        self.editor = make_editor(field, path, self)
        self.about = _words_label(help_for(path), self)
        mark(self.about, role="secondary")
        self.wrong = _words_label("", self)
        self.wrong.setObjectName(f"wrong_{path}")
        mark(self.wrong, tone="danger")
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(self.editor)
        column.addWidget(self.wrong)
        column.addWidget(self.about)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.key, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)

    def say_wrong(self, words: str) -> None:
        """Show what is wrong; a second fault is put under the first."""
        self.wrong.setText(f"{self.wrong.text()}\n{words}" if self.wrong.text() else words)
        self.wrong.setVisible(True)

    def clear_wrong(self) -> None:
        """Nothing is wrong here, as far as is known."""
        self.wrong.setText("")
        self.wrong.setVisible(False)


class TableForm(QWidget):
    """All keys of one table. Its own faults, about no single key, stand above them."""

    def __init__(self, fields: Sequence[Field], path: str, changed: Callable[[], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.wrong = _words_label("", self)
        self.wrong.setObjectName(f"wrong_{path}")
        mark(self.wrong, tone="danger")
        self.rows: dict[str, FieldRow] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(self.wrong)
        for field in fields:
            row = FieldRow(field, f"{path}.{field.key}" if path else field.key, self)
            row.editor.changed.connect(changed)
            self.rows[field.key] = row
            column.addWidget(row)

    def values(self) -> dict[str, Any]:
        """What is said, by key."""
        said = {key: row.editor.value() for key, row in self.rows.items()}
        return {key: value for key, value in said.items() if value is not UNSET}

    def put(self, values: Mapping[str, Any]) -> None:
        """Show `values`; every other key is empty."""
        for key, row in self.rows.items():
            row.editor.put(values.get(key, UNSET))

    def fault(self, place: tuple[str | int, ...], words: str) -> None:
        """Say it at the key that the place begins with, or above all keys."""
        row = self.rows.get(str(place[0])) if place else None
        if row is None:
            said = ": ".join([*(str(step) for step in place), words])
            self.wrong.setText(f"{self.wrong.text()}\n{said}" if self.wrong.text() else said)
            self.wrong.setVisible(True)
        elif len(place) > 1 and row.field.kind in ("table", "tables", "values"):
            row.editor.fault(place[1:], words)
        else:
            inside = f"{'.'.join(map(str, place[1:]))}: " if len(place) > 1 else ""
            row.say_wrong(inside + words)

    def clear_faults(self) -> None:
        """Take every fault away, inner ones too."""
        self.wrong.setText("")
        self.wrong.setVisible(False)
        for row in self.rows.values():
            row.clear_wrong()
            if isinstance(row.editor, TableEditor | ListEditor):
                row.editor.clear_faults()


class TableEditor(Editor):
    """A table inside another one; where it may be left out, a box says whether it is there."""

    def __init__(self, field: Field, path: str, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        assert field.model is not None
        column = QVBoxLayout()
        column.setSpacing(8)
        self._row.addLayout(column)
        self.there = QCheckBox("The run file has it", self)
        self.there.setAccessibleName(path)
        self.there.setVisible(field.optional)
        self.form = TableForm(fields_of(field.model), path, self.changed.emit, self)
        column.addWidget(self.there)
        column.addWidget(self.form)
        self.there.toggled.connect(self._on_there)
        self.form.setVisible(not field.optional)

    def _on_there(self, there: bool) -> None:
        self.form.setVisible(there)
        self.changed.emit()

    def value(self) -> Any:
        values = self.form.values()
        if self.field.optional:
            return values if self.there.isChecked() else UNSET
        return values or UNSET

    def put(self, value: Any) -> None:
        self.form.put({} if value is UNSET else value)
        if self.field.optional:
            self.there.setChecked(value is not UNSET)

    def fault(self, place: tuple[str | int, ...], words: str) -> None:
        self.form.fault(place, words)

    def clear_faults(self) -> None:
        """Take every fault inside away."""
        self.form.clear_faults()


class ListEditor(Editor):
    """Tables (or values) in order; each can be moved and taken out."""

    def __init__(self, field: Field, path: str, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self._path = path
        self.entries: list[_Entry] = []
        self._column = QVBoxLayout()
        self._column.setSpacing(12)
        self._row.addLayout(self._column)
        self.add_button = QPushButton("Add", self)
        self.add_button.setAutoDefault(False)
        self.add_button.setAccessibleName(f"Add to {path}")
        self.add_button.clicked.connect(self._on_add)
        self._column.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)

    def _on_add(self) -> None:
        menu = self.beginnings()
        if menu is None:
            self.add({} if self.field.model is not None else UNSET)
        else:
            menu.popup(self.add_button.mapToGlobal(QPoint(0, self.add_button.height())))

    def beginnings(self) -> QMenu | None:
        """What an entry may begin as, to be chosen from; None where it begins empty."""
        given = BEGINNINGS.get(self._path, ())
        if self.field.model is not None or not given:
            return None
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        for value in given:
            menu.addAction(str(value["type"])).triggered.connect(lambda _checked=False, value=value: self.add(value))
        return menu

    def add(self, value: Any) -> None:
        """One more at the end."""
        entry = _Entry(self.field, self._path, self)
        entry.put(value)
        self.entries.append(entry)
        self._column.insertWidget(self._column.count() - 1, entry)
        self._settled()

    def remove(self, entry: "_Entry") -> None:
        """Take that one out."""
        self.entries.remove(entry)
        self._column.removeWidget(entry)
        entry.hide()
        entry.deleteLater()
        self._settled()

    def move_up(self, entry: "_Entry") -> None:
        """Before the one that stands before it."""
        at = self.entries.index(entry)
        if at > 0:
            self.entries.insert(at - 1, self.entries.pop(at))
            self._column.removeWidget(entry)
            self._column.insertWidget(at - 1, entry)
            self._settled()

    def _settled(self) -> None:
        for number, entry in enumerate(self.entries, start=1):
            entry.title.setText(f"{number}")
            entry.up_button.setEnabled(number > 1)
        self.changed.emit()

    def value(self) -> Any:
        return [entry.value() for entry in self.entries] or UNSET

    def put(self, value: Any) -> None:
        while self.entries:
            self.remove(self.entries[-1])
        for one in [] if value is UNSET else value:
            self.add(one)

    def fault(self, place: tuple[str | int, ...], words: str) -> None:
        at = place[0]
        if isinstance(at, int) and at < len(self.entries):
            self.entries[at].fault(place[1:], words)

    def clear_faults(self) -> None:
        """Take every fault inside away."""
        for entry in self.entries:
            entry.clear_faults()


class _Entry(QFrame):
    """One of a list, with its number."""

    def __init__(self, field: Field, path: str, owner: ListEditor) -> None:
        super().__init__(owner)
        self.setProperty("panel", "true")
        self.title = QLabel(self)
        mark(self.title, role="heading")
        self.up_button = QPushButton("Up", self)
        remove = QPushButton("Remove", self)
        head = QHBoxLayout()
        head.addWidget(self.title)
        head.addStretch(1)
        for button in (self.up_button, remove):
            button.setAutoDefault(False)
            button.setProperty("flat", True)
            head.addWidget(button)
        self.up_button.clicked.connect(lambda: owner.move_up(self))
        remove.clicked.connect(lambda: owner.remove(self))
        of_values = field.model is None
        fields = [Field("tool", "value", None, True, False)] if field.model is None else fields_of(field.model)
        self.form = TableForm(fields, f"{path}[]", owner.changed.emit, self)
        self._of_values = of_values
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 12)
        column.addLayout(head)
        column.addWidget(self.form)

    def value(self) -> Any:
        values = self.form.values()
        return values.get("tool", "") if self._of_values else values

    def put(self, value: Any) -> None:
        self.form.put(({} if value is UNSET else {"tool": value}) if self._of_values else value)

    def fault(self, place: tuple[str | int, ...], words: str) -> None:
        self.form.fault(("tool", *place) if self._of_values else place, words)

    def clear_faults(self) -> None:
        self.form.clear_faults()


def _words_label(words: str, parent: QWidget) -> QLabel:
    label = QLabel(words, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setVisible(bool(words))
    return label
