"""What a person reads on a window: the text of every label and button, and every shown cell of every list."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QLabel, QWidget

MOST_COLUMNS = 20


def texts(window: QWidget) -> dict[str, list[str]]:
    """All words on `window`, by the kind of widget that shows them, in the order of the widget tree."""
    labels = [label.text() for label in window.findChildren(QLabel) if label.isVisibleTo(window)]
    buttons = [button.text() for button in window.findChildren(QAbstractButton) if button.isVisibleTo(window)]
    return {"labels": labels, "buttons": buttons, "cells": _cells(window)}


def _cells(window: QWidget) -> list[str]:
    said = []
    for view in window.findChildren(QAbstractItemView):
        model = view.model()
        for row in range(model.rowCount()):
            for column in range(MOST_COLUMNS):
                if not (index := model.index(row, column)).isValid():
                    break
                value = index.data() or index.data(Qt.ItemDataRole.AccessibleTextRole)
                said.append(f"{view.objectName()} {row},{column}: {value}")
    return said
