"""The whole run at a glance: a lane a kind of event, a tick an event, a line where the cursor stands. Drag to scrub."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core import describe
from app.views.models.timeline_model import TimelineModel
from app.views.stage.subject import clock_words
from app.views.style import Appearance, appearance, text_font, theme
from app.views.theme import Tone
from app.views.timeline.dots import LANES, lane_of

LANE_HEIGHT = 11
NAME_WIDTH = 62
MARGIN = 12
TICK = 5.0
REDRAW_MS = 50
"""A burst of events redraws the lanes once."""
FIRST_CAPACITY = 60


class LanesView(QWidget):
    """Places are by order of events, never by time: a long wait takes no room.

    Signals:
        seek_wanted: a person pointed at this event.
    """

    seek_wanted = Signal(int)

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lanes")
        self.setAccessibleName("Events by lane: " + ", ".join(LANES))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setFixedHeight(LANE_HEIGHT * len(LANES) + 8)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._model = model
        self._drawn: QPixmap | None = None
        self._ticked = 0
        self._drawn_for = 0
        """The capacity that the ticks were drawn for."""
        self._taken: set[tuple[int, int, Tone]] = set()
        self._most = 0
        self._was_live = model.live
        self._redraw = QTimer(self)
        self._redraw.setSingleShot(True)
        self._redraw.timeout.connect(self._on_redraw)
        model.changed.connect(self._on_changed)
        model.moment_changed.connect(self._on_moment)
        if model.marks is not None:
            model.marks.listen(self.update)
        looks: Appearance = appearance()
        looks.changed.connect(self._forget)
        self._on_moment()

    def x_of(self, seq: int) -> float:
        """Where event `seq` lies, in pixels from the left."""
        return NAME_WIDTH + MARGIN + self._room() * (seq - 1) / (self._capacity() - 1)

    def seq_at(self, x: float) -> int:
        """The event nearest to `x`."""
        last = self._model.timeline.last_seq
        part = (x - NAME_WIDTH - MARGIN) / self._room()
        return min(last, max(1, 1 + round(part * (self._capacity() - 1)))) if last else 0

    def _capacity(self) -> int:
        """How many events the width stands for. While a run goes on there is room for more, so that ticks stay put."""
        last = self._model.timeline.last_seq
        if not self._model.live:
            return max(2, last, self._model.expected)
        if last > self._most:
            self._most = max(FIRST_CAPACITY, last * 5 // 4)
            self._drawn = None
        return self._most

    def _room(self) -> float:
        return max(1.0, self.width() - NAME_WIDTH - 2 * MARGIN)

    def _on_changed(self) -> None:
        if not self._redraw.isActive():
            self._redraw.start(REDRAW_MS)

    def _on_redraw(self) -> None:
        # While a saved run is being read its length is known, and ticks stay where they are.
        if self._capacity() != self._drawn_for:
            self._drawn = None
        self.update()

    def _on_moment(self) -> None:
        if self._was_live and not self._model.live:
            self._was_live, self._drawn = False, None
        seq, last = self._model.seq, self._model.timeline.last_seq
        self.setAccessibleDescription(f"at event {seq} of {last}")
        self.update()

    def _forget(self) -> None:
        self._drawn = None
        self.update()

    def _draw_lanes(self) -> QPixmap:
        colours, ratio = theme(), self.devicePixelRatioF()
        drawn = QPixmap(int(self.width() * ratio), int(self.height() * ratio))
        drawn.setDevicePixelRatio(ratio)
        drawn.fill(QColor(colours.panel))
        painter = QPainter(drawn)
        painter.setFont(text_font(7.5))
        for lane, name in enumerate(LANES):
            middle = _middle(lane)
            painter.setPen(QColor(colours.dim))
            area = QRectF(MARGIN, middle - LANE_HEIGHT / 2 - 2, NAME_WIDTH, LANE_HEIGHT + 4)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), name)
            painter.setPen(QPen(QColor(colours.line), 1))
            painter.drawLine(QPointF(NAME_WIDTH + MARGIN, middle), QPointF(self.width() - MARGIN, middle))
        painter.end()
        self._ticked = 0
        self._taken.clear()
        self._drawn_for = self._capacity()
        return drawn

    def _draw_ticks(self, drawn: QPixmap) -> None:
        """Add the ticks of the events that came since the last time; at most one a pixel, lane and tone."""
        events = self._model.timeline.events
        capacity = self._capacity()
        left, step = NAME_WIDTH + MARGIN, self._room() / (capacity - 1)
        places: dict[Tone, list[tuple[int, int]]] = {}
        for index in range(self._ticked, len(events)):
            recorded = events[index]
            lane, tone = lane_of(recorded.event)
            spot = (int(left + step * (recorded.seq - 1)), lane, tone)
            if spot not in self._taken:
                self._taken.add(spot)
                places.setdefault(tone, []).append((spot[0], lane))
        self._ticked = len(events)
        if not places:
            return
        painter = QPainter(drawn)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        colours = theme()
        for tone, spots in places.items():
            painter.setBrush(QColor(colours.tone(tone)))
            for x, lane in spots:
                painter.drawEllipse(QRectF(x - TICK / 2, _middle(lane) - TICK / 2, TICK, TICK))
        painter.end()

    def _draw_seams(self, painter: QPainter) -> None:
        """A broken line across the lanes where another process took the run up."""
        resumed = self._model.timeline.resumptions
        if not len(resumed):
            return
        painter.setPen(QPen(QColor(theme().hold), 1, Qt.PenStyle.DashLine))
        for at in range(len(resumed)):
            x = self.x_of(resumed.seq_of(at))
            painter.drawLine(QPointF(x, 2), QPointF(x, self.height() - 2))

    def _draw_marks(self, painter: QPainter) -> None:
        """A small flag above the lanes for each mark that a reviewer has set."""
        if self._model.marks is None:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme().accent))
        for x in {round(self.x_of(seq)) for seq in self._model.marks.seqs if seq <= self._model.timeline.last_seq}:
            painter.drawPolygon([QPointF(x - 3.5, 0), QPointF(x + 3.5, 0), QPointF(x, 5)])

    def _seek_to(self, x: float) -> None:
        seq = self.seq_at(x)
        if seq and seq != self._model.seq:
            self.seek_wanted.emit(seq)

    def _words_at(self, x: float) -> str:
        seq = self.seq_at(x)
        events = self._model.timeline.events
        index = events.count(seq) - 1
        if index < 0:
            return ""
        recorded = events[index]
        return f"event {recorded.seq} · {clock_words(recorded.wall_ms)} · {describe.event_name(recorded.event)}"

    def sizeHint(self) -> QSize:
        return QSize(400, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        self._capacity()
        if self._drawn is None:
            self._drawn = self._draw_lanes()
        self._draw_ticks(self._drawn)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._drawn)
        self._draw_seams(painter)
        self._draw_marks(painter)
        if self._model.timeline.last_seq:
            x, colours = self.x_of(self._model.seq), theme()
            painter.setPen(QPen(QColor(colours.accent), 2))
            painter.drawLine(QPointF(x, 2), QPointF(x, self.height() - 2))
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme().accent), 1, Qt.PenStyle.DotLine))
            painter.drawRect(QRectF(self.rect()).adjusted(1.5, 0.5, -1.5, -0.5))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._drawn = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._seek_to(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._seek_to(event.position().x())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = self._model.timeline.last_seq
        jump = max(1, last // 20)
        moves = {
            Qt.Key.Key_Left: self._model.seq - 1,
            Qt.Key.Key_Right: self._model.seq + 1,
            Qt.Key.Key_PageUp: self._model.seq - jump,
            Qt.Key.Key_PageDown: self._model.seq + jump,
            Qt.Key.Key_Home: 1,
            Qt.Key.Key_End: last,
        }
        wanted = moves.get(Qt.Key(event.key()))
        if wanted is None or not last:
            super().keyPressEvent(event)
            return
        self.seek_wanted.emit(min(last, max(1, wanted)))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            self.setToolTip(self._words_at(self.mapFromGlobal(self.cursor().pos()).x()))
        return super().event(event)


def _middle(lane: int) -> float:
    return 4 + lane * LANE_HEIGHT + LANE_HEIGHT / 2
