"""The live page beside the form, opened when a person asks, at an address that they see; it cannot be pressed."""

import logging

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.errors import LedgerProblem
from app.core.resuming import PageLook
from app.views.stage.picture_view import PictureView, Shot
from app.views.style import mark

log = logging.getLogger(__name__)

EMPTY = "The page as it is now appears here, in a browser of its own, when you open it."
LOOKS_MS = 100
"""How often the newest live picture is looked for while the page is open."""


class LookView(QFrame):
    """Shows at most one page. What is opened is what stands in the line, and nobody has typed it but the person.

    Signals:
        said: words of the browser's thread about what became of the page.
    """

    said = Signal(str)

    def __init__(self, look: PageLook, address: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("look")
        self.setProperty("panel", "true")
        self._look = look
        self._shown: object = None
        heading = QLabel("The page now", self)
        mark(heading, role="heading")
        self.address = QLineEdit(address, self)
        # A long one shows where it begins: which host it is.
        self.address.setCursorPosition(0)
        self.address.setObjectName("look_address")
        self.address.setAccessibleName("Address to look at")
        self.open_button = QPushButton("Open the page", self)
        self.open_button.setObjectName("look_open")
        self.open_button.setAutoDefault(False)
        self.open_button.setToolTip("Opens it in a browser of its own, only to look at")
        self.open_button.clicked.connect(self._on_open)
        self.picture = PictureView(self)
        self.picture.show_words(EMPTY)
        self.words = QLabel(self)
        self.words.setWordWrap(True)
        mark(self.words, role="secondary")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.address, 1)
        row.addWidget(self.open_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(heading)
        column.addLayout(row)
        column.addWidget(self.picture, 1)
        column.addWidget(self.words)
        self.said.connect(self._on_said)
        self._looking = QTimer(self)
        self._looking.setInterval(LOOKS_MS)
        self._looking.timeout.connect(self._on_look)

    def close_down(self) -> None:
        """Show nothing more, and let the page go."""
        self._looking.stop()
        self._look.close()
        self.picture.close_down()

    def _on_open(self) -> None:
        url = self.address.text().strip()
        if url:
            self._look.open(url, self.said.emit)
            self._looking.start()

    def _on_said(self, words: str) -> None:
        self.words.setText(words)
        mark(self.words, tone="dim" if words.endswith("…") else "hold")

    def _on_look(self) -> None:
        frame = self._look.frames.frame
        if frame is not None and frame is not self._shown:
            self._shown = frame
            self.picture.show_picture(self._load)

    def _load(self) -> tuple[bytes, Shot]:
        frame = self._look.frames.frame
        if frame is None:
            raise LedgerProblem("there is no picture any more")
        return frame.data, Shot(frame.css_width, frame.css_height, None)
