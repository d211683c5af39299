"""The film strip: one cell a recorded picture, with dots for what happened there. Only shown cells cost anything."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.views.models.frames_model import DOTS_ROLE, FRAME_ROLE, FramesModel
from app.views.models.timeline_model import TimelineModel
from app.views.style import SECONDARY_POINTS, text_font, theme
from app.views.timeline.dots import Dot
from app.views.timeline.thumbnails import Thumbnails
from app.views.widgets.empty_words import EmptyWords

PICTURE = QSize(104, 65)
CELL = QSize(112, 96)
DOT, GAP, EDGE = 8, 3, 1
TIGHT_PERCENT = 94
"""Between the letters of a word that would not fit otherwise."""
BELOW = 13
"""Pixels from the picture's lower edge to the middle of the dots."""
MOST_DOTS = 5
REDRAW_MS = 40
"""Thumbnails that come soon after each other are drawn together; the last of them at once."""


class FilmDelegate(QStyledItemDelegate):
    """Paints a cell: the thumbnail, the line through the run, the dots and the word of the last of them."""

    def __init__(self, thumbnails: Thumbnails, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return CELL

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        cell: QRect = option.rect
        colours = theme()
        frame = index.data(FRAME_ROLE)
        box = QRect(cell.left() + 4, cell.top() + 4, PICTURE.width(), PICTURE.height())
        image = self._thumbnails.get(frame.picture.digest)
        painter.fillRect(box, QColor(colours.stage))
        if image is not None and not image.isNull():
            self._picture(painter, box, image)
        current = bool(option.state & QStyle.StateFlag.State_Selected)
        pen = QPen(QColor(colours.accent if current else colours.line), 2 if current else 1)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(box).adjusted(-0.5, -0.5, 0.5, 0.5))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(colours.accent), 1, Qt.PenStyle.DotLine))
            painter.drawRect(cell.adjusted(1, 1, -2, -2))
        self._dots(painter, cell, box.bottom() + BELOW, index)
        painter.restore()

    @staticmethod
    def _picture(painter: QPainter, box: QRect, image: QImage) -> None:
        size = image.size().scaled(box.size(), Qt.AspectRatioMode.KeepAspectRatio)
        area = QRect(0, 0, size.width(), size.height())
        area.moveCenter(box.center())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(area, image)

    @staticmethod
    def _dots(painter: QPainter, cell: QRect, middle: int, index: QModelIndex | QPersistentModelIndex) -> None:
        colours, dots = theme(), index.data(DOTS_ROLE)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.line), 1.5))
        painter.drawLine(cell.left(), middle, cell.right() + 1, middle)
        if not dots:
            return
        count, word, font = fitted(dots, text_font(SECONDARY_POINTS - 0.5), cell.width() - 2 * EDGE)
        painter.setFont(font)
        shown = dots[-count:]
        width = count * (DOT + GAP) + GAP + painter.fontMetrics().horizontalAdvance(word)
        x = cell.left() + max(EDGE, (cell.width() - width) // 2)
        painter.fillRect(QRect(x - 3, middle - 7, width + 6, 14), QColor(colours.panel))
        painter.setPen(Qt.PenStyle.NoPen)
        for dot in shown:
            painter.setBrush(QColor(colours.tone(dot.tone)))
            painter.drawEllipse(QRectF(x, middle - DOT / 2, DOT, DOT))
            x += DOT + GAP
        painter.setPen(QColor(colours.tone(dots[-1].tone)))
        painter.drawText(
            QRect(x + 2, middle - 8, cell.right() - x, 16),
            int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft),
            word,
        )


def fitted(dots: Sequence[Dot], font: QFont, room: int) -> tuple[int, str, QFont]:
    """How many of the last dots are drawn, the word of the last one, whole, and its font; what is left out is counted.

    Where not even one dot leaves the word its room, its letters stand closer, and last it is cut.
    """
    metrics = QFontMetrics(font)
    for count in range(min(MOST_DOTS, len(dots)), 0, -1):
        word = dots[-1].word + (f" +{len(dots) - count}" if len(dots) > count else "")
        left = room - count * (DOT + GAP) - GAP
        if metrics.horizontalAdvance(word) <= left:
            return count, word, font
    tight = QFont(font)
    tight.setLetterSpacing(QFont.SpacingType.PercentageSpacing, TIGHT_PERCENT)
    return 1, QFontMetrics(tight).elidedText(word, Qt.TextElideMode.ElideRight, left), tight


class FilmStrip(QListView):
    """A list from left to right whose current cell is the picture of the moment.

    Signals:
        seek_wanted: a person chose the picture that came with this event.
    """

    seek_wanted = Signal(int)

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("film_strip")
        self.setAccessibleName("Film strip")
        self._timeline_model = model
        self._following_selection = False
        self.frames = FramesModel(model, self)
        self.thumbnails = Thumbnails(model.pictures, self)
        self.setModel(self.frames)
        self.empty_words = EmptyWords(self, "The pictures of the run appear here, with what was asked and done.")
        self.setItemDelegate(FilmDelegate(self.thumbnails, self))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(False)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalScrollBar().setSingleStep(CELL.width())
        self.setFixedHeight(CELL.height() + 12)
        self._redraw = QTimer(self)
        self._redraw.setSingleShot(True)
        self._redraw.setInterval(REDRAW_MS)
        self._redraw.timeout.connect(self.viewport().update)
        self.thumbnails.arrived.connect(self._on_arrived)
        self.thumbnails.idle.connect(self._on_idle)
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        model.changed.connect(self.viewport().update)
        model.moment_changed.connect(self.show_moment)
        self.show_moment()

    def show_moment(self) -> None:
        """Make the picture of the moment the current cell and bring it into view."""
        row = self.frames.row_at(self._timeline_model.seq)
        index = self.frames.index(row, 0) if row >= 0 else QModelIndex()
        if index.row() == self.currentIndex().row():
            return
        self._following_selection = True
        try:
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.selectionModel().setCurrentIndex(index, flags)
            if row >= 0:
                self.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
        finally:
            self._following_selection = False

    def _on_arrived(self, digest: str) -> None:
        if not self._redraw.isActive():
            self._redraw.start()

    def _on_idle(self) -> None:
        self._redraw.stop()
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        # The line through the run goes on to the right of its newest picture.
        painter = QPainter(self.viewport())
        painter.setPen(QPen(QColor(theme().line), 1.5))
        if self.frames.rowCount():
            last = self.visualRect(self.frames.index(self.frames.rowCount() - 1, 0))
            middle = last.top() + 4 + PICTURE.height() - 1 + BELOW
            painter.drawLine(last.right(), middle, self.viewport().width(), middle)
        painter.end()
        super().paintEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._bring_into_view()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._bring_into_view()

    def _bring_into_view(self) -> None:
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex(), QAbstractItemView.ScrollHint.EnsureVisible)

    def close_down(self) -> None:
        """End the worker."""
        self.thumbnails.close()

    def _on_current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        if current.isValid() and not self._following_selection:
            self.seek_wanted.emit(self.frames.seq_of(current.row()))
