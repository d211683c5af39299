"""Asks in which form a saved run is handed on, to where, and what is left out; then shows how far it is."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QImage
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.core.errors import LedgerProblem
from app.core.evidence import Box
from app.core.exporting import KIND_WORDS, SUFFIXES, Exported, Exporter, ExportKind, ExportOrder, box_of, box_words
from app.core.untrusted import shown
from app.views.export.mask_view import MaskView
from app.views.export.working import PARTS, ExportWork
from app.views.room import begin_at, room_of
from app.views.style import mark, mono_font

LEAST_EDITOR_HEIGHT, EDITOR_HEIGHT = 58, 84

LEFT_OUT_HINT = "One text a line: left out of all words, arguments and addresses"
MASKS_HINT = "One region a line: X,Y,WIDTH,HEIGHT in pixels of the page"
MOST_CHARS = 2000
SAID_HEIGHT = 60
"""Pixels for what is said under the fields, a bar beside it."""
COVERED_SINCE = "Other regions were covered meanwhile. They stand in the list now: press once more."
THERE_IS_ONE = "There is a file of that name already. Press once more to write over it, or name another one."


@dataclass(frozen=True)
class PageShot:
    """A picture of the run's page, to draw regions on."""

    image: QImage
    css_width: float
    css_height: float


class ExportDialog(QDialog):
    """Opened with `open()`; it stays until its export has ended. Nothing here changes the run's record."""

    def __init__(self, record: Path, exporter: Exporter, parent: QWidget, *, shot: PageShot | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("export_dialog")
        self.setWindowTitle("Export")
        self._record = record
        self._exporter = exporter
        self._work: ExportWork | None = None
        self._closing = False
        self._kept: Sequence[Box] = ()
        """The regions that were kept when they were last looked at."""
        self._may_replace = ""
        """The place whose file a person has agreed to lose."""
        self.kinds = {kind: QRadioButton(words, self) for kind, words in KIND_WORDS.items()}
        self.place = QLineEdit(self)
        self.choose_button = QPushButton("Choose…", self)
        self.masks = QPlainTextEdit(self)
        self.texts = QPlainTextEdit(self)
        self.view = MaskView(shot.image, shot.css_width, shot.css_height, self) if shot is not None else None
        self.said = QLabel(self)
        self.bar = QProgressBar(self)
        self.export_button = QPushButton("Export", self)
        self.close_button = QPushButton("Close", self)
        self._build()
        self._fill()

    def _build(self) -> None:
        group = QButtonGroup(self)
        for radio in self.kinds.values():
            group.addButton(radio)
            radio.toggled.connect(self._on_kind)
        self.place.setAccessibleName("File to write")
        self.place.setFont(mono_font())
        for editor, name, hint in (
            (self.masks, "Regions to cover", MASKS_HINT),
            (self.texts, "Texts to leave out", LEFT_OUT_HINT),
        ):
            editor.setAccessibleName(name)
            editor.setPlaceholderText(hint)
            editor.setFont(mono_font())
            editor.setTabChangesFocus(True)
            editor.setProperty("field", True)
            editor.setMinimumHeight(LEAST_EDITOR_HEIGHT)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setWordWrap(True)
        self.said.setVisible(False)
        self.bar.setRange(0, PARTS)
        self.bar.setTextVisible(False)
        self.bar.setVisible(False)
        for button, name in ((self.export_button, "button_export"), (self.close_button, "button_close")):
            button.setObjectName(name)
            button.setAutoDefault(False)
        self.choose_button.setAutoDefault(False)
        self.place.textChanged.connect(lambda _: self._agree(""))
        self.choose_button.clicked.connect(self._on_choose)
        self.export_button.clicked.connect(self._on_export)
        self.close_button.clicked.connect(self.reject)
        self.masks.textChanged.connect(self._on_masks)
        if self.view is not None:
            self.view.drawn.connect(self._on_drawn)
        self._lay_out()

    def _lay_out(self) -> None:
        kinds = QVBoxLayout()
        kinds.setSpacing(4)
        for radio in self.kinds.values():
            kinds.addWidget(radio)
        to = QHBoxLayout()
        to.setSpacing(8)
        to.addWidget(self.place, 1)
        to.addWidget(self.choose_button)
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow("Form", kinds)
        form.addRow("To", to)
        form.addRow("Cover", self.masks)
        form.addRow("Leave out", self.texts)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(12)
        if self.view is not None:
            # Regions are drawn on it: it gets what room there is, and the lists beside it scroll.
            column.addWidget(self.view, 1)
            for editor in (self.masks, self.texts):
                editor.setMaximumHeight(EDITOR_HEIGHT)
        column.addLayout(form)
        column.addWidget(self.said)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.bar, 1)
        line.addStretch(1)
        line.addWidget(self.close_button)
        line.addWidget(self.export_button)
        column.addLayout(line)
        if self.view is not None and self.minimumSizeHint().height() + SAID_HEIGHT > room_of(self).height():
            # Too low a screen for the picture, too: regions can be written in numbers.
            self.view.setVisible(False)
        shows = self.view is not None and not self.view.isHidden()
        begin_at(self, 680, 760 if shows else 460)

    def _fill(self) -> None:
        self.kinds["html"].setChecked(True)
        self.place.setText(os.path.join(os.path.expanduser("~"), f"{self._record.stem}{SUFFIXES[self._kind()]}"))
        if not self._kept_read():
            self.export_button.setEnabled(False)

    def _kept_read(self) -> bool:
        """Add regions that are kept and were not when they were last looked at; False where that cannot be known."""
        try:
            kept = self._exporter.kept_masks(self._record)
        except LedgerProblem as problem:
            self._say(str(problem), wrong=True)
            return False
        lines = self.masks.toPlainText().splitlines()
        fresh = [box_words(mask) for mask in kept if mask not in self._kept]
        self._kept = kept
        if added := [words for words in fresh if words not in lines]:
            self.masks.setPlainText("\n".join([*lines, *added]))
        return True

    def _kind(self) -> ExportKind:
        return next((kind for kind, button in self.kinds.items() if button.isChecked()), "html")

    def _on_kind(self) -> None:
        place = Path(self.place.text())
        if place.suffix in SUFFIXES.values():
            self.place.setText(str(place.with_suffix(SUFFIXES[self._kind()])))

    def _on_choose(self) -> None:
        suffix = SUFFIXES[self._kind()]
        dialog = QFileDialog(self, "Export to", self.place.text(), f"*{suffix}")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix.removeprefix("."))
        dialog.fileSelected.connect(self._on_chosen)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_chosen(self, place: str) -> None:
        self.place.setText(place)
        self._agree(place)  # that dialog has asked already

    def _agree(self, place: str) -> None:
        self._may_replace = place
        self.export_button.setText("Export")

    def _on_drawn(self, box: Box) -> None:
        lines = self.masks.toPlainText().splitlines()
        self.masks.setPlainText("\n".join([*lines, box_words(box)]))

    def _on_masks(self) -> None:
        regions, _ = self._regions()
        if self.view is not None:
            self.view.show_masks(regions)

    def _regions(self) -> tuple[Sequence[Box], str]:
        """The regions, and what is wrong with one of them."""
        regions, wrong = [], ""
        for line in self.masks.toPlainText().splitlines():
            try:
                regions += [box_of(line)] if line.strip() else []
            except ValueError as problem:
                wrong = wrong or str(problem)
        return regions, wrong

    def _on_export(self) -> None:
        regions, wrong = self._regions()
        place = self.place.text().strip()
        if wrong or not place:
            self._say(wrong or "Say where to", wrong=True)
            return
        if place != self._may_replace and os.path.lexists(os.path.expanduser(place)):
            self._agree(place)
            self.export_button.setText("Write over it")
            self._say(THERE_IS_ONE, wrong=True)
            return
        before = self.masks.toPlainText()
        if not self._kept_read():
            return
        if self.masks.toPlainText() != before:
            # Whatever is not in the list is covered no longer: a person sees first what they would uncover.
            self._say(COVERED_SINCE, wrong=True)
            return
        self._agree("")
        order = ExportOrder(
            record=self._record,
            kind=self._kind(),
            out=Path(os.path.expanduser(place)),
            masks=tuple(regions),
            # What stands here is all that stays covered.
            forget_masks=True,
            redactions=tuple(line for line in self.texts.toPlainText().splitlines() if line.strip()),
        )
        self._work = ExportWork(self._exporter, order, self)
        self._work.moved.connect(self.bar.setValue)
        self._work.ended.connect(self._on_ended)
        self._set_busy(True)
        self._say("Writing…", wrong=False)
        self._work.start()

    def _on_ended(self, found: Exported | str | None) -> None:
        self._work = None
        self._set_busy(False)
        if self._closing:
            self.reject()
        elif found is None:
            self._say("Stopped: nothing was written", wrong=False)
        elif isinstance(found, str):
            self._say(found, wrong=True)
        else:
            words = [f"Written: {found.out} ({found.size_bytes:,} bytes)", *found.notes, *found.left_out]
            self._say("\n".join(shown(line) for line in words), wrong=False)

    def _set_busy(self, busy: bool) -> None:
        for widget in (
            *self.kinds.values(),
            self.place,
            self.choose_button,
            self.masks,
            self.texts,
            self.export_button,
        ):
            widget.setEnabled(not busy)
        if self.view is not None:
            self.view.setEnabled(not busy)
        self.close_button.setText("Stop" if busy else "Close")
        self.bar.setVisible(busy)
        self.bar.setValue(0)

    def _say(self, words: str, *, wrong: bool) -> None:
        self.said.setText(words[:MOST_CHARS])
        mark(self.said, tone="danger" if wrong else "text")
        self.said.setVisible(True)

    def close_down(self) -> None:
        """The window goes away: end the export now."""
        if self._work is not None:
            self._work.stop()
            self._work.wait()

    def reject(self) -> None:
        if self._work is not None:
            self._say("Stopping…", wrong=False)
            self._work.stop()
            return
        super().reject()
        self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._work is not None:
            self._closing = True
            event.ignore()
            self.reject()
            return
        super().closeEvent(event)
