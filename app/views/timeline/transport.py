"""The controls that move the cursor: steps, asks, play, speed, and the way back to the newest event."""

from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QWidget

from app.clock import SystemClock
from app.core import describe
from app.replay.cursor import Command, Follow, Next, NextAsk, Previous, PreviousAsk, Seek, StepBack, StepForward
from app.replay.player import SPEEDS, Player
from app.views.commands import make_action, tip
from app.views.models.timeline_model import TimelineModel
from app.views.stage.subject import clock_words
from app.views.style import mark
from app.views.widgets.elided_label import ElidedLabel
from app.views.widgets.icon_button import IconButton, Sign

_MOVES: dict[str, tuple[Sign, Command]] = {
    "previous_ask": ("previous_ask", PreviousAsk()),
    "step_back": ("step_back", StepBack()),
    "step_forward": ("step_forward", StepForward()),
    "next_ask": ("next_ask", NextAsk()),
}

_KEYS_ONLY: dict[str, Command] = {
    "previous_call": StepBack("call"),
    "next_call": StepForward("call"),
    "previous_turn": StepBack("turn"),
    "next_turn": StepForward("turn"),
    "previous_denial": Previous("denial"),
    "next_denial": Next("denial"),
    "previous_problem": Previous("problem"),
    "next_problem": Next("problem"),
    "first_event": Seek(1),
    "follow": Follow(),
}


class Transport(QWidget):
    """Each control says by being grey that it would move nothing."""

    def __init__(self, model: TimelineModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("transport")
        self.setAccessibleName("Timeline controls")
        self._model = model
        self._speed = 1.0
        self.player = Player(model.timeline, model.cursor, SystemClock())
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_due)
        self.actions_by_key: dict[str, QAction] = {}
        self.buttons: dict[str, IconButton] = {}
        self.play = IconButton("play", tip("play"), self)
        self.speed = QPushButton("1×", self)
        self.speed_menu = QMenu(self)
        self.places = QPushButton("Go to", self)
        self.places_menu = QMenu(self)
        self.position = ElidedLabel(parent=self)
        self.live = QPushButton("Live", self)
        self._build()
        model.moment_changed.connect(self.refresh)
        model.changed.connect(self.refresh)
        self.refresh()

    def _build(self) -> None:
        for key, (sign, command) in _MOVES.items():
            self.buttons[key] = button = IconButton(sign, tip(key), self)
            button.setObjectName(f"button_{key}")
            button.setAutoRepeat(True)
            button.clicked.connect(partial(self._on_pressed, command))
        self.play.setObjectName("button_play")
        self.play.clicked.connect(self.toggle_play)
        self.speed.setObjectName("play_speed")
        self.speed.setAccessibleName("Speed of playing")
        self.speed.setToolTip("Speed of playing")
        self.speed.setProperty("flat", True)
        # popup() returns at once; a menu set on the button would be run in a loop of its own.
        self.speed.clicked.connect(
            lambda: self.speed_menu.popup(self.speed.mapToGlobal(self.speed.rect().bottomLeft()))
        )
        self.places.setObjectName("go_to")
        self.places.setAccessibleName("Go to: calls, turns, denials, problems, marks")
        self.places.setProperty("flat", True)
        self.places.clicked.connect(self._on_places)
        # Keys always work: a move that leads nowhere does nothing.
        self.places_menu.aboutToHide.connect(self._on_places_left)
        for speed in SPEEDS:
            self.speed_menu.addAction(_speed_words(speed)).triggered.connect(partial(self.set_speed, speed))
        self.position.setObjectName("position")
        mark(self.position, role="secondary")
        self.live.setObjectName("button_live")
        self.live.setCheckable(True)
        self.live.clicked.connect(lambda: self.move_by(Follow()))
        self._lay_out()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for widget in (
            self.buttons["previous_ask"],
            self.buttons["step_back"],
            self.play,
            self.buttons["step_forward"],
            self.buttons["next_ask"],
        ):
            row.addWidget(widget)
        row.addSpacing(6)
        row.addWidget(self.speed)
        row.addWidget(self.places)
        row.addSpacing(10)
        self.position.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row.addWidget(self.position, 1)
        row.addWidget(self.live)

    def install_actions(self, window: QWidget) -> None:
        """Put the keys of these controls into force in `window`."""
        for key, (_, command) in _MOVES.items():
            self.actions_by_key[key] = make_action(window, key, partial(self.move_by, command))
        for key, command in _KEYS_ONLY.items():
            self.actions_by_key[key] = make_action(window, key, partial(self.move_by, command))
        self.actions_by_key["play"] = make_action(window, "play", self.toggle_play)
        if self._model.marks is not None:
            for key, move in (("previous_mark", self.to_mark_before), ("next_mark", self.to_mark_after)):
                self.actions_by_key[key] = make_action(window, key, move)
        for key, action in self.actions_by_key.items():
            if key not in ("play", "follow"):
                self.places_menu.addAction(action)

    def to_mark_after(self) -> None:
        """To the next mark, if there is one."""
        if self._model.marks is not None and (seq := self._model.marks.after(self._model.seq)) is not None:
            self.move_by(Seek(seq))

    def to_mark_before(self) -> None:
        """To the mark before, if there is one."""
        if self._model.marks is not None and (seq := self._model.marks.before(self._model.seq)) is not None:
            self.move_by(Seek(seq))

    def _on_places_left(self) -> None:
        for action in self.places_menu.actions():
            action.setEnabled(True)

    def _on_places(self) -> None:
        """The menu says by being grey that a move would lead nowhere."""
        for key, command in {**{key: command for key, (_, command) in _MOVES.items()}, **_KEYS_ONLY}.items():
            if key in self.actions_by_key:
                self.actions_by_key[key].setEnabled(self._model.cursor.can(command))
        self.places_menu.popup(self.places.mapToGlobal(self.places.rect().bottomLeft()))

    def move_by(self, command: Command) -> None:
        """Move the cursor; playing ends."""
        self._pause()
        self._model.do(command)
        self.refresh()

    def toggle_play(self) -> None:
        """Play from where the cursor stands, from the start when it stands at the end, or pause."""
        if self.player.playing:
            self._pause()
        else:
            if self._model.cursor.at_end:
                self._model.do(Seek(1))
            else:
                self._model.do(Seek(self._model.seq))
            self._wait(self.player.play(self._speed))
        self.refresh()

    def close_down(self) -> None:
        """Stand still for good."""
        self._pause()

    def refresh(self) -> None:
        """Say where the cursor stands and what can be done from there."""
        model, timeline = self._model, self._model.timeline
        for key, (_, command) in _MOVES.items():
            self.buttons[key].setEnabled(model.cursor.can(command))
        playing = self.player.playing
        self.play.say("pause" if playing else "play", "Pause" if playing else tip("play"))
        self.play.setEnabled(timeline.last_seq > 1)
        self.live.setText("Live" if model.live else "Newest")
        self.live.setChecked(model.following)
        self.live.setToolTip(tip("follow"))
        self.live.setAccessibleName("Following the newest event" if model.following else "Follow the newest event")
        self.position.say(self._where())

    def _where(self) -> str:
        events = self._model.timeline.events
        index = events.count(self._model.seq) - 1
        if index < 0:
            return "no events yet"
        here = events[index]
        words = describe.event_name(here.event)
        return f"event {here.seq} of {self._model.timeline.last_seq} · {clock_words(here.wall_ms)} · {words}"

    def _pause(self) -> None:
        self._timer.stop()
        self.player.pause()

    def _wait(self, secs: float | None) -> None:
        if secs is not None:
            self._timer.start(max(1, round(secs * 1000)))

    def _on_pressed(self, command: Command, checked: bool = False) -> None:
        self.move_by(command)

    def _on_due(self) -> None:
        self._wait(self.player.tick())
        self.refresh()

    def set_speed(self, speed: float, checked: bool = False) -> None:
        """Play at so many times the speed of the run, from now on."""
        self._speed = speed
        self.speed.setText(_speed_words(speed))
        self.speed.setAccessibleDescription(_speed_words(speed))
        if self.player.playing:
            self._wait(self.player.play(speed))


def _speed_words(speed: float) -> str:
    return f"{speed:g}×"
