"""A bare X window that tells what reaches it, event for event as the X server sent it. Started as a program.

Unlike a browser it draws no conclusions late: a double click is two presses that the server saw close together, and a
letter is what its key meant when it was pressed. So what it tells does not hang on how much of the processor it gets.
"""

import contextlib
import json
import socket
import sys
from typing import Any

from Xlib import X, Xatom, display
from Xlib.protocol import event

GREEN = 0x00A000
DOUBLE_MS = 400
_NAMES = {
    0xFF0D: "Enter", 0xFF1B: "Escape", 0xFF09: "Tab", 0xFE20: "Tab", 0xFF08: "Backspace", 0xFFFF: "Delete",
    0xFF50: "Home", 0xFF57: "End", 0xFF55: "PageUp", 0xFF56: "PageDown", 0xFF51: "ArrowLeft", 0xFF52: "ArrowUp",
    0xFF53: "ArrowRight", 0xFF54: "ArrowDown", 0xFF63: "Insert", 0xFFBF: "F2",
}  # fmt: skip
_HELD = (("ctrl", X.ControlMask), ("shift", X.ShiftMask), ("alt", X.Mod1Mask), ("meta", X.Mod4Mask))
_WHEEL = {4: (0, -1), 5: (0, 1), 6: (-1, 0), 7: (1, 0)}
_MODIFIER_KEYS = range(0xFFE1, 0xFFEF)


class Teller:
    """The window, and the line to whoever listens."""

    def __init__(self, port: int) -> None:
        self._line = socket.create_connection(("127.0.0.1", port))
        self._display = display.Display()
        self._number = 0
        self._value = ""
        self._pressed: tuple[int, int, int, int] = (0, 0, 0, -DOUBLE_MS)
        screen = self._display.screen()
        self._root = screen.root
        self._window = self._root.create_window(
            0, 0, screen.width_in_pixels, screen.height_in_pixels, 0, X.CopyFromParent,
            background_pixel=GREEN,
            event_mask=X.ButtonPressMask | X.ButtonReleaseMask | X.PointerMotionMask | X.KeyPressMask
            | X.StructureNotifyMask,
        )  # fmt: skip
        self._window.set_wm_name("watched window")
        self._window.set_wm_class("watched", "watched")
        self._ping = self._atom("_NET_WM_PING")
        self._window.set_wm_protocols([self._atom("WM_DELETE_WINDOW"), self._ping])
        self._window.set_wm_hints(flags=1, input=1)
        filling = [self._atom("_NET_WM_STATE_FULLSCREEN")]
        self._window.change_property(self._atom("_NET_WM_STATE"), Xatom.ATOM, 32, filling)
        self._window.map()

    def _atom(self, name: str) -> int:
        return int(self._display.intern_atom(name))

    def run(self) -> None:
        """Tell each event in its turn; what an event means is found out before the next one is looked at."""
        while True:
            came = self._display.next_event()
            if came.type == X.ClientMessage:
                self._message(came)
            elif came.type == X.MappingNotify:
                self._display.refresh_keyboard_mapping(came)
            elif came.type == X.MapNotify:
                shown = self._window.get_geometry()
                self._tell("size", width=shown.width, height=shown.height)
            elif came.type == X.ConfigureNotify:
                self._tell("size", width=came.width, height=came.height)
            elif came.type == X.MotionNotify:
                is_down = int(bool(came.state & X.Button1Mask))
                self._tell("move", x=came.event_x, y=came.event_y, buttons=is_down, held=_held(came.state))
            elif came.type in (X.ButtonPress, X.ButtonRelease):
                self._button(came)
            elif came.type == X.KeyPress:
                self._key(came)

    def _message(self, came: Any) -> None:
        format_, data = came.data
        if format_ == 32 and data[0] == self._ping:
            answer = event.ClientMessage(window=self._root, client_type=came.client_type, data=came.data)
            self._root.send_event(answer, event_mask=X.SubstructureNotifyMask | X.SubstructureRedirectMask)
            self._display.flush()

    def _button(self, came: Any) -> None:
        place: dict[str, Any] = {"x": came.event_x, "y": came.event_y, "held": _held(came.state)}
        is_press = came.type == X.ButtonPress
        if came.detail in _WHEEL:
            if is_press:
                dx, dy = _WHEEL[came.detail]
                self._tell("wheel", dx=dx, dy=dy, **place)
            return
        self._tell("mousedown" if is_press else "mouseup", button=came.detail - 1, **place)
        if is_press:
            before, self._pressed = self._pressed, (came.detail, came.event_x, came.event_y, came.time)
            # As a browser sees it: two presses of one moment are the same press.
            if before[:3] == self._pressed[:3] and 0 < came.time - before[3] <= DOUBLE_MS:
                self._tell("dblclick", button=came.detail - 1, **place)

    def _key(self, came: Any) -> None:
        level = 1 if came.state & X.ShiftMask else 0
        sym = self._display.keycode_to_keysym(came.detail, level) or self._display.keycode_to_keysym(came.detail, 0)
        if sym in _MODIFIER_KEYS:
            return
        letter = chr(sym - 0x01000000) if sym >= 0x01000000 else chr(sym) if sym < 0x100 else ""
        held = _held(came.state)
        self._tell("keydown", key=_NAMES.get(sym, letter), held=held)
        if _NAMES.get(sym) == "Delete":
            self._value = ""
        elif not {"ctrl", "alt", "meta"} & set(held):
            self._value += {0xFF0D: "\n", 0xFF09: "\t"}.get(sym, letter if sym not in _NAMES else "")
        self._tell("input", value=self._value)

    def _tell(self, kind: str, **more: Any) -> None:
        self._number += 1
        self._line.sendall(json.dumps({"kind": kind, "number": self._number, **more}).encode("ascii") + b"\n")


def _held(state: int) -> list[str]:
    return [name for name, mask in _HELD if state & mask]


if __name__ == "__main__":
    # The desktop goes before its windows, and the listener before either.
    with contextlib.suppress(Exception):
        Teller(int(sys.argv[1])).run()
