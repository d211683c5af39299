"""The buttons of a card and the time for which a fresh card takes no answer."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.clock import mono_ns
from app.views.theme import Tone

ARMING_MS = 500
"""How long a card must have been on screen and active before it takes an answer."""

STOOD_STILL_MS = 2000
"""A delay that ends so much too late was none for whoever sits in front of the card."""
BEAT_MS, AWAY_MS = 500, 10_000
"""An armed card looks at the time so often; where it could not for so long, the machine slept or all stood still, and
the press that comes next may have been meant for what was on the screen before, or for waking it."""

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_PRESSED = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
_PRESSING = (Qt.Key.Key_Space, Qt.Key.Key_Select)


@dataclass(frozen=True)
class Clock:
    """Monotonic time for cards; tests put in their own."""

    mono_ns: Callable[[], int] = mono_ns
    arming_ms: int = ARMING_MS


class Arming(QObject):
    """Off until the card has stood still, shown and active, for the whole delay; off again with every restart.

    Signals:
        changed: `armed` is another.
    """

    changed = Signal()

    def __init__(self, clock: Clock, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._since_ns: int | None = None
        self.armed = False
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.check)
        self._beat = QTimer(self)
        self._beat.setInterval(BEAT_MS)
        self._beat.timeout.connect(self._alive)
        self._alive_ns = 0

    def counts(self) -> bool:
        """Whether a press counts now. Off again where the window has stood still under an armed card."""
        if self.armed and (self._clock.mono_ns() - self._alive_ns) / 1e6 > AWAY_MS:
            self.restart()
        return self.armed

    def _alive(self) -> None:
        """The window's loop goes round."""
        if self.armed and self.counts():
            self._alive_ns = self._clock.mono_ns()

    def restart(self) -> None:
        """Count from now."""
        self._since_ns = self._clock.mono_ns()
        self._timer.start(self._clock.arming_ms)
        self._set(False)

    def stop(self) -> None:
        """Off, until `restart`."""
        self._since_ns = None
        self._timer.stop()
        self._set(False)

    def check(self) -> None:
        """Arm if the time is really over; a timer may fire early."""
        if self._since_ns is None:
            return
        passed_ms = (self._clock.mono_ns() - self._since_ns) / 1e6
        if passed_ms > self._clock.arming_ms + STOOD_STILL_MS:
            # The machine slept or the program stood still: nobody was looking at this card for all of that time.
            self.restart()
            return
        left_ms = self._clock.arming_ms - passed_ms
        if left_ms > 0:
            self._timer.start(max(1, round(left_ms)))
            return
        self._timer.stop()
        self._set(True)

    def _set(self, armed: bool) -> None:
        self._alive_ns = self._clock.mono_ns()
        if armed != self.armed:
            self.armed = armed
            (self._beat.start if armed else self._beat.stop)()
            self.changed.emit()


class PressedOff(QObject):
    """Watches buttons for presses of the mouse that do nothing, since they are off.

    Signals:
        pressed: the mouse was pressed on one of them while it was off.
    """

    pressed = Signal()

    def watch(self, buttons: Iterable[QPushButton]) -> None:
        """From now on. Not before there is anything to press: each event of a button that is watched comes here."""
        for button in buttons:
            button.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _PRESSED and isinstance(watched, QPushButton) and not watched.isEnabled():
            self.pressed.emit()
        return False


class DecisionButton(QPushButton):
    """A button with constant words that is never the default. Only a fresh press of the space bar works it by keyboard.

    Signals:
        chosen: it was pressed and released, deliberately.
    """

    chosen = Signal()

    def __init__(self, words: str, tone: Tone, parent: QWidget) -> None:
        super().__init__(words, parent)
        self.setAutoDefault(False)
        self.setDefault(False)
        self.setProperty("tone", tone)
        self.setAccessibleName(words)
        self._key_down = False
        self.clicked.connect(self.chosen)

    def _is_gesture(self, event: QKeyEvent) -> bool:
        return event.key() in _PRESSING and event.modifiers() == Qt.KeyboardModifier.NoModifier

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (*_PRESSING, *_ENTER):
            fresh = not event.isAutoRepeat() and self._is_gesture(event)
            self._key_down = fresh or (self._key_down and event.isAutoRepeat())
            event.accept()
            return
        if event.key() not in (Qt.Key.Key_Control, Qt.Key.Key_Meta):
            self._key_down = False
        super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.isAutoRepeat() or event.key() not in (*_PRESSING, *_ENTER):
            super().keyReleaseEvent(event)
            return
        event.accept()
        if self._key_down:
            self._key_down = False
            self.chosen.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._key_down = False
        super().focusOutEvent(event)


class AllowButton(DecisionButton):
    """By keyboard it needs the focus, then Ctrl with Enter pressed afresh and released: no letter, no lone key."""

    def __init__(self, words: str, tone: Tone, parent: QWidget) -> None:
        super().__init__(words, tone, parent)
        self.setAccessibleDescription("By keyboard: press and let go of Ctrl+Enter")

    def _is_gesture(self, event: QKeyEvent) -> bool:
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        return event.key() in _ENTER and held == Qt.KeyboardModifier.ControlModifier
