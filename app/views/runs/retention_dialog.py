"""How long and how much of the saved runs is kept: a person sets it, and sees what may go before anything goes."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.retention import Retention
from app.views.style import mark
from app.views.widgets.number_field import NumberField

FIRST_DAYS, FIRST_MB = 90, 5000
MOST_DAYS, MOST_MB = 36_500, 10_000_000
WORDS = (
    "Off unless you tick it. Nothing is removed by itself: the list says how many runs may go, "
    "and shows them to you first. Runs in use, and those that need reconciling, always stay."
)


class RetentionDialog(QDialog):
    """Opened with `open()`; deleted when closed.

    Signals:
        chosen: the `Retention` that a person has saved.
    """

    chosen = Signal(object)

    def __init__(self, retention: Retention, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("retention_dialog")
        self.setWindowTitle("Keeping runs")
        self.by_age = QCheckBox("Runs may go when they are older than", self)
        self.days = NumberField(self)
        self.by_size = QCheckBox("The oldest may go while all together take more than", self)
        self.total_mb = NumberField(self)
        self.save_button = QPushButton("Save", self)
        self.cancel_button = QPushButton("Cancel", self)
        self._build()
        for box, spin, value, first in (
            (self.by_age, self.days, retention.older_than_days, FIRST_DAYS),
            (self.by_size, self.total_mb, retention.above_total_mb, FIRST_MB),
        ):
            spin.setValue(first if value is None else value)
            spin.setEnabled(value is not None)
            box.setChecked(value is not None)
            box.toggled.connect(spin.setEnabled)

    def _build(self) -> None:
        words = QLabel(WORDS, self)
        words.setWordWrap(True)
        mark(words, tone="dim")
        self.days.setRange(1, MOST_DAYS)
        self.days.setSuffix(" days")
        self.days.setAccessibleName("Days that a run is kept")
        self.total_mb.setRange(1, MOST_MB)
        self.total_mb.setSuffix(" MB")
        self.total_mb.setAccessibleName("Megabytes that all runs may take")
        for spin in (self.days, self.total_mb):
            spin.setMinimumWidth(130)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(10)
        for row, (box, spin) in enumerate(((self.by_age, self.days), (self.by_size, self.total_mb))):
            grid.addWidget(box, row, 0)
            grid.addWidget(spin, row, 1)
        for button, name in ((self.save_button, "button_save"), (self.cancel_button, "button_cancel")):
            button.setObjectName(name)
            button.setAutoDefault(False)
        self.save_button.clicked.connect(self._on_save)
        self.cancel_button.clicked.connect(self.reject)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addStretch(1)
        line.addWidget(self.cancel_button)
        line.addWidget(self.save_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(16)
        column.addWidget(words)
        column.addLayout(grid)
        column.addLayout(line)
        self.finished.connect(self.deleteLater)

    def _on_save(self) -> None:
        self.chosen.emit(
            Retention(
                older_than_days=self.days.value() if self.by_age.isChecked() else None,
                above_total_mb=self.total_mb.value() if self.by_size.isChecked() else None,
            )
        )
        self.accept()
