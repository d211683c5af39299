"""What the model last read of a page: its text, each element it can act on, and what was left out."""

from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.core.events import PageRead
from app.core.read_diff import previous_read, read_diff
from app.views.inspector.element_row import element_row
from app.views.inspector.page_changes import change_rows
from app.views.inspector.panel import InspectorPanel, MomentSource
from app.views.inspector.rows import SIDE, RowsModel, RowsView
from app.views.widgets.empty_words import EmptyWords
from app.views.widgets.outside_text import OutsideCanvas, OutsideText
from app.views.widgets.text_flow import Line, Outside, Run, Words, faces

_FEWEST_TEXT_ROWS = 4
_TEXT_SHARE, _TEXT_SHARE_ALONE = 0.45, 0.8
"""How much of the panel's height the text may take, beside elements and where the read has none."""


class PageReadPanel(InspectorPanel):
    """The newest read at the cursor.

    Signals:
        element_chosen: an element as the read reported it (a dict), to be marked on the stage; None for none.
    """

    element_chosen = Signal(object)

    def __init__(self, model: MomentSource, parent: QWidget | None = None) -> None:
        super().__init__(model, "Page read", parent)
        self._read: PageRead | None = None
        self.text = OutsideText("Text of the page", max_rows=_FEWEST_TEXT_ROWS, parent=self)
        self.text.setContentsMargins(SIDE, 0, SIDE, 0)
        self.text.hide()
        self.rows = RowsModel(self)
        self.view = RowsView("Elements of the page", self)
        self.view.setModel(self.rows)
        self.empty_words = EmptyWords(
            self.view,
            "What the model has read of the page appears here: its text, and each element it can act on."
            " Choose an element to see it marked on the picture.",
        )
        self.omitted = OutsideCanvas(self)
        self.omitted.hide()
        self.text.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.column.addWidget(self.text)
        self.column.addWidget(self.view, 1)
        self.column.addStretch(0)
        foot = QHBoxLayout()
        foot.setContentsMargins(SIDE, 0, SIDE, 0)
        self.changes = QPushButton("Only changes", self)
        self.changes.setObjectName("button_only_changes")
        self.changes.setToolTip("What this read says that the one before it did not, of the same tab")
        self.changes.setCheckable(True)
        self.changes.setProperty("flat", True)
        self.changes.setAutoDefault(False)
        self.changes.toggled.connect(self._on_changes_toggled)
        foot.addWidget(self.omitted, 1)
        foot.addWidget(self.changes, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)
        self.column.addLayout(foot)
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)

    def refresh(self) -> None:
        moment = self._model.moment
        read = moment.read
        if read is self._read:
            return
        self._read = read
        earlier = previous_read(moment.timeline, moment.seq)
        self.changes.setEnabled(earlier is not None or self.changes.isChecked())
        if read is not None and self.changes.isChecked():
            self._show_changes(read, earlier)
        else:
            self._show_whole(read)

    def _on_changes_toggled(self, checked: bool) -> None:
        self._read = None
        self.refresh()

    def _show_changes(self, read: PageRead, earlier: PageRead | None) -> None:
        """What differs from the read before; all of it when there is none to compare it with."""
        if earlier is None:
            self._show_whole(read)
            self.say_summary("nothing read before")
            return
        diff = read_diff(earlier, read)
        self.view.selectionModel().clearCurrentIndex()
        self.rows.show_rows(change_rows(diff))
        self.text.hide()
        self._show_omitted([])
        self._share_out()
        self.say_summary(f"{diff.count:,} change{'' if diff.count == 1 else 's'}")

    def _show_whole(self, read: PageRead | None) -> None:
        report: dict[str, Any] = read.report if read is not None and isinstance(read.report, dict) else {}
        elements = [element for element in report.get("elements") or [] if isinstance(element, dict)]
        self.view.selectionModel().clearCurrentIndex()
        self.rows.show_rows([element_row(element) for element in elements])
        text = report.get("text")
        self.text.setVisible(isinstance(text, str) and bool(text))
        if isinstance(text, str):
            self.text.set_value(text)
        self._show_omitted([code for code in report.get("omitted") or [] if isinstance(code, str)])
        count = len(elements)
        self._share_out()
        self.say_summary("" if read is None else f"{count:,} element{'' if count == 1 else 's'}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_out()

    def _share_out(self) -> None:
        """Give the text what the elements leave: a tall panel is not half empty under four lines."""
        alone = self._read is not None and not self.rows.rowCount()
        share = _TEXT_SHARE_ALONE if alone else _TEXT_SHARE
        self.text.set_max_rows(max(_FEWEST_TEXT_ROWS, int(self.height() * share / faces().row_height)))
        self.view.setVisible(not alone)

    def _show_omitted(self, codes: list[str]) -> None:
        self.omitted.setVisible(bool(codes))
        runs: list[Run] = [Words("Left out: ", "hold")]
        for at, code in enumerate(codes):
            runs += [Words(", ", "hold")] if at else []
            runs.append(Outside(code, tone="hold"))
        self.omitted.set_lines([Line(tuple(runs))] if codes else [])

    def _on_current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        self.element_chosen.emit(self.rows.row(current.row()).subject if current.isValid() else None)
