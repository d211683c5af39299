"""A person's hand on the picture of the driven browser: what Qt tells of mouse, keys and input method, as input."""

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QInputMethodEvent,
    QInputMethodQueryEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QWheelEvent,
)

from app.core.human import ComposeInput, KeyInput, MouseInput, TextInput, WheelInput
from app.views.commands import keys_of
from app.views.stage.dom_keys import dom_key, types_text
from app.views.stage.picture_view import PictureView

BUTTONS = {
    Qt.MouseButton.LeftButton: "left",
    Qt.MouseButton.MiddleButton: "middle",
    Qt.MouseButton.RightButton: "right",
}
NOTCH = 120
"""Eighths of a degree in one notch of a wheel."""
NOTCH_PIXELS = 100

STAY_HERE = ("take_control", "stop_all")
"""Actions whose keys work here too; all other keys are the page's while a person has control."""


class StageHand(QObject):
    """Off until a person has control; then every key and press on the picture is the page's, and none the window's.

    Signals:
        acted: one `HumanInput`.
    """

    acted = Signal(object)

    def __init__(self, picture: PictureView) -> None:
        super().__init__(picture)
        self._picture = picture
        self._held: set[str] = set()
        self._down: set[str] = set()
        self._last = QPointF()
        self.on = False
        picture.installEventFilter(self)

    def set_on(self, on: bool) -> None:
        """Give or take the person's control."""
        if on == self.on:
            return
        self.on = on
        self._held.clear()
        self._down.clear()
        picture = self._picture
        picture.set_in_hand(on)
        picture.setFocusPolicy(Qt.FocusPolicy.StrongFocus if on else Qt.FocusPolicy.NoFocus)
        picture.setMouseTracking(on)
        picture.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, on)
        if on:
            picture.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            picture.clearFocus()

    def _in_page(self, at: QPointF) -> tuple[float, float] | None:
        """The place in CSS pixels of the page; None beside the picture, unless a button is held."""
        placement, shot = self._picture.placement, self._picture.shot
        if placement is None or shot is None:
            return None
        x, y = (at.x() - placement.x) / placement.scale_x, (at.y() - placement.y) / placement.scale_y
        if self._down:
            return min(max(x, 0.0), shot.css_width - 1), min(max(y, 0.0), shot.css_height - 1)
        return (x, y) if 0 <= x < shot.css_width and 0 <= y < shot.css_height else None

    def _mouse(self, event: QMouseEvent) -> None:
        place = self._in_page(event.position())
        if place is None:
            return
        self._last = event.position()
        if event.type() == QEvent.Type.MouseMove:
            self.acted.emit(MouseInput("move", *place))
            return
        button = BUTTONS.get(event.button())
        if button is None:
            return
        twice = event.type() == QEvent.Type.MouseButtonDblClick
        if event.type() == QEvent.Type.MouseButtonRelease:
            if button in self._down:
                self._down.discard(button)
                self.acted.emit(MouseInput("up", *place, button))  # type: ignore[arg-type]
            return
        self._down.add(button)
        self.acted.emit(MouseInput("down", *place, button, 2 if twice else 1))  # type: ignore[arg-type]

    def _wheel(self, event: QWheelEvent) -> None:
        place = self._in_page(event.position())
        if place is None:
            return
        pixels, turned = event.pixelDelta(), event.angleDelta()
        dx, dy = (
            (pixels.x(), pixels.y())
            if not pixels.isNull()
            else (turned.x() * NOTCH_PIXELS / NOTCH, turned.y() * NOTCH_PIXELS / NOTCH)
        )
        self.acted.emit(WheelInput(*place, -dx, -dy))

    def _key(self, event: QKeyEvent, *, down: bool) -> None:
        key = dom_key(event)
        if not key:
            return
        if down and key.lower() == "v" and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.acted.emit(TextInput(QGuiApplication.clipboard().text(), pasted=True))
            return
        if down:
            self._held.add(key)
        elif key in self._held:
            self._held.discard(key)
        else:
            return
        self.acted.emit(KeyInput(key, down, types=types_text(event)))

    def _composed(self, event: QInputMethodEvent) -> None:
        if event.commitString():
            self.acted.emit(TextInput(event.commitString()))
        cursor = next(
            (one.start for one in event.attributes() if one.type == QInputMethodEvent.AttributeType.Cursor),
            len(event.preeditString()),
        )
        if event.preeditString() or not event.commitString():
            self.acted.emit(ComposeInput(event.preeditString(), cursor))

    def _let_go(self) -> None:
        """The keyboard goes elsewhere: the keys that are down come up here."""
        for key in sorted(self._held):
            self.acted.emit(KeyInput(key, down=False))
        self._held.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self.on:
            return False
        kind = event.type()
        if isinstance(event, QKeyEvent):
            if kind == QEvent.Type.ShortcutOverride:
                event.setAccepted(QKeySequence(event.keyCombination()) not in keys_of(STAY_HERE))
            else:
                self._key(event, down=kind == QEvent.Type.KeyPress)
            return True
        if isinstance(event, QMouseEvent):
            if kind == QEvent.Type.MouseButtonPress:
                self._picture.setFocus(Qt.FocusReason.MouseFocusReason)
            self._mouse(event)
            return True
        if isinstance(event, QWheelEvent):
            self._wheel(event)
            return True
        if isinstance(event, QInputMethodEvent):
            self._composed(event)
            event.accept()
            return True
        if isinstance(event, QInputMethodQueryEvent):
            event.setValue(Qt.InputMethodQuery.ImEnabled, True)
            event.setValue(Qt.InputMethodQuery.ImCursorRectangle, QRect(self._last.toPoint(), self._last.toPoint()))
            event.accept()
            return True
        if kind == QEvent.Type.FocusOut:
            self._let_go()
        return False
