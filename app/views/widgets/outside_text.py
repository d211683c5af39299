"""Widgets that show text from outside: plain, in monospace, wrapped, hidden characters marked, big values paged.

No rich text, no links, no mnemonics, no tooltips: what is painted is all there is. Copying gives the raw value.
"""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.core.untrusted import PAGE_CHARS, Form, findings, page_count, size_of
from app.views.style import mark
from app.views.widgets.text_flow import Flow, Line, Outside, Run, Words, faces, paint_rows

_SPOKEN_CHARS = 4000
"""Most letters handed to a screen reader at once."""


class OutsideCanvas(QWidget):
    """Paints lines of own words and outside text; as tall as its rows at the width it is given.

    Signals:
        end_seen: the last row has been painted and nothing covered it; once for each content.
    """

    end_seen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[Line, ...] = ()
        self._flow: Flow | None = None
        self._flow_width = -1
        self._end_was_seen = False
        self._is_fixed = False
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def lines(self) -> tuple[Line, ...]:
        """What is shown."""
        return self._lines

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Show `lines` in place of whatever stood there."""
        if self._lines == tuple(lines):
            return
        self._lines = tuple(lines)
        self._flow = None
        self._end_was_seen = False
        self.setAccessibleDescription(self.shown_text()[:_SPOKEN_CHARS])
        self.updateGeometry()
        self.update()

    def fix_width(self, width: int) -> None:
        """Take exactly `width` pixels and as much height as the rows need at it."""
        self.setFixedSize(width, self.heightForWidth(width))
        if not self._is_fixed:
            # A layout would still try one width after the other, and each has the rows laid out anew.
            self._is_fixed = True
            policy = self.sizePolicy()
            policy.setHeightForWidth(False)
            self.setSizePolicy(policy)

    def shown_text(self) -> str:
        """What is painted, in plain letters, one line each; marks stand in ``⟦ ⟧``."""
        return "\n".join(line.shown for line in self._lines)

    def has_seen_end(self) -> bool:
        """Whether the last row has been on screen since the content was set."""
        return self._end_was_seen

    def value_at(self, place: QPoint) -> str | None:
        """The raw outside value under `place`, or None where there is none."""
        for row in self._flowed(self.width()).rows:
            if row.top <= place.y() < row.top + row.height:
                for atom in row.atoms:
                    if atom.x <= place.x() <= atom.x + atom.width and atom.source is not None:
                        return atom.source.value
        return None

    def _flowed(self, width: int) -> Flow:
        if self._flow is None or width != self._flow_width:
            self._flow = Flow(width)
            for line in self._lines:
                self._flow.add(line)
            self._flow_width = width
        return self._flow

    def hasHeightForWidth(self) -> bool:
        return not self._is_fixed

    def heightForWidth(self, width: int) -> int:
        return round(self._flowed(width).height + 0.5)

    def sizeHint(self) -> QSize:
        width = self.width() if self.width() > 100 else 480
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, round(faces().row_height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        flow = self._flowed(self.width())
        painter = QPainter(self)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        paint_rows(painter, flow.rows, QRectF(event.rect()))
        painter.end()
        if not self._end_was_seen and self._last_row_visible(flow):
            self._end_was_seen = True
            self.end_seen.emit()

    def _last_row_visible(self, flow: Flow) -> bool:
        if not flow.rows:
            return True
        last = flow.rows[-1]
        middle = QPoint(2, round(last.top + last.height / 2))
        return self.visibleRegion().contains(middle)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        value = self.value_at(event.pos())
        if value is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy this value").triggered.connect(lambda: QGuiApplication.clipboard().setText(value))
        menu.popup(event.globalPos())


class OutsideText(QWidget):
    """One outside value with its size and what is hidden in it; longer than a page, it is turned page by page.

    Signals:
        end_seen: the end of the whole value has been on screen; once for each value.
    """

    end_seen = Signal()

    def __init__(
        self,
        name: str,
        *,
        form: Form = "block",
        max_rows: int = 12,
        numbered: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """`name`: console words for screen readers. `max_rows`: how many rows are seen without scrolling.

        `numbered`: the lines of code carry their numbers.
        """
        super().__init__(parent)
        self._value = ""
        self._form: Form = form
        self._page = 0
        self._max_rows = max_rows
        self._numbered = numbered
        self._lead: tuple[Run, ...] = ()
        self._marked: tuple[tuple[int, int], ...] = ()
        self._end_was_seen = False
        self.setAccessibleName(name)
        self._head = OutsideCanvas(self)
        self._canvas = OutsideCanvas()
        self._canvas.setAccessibleName(name)
        self._canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll = QScrollArea(self)
        self._scroll.setWidget(self._canvas)
        self._to_end = False
        self._scroll.verticalScrollBar().rangeChanged.connect(self._on_range_changed)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._canvas.setAutoFillBackground(False)
        self._canvas.end_seen.connect(self._on_page_end_seen)
        self._pager: QWidget | None = None
        self._position: QLabel | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(2)
        self._box.addWidget(self._head)
        self._box.addWidget(self._scroll)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    @property
    def value(self) -> str:
        """The raw value."""
        return self._value

    @property
    def page(self) -> int:
        """The page that is shown, from 0."""
        return self._page

    def set_value(self, value: str, lead: Sequence[Run] = (), *, marked: Sequence[tuple[int, int]] = ()) -> None:
        """Show `value`; `lead` stands before its size. `marked`: first and last of each run of lines to be marked."""
        self._value, self._lead, self._marked = value, tuple(lead), tuple(marked)
        self._end_was_seen = False
        notes = [size_of(value).words, *findings(value)]
        runs: list[Run] = [*lead, Words(("  " if lead else "") + notes[0], "dim", "small")]
        runs += [Words(" · " + note, "hold", "small") for note in notes[1:]]
        self._head.set_lines([Line(tuple(runs))])
        if page_count(value) > 1 and self._pager is None:
            self._make_pager()
        if self._pager is not None:
            self._pager.setVisible(page_count(value) > 1)
        self.turn_to(0)

    def turn_to(self, page: int) -> None:
        """Show that page, or the nearest there is."""
        self._page = min(max(page, 0), page_count(self._value) - 1)
        self._to_end = False
        before = self._value.count("\n", 0, self._page * PAGE_CHARS) if self._numbered else 0
        first = before + 1 if self._numbered else None
        shown = Outside(self._value, self._form, self._page, paged=True, code=self._numbered)
        self._canvas.set_lines([Line((shown,), numbered_from=first, marked=self._marked)])
        self._scroll.verticalScrollBar().setValue(0)
        if self._position is not None:
            self._position.setText(f"page {self._page + 1:,} of {page_count(self._value):,}")
        self._fit(self._room())

    def turn_to_end(self) -> None:
        """Show the end of the value."""
        self.turn_to(page_count(self._value) - 1)
        bar = self._scroll.verticalScrollBar()
        bar.setValue(bar.maximum())
        # Rows that are laid out later move the end on; it stays in view until the page is turned.
        self._to_end = True

    def shown_text(self) -> str:
        """What is painted now, in plain letters; marks stand in ``⟦ ⟧``."""
        return f"{self._head.shown_text()}\n{self._canvas.shown_text()}"

    def has_seen_end(self) -> bool:
        """Whether the end of the value has been on screen."""
        return self._end_was_seen

    def _make_pager(self) -> None:
        self._pager = QWidget(self)
        row = QHBoxLayout(self._pager)
        row.setContentsMargins(0, 0, 0, 0)
        self._position = QLabel()
        self._position.setTextFormat(Qt.TextFormat.PlainText)
        mark(self._position, role="secondary")
        row.addWidget(self._position)
        row.addStretch(1)
        turns = (("Page back", lambda: self.turn_to(self._page - 1)), ("Page on", lambda: self.turn_to(self._page + 1)))
        for words, turn in (*turns, ("Go to the end", self.turn_to_end)):
            button = QPushButton(words)
            button.setAutoDefault(False)
            button.setProperty("flat", True)
            button.clicked.connect(turn)
            row.addWidget(button)
        self._box.addWidget(self._pager)

    def _on_page_end_seen(self) -> None:
        if self._page == page_count(self._value) - 1 and not self._end_was_seen:
            self._end_was_seen = True
            self.end_seen.emit()

    def set_max_rows(self, rows: int) -> None:
        """So many rows are seen from now on without scrolling."""
        if rows != self._max_rows:
            self._max_rows = rows
            self._fit(self._room())

    def fix_width(self, width: int) -> None:
        """Take exactly `width` pixels, and as much height as size, rows and page buttons need."""
        self.setFixedWidth(width)
        self._head.fix_width(self._room(width))
        self._fit(self._room(width))

    def _room(self, width: int | None = None) -> int:
        """What the margins leave of `width`, or of its own: no more can be seen, whatever the scroll area says yet."""
        margins = self.contentsMargins()
        return (self.width() if width is None else width) - margins.left() - margins.right()

    def _fit(self, width: int) -> None:
        most = round(self._max_rows * faces().row_height)
        if self._canvas.heightForWidth(max(width, 100)) > most:
            width -= self._scroll.verticalScrollBar().sizeHint().width()
        self._canvas.fix_width(max(width, 100))
        self._scroll.setFixedHeight(min(self._canvas.height(), most))

    def _on_range_changed(self, low: int, high: int) -> None:
        if self._to_end:
            self._scroll.verticalScrollBar().setValue(high)

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.oldSize().width() != event.size().width():
            self._fit(self._room())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self._scroll.verticalScrollBar()
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self._value)
        elif event.key() == Qt.Key.Key_PageDown:
            if bar.value() < bar.maximum():
                bar.setValue(bar.value() + bar.pageStep())
            else:
                self.turn_to(self._page + 1)
        elif event.key() == Qt.Key.Key_PageUp:
            if bar.value() > 0:
                bar.setValue(bar.value() - bar.pageStep())
            else:
                self.turn_to(self._page - 1)
        elif event.key() == Qt.Key.Key_End:
            self.turn_to_end()
        else:
            super().keyPressEvent(event)
