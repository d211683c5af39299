"""Key names as models write them, turned into the browser's own."""

from __future__ import annotations

import re

from drivers.errors import NotDone

MODIFIERS = {
    "ctrl": "Control", "control": "Control", "ctl": "Control", "strg": "Control", "lctrl": "Control",
    "rctrl": "Control",
    "alt": "Alt", "option": "Alt", "opt": "Alt", "altgr": "Alt", "lalt": "Alt", "ralt": "Alt",
    "shift": "Shift", "lshift": "Shift", "rshift": "Shift",
    "cmd": "Meta", "command": "Meta", "meta": "Meta", "super": "Meta", "win": "Meta", "windows": "Meta", "os": "Meta",
}  # fmt: skip

_NAMED = {
    "enter": "Enter", "return": "Enter", "kpenter": "NumpadEnter", "numpadenter": "NumpadEnter", "tab": "Tab",
    "esc": "Escape", "escape": "Escape", "space": " ", "spacebar": " ", "backspace": "Backspace", "bksp": "Backspace",
    "delete": "Delete", "del": "Delete", "insert": "Insert", "ins": "Insert", "home": "Home", "end": "End",
    "pageup": "PageUp", "pgup": "PageUp", "prior": "PageUp", "pagedown": "PageDown", "pgdn": "PageDown",
    "pgdown": "PageDown", "next": "PageDown", "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft",
    "right": "ArrowRight", "arrowup": "ArrowUp", "arrowdown": "ArrowDown", "arrowleft": "ArrowLeft",
    "arrowright": "ArrowRight", "uparrow": "ArrowUp", "downarrow": "ArrowDown", "leftarrow": "ArrowLeft",
    "rightarrow": "ArrowRight", "capslock": "CapsLock", "numlock": "NumLock", "scrolllock": "ScrollLock",
    "pause": "Pause", "break": "Pause", "prtscr": "PrintScreen", "prtsc": "PrintScreen", "printscreen": "PrintScreen",
    "print": "PrintScreen", "sysrq": "PrintScreen", "menu": "ContextMenu", "contextmenu": "ContextMenu",
    "apps": "ContextMenu", "plus": "+", "minus": "-", "comma": ",", "period": ".", "dot": ".", "slash": "/",
    "backslash": "\\", "semicolon": ";", "colon": ":", "quote": "'", "apostrophe": "'", "backquote": "`", "grave": "`",
    "equal": "=", "equals": "=", "bracketleft": "[", "bracketright": "]", "underscore": "_",
}  # fmt: skip
_FUNCTION = re.compile(r"f([1-9]|1[0-9]|2[0-4])")
_PLAIN = "`1234567890-=[]\\;',./abcdefghijklmnopqrstuvwxyz"
_SHIFTED = dict(zip(_PLAIN, '~!@#$%^&*()_+{}|:"<>?ABCDEFGHIJKLMNOPQRSTUVWXYZ', strict=True))
_BROWSERS = {*MODIFIERS.values(), *_NAMED.values(), *(f"F{number}" for number in range(1, 13))}
LIMIT = 32
"""Chords in one action at most."""


def key(name: str) -> str:
    """One key by any of its names; :class:`NotDone` for a name that no key has."""
    if len(name) == 1:
        return name
    folded = re.sub(r"[\s_-]", "", name.casefold())
    if len(folded) == 1:
        return folded
    if folded in MODIFIERS:
        return MODIFIERS[folded]
    if folded in _NAMED:
        return _NAMED[folded]
    if _FUNCTION.fullmatch(folded):
        return folded.upper()
    raise NotDone("There is no key by one of these names.")


def _split(word: str) -> list[str]:
    """``ctrl+a`` into its keys; a plus at the end, or alone, is the plus key."""
    if len(word) <= 1 or "+" not in word:
        return [word]
    if word.endswith("++"):
        return [*(p for p in word[:-2].split("+") if p), "+"]
    return [part for part in word.split("+") if part]


def chords(keys: list[str]) -> list[list[str]]:
    """The chords that a list of key words means, each a list of keys held together.

    Modifiers belong to the key after them, in one word or as words of their own: ``["ctrl+a"]`` and
    ``["CTRL", "A"]`` are one chord, ``["Tab", "Tab"]`` two. A chord of modifiers alone is allowed at the end.
    """
    if not keys or any(not word or len(word) > 64 for word in keys):
        raise NotDone("Name at least one key.")
    out: list[list[str]] = []
    held: list[str] = []
    for word in keys:
        names = [key(part) for part in _split(word)]
        if not names:
            raise NotDone("There is no key by one of these names.")
        for name in names:
            if name in held:
                raise NotDone("A key is named twice in one chord.")
            held.append(name)
        if held[-1] not in MODIFIERS.values():
            out.append(_lower(held))
            held = []
    if held:
        out.append(held)
    if len(out) > LIMIT:
        raise NotDone(f"At most {LIMIT} chords can be pressed in one action.")
    return out


def _lower(chord: list[str]) -> list[str]:
    """With Control, Alt or Meta a letter means its key, not its capital."""
    *mods, last = chord
    if mods and len(last) == 1 and last.isascii() and last.isalpha() and set(mods) - {"Shift"}:
        return [*mods, last.lower()]
    return chord


def struck(held: list[str]) -> list[str]:
    """Keys held together as the browser's keyboard has them: with Shift, a key gives its upper sign."""
    for name in held:
        if name not in _BROWSERS and not (len(name) == 1 and " " <= name <= "~"):
            raise NotDone("The browser's keyboard lacks one of these keys. Letters that it lacks can be typed.")
    return [_SHIFTED.get(name, name) if "Shift" in held[:at] else name for at, name in enumerate(held)]


def modifiers(names: list[str]) -> list[str]:
    """Modifier keys to be held during a pointer action."""
    out: list[str] = []
    for name in names:
        folded = re.sub(r"[\s_-]", "", name.casefold())
        if folded not in MODIFIERS:
            raise NotDone("Only Control, Alt, Meta and Shift can be held during a pointer action.")
        if MODIFIERS[folded] not in out:
            out.append(MODIFIERS[folded])
    return out
