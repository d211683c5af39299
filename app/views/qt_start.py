"""The start of Qt itself, which ends the process where it finds nothing to draw on; then people are told first."""

from __future__ import annotations

import os
import sys

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from app.core.errors import MissingHere

NO_PLATFORM = (
    "No window can be shown: Qt can draw on nothing here (QT_QPA_PLATFORM: {}). `signalbox doctor` says what is "
    "missing; QT_QPA_PLATFORM=offscreen draws without a screen."
)


def qt_begun() -> QApplication:
    """Where Qt can draw on nothing here it would abort the process; then that is said, and this is the end as well."""
    held: list[str] = []

    def heard(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        if kind == QtMsgType.QtFatalMsg:
            sys.stderr.write(NO_PLATFORM.format(os.environ.get("QT_QPA_PLATFORM") or "none") + "\n")
            sys.stderr.flush()
            # Nothing is open yet, and once it has said this Qt does not return.
            os._exit(MissingHere.exit_code)
        held.append(message)

    before = qInstallMessageHandler(heard)
    try:
        qapp = QApplication(sys.argv[:1])
    finally:
        qInstallMessageHandler(before)
    for message in held:
        sys.stderr.write(f"{message}\n")
    return qapp
