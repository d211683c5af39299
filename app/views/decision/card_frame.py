"""What is the same on each card: its rows, buttons and fixed words, made and styled before there is a question.

Making them is most of the work of opening a card, so that it is done while nobody waits for one.
"""

from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLayout, QScrollArea, QVBoxLayout, QWidget

from app.views.decision.age_line import AgeLine
from app.views.decision.ask_body import AskBody
from app.views.decision.buttons import AllowButton, Clock, DecisionButton
from app.views.decision.for_run import ForRunRow
from app.views.decision.queue_list import QueueList
from app.views.seal import MEANING, seal
from app.views.stop_all import put_key
from app.views.style import colour, theme
from app.views.widgets.short_label import ShortLabel

WIDTH = 620
_SIDE, _TOP = 24, 20
BODY_WIDTH = WIDTH - 2 * _SIDE
_EDGE = 4
_GAP = 8
_TALLEST, _WITHOUT_BODY = 900, 260
"""Pixels of the tallest card, and of what stands around its body."""
TITLE_BAR, _LEAST_BODY = 32, 80
"""Pixels: what a window manager puts on top, and what stays of a body however much room other rows take."""
_FLAGS = (
    Qt.WindowType.Dialog
    | Qt.WindowType.CustomizeWindowHint
    | Qt.WindowType.WindowTitleHint
    | Qt.WindowType.WindowCloseButtonHint
)


class CardFrame(QDialog):
    """Not on the screen and without a word of any question, until one is put into it; and it gets one only."""

    def __init__(self, parent: QWidget, clock: Clock) -> None:
        super().__init__(parent, _FLAGS)
        self.setWindowTitle("Signalbox asks")
        self.setObjectName("card")
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, _EDGE + _TOP - 4, 0, 16)
        box.setSpacing(_GAP)
        box.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
        self.title = ShortLabel(self, role="title")
        self.place, self.queue = ShortLabel(self), ShortLabel(self)
        box.addLayout(_row(self.title, None, self.place, self.queue))
        self.others = QueueList(self)
        box.addLayout(_row(self.others))
        self.body = AskBody(None, BODY_WIDTH, with_ticks=True, parent=self)
        self._body_row = _row(self.body)
        box.addLayout(self._body_row)
        self.age, self.scale = AgeLine(clock, self), ShortLabel(self)
        box.addLayout(_row(self.age, None, self.scale))
        self.deny_words, self.expiry = ShortLabel(self), ShortLabel(self)
        box.addLayout(_row(self.deny_words, None, self.expiry))
        self._note_row = _row()
        box.addLayout(self._note_row)
        self._for_run_row = ForRunRow(BODY_WIDTH, self)
        box.addLayout(_row(self._for_run_row))
        self.stop_button = DecisionButton("Stop run", "text", self)
        self.value_button = DecisionButton("Answer yourself…", "text", self)
        self.note_button = DecisionButton("Deny with a note…", "danger", self)
        self.deny_button = DecisionButton("Deny", "danger", self)
        self.allow_button = AllowButton("Allow once", "clear", self)
        refusing = (self.note_button, self.deny_button)
        box.addLayout(_row(self.stop_button, self.value_button, None, *refusing, self.allow_button))
        for button in (self.stop_button, self.value_button, *refusing, self.allow_button, self._for_run_row.button):
            button.setEnabled(False)
        self.state, self.seal = ShortLabel(self), ShortLabel(self)
        self.seal.setText(seal())
        self.seal.setToolTip(MEANING)
        foot = _row(self.state, self.seal)
        foot.setStretchFactor(self.state, 1)
        box.addLayout(foot)
        self.scrolls = False
        """Whether the body stands behind a scroll bar."""
        self._holder: QScrollArea | None = None
        put_key(self)
        for hidden in (self.queue, self._for_run_row, self.value_button):
            hidden.hide()
        self._be_ready()

    def _be_ready(self) -> None:
        """Have the style sheet read and the window made, which else the first question of the card would wait for."""
        for part in (self, *self.findChildren(QWidget)):
            part.ensurePolished()
        self._lay_out()
        self.create()

    def _lay_out(self) -> None:
        if (layout := self.layout()) is not None:
            layout.activate()

    def _screen_height(self) -> int:
        """Pixels of the screen that it stands on; until it is shown, of the one that its window is on."""
        window = self.parentWidget()
        on = self if self.isVisible() or window is None else window
        return on.screen().availableGeometry().height()

    def _fit_body(self, room: int, *, with_for_run: bool) -> None:
        """The body as it is, or behind a scroll bar when the screen is too low for it and `room` pixels more."""
        body: QWidget = self.body
        height = body.sizeHint().height()
        body.setFixedHeight(height)
        around = room + _WITHOUT_BODY + (self._for_run_row.sizeHint().height() + _GAP if with_for_run else 0)
        most = max(160, min(self._screen_height(), _TALLEST) - around)
        self.scrolls = height > most
        if self.scrolls:
            body = self._behind_bar(most)
        if self.scrolls or self.body.takes_keys or self._for_run_row.scrolls:
            self._order_by_tab(body)

    def _behind_bar(self, height: int) -> QScrollArea:
        """Put the body behind a scroll bar, so many pixels of it in sight."""
        self._holder = holder = QScrollArea(self)
        holder.setFrameShape(QScrollArea.Shape.NoFrame)
        holder.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        holder.setViewportMargins(_SIDE, 0, 0, 0)
        self._body_row.setContentsMargins(0, 0, 0, 0)
        self._body_row.removeWidget(self.body)
        holder.setWidget(self.body)
        self.body.setAutoFillBackground(False)
        holder.setFixedSize(WIDTH, height)
        holder.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._body_row.addWidget(holder)
        return holder

    def _make_room(self) -> None:
        """Let the body give up what a row that came later takes, where the screen has no more: the answers stay."""
        self._lay_out()
        over = self.sizeHint().height() + TITLE_BAR - self._screen_height()
        if over <= 0:
            return
        shown = self.body if self._holder is None else self._holder
        height = max(_LEAST_BODY, shown.height() - over)
        if self._holder is not None:
            self._holder.setFixedHeight(height)
        elif height < self.body.height():
            self.scrolls = True
            holder = self._behind_bar(height)
            self._order_by_tab(holder)
            holder.show()
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.isVisible():
            # What has grown must not end below the screen: the answers stand at its foot.
            free, frame = self.screen().availableGeometry(), self.frameGeometry()
            if frame.bottom() > free.bottom() and frame.top() > free.top():
                self.move(frame.left(), max(free.top(), frame.top() - (frame.bottom() - free.bottom())))

    def _order_by_tab(self, body: QWidget) -> None:
        """Tab goes from top to bottom, although the buttons were there before what stands above them."""
        for_run = [*self._for_run_row.findChildren(QScrollArea), self._for_run_row.button]
        answers = [self.stop_button, self.value_button, self.note_button, self.deny_button, self.allow_button]
        stops = [one for one in (body, *body.findChildren(QWidget)) if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
        for one, following in pairwise([*stops, *for_run, *answers]):
            self.setTabOrder(one, following)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not event.isAutoRepeat():
            super().keyPressEvent(event)
        else:
            # A letter, Enter or Space that reached no field does nothing at all.
            event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().panel)
        painter.fillRect(0, 0, self.width(), _EDGE, colour("hold"))
        painter.end()


def _row(*widgets: QWidget | None) -> QHBoxLayout:
    """These in a row; None is what stretches."""
    row = QHBoxLayout()
    row.setContentsMargins(_SIDE, 0, _SIDE, 0)
    row.setSpacing(8)
    for widget in widgets:
        if widget is None:
            row.addStretch(1)
        else:
            row.addWidget(widget)
    return row
