"""Lays the console's own words and outside text out in rows, painted so that neither can pass for the other.

Letters stay in stored order: a word written from right to left is drawn as a whole, and nothing moves across it.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.core.code_words import toned
from app.core.untrusted import PAGE_CHARS, Form, Piece, pieces
from app.views.style import SECONDARY_POINTS, TEXT_POINTS, colour, mono_font, text_font
from app.views.theme import Tone

Face = Literal["words", "bold", "small", "outside", "strong"]

ROW_GAP = 4.0
"""Pixels between the letters of one row and the next."""
MARK_PAD = 3.0
MARKED_ALPHA = 30
LABEL_WIDTH = 84.0
"""Pixels of the column in which a line's own label stands."""
NUMBER_CELLS = 7
"""Letters of the column in which line numbers stand."""

_KEPT_CHARS = 120
"""So long a text may be to have its measure remembered: most of our own words are constant."""
_ASCII = re.compile(r"[ -~]+")
_LEFT_QUOTE, _RIGHT_QUOTE = "“", "”"


@dataclass(frozen=True, slots=True)
class Words:
    """The console's own words."""

    text: str
    tone: Tone = "text"
    face: Face = "words"


@dataclass(frozen=True, slots=True)
class Outside:
    """Text of a model, a page, a person or a server; always in monospace, hidden characters as marks."""

    value: str
    form: Form = "row"
    page: int = 0
    quoted: bool = False
    strong: bool = False
    tone: Tone = "text"
    code: bool = False
    """Whether words of code get colours of their own."""
    paged: bool = False
    """Whether the other pages can be turned to; if not, what is left out is counted."""

    @property
    def left_out(self) -> str:
        """The console's words for what is not shown of a value that is longer than a page; empty when all of it is."""
        rest = len(self.value) - PAGE_CHARS
        return f" … {rest:,} more characters" if rest > 0 and not self.paged else ""


@dataclass(frozen=True, slots=True)
class Stop:
    """Goes on at a column: `cells` letters of the monospace face from the line's own left side."""

    cells: int


Run = Words | Outside | Stop


@dataclass(frozen=True, slots=True)
class Line:
    """One entry: an optional label in its own column, then runs that wrap beside it."""

    runs: tuple[Run, ...]
    label: str | None = None
    """Console words; an empty label keeps the column free, None starts at the left edge."""
    indent: int = 0
    """In letters of the monospace face."""
    numbered_from: int | None = None
    """For a block of code: the number of its first line, to stand left of it and of each line after it."""
    marked: tuple[tuple[int, int], ...] = ()
    """First and last number of each run of lines that bear a sign and a ground of their own."""

    @property
    def shown(self) -> str:
        """The line in plain letters, marks in ``⟦ ⟧``."""
        said = [self.label + ": "] if self.label else []
        for run in self.runs:
            if isinstance(run, Words):
                said.append(run.text)
            elif isinstance(run, Stop):
                said.append("  ")
            else:
                text = "".join(piece.shown for piece in pieces(run.value, run.form, page=run.page))
                said.append(f"{_LEFT_QUOTE}{text}{_RIGHT_QUOTE}" if run.quoted else text)
                said.append(run.left_out)
        return "".join(said)


@dataclass(slots=True)
class Atom:
    """What is painted in one go."""

    x: float
    width: float
    text: str
    face: Face
    tone: Tone
    is_mark: bool = False
    source: Outside | None = None


@dataclass(slots=True)
class Row:
    """One painted row; `top` and `height` in pixels."""

    top: float
    height: float
    atoms: list[Atom] = field(default_factory=list)
    marked: bool = False


class Faces:
    """The fonts and their measures, made once."""

    def __init__(self) -> None:
        self.fonts: dict[Face, QFont] = {
            "words": text_font(TEXT_POINTS),
            "bold": text_font(TEXT_POINTS, bold=True),
            "small": text_font(SECONDARY_POINTS),
            "outside": mono_font(TEXT_POINTS - 0.5),
            "strong": mono_font(TEXT_POINTS - 0.5),
        }
        self.fonts["strong"].setWeight(QFont.Weight.Bold)
        self.metrics = {face: QFontMetricsF(font) for face, font in self.fonts.items()}
        self.cell = self.metrics["outside"].horizontalAdvance("0")
        self.ascent = max(measure.ascent() for measure in self.metrics.values())
        self.row_height = self.ascent + max(measure.descent() for measure in self.metrics.values()) + ROW_GAP
        self._widths: dict[tuple[Face, str], float] = {}
        self._fitting: dict[tuple[Face, str, float], int] = {}

    def width(self, text: str, face: Face) -> float:
        """Pixels that `text` takes; remembered for what is short."""
        if face == "outside" and text.isascii():
            return len(text) * self.cell
        known = self._widths.get((face, text))
        if known is None:
            known = self.metrics[face].horizontalAdvance(text)
            if len(text) <= _KEPT_CHARS and len(self._widths) < 20_000:
                self._widths[face, text] = known
        return known

    def fitting(self, text: str, face: Face, room: float) -> int:
        """How many letters of `text`, of which not all do, fit into `room` pixels; remembered for what is short."""
        if face == "outside":
            return int(room // self.cell)
        known = self._fitting.get((face, text, room))
        if known is None:
            known = len(self.metrics[face].elidedText(text, Qt.TextElideMode.ElideRight, room)) - 1
            if len(text) <= _KEPT_CHARS:
                if len(self._fitting) >= 2_000:
                    self._fitting.clear()
                self._fitting[face, text, room] = known
        return known


@lru_cache(maxsize=1)
def faces() -> Faces:
    """The faces of the running application."""
    return Faces()


class Flow:
    """Fills rows from left to right; `rows` is the result."""

    def __init__(self, width: float, *, max_rows: int | None = None) -> None:
        self._faces = faces()
        self._width = max(width, 12 * self._faces.cell)
        self._max_rows = max_rows
        self._left = 0.0
        self._x = 0.0
        self._number: int | None = None
        self._marked: tuple[tuple[int, int], ...] = ()
        self._in_marked = False
        self.rows: list[Row] = []
        self.cut = False
        """Whether `max_rows` left something out."""

    @property
    def height(self) -> float:
        """Pixels of all rows."""
        return self.rows[-1].top + self.rows[-1].height if self.rows else 0.0

    def add(self, line: Line) -> None:
        """Append one line."""
        self._in_marked = False
        self._new_row(0.0)
        if line.label is not None:
            if line.label:
                width = self._faces.width(line.label, "small")
                self.rows[-1].atoms.append(Atom(0.0, width, line.label, "small", "dim"))
            self._left = LABEL_WIDTH
        else:
            self._left = 0.0
        self._left += line.indent * self._faces.cell
        self._number, self._marked = line.numbered_from, line.marked
        if self._number is not None:
            self._left += NUMBER_CELLS * self._faces.cell
            self._write_number()
        self._x = self._left
        for run in line.runs:
            if isinstance(run, Words):
                self._put(run.text, run.face, run.tone, None)
            elif isinstance(run, Stop):
                self._go_to(run.cells * self._faces.cell)
            else:
                self._outside(run)

    def _go_to(self, column: float) -> None:
        """On to `column`, from where further rows begin; one that leaves less than half of the width is no column."""
        gap, stop = 2 * self._faces.cell, self._left + column
        if column >= (self._width - self._left) / 2:
            self._x += gap
            self._left += gap
        else:
            self._x = stop if self._x <= stop - self._faces.cell else self._x + gap
            self._left = stop

    def _outside(self, run: Outside) -> None:
        face: Face = "strong" if run.strong else "outside"
        if run.quoted:
            self._put(_LEFT_QUOTE, face, "dim", None)
        for piece in pieces(run.value, run.form, page=run.page):
            if piece.is_mark:
                self._mark(piece, run)
            elif run.code:
                for text, tone in toned(piece.label):
                    self._put(text, face, tone, run)
            else:
                self._put(piece.label, face, run.tone, run)
        if run.quoted:
            self._put(_RIGHT_QUOTE, face, "dim", None)
        if run.left_out:
            self._put(run.left_out, "small", "hold", None)

    def _mark(self, piece: Piece, run: Outside) -> None:
        width = self._faces.width(piece.label, "outside") + 2 * MARK_PAD
        if self._x + width > self._width and self._x > self._left:
            self._new_row(self._left)
        tone: Tone = "dim" if piece.kind in ("break", "blank", "empty") else "hold"
        self._append(Atom(self._x, min(width, self._width - self._x), piece.label, "outside", tone, True, run), width)
        self._x += 2.0
        if piece.breaks:
            self._new_row(self._left)
            if self._number is not None:
                self._number += len(piece.raw)
                self._write_number()

    def _write_number(self) -> None:
        text = f"{self._number}"
        width = self._faces.width(text, "outside")
        x = max(0.0, self._left - width - 2 * self._faces.cell)
        number = self._number or 0
        self._in_marked = self.rows[-1].marked = any(first <= number <= last for first, last in self._marked)
        self.rows[-1].atoms.append(Atom(x, width, text, "outside", "hold" if self._in_marked else "dim"))
        if self._in_marked:
            self.rows[-1].atoms.append(
                Atom(x + width + 0.5 * self._faces.cell, self._faces.cell, "+", "strong", "hold")
            )

    def _put(self, text: str, face: Face, tone: Tone, source: Outside | None) -> None:
        for unit in _units(text):
            rest = unit
            while rest and not self.cut:
                room = self._width - self._x
                width = self._faces.width(rest, face)
                if width <= room:
                    self._append(Atom(self._x, width, rest, face, tone, False, source), width)
                    break
                part = self._fitting(rest, face, room)
                if part:
                    width = self._faces.width(part, face)
                    self._append(Atom(self._x, width, part, face, tone, False, source), width)
                    rest = rest[len(part) :]
                self._new_row(self._left)

    def _fitting(self, text: str, face: Face, room: float) -> str:
        """The part of `text` that goes on this row; empty when it should begin on the next."""
        at_left = self._x <= self._left
        if not text.isascii():
            return self._whole(text, face, room) if at_left else ""
        count = max(self._faces.fitting(text, face, room), 1 if at_left else 0)
        if self._max_rows == 1:
            return text[:count]
        space = text.rfind(" ", 0, count + 1)
        if space >= 0 and (space > count * 0.5 or not at_left):
            return text[: space + 1]
        return text[:count] if at_left or count > 12 else ""

    def _whole(self, text: str, face: Face, room: float) -> str:
        for count in range(len(text), 1, -1):
            if self._faces.width(text[:count], face) <= room:
                return text[:count]
        return text[:1]

    def _append(self, atom: Atom, width: float) -> None:
        if not self.cut:
            self.rows[-1].atoms.append(atom)
            self._x += width

    def _new_row(self, x: float) -> None:
        if self._max_rows is not None and len(self.rows) >= self._max_rows:
            self.cut = True
            return
        self.rows.append(Row(self.height, self._faces.row_height, marked=self._in_marked))
        self._x = x


def paint_rows(painter: QPainter, rows: list[Row], clip: QRectF) -> None:
    """Paint those of `rows` that lie in `clip`; every row keeps within its own height."""
    known = faces()
    pens: dict[Tone, QColor] = {}
    face, tone = None, None
    for row in rows:
        if row.top + row.height < clip.top():
            continue
        if row.top > clip.bottom():
            break
        if row.marked:
            ground = colour("hold")
            ground.setAlpha(MARKED_ALPHA)
            painter.fillRect(QRectF(clip.left(), row.top, clip.width(), row.height), ground)
        baseline = row.top + known.ascent + ROW_GAP / 2
        for atom in row.atoms:
            if (pen := pens.get(atom.tone)) is None:
                pen = pens[atom.tone] = colour(atom.tone)
            if atom.face != face:
                face = atom.face
                painter.setFont(known.fonts[face])
            if atom.tone != tone or atom.is_mark:
                painter.setPen(pen)
            tone = None if atom.is_mark else atom.tone
            _paint_atom(painter, atom, row, baseline, pen)


def _paint_atom(painter: QPainter, atom: Atom, row: Row, baseline: float, pen: QColor) -> None:
    """With the atom's font and pen."""
    x = atom.x
    if atom.is_mark:
        box = QRectF(atom.x + 0.5, row.top + 1.5, atom.width - 1, row.height - 3)
        ground = QColor(pen)
        ground.setAlpha(36)
        painter.setBrush(ground)
        painter.setPen(QPen(pen, 1))
        painter.drawRoundedRect(box, 3, 3)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        x += MARK_PAD
    if atom.source is None or atom.text.isascii():
        # Our own words, quotation marks among them, are as wide as they were measured.
        painter.drawText(QPointF(x, baseline), atom.text)
        return
    painter.save()
    painter.setClipRect(QRectF(atom.x, row.top, atom.width + 2, row.height), Qt.ClipOperation.IntersectClip)
    painter.drawText(QPointF(x, baseline), atom.text)
    painter.restore()


def _units(text: str) -> Iterator[str]:
    """Stretches that may be broken anywhere (ASCII), single letters with their marks, whole right-to-left words."""
    if text.isascii():
        yield text
        return
    at = 0
    while at < len(text):
        if (plain := _ASCII.match(text, at)) is not None:
            yield plain[0]
            at = plain.end()
            continue
        end = at + 1
        right_to_left = unicodedata.bidirectional(text[at]) in ("R", "AL")
        while end < len(text) and end - at < 40 and _goes_on(text[end], right_to_left=right_to_left):
            end += 1
        yield text[at:end]
        at = end


def _goes_on(letter: str, *, right_to_left: bool) -> bool:
    if unicodedata.category(letter) in ("Mn", "Mc"):
        return True
    return right_to_left and unicodedata.bidirectional(letter) in ("R", "AL")
