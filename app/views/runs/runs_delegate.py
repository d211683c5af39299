"""Paints one saved run: task and time, how it stands, and what a person should know before opening it."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.core.untrusted import beginning, shown
from app.views.runs.run_row import (
    MOST_ID_CHARS,
    STATUS_TONES,
    RunRow,
    count_words,
    left_words,
    origin_words,
    started_words,
    status_words,
)
from app.views.runs.runs_model import ROW_ROLE
from app.views.style import SECONDARY_POINTS, TEXT_POINTS, mono_font, text_font, theme

PAD, LINE, MOST_LEFT = 12, 22, 3
MOST_TASK_CHARS = 300
MIDDLE = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)


class RunsDelegate(QStyledItemDelegate):
    """Two lines a run, and up to three more for what was cut off or is wrong."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        row: RunRow = index.data(ROW_ROLE)
        return QSize(200, 2 * PAD + 2 * LINE + min(MOST_LEFT, len(left_words(row))) * (LINE - 3))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row: RunRow = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours, area = theme(), option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        card = area.adjusted(1, 3, -2, -3)
        painter.setBrush(QColor(colours.soft if chosen else colours.panel))
        painter.setPen(QPen(QColor(colours.accent if chosen else colours.line), 2 if chosen else 1))
        painter.drawRoundedRect(card, 6, 6)
        inner = card.adjusted(PAD + 2, PAD - 4, -PAD - 2, 0)
        self._first_line(painter, QRect(inner.left(), inner.top(), inner.width(), LINE), row)
        self._second_line(painter, QRect(inner.left(), inner.top() + LINE, inner.width(), LINE), row)
        painter.setFont(text_font(SECONDARY_POINTS))
        left = left_words(row)
        more = f" (and {len(left) - MOST_LEFT} more)" if len(left) > MOST_LEFT else ""
        for number, words in enumerate(left[:MOST_LEFT]):
            line = QRect(inner.left() + 16, inner.top() + 2 * LINE + number * (LINE - 3), inner.width() - 16, LINE - 3)
            said = beginning(words, MOST_TASK_CHARS) + (more if number == MOST_LEFT - 1 else "")
            _text(painter, line, said, colours.hold if row.status != "unreadable" else colours.danger)
        painter.restore()

    @staticmethod
    def _first_line(painter: QPainter, line: QRect, row: RunRow) -> None:
        colours, started = theme(), started_words(row)
        painter.setFont(text_font(SECONDARY_POINTS))
        width = painter.fontMetrics().horizontalAdvance(started)
        painter.setPen(QColor(colours.dim))
        painter.drawText(line, MIDDLE | int(Qt.AlignmentFlag.AlignRight), started)
        painter.setFont(text_font(TEXT_POINTS + 0.5, bold=True))
        task = beginning(row.task, MOST_TASK_CHARS) if row.task else "No task on record"
        _text(painter, line.adjusted(0, 0, -width - 16, 0), task, colours.text if row.task else colours.dim)

    @staticmethod
    def _second_line(painter: QPainter, line: QRect, row: RunRow) -> None:
        colours = theme()
        tone = colours.tone(STATUS_TONES.get(row.status, "dim"))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tone))
        painter.drawEllipse(QPointF(line.left() + 5, line.center().y() + 1), 4.5, 4.5)
        painter.setFont(text_font(SECONDARY_POINTS, bold=True))
        words = status_words(row)
        x = line.left() + 16
        _text(painter, QRect(x, line.top(), line.width(), line.height()), words, tone)
        x += painter.fontMetrics().horizontalAdvance(words) + 14
        painter.setFont(mono_font(SECONDARY_POINTS - 0.5))
        run_id = shown(row.run_id[:MOST_ID_CHARS])
        id_width = painter.fontMetrics().horizontalAdvance(run_id)
        painter.setPen(QColor(colours.dim))
        painter.drawText(line, MIDDLE | int(Qt.AlignmentFlag.AlignRight), run_id)
        painter.setFont(text_font(SECONDARY_POINTS))
        rest = "" if row.status == "unreadable" else f"{count_words(row)} · {shown(origin_words(row))}"
        _text(painter, QRect(x, line.top(), line.right() - id_width - 12 - x, line.height()), rest, colours.dim)


def _text(painter: QPainter, line: QRect, text: str, colour: str) -> None:
    painter.setPen(QColor(colour))
    cut = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max(0, line.width()))
    painter.drawText(line, MIDDLE | int(Qt.AlignmentFlag.AlignLeft), cut)
