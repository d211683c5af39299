"""The header: what the run is about and how it stands, in one line, with the controls that must always be reachable."""

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QSizePolicy, QWidget

from app.views.seal import MEANING, seal
from app.views.style import colour, mark
from app.views.theme import Tone
from app.views.widgets.elided_label import ElidedLabel

DOT = 9
TICK_MS = 1000
LEAST_TASK = 90
"""Pixels that the task keeps beyond its shortest; the run's figures go first."""


class StateDot(QWidget):
    """A dot in the state's tone; the word that says the same always stands beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone: Tone = "dim"
        self.setFixedSize(DOT + 2, DOT + 2)

    def set_tone(self, tone: Tone) -> None:
        """Show this tone."""
        self._tone = tone
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(DOT + 2, DOT + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour(self._tone)))
        painter.drawEllipse(QPointF(self.width() / 2, self.height() / 2), DOT / 2, DOT / 2)


class HeaderBar(QWidget):
    """Shows the words it is given and asks for the time each second while the run goes on; knows nothing of runs.

    Signals:
        tick: a second has passed; the elapsed time should be said anew.
        stop_pressed: *Stop run* was pressed.
        hold_pressed: *Hold all* was pressed.
    """

    tick = Signal()
    stop_pressed = Signal()
    hold_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self.setAccessibleName("Run")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.name = QLabel("Signalbox", self)
        self.seal = QLabel(seal(), self)
        self.task = ElidedLabel(parent=self)
        self.dot = StateDot(self)
        self.state = QLabel("starting", self)
        self.turn, self.counts, self.tokens, self.elapsed = (QLabel(self) for _ in range(4))
        # The last is the first to go: the panels say it too.
        self._may_go = (self.counts, self.turn, self.elapsed, self.tokens)
        self.mode = QLabel("saved run, read-only", self)
        self.view_menu = QMenu(self)
        self.view_button = QPushButton("View", self)
        self.hold_button = QPushButton("Hold all", self)
        self.pause_button = QPushButton("Pause", self)
        self.stop_button = QPushButton("Stop run", self)
        self._name_parts()
        self._lay_out()
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.tick)

    def _name_parts(self) -> None:
        mark(self.name, role="name")
        mark(self.seal, role="secondary", tone="dim")
        self.seal.setObjectName("header_seal")
        self.seal.setToolTip(MEANING)
        mark(self.mode, tone="dim")
        self.mode.setVisible(False)
        for label, object_name, spoken in (
            (self.task, "header_task", "Task"),
            (self.state, "header_state", "State of the run"),
            (self.turn, "header_turn", "Turn"),
            (self.counts, "header_counts", "Asks"),
            (self.tokens, "header_tokens", "Tokens"),
            (self.elapsed, "header_elapsed", "Time since the start"),
            (self.mode, "header_mode", "The record"),
        ):
            label.setObjectName(object_name)
            label.setAccessibleName(spoken)
            label.setTextFormat(Qt.TextFormat.PlainText)
        for label in (self.turn, self.counts, self.tokens, self.elapsed):
            mark(label, tone="dim")
        self.view_button.setObjectName("button_view")
        self.view_button.setAccessibleName("View: panels, theme, layout")
        self.view_button.setToolTip("Panels, theme, layout, keys")
        self.view_button.setAutoDefault(False)
        # popup() returns at once; a menu set on the button would be run in a loop of its own.
        self.view_button.clicked.connect(self._on_view)
        self.hold_button.setObjectName("button_hold_all")
        self.hold_button.setAutoDefault(False)
        self.hold_button.setCheckable(True)
        self.hold_button.clicked.connect(self._on_hold)
        self.hold_button.setVisible(False)
        self.pause_button.setObjectName("button_pause")
        self.pause_button.setAutoDefault(False)
        self.pause_button.setVisible(False)
        self.stop_button.setObjectName("button_stop")
        self.stop_button.setAutoDefault(False)
        self.stop_button.clicked.connect(self.stop_pressed)
        self.stop_button.setVisible(False)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 9, 0, 9)
        row.setSpacing(18)
        row.addWidget(self.name)
        row.addWidget(self.seal)
        row.addWidget(self.task)
        state = QHBoxLayout()
        state.setSpacing(6)
        state.addWidget(self.dot)
        state.addWidget(self.state)
        row.addLayout(state)
        row.addStretch(1)
        for label in (self.turn, self.counts, self.tokens, self.elapsed):
            row.addWidget(label)
        row.addWidget(self.mode)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        self.buttons = buttons
        buttons.addWidget(self.view_button)
        buttons.addWidget(self.pause_button)
        buttons.addWidget(self.hold_button)
        buttons.addWidget(self.stop_button)
        row.addLayout(buttons)

    def say_held(self, held: bool) -> None:
        """Whether everything is held; the button shows what is so, not what was pressed."""
        self.hold_button.setChecked(held)
        self.hold_button.setText("Everything is held" if held else "Hold all")

    def _on_hold(self) -> None:
        self.hold_button.setChecked(not self.hold_button.isChecked())
        self.hold_pressed.emit()

    def say_state(self, words: str, tone: Tone) -> None:
        """The state in words, its dot in `tone`."""
        self.state.setText(words)
        self.state.setAccessibleDescription(words)
        mark(self.state, tone=tone)
        self.dot.set_tone(tone)

    def say_record(self, words: str, tone: Tone) -> None:
        """Beside a saved run: what is known of its record."""
        self.mode.setText(words)
        mark(self.mode, tone=tone)

    def set_task(self, words: str) -> None:
        """The task, on one line; the whole of it stands in the tool tip."""
        self.task.say(words)
        self.task.setAccessibleDescription(words)

    def run_clock(self, running: bool) -> None:
        """Tick each second, or no more."""
        if running != self._timer.isActive():
            (self._timer.start if running else self._timer.stop)()

    def add_to_menu(self, *actions: QAction | None) -> None:
        """Append to the View menu; None is a line."""
        for action in actions:
            if action is None:
                self.view_menu.addSeparator()
            else:
                self.view_menu.addAction(action)

    def _on_view(self) -> None:
        below = self.view_button.mapToGlobal(self.view_button.rect().bottomLeft())
        self.view_menu.popup(below)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            # A word has become longer, a button has come.
            self._fit()
        return done

    def _fit(self) -> None:
        """Leave out what there is no room for, so that no word is cut short and every button is whole."""
        row = self.layout()
        if row is None:
            return
        spacing = row.spacing()
        wanted = {label: label.sizeHint().width() + spacing for label in self._may_go}
        free = self.width() - row.minimumSize().width() + sum(w for label, w in wanted.items() if not label.isHidden())
        free -= LEAST_TASK
        for label, width in wanted.items():
            free -= width
            if label.isHidden() == (free >= 0):
                label.setVisible(free >= 0)
