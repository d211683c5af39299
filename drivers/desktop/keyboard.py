"""Presses keys and types text on an X server, whatever layout its keyboard has.

A letter that the layout has is pressed there; any other is put on a key that means nothing, for as long as it takes.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from Xlib import X

from drivers.browser.keys import chords
from drivers.desktop.keysyms import KEYS, of_key, of_letter
from drivers.desktop.xserver import XServer
from drivers.errors import BrowserCancelledError, BrowserError, NotDone

TEXT_LIMIT = 20_000
"""Characters in one action at most."""
CHUNK = 40
"""After so many letters the program is waited for, and a stop is looked for."""
TAKEN_SECS = 8.0
"""How long a program that answers may take to deal with what was typed before the next keys mean something else."""
UNASKED_SECS = 0.06
"""The same where a program cannot be asked."""
BEFORE_REUSE_SECS = 0.6
"""So long where it cannot be asked and its keys are about to mean something else."""
_HELD = X.ShiftMask | X.ControlMask | X.Mod1Mask | X.Mod4Mask
_GROUPS = 0x6000
Check = Callable[[], None]


class Keyboard:
    """Keeps nothing pressed. Bindings of meaningless keys are taken back by :meth:`restore`."""

    def __init__(self, server: XServer, focused: Callable[[], object]) -> None:
        """`focused` gives the X window that keys go to, or None."""
        self._server = server
        self._focused = focused
        info = server.display.display.info
        self._first, self._count = info.min_keycode, info.max_keycode - info.min_keycode + 1
        self._spare: OrderedDict[int, int] = OrderedDict()
        """Keycodes of ours by what they mean now (0: nothing), the one that was used last at the end."""
        self._sure = True
        """Whether the program is known to have dealt with everything so far."""

    def require(self, syms: list[int]) -> None:
        """Every letter can be given a key here."""

    def press(self, words: list[str], check: Check) -> None:
        """Press chords; `check` runs before each and raises what must keep it from being pressed."""
        found = chords(words)
        syms = [[of_key(name) for name in chord] for chord in found]
        for chord in syms:
            check()
            self._chord(chord)

    def _chord(self, syms: list[int]) -> None:
        codes = [self._keycode(sym) for sym in syms]
        down: list[int] = []
        try:
            for code, shifted in codes:
                if shifted and self._code_of(KEYS["Shift"]) not in down:
                    down.append(self._code_of(KEYS["Shift"]))
                    self._server.fake(X.KeyPress, down[-1])
                down.append(code)
                self._server.fake(X.KeyPress, code)
        finally:
            for code in reversed(down):
                self._server.fake(X.KeyRelease, code)
        self._taken()

    def key_for(self, sym: int) -> tuple[int, bool]:
        """The key that gives `sym`, and whether it does so with Shift; one of ours where the layout has none."""
        return self._keycode(sym)

    def hold(self, names: list[str]) -> None:
        """Press modifiers and leave them down; :meth:`let_go` of the same must follow."""
        for name in names:
            self._server.fake(X.KeyPress, self._code_of(KEYS[name]))

    def let_go(self, names: list[str]) -> None:
        """Let go of modifiers."""
        for name in reversed(names):
            self._server.fake(X.KeyRelease, self._code_of(KEYS[name]))
        self._server.settle()

    def type(self, text: str, check: Check) -> None:
        """Type `text` letter for letter; a line break is the Enter key.

        Raises:
            NotDone: nothing was typed.
            BrowserError: something came between; the first letters may have been typed.
        """
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if len(text) > TEXT_LIMIT:
            raise NotDone(f"At most {TEXT_LIMIT:,} characters can be typed in one action.")
        syms = [of_letter(letter) for letter in text]
        check()
        caps = self._ready()
        try:
            if caps:
                self._chord([KEYS["CapsLock"]])
            self._letters(syms, check)
        finally:
            if caps:
                self._chord([KEYS["CapsLock"]])

    def _letters(self, syms: list[int], check: Check) -> None:
        start = 0
        while start < len(syms):
            if start:
                try:
                    check()
                except (NotDone, BrowserCancelledError) as between:
                    raise BrowserError(f"Only the first {start} characters were typed: {between}") from between
            start = self._some(syms, start)

    def _some(self, syms: list[int], start: int) -> int:
        """Type from `start` as far as the keys go; where to go on."""
        plan: list[tuple[int, bool]] = []
        layout = self._layout()
        fresh: dict[int, int] = {}
        for sym in syms[start : start + CHUNK]:
            place = layout.get(sym) or self._bound(sym, fresh)
            if place is None:
                break
            plan.append(place)
        if not plan:
            words = "Every key of this keyboard has a meaning; other letters cannot be typed on it."
            raise BrowserError(f"Only the first {start} characters were typed. {words}") if start else NotDone(words)
        self._bind(fresh)
        shift = self._code_of(KEYS["Shift"])
        for code, shifted in plan:
            if shifted:
                self._server.fake(X.KeyPress, shift)
            self._server.fake(X.KeyPress, code)
            self._server.fake(X.KeyRelease, code)
            if shifted:
                self._server.fake(X.KeyRelease, shift)
        self._taken()
        return start + len(plan)

    def _bound(self, sym: int, fresh: dict[int, int]) -> tuple[int, bool] | None:
        """A key of ours for `sym`, old or new; None when all of them are in use for this very piece of text."""
        if not self._spare:
            self._spare = OrderedDict.fromkeys(self._meaningless(), 0)
        for code, means in self._spare.items():
            if (fresh.get(code) or means) == sym:
                self._spare.move_to_end(code)
                fresh.setdefault(code, sym)
                return code, False
        for code in self._spare:
            if code not in fresh:
                fresh[code] = sym
                self._spare.move_to_end(code)
                return code, False
        return None

    def _bind(self, fresh: dict[int, int]) -> None:
        changed = any(self._spare[code] != sym for code, sym in fresh.items())
        for code, sym in fresh.items():
            if self._spare[code] != sym:
                if self._spare[code] and not self._sure:
                    time.sleep(BEFORE_REUSE_SECS)
                    self._sure = True
                # In every group and level the same: neither Shift nor another layout changes it.
                self._server.display.change_keyboard_mapping(code, [[sym] * 4])
                self._spare[code] = sym
        self._server.settle()
        if changed and not self._server.pinged(self._focused(), TAKEN_SECS):
            # What the keys mean now is for the program to ask before it gets the first of them.
            time.sleep(UNASKED_SECS)

    def restore(self) -> None:
        """The keys that meant nothing mean nothing again."""
        used = [code for code, means in self._spare.items() if means]
        for code in used:
            self._server.display.change_keyboard_mapping(code, [[X.NoSymbol] * 4])
        self._spare.clear()
        if used:
            self._server.settle()

    def _ready(self) -> bool:
        """Whether Caps Lock is on. Raises :class:`NotDone` while somebody holds a modifier key."""
        state = self._server.asked(self._server.root.query_pointer)
        mask = state.mask if state is not None else 0
        if mask & _HELD:
            raise NotDone("A modifier key is held down on this desktop, so that text would come out as commands.")
        return bool(mask & X.LockMask)

    def _taken(self) -> None:
        """Return when the program has dealt with the keys, or has had time to."""
        self._sure = self._server.pinged(self._focused(), TAKEN_SECS)
        if not self._sure:
            time.sleep(UNASKED_SECS)

    def _rows(self) -> list[list[int]]:
        found = self._server.asked(lambda: self._server.display.get_keyboard_mapping(self._first, self._count))
        return [list(row) for row in found or []]

    def _layout(self) -> dict[int, tuple[int, bool]]:
        """Where the layout in use has each keysym, plain or with Shift; nothing for a second layout."""
        rows = self._rows()
        self._see_what_is_left(rows)
        state = self._server.asked(self._server.root.query_pointer)
        if state is None or state.mask & _GROUPS:
            return {KEYS[name]: (self._code_of(KEYS[name]), False) for name in ("Enter", "Tab")}
        found: dict[int, tuple[int, bool]] = {}
        for at, row in enumerate(rows):
            for level, sym in enumerate(row[:2]):
                if sym and self._first + at not in self._spare:
                    found.setdefault(sym, (self._first + at, bool(level)))
        return found

    def _see_what_is_left(self, rows: list[list[int]]) -> None:
        """Somebody may have given the keyboard another layout: our keys then mean nothing again, or something else."""
        for code, means in list(self._spare.items()):
            now = rows[code - self._first] if code - self._first < len(rows) else []
            if not any(now):
                self._spare[code] = 0
            elif now[0] != means:
                del self._spare[code]

    def _meaningless(self) -> list[int]:
        modifiers = self._server.asked(self._server.display.get_modifier_mapping) or []
        taken = {code for row in modifiers for code in row}
        # Not those for players and mail, though a virtual desktop has none: a browser knows them by their place.
        codes = [self._first + at for at, row in enumerate(self._rows()) if not any(row)]
        return [code for code in reversed(codes) if code not in taken]

    def _keycode(self, sym: int) -> tuple[int, bool]:
        """The key for a chord; a letter that the layout does not have gets one of ours."""
        if place := self._layout().get(sym):
            return place
        if (code := self._server.display.keysym_to_keycode(sym)) and sym in KEYS.values():
            return code, False
        fresh: dict[int, int] = {}
        bound = self._bound(sym, fresh)
        if bound is None:
            raise NotDone("This keyboard has no key for one of these names.")
        self._bind(fresh)
        return bound

    def _code_of(self, sym: int) -> int:
        code = self._server.display.keysym_to_keycode(sym)
        if not code and sym == KEYS["Meta"]:
            code = self._server.display.keysym_to_keycode(0xFFE7)
        if not code:
            raise NotDone("This keyboard has no key for one of these names.")
        return int(code)
