"""All keys of the window in one list."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.views.commands import ACTIONS
from app.views.style import mark, mono_font

SHOWN_HEIGHT = 460
"""Pixels of the list that are seen at first."""


class KeysDialog(QDialog):
    """Opened with `open()`; deleted when closed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("keys_dialog")
        self.setWindowTitle("Keyboard")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(6)
        rows = [(spec.shortcut, spec.words, spec.purpose) for spec in ACTIONS if spec.shortcut]
        rows.append(("Alt+1", "Panels", "Alt and a digit show or hide a panel"))
        for row, (shortcut, words, purpose) in enumerate(rows):
            keys = QLabel(QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText), self)
            keys.setFont(mono_font())
            about = QLabel(purpose, self)
            mark(about, role="secondary")
            for column, label in enumerate((keys, QLabel(words, self), about)):
                label.setTextFormat(Qt.TextFormat.PlainText)
                grid.addWidget(label, row, column)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
        buttons.rejected.connect(self.reject)
        column_layout = QVBoxLayout(self)
        column_layout.setContentsMargins(20, 16, 20, 16)
        column_layout.setSpacing(16)
        column_layout.addWidget(_scrolled(grid, self))
        column_layout.addWidget(buttons)


def _scrolled(grid: QGridLayout, parent: QWidget) -> QScrollArea:
    """There are more keys than a small screen has lines."""
    inside = QWidget()
    inside.setProperty("bare", True)
    grid.setContentsMargins(0, 0, 12, 0)
    inside.setLayout(grid)
    area = QScrollArea(parent)
    area.setAccessibleName("Keys")
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setProperty("bare", True)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inside)
    area.setMinimumSize(inside.sizeHint().width() + area.verticalScrollBar().sizeHint().width(), SHOWN_HEIGHT)
    return area
