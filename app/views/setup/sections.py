"""The form in sections: one page for each table of a run file, made when it is first looked at."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.core.faults import Fault
from app.core.plan import RunPlan
from app.views.setup.fields import Field, fields_of
from app.views.setup.table_form import TableForm
from app.views.setup.words import FIRST, LEADS, title_for
from app.views.style import appearance, colour, mark

LIST_WIDTH = 190
MAIN = ""
"""The section of all keys that are in no table."""


class _Page(QScrollArea):
    """One section. Its form is what the run file has at the top (`MAIN`) or under one key."""

    def __init__(self, section: str, fields: Sequence[Field], changed: Any, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(12)
        title = QLabel(title_for(section), inside)
        mark(title, role="title")
        column.addWidget(title)
        if section in LEADS:
            lead = QLabel(LEADS[section], inside)
            lead.setWordWrap(True)
            mark(lead, tone="dim")
            column.addWidget(lead)
        self.form = TableForm(fields, "", changed, inside)
        if section != MAIN:
            # The page's title says which key it is.
            self.form.rows[section].key.setVisible(False)
        column.addWidget(self.form)
        column.addStretch(1)
        self.setWidget(inside)


class Sections(QWidget):
    """All that a run file can say. What a page that was never opened would show is kept as it was put in.

    Signals:
        changed: a person (or `put`) changed what is filled in.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        fields = fields_of(RunPlan)
        tables = [field for field in fields if field.kind in ("table", "tables", "values")]
        tables.sort(key=lambda field: FIRST.index(field.key) if field.key in FIRST else len(FIRST))
        self._fields: dict[str, Sequence[Field]] = {MAIN: [field for field in fields if field not in tables]}
        self._fields |= {field.key: [field] for field in tables}
        self._values: dict[str, Any] = {}
        self._pages: dict[str, _Page] = {}
        self._faults: list[Fault] = []
        self._putting = False
        self.list = QListWidget(self)
        self.list.setFixedWidth(LIST_WIDTH)
        self.list.setAccessibleName("Sections")
        self.stack = QStackedWidget(self)
        for section in self._fields:
            item = QListWidgetItem(title_for(section), self.list)
            item.setData(Qt.ItemDataRole.UserRole, section)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.list)
        row.addWidget(self.stack, 1)
        appearance().changed.connect(self._on_theme)
        self.list.currentItemChanged.connect(self._on_chosen)
        self.list.setCurrentRow(0)

    def page(self, section: str) -> TableForm:
        """The form of that section, made if need be."""
        if section not in self._pages:
            page = _Page(section, self._fields[section], self._on_edited, self.stack)
            self._pages[section] = page
            self.stack.addWidget(page)
            self._fill(section)
            self._show_faults(section)
        return self._pages[section].form

    def open(self, section: str) -> None:
        """Show that section."""
        self.list.setCurrentRow(list(self._fields).index(section))

    def values(self) -> dict[str, Any]:
        """What is filled in, in a run file's own order."""
        said = dict(self._values)
        for section, page in self._pages.items():
            for field in self._fields[section]:
                said.pop(field.key, None)
            said |= page.form.values()
        order = [field.key for field in fields_of(RunPlan)]
        return {key: said[key] for key in order if key in said}

    def put(self, values: Mapping[str, Any]) -> None:
        """Show `values` in place of all that was there."""
        self._values = dict(values)
        for section in self._pages:
            self._fill(section)
        self.changed.emit()

    def show_faults(self, faults: Sequence[Fault]) -> None:
        """Say each where it belongs, and in the list how many there are in which section."""
        self._faults = list(faults)
        for section in self._pages:
            self._show_faults(section)
        for at in range(self.list.count()):
            item = self.list.item(at)
            section = item.data(Qt.ItemDataRole.UserRole)
            count = sum(self._section_of(fault) == section for fault in faults)
            item.setText(f"{title_for(section)} · {count} wrong" if count else title_for(section))
            item.setData(Qt.ItemDataRole.ForegroundRole, colour("danger") if count else None)

    def _section_of(self, fault: Fault) -> str:
        first = str(fault.place[0]) if fault.place else MAIN
        return first if first in self._fields else MAIN

    def _show_faults(self, section: str) -> None:
        form = self._pages[section].form
        form.clear_faults()
        for fault in self._faults:
            if self._section_of(fault) == section:
                form.fault(fault.place, fault.words)

    def _fill(self, section: str) -> None:
        self._putting = True
        self._pages[section].form.put(self._values)
        self._putting = False

    def _on_theme(self) -> None:
        self.show_faults(self._faults)

    def _on_edited(self) -> None:
        if not self._putting:
            self.changed.emit()

    def _on_chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            section = item.data(Qt.ItemDataRole.UserRole)
            self.page(section)
            self.stack.setCurrentWidget(self._pages[section])
