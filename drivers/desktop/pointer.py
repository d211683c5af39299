"""Moves the pointer, presses its buttons and turns its wheel on an X server; points are pixels of the screen."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from Xlib import X

from drivers.errors import BrowserCancelledError, BrowserError, NotDone

if TYPE_CHECKING:
    from drivers.desktop.ground import Server

BUTTONS = {"left": 1, "wheel": 2, "right": 3, "back": 8, "forward": 9}
_UP, _DOWN, _LEFT, _RIGHT = 4, 5, 6, 7
NOTCH_PIXELS = 100
"""One notch of the wheel for so many pixels asked for, and at least one where any are."""
NOTCHES_AT_MOST = 50
DRAG_STEP_PIXELS = 12
DRAG_STEP_SECS = 0.004
"""A program must see a drag as a way and not as a jump."""

NOT_THERE = "Not done: the pointer does not stay where it was moved to. Somebody moves it, or a program holds it."

BETWEEN_MS = 20
"""From one press to the next of a double click."""
ARRIVE_SECS = 5.0
"""So long a window manager may take over a press, on a machine that has others to serve."""
_LOOK_SECS = 0.01

Point = tuple[int, int]


class Pointer:
    """Leaves no button pressed, however an action ends."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._down: list[int] = []

    def move(self, at: Point) -> None:
        """Move there."""
        self._server.fake(X.MotionNotify, x=at[0], y=at[1])
        self._server.settle()

    def click(self, at: Point, button: str, times: int = 1) -> None:
        """Press and let go, `times` in a row."""
        self._arrive(at)
        try:
            for number in range(times):
                # In one go: two presses far apart would be no double click, however busy the machine is. But not at one
                # time: Chromium takes two presses of the same millisecond for one.
                self._down.append(BUTTONS[button])
                self._server.fake(X.ButtonPress, BUTTONS[button], after_ms=BETWEEN_MS if number else 0)
                self._server.fake(X.ButtonRelease, BUTTONS[button])
                self._down.remove(BUTTONS[button])
        finally:
            self.let_go()
        # A window manager gives the keys to what it sees pressed: until then they would go where they went before.
        self._wait(lambda: not self._server.is_pressed)

    def _arrive(self, at: Point) -> None:
        """Move there, and press nothing where something keeps the pointer away: a button has no place of its own."""
        if not self._gets_to(at):
            raise NotDone(NOT_THERE)

    def _gets_to(self, at: Point) -> bool:
        """Move there; whether the pointer comes. A window manager that still looks at the press before holds it up."""
        self.move(at)
        return self._wait(lambda: self._server.pointer in (None, at))

    @staticmethod
    def _wait(so: Callable[[], bool]) -> bool:
        end = time.monotonic() + ARRIVE_SECS
        while not so():
            if time.monotonic() > end:
                return False
            time.sleep(_LOOK_SECS)
        return True

    def press(self, number: int) -> None:
        """Press a button and leave it down."""
        self._down.append(number)
        self._server.fake(X.ButtonPress, number)
        self._server.settle()

    def let_go(self, number: int | None = None) -> None:
        """Let go of one button that is down, or of all."""
        for one in [one for one in self._down if number in (None, one)]:
            self._server.fake(X.ButtonRelease, one)
            self._down.remove(one)
        self._server.settle()

    def drag(self, path: list[Point], cancelled: Callable[[], bool]) -> None:
        """Press at the first point, go through all of them, let go at the last."""
        self._arrive(path[0])
        self.press(BUTTONS["left"])
        # Of the moves that are held up after a press a program is told the last alone: the first one is waited for.
        go: Callable[[Point], object] = self._gets_to
        try:
            for start, end in pairwise(path):
                far = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
                steps = max(2, -(-far // DRAG_STEP_PIXELS))
                for step in range(1, steps + 1):
                    if cancelled():
                        raise BrowserError("The drag was stopped on its way.") from BrowserCancelledError()
                    across, down = (end[0] - start[0]) * step, (end[1] - start[1]) * step
                    go((start[0] + across // steps, start[1] + down // steps))
                    go = self.move
                    time.sleep(DRAG_STEP_SECS)
        finally:
            self.let_go()

    def wheel(self, at: Point, across: int, down: int) -> None:
        """Turn the wheel by pixels, as far as whole notches go."""
        self._arrive(at)
        for pixels, back, on in ((down, _UP, _DOWN), (across, _LEFT, _RIGHT)):
            button = on if pixels > 0 else back
            for _ in range(notches(pixels)):
                self._server.fake(X.ButtonPress, button)
                self._server.fake(X.ButtonRelease, button)
        self._server.settle()


def notches(pixels: int) -> int:
    """How far the wheel is turned for so many pixels."""
    return min(NOTCHES_AT_MOST, max(1, round(abs(pixels) / NOTCH_PIXELS))) if pixels else 0
