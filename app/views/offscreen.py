"""Windows that are drawn where there is no display: Qt's one remark about that is not for people to read."""

import contextlib
import sys
from collections.abc import Iterator

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

KNOWN_REMARK = "This plugin does not support propagateSizeHints()"
"""Printed by Qt's offscreen platform for every window that is shown; nothing follows from it."""


@contextlib.contextmanager
def without_remarks() -> Iterator[None]:
    """While inside, the known remark is left out; everything else that Qt says goes to standard error as always."""

    def pass_on(_kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        if message != KNOWN_REMARK:
            sys.stderr.write(f"{message}\n")

    before = qInstallMessageHandler(pass_on)
    try:
        yield
    finally:
        qInstallMessageHandler(before)
