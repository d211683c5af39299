"""Beside the form: what the run will ask and what it will not, and whether all that it needs is there."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.core.asked_ahead import Foretold
from app.core.check_line import CheckLine
from app.views.style import mark
from app.views.theme import Tone
from app.views.widgets.outside_text import OutsideCanvas
from app.views.widgets.text_flow import Line, Outside, Run, Words

_WORD_TONES: dict[str, Tone] = {"asked": "hold", "not asked": "clear", "denied": "danger"}
_STATE_TONES: dict[str, Tone] = {"ok": "clear", "note": "hold", "not ok": "danger"}

ASKED_EMPTY = "What the run will ask, and what it will not, appears here once the fields are right."
CHECKS_EMPTY = "Check looks for the key, the model, the browser, the pages and the servers. It runs nothing of the run."


class AheadPanel(QFrame):
    """A title and lines under it; lines that do not fit are scrolled to."""

    def __init__(self, title: str, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("panel", "true")
        self._empty = empty
        heading = QLabel(title, self)
        mark(heading, role="strong")
        self.summary = QLabel(self)
        mark(self.summary, tone="dim")
        self.head = QHBoxLayout()
        self.head.addWidget(heading)
        self.head.addWidget(self.summary, 1)
        self.canvas = OutsideCanvas()
        self.canvas.setAccessibleName(title)
        self._scroll = QScrollArea(self)
        self._scroll.setWidget(self.canvas)
        self._scroll.setWidgetResizable(True)
        self.canvas.setAutoFillBackground(False)
        self._scroll.viewport().setAutoFillBackground(False)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(8)
        column.addLayout(self.head)
        column.addWidget(self._scroll, 1)
        self.say([])

    def say(self, lines: Sequence[Line]) -> None:
        """Show `lines`, or what will appear here."""
        self.canvas.set_lines(lines or [Line((Words(self._empty, "dim", "small"),))])


def foretold_lines(foretold: Sequence[Foretold], consequences: Sequence[str] = ()) -> list[Line]:
    """One line for each: the word, what it is about, why; then what else follows from the plan."""
    return [*map(_foretold, foretold), *(Line((Words("note  ", "dim", "bold"), Words(one))) for one in consequences)]


def _foretold(one: Foretold) -> Line:
    runs: list[Run] = [Words(f"{one.word}  ", _WORD_TONES[one.word], "bold"), Words(", ".join(one.what))]
    runs += _quoted(one.names)
    if one.why:
        runs.append(Words(f" · {one.why}", "dim"))
    return Line((*runs, *_quoted(one.quoted)))


def _quoted(texts: Sequence[str]) -> list[Run]:
    runs: list[Run] = []
    for at, text in enumerate(texts):
        runs += [Words(" " if at == 0 else ", "), Outside(text, quoted=True)]
    return runs


def check_lines(checks: Sequence[CheckLine]) -> list[Line]:
    """One line for each thing, and one below it for how to mend it."""
    lines = []
    for check in checks:
        runs: list[Run] = [Words(f"{check.state}  ", _STATE_TONES[check.state], "bold"), Words(check.what, face="bold")]
        runs += [Words(f"  {check.says}")] if check.says else []
        runs += _quoted((check.outside,) if check.outside else ())
        lines.append(Line(tuple(runs)))
        if check.mend:
            lines.append(Line((Words(check.mend, "dim", "small"),), indent=2))
    return lines
