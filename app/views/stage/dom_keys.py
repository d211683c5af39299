"""Qt's keys under the names that a browser gives them."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

_K = Qt.Key

NAMED: dict[int, str] = {
    _K.Key_Return: "Enter",
    _K.Key_Enter: "NumpadEnter",
    _K.Key_Tab: "Tab",
    _K.Key_Backtab: "Tab",
    _K.Key_Backspace: "Backspace",
    _K.Key_Delete: "Delete",
    _K.Key_Insert: "Insert",
    _K.Key_Escape: "Escape",
    _K.Key_Home: "Home",
    _K.Key_End: "End",
    _K.Key_PageUp: "PageUp",
    _K.Key_PageDown: "PageDown",
    _K.Key_Left: "ArrowLeft",
    _K.Key_Right: "ArrowRight",
    _K.Key_Up: "ArrowUp",
    _K.Key_Down: "ArrowDown",
    _K.Key_Shift: "Shift",
    _K.Key_Control: "Control",
    _K.Key_Alt: "Alt",
    _K.Key_AltGr: "AltGraph",
    _K.Key_Meta: "Meta",
    _K.Key_Menu: "ContextMenu",
    _K.Key_Space: " ",
    **{getattr(_K, f"Key_F{number}"): f"F{number}" for number in range(1, 13)},
}

WITHOUT_TEXT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


def types_text(event: QKeyEvent) -> bool:
    """Whether the key puts its letter into a field."""
    text = event.text()
    if not text or not text.isprintable():
        return False
    held = event.modifiers() & WITHOUT_TEXT
    # Ctrl with Alt is how some keyboards write AltGr, which is there to type.
    altgr = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    return not held or held == altgr


def dom_key(event: QKeyEvent) -> str:
    """The key's name in the DOM; empty for one that a page knows nothing of."""
    if (named := NAMED.get(event.key())) is not None:
        return named
    if types_text(event):
        return event.text()
    # With Ctrl held the text is a control character; the key itself says which letter it is.
    code = event.key()
    letter = chr(code) if 0x20 < code < 0x7F else ""
    return letter if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else letter.lower()
