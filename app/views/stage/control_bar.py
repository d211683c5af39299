"""Who has the driven browser, above its picture: the run, or the person, who takes it and hands it back here."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.core import describe
from app.core.moment import Moment
from app.views.commands import tip
from app.views.style import mark
from app.views.theme import Tone
from app.views.widgets.elided_label import ElidedLabel

IN_CONTROL = "You have the browser: mouse, keys and paste go to the page, and the run stands still"
PRIVATE = "Private: nothing that you do is kept, and no picture"
WAITING = "The run finishes what it is in; then the browser is yours"
GAP = "Here the record has a gap: a secret was being typed"
UNKNOWN = "unknown"
"""What an older record does not say of its plan."""
THEN_PERSON = "Here a person had the browser"


class ControlBar(QFrame):
    """Constant words. What it shows follows the record, not the press: control is a person's only once that is on disk.

    Signals:
        take_wanted: *Take control* was pressed.
        back_wanted: *Hand back* was pressed, or the wish taken back.
        private_wanted: *Private* was switched on or off.
    """

    take_wanted = Signal()
    back_wanted = Signal()
    private_wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("control_bar")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.words = ElidedLabel(parent=self)
        self.words.setObjectName("control_words")
        self.take_button = self._button("Take control", "button_take_control", self.take_wanted.emit)
        self.take_button.setToolTip(tip("take_control"))
        self.back_button = self._button("Hand back", "button_hand_back", self.back_wanted.emit)
        self.back_button.setToolTip(tip("take_control"))
        self.private_button = QPushButton("Private", self)
        self.private_button.setObjectName("button_private")
        self.private_button.setCheckable(True)
        self.private_button.setAutoDefault(False)
        self.private_button.setToolTip("Keep neither pictures nor text while a secret is typed; the record says so")
        self.private_button.clicked.connect(self.private_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 8, 2)
        row.setSpacing(8)
        row.addWidget(self.words, 1)
        for button in (self.take_button, self.private_button, self.back_button):
            row.addWidget(button)
        self.show_moment(None, live=False)

    def _button(self, words: str, name: str, pressed: Callable[[], None]) -> QPushButton:
        button = QPushButton(words, self)
        button.setObjectName(name)
        button.setAutoDefault(False)
        button.clicked.connect(lambda: pressed())
        return button

    def toggle(self) -> None:
        """By key: take, or hand back."""
        if self.take_button.isVisible() and self.take_button.isEnabled():
            self.take_wanted.emit()
        elif self.back_button.isVisible():
            self.back_wanted.emit()

    def show_moment(self, moment: Moment | None, *, live: bool) -> None:
        """Say who has the browser; `live`: the person can still do something about it."""
        live = live and (moment is None or _has_screen(moment))
        step = moment.control if moment is not None and moment.ended is None else None
        recording = moment is None or moment.recording
        words, tone = self._words(step, live=live, recording=recording, moment=moment)
        self.words.say(words)
        mark(self.words, tone=tone)
        self.setProperty("panel", step == "taken")
        self.take_button.setVisible(live and step not in ("taken", "wanted"))
        self.back_button.setVisible(live and step in ("taken", "wanted"))
        self.back_button.setText("Hand back" if step == "taken" else "Let the run go on")
        self.private_button.setVisible(live and step == "taken")
        self.private_button.setChecked(not recording)
        self.setVisible(live or bool(words))

    @staticmethod
    def _words(step: str | None, *, live: bool, recording: bool, moment: Moment | None) -> tuple[str, Tone]:
        if step == "taken":
            if not live:
                return (THEN_PERSON if recording else GAP), "hold"
            return (IN_CONTROL if recording else PRIVATE), "hold"
        if step == "wanted":
            return WAITING, "hold"
        newest = moment.timeline.controls.last(moment.seq) if moment is not None else None
        if live and step == "refused" and newest is not None:
            return describe.human_words(newest), "danger"
        return "", "dim"


def _has_screen(moment: Moment) -> bool:
    """Whether the run has a browser or a desktop at all; of one without, there is nothing to take."""
    plan = moment.plan
    return not isinstance(plan, dict) or any(plan.get(key, UNKNOWN) is not None for key in ("browser", "computer"))
