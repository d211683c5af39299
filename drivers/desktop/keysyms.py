"""The X server's names for keys and letters."""

from __future__ import annotations

from drivers.errors import NotDone

KEYS: dict[str, int] = {
    "Shift": 0xFFE1, "Control": 0xFFE3, "Alt": 0xFFE9, "Meta": 0xFFEB,
    "Enter": 0xFF0D, "NumpadEnter": 0xFF8D, "Tab": 0xFF09, "Escape": 0xFF1B, " ": 0x20, "Backspace": 0xFF08,
    "Delete": 0xFFFF, "Insert": 0xFF63, "Home": 0xFF50, "End": 0xFF57, "PageUp": 0xFF55, "PageDown": 0xFF56,
    "ArrowLeft": 0xFF51, "ArrowUp": 0xFF52, "ArrowRight": 0xFF53, "ArrowDown": 0xFF54, "CapsLock": 0xFFE5,
    "NumLock": 0xFF7F, "ScrollLock": 0xFF14, "Pause": 0xFF13, "PrintScreen": 0xFF61, "ContextMenu": 0xFF67,
    **{f"F{number}": 0xFFBE + number - 1 for number in range(1, 25)},
}  # fmt: skip
"""Keysyms by the DOM's names for keys. A letter is no name: see :func:`of_letter`."""


def of_letter(letter: str) -> int:
    """The keysym of one character; :class:`NotDone` for what no key can give."""
    if letter == "\n":
        return KEYS["Enter"]
    if letter == "\t":
        return KEYS["Tab"]
    code = ord(letter)
    if code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or code & 0xFFFE == 0xFFFE:
        raise NotDone("The text holds a control character, which cannot be typed.")
    # Latin-1 has keysyms of its own; everything else is its code point with this bit set.
    return code if code < 0x100 else 0x01000000 | code


def of_key(name: str) -> int:
    """The keysym of a key by its DOM name, or of the key that bears one letter."""
    return KEYS[name] if name in KEYS else of_letter(name)
