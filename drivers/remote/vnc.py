"""A desktop that a VNC server shows, as the ground of the desktop's driver: its picture, its pointer, its keys."""

from __future__ import annotations

import asyncio
import io
import struct
import threading
import time
from collections.abc import Callable
from concurrent.futures import TimeoutError as NotYet

from PIL import Image
from Xlib import X

from drivers.browser.keys import chords
from drivers.desktop.camera import PNG_LEVEL, Shot
from drivers.desktop.ground import Eye, Keys, Seeing, Server
from drivers.desktop.keyboard import CHUNK, TEXT_LIMIT, Check
from drivers.desktop.keysyms import KEYS, of_key, of_letter
from drivers.desktop.mapping import Box, Mapping
from drivers.desktop.windows import Window
from drivers.desktop.xserver import DesktopGone
from drivers.errors import BrowserCancelledError, BrowserError, NotDone
from drivers.remote.rfb import Lost, Rfb

GONE = "The connection to the desktop was lost."
UNICODE = 0x01000000
MAY_BE_LOST = (
    "Not done: the letter U+{:04X} is on no US keyboard, and a VNC server may lose it without a word. "
    "Only where the run file says any_letter = true of this server is it typed."
)
_LOOK_SECS = 0.2


class VncServer:
    """Takes input from the driver's thread and hands it to the loop that the connection belongs to."""

    lacks = frozenset({"forward"})

    def __init__(self, rfb: Rfb, loop: asyncio.AbstractEventLoop) -> None:
        self._rfb = rfb
        self._loop = loop
        self._closed = threading.Event()
        self._at = (0, 0)
        self._buttons = 0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._rfb.size

    @property
    def screens(self) -> list[Box]:
        """Those that the server tells of; everything where it does not."""
        return self._rfb.screens or [(0, 0, *self._rfb.size)]

    @property
    def pointer(self) -> tuple[int, int] | None:
        """Nothing is told of it. A press has its place with it here."""
        return None

    @property
    def is_pressed(self) -> bool:
        """Nothing is told of that, either."""
        return False

    def fake(self, kind: int, detail: int = 0, x: int = 0, y: int = 0, after_ms: int = 0) -> None:
        """A key by its keysym, a button by its number, or a motion."""
        if after_ms:
            time.sleep(after_ms / 1000)
        if kind in (X.KeyPress, X.KeyRelease):
            self._send(struct.pack(">BBxxI", 4, kind == X.KeyPress, detail))
            return
        if kind == X.MotionNotify:
            self._at = (x, y)
        elif kind == X.ButtonPress:
            self._buttons |= 1 << detail - 1
        else:
            self._buttons &= ~(1 << detail - 1)
        self._send(struct.pack(">BBHH", 5, self._buttons, *self._at))

    def _send(self, message: bytes) -> None:
        if self._rfb.lost or self._closed.is_set():
            raise DesktopGone(GONE)
        self._loop.call_soon_threadsafe(self._sent, message)

    def _sent(self, message: bytes) -> None:
        if not self._rfb.lost:
            self._rfb.send(message)

    def settle(self) -> None:
        """Return once the server has dealt with everything so far."""
        answer = asyncio.run_coroutine_threadsafe(self._rfb.settled(), self._loop)
        while not self._closed.is_set():
            try:
                answer.result(_LOOK_SECS)
            except NotYet:
                continue
            except Lost:
                break
            return
        answer.cancel()
        raise DesktopGone(GONE)

    def pinged(self, window: object, secs: float) -> bool:
        """No program can be asked: only that the server has dealt with everything is certain afterwards."""
        self.settle()
        return False

    def close(self) -> None:
        """Wait for nothing more. The connection is its opener's to end."""
        self._closed.set()


class OneWindow:
    """VNC does not tell of windows: the whole desktop stands for one."""

    def __init__(self, rfb: Rfb, name: str) -> None:
        self._rfb = rfb
        self._name = name

    def _whole(self) -> Window:
        return Window(0, self._name, "", (0, 0, *self._rfb.size), is_console=False, handle=None)

    def at(self, x: int, y: int) -> Window | None:
        """All of it."""
        return self._whole()

    def with_keys(self) -> Window | None:
        """All of it."""
        return self._whole()

    def all(self) -> list[Window]:
        """All of it."""
        return [self._whole()]

    def named(self, words: str) -> Window | None:
        """None is known by its name."""
        return None

    def belongs(self, window: Window, wanted: Window) -> bool:
        """All of it."""
        return True


class VncCamera:
    """What the server has shown so far; asks nobody but before a picture that is kept."""

    def __init__(self, rfb: Rfb, server: VncServer) -> None:
        self._rfb = rfb
        self._server = server

    def grab(self, mapping: Mapping) -> Image.Image:
        """What the mapping's rectangle shows now, at the size of its picture."""
        if self._rfb.lost:
            raise DesktopGone(GONE)
        left, top = mapping.left, mapping.top
        picture = self._rfb.picture((left, top, left + mapping.width, top + mapping.height))
        size = (mapping.image_width, mapping.image_height)
        return picture if picture.size == size else picture.resize(size, Image.Resampling.BOX, reducing_gap=2.0)

    def png(self, mapping: Mapping) -> Shot:
        """A picture without loss, of what is there now."""
        self._server.settle()
        out = io.BytesIO()
        self.grab(mapping).save(out, "PNG", compress_level=PNG_LEVEL)
        width, height = mapping.image_width, mapping.image_height
        return Shot(out.getvalue(), "image/png", width, height, width, height)

    def close(self) -> None:
        """There is nothing to let go of."""


class VncKeyboard:
    """Sends keysyms; which key of its keyboard that is, the server knows. Keeps nothing pressed.

    A server of X gives a letter that its keyboard lacks one of a few keys that mean nothing, for good; when these are
    gone, by whomever, it drops every other one. Nothing tells how many are left. So such letters are sent only to a
    server of which somebody has said that it takes any.
    """

    def __init__(self, server: VncServer, *, any_letter: bool) -> None:
        self._server = server
        self._any_letter = any_letter
        self._down: list[int] = []

    def key_for(self, sym: int) -> tuple[int, bool]:
        """The keysym itself; a capital letter is a key with Shift."""
        return sym, _is_capital(sym)

    def require(self, syms: list[int]) -> None:
        """Raise :class:`NotDone` for letters that could be lost."""
        for sym in syms:
            if not self._any_letter and (0x7F <= sym < 0x100 or sym >= UNICODE):
                raise NotDone(MAY_BE_LOST.format(sym % UNICODE))

    def press(self, words: list[str], check: Check) -> None:
        """Press chords; `check` runs before each and raises what must keep it from being pressed."""
        found = [[of_key(name) for name in chord] for chord in chords(words)]
        self.require([sym for chord in found for sym in chord])
        for chord in found:
            check()
            self._stroke(chord)
            self._server.settle()

    def hold(self, names: list[str]) -> None:
        """Press modifiers and leave them down; :meth:`let_go` of the same must follow."""
        for name in names:
            self._press(KEYS[name])

    def let_go(self, names: list[str]) -> None:
        """Let go of modifiers."""
        self._release([KEYS[name] for name in names])
        self._server.settle()

    def type(self, text: str, check: Check) -> None:
        """Type `text` letter for letter; a line break is the Enter key.

        Raises:
            NotDone: nothing was typed.
            BrowserError: something came between; the first letters may have been typed.
        """
        syms = [of_letter(letter) for letter in text.replace("\r\n", "\n").replace("\r", "\n")]
        if len(syms) > TEXT_LIMIT:
            raise NotDone(f"At most {TEXT_LIMIT:,} characters can be typed in one action.")
        self.require(syms)
        for start in range(0, len(syms), CHUNK):
            try:
                check()
            except (NotDone, BrowserCancelledError) as between:
                if start == 0:
                    raise
                raise BrowserError(f"Only the first {start} characters were typed: {between}") from between
            for sym in syms[start : start + CHUNK]:
                self._stroke([sym])
            self._server.settle()

    def restore(self) -> None:
        """Let go of whatever is down."""
        self._release(list(self._down))

    def _stroke(self, syms: list[int]) -> None:
        # A capital that comes without Shift means to a server that Caps Lock is on where the keys are pressed, so
        # TigerVNC turns it on, and it stays on for whoever types there next.
        shift = KEYS["Shift"]
        if shift not in syms and any(_is_capital(sym) for sym in syms):
            syms = [shift, *syms]
        try:
            for sym in syms:
                self._press(sym)
        finally:
            self._release(syms)

    def _press(self, sym: int) -> None:
        self._down.append(sym)
        self._server.fake(X.KeyPress, sym)

    def _release(self, syms: list[int]) -> None:
        for sym in reversed(syms):
            if sym in self._down:
                self._down.remove(sym)
                self._server.fake(X.KeyRelease, sym)


def _is_capital(sym: int) -> bool:
    """Keysyms of letters are Latin-1, or code points with a bit set."""
    return (sym < 0x100 or sym >= UNICODE) and chr(sym % UNICODE).isupper()


class VncGround:
    """One connection, for as many threads as ask for a ground beside it."""

    def __init__(self, rfb: Rfb, loop: asyncio.AbstractEventLoop, name: str, *, any_letter: bool) -> None:
        """`name` is what people call the desktop; `any_letter`: the server takes those that its keyboard lacks."""
        self._given = (rfb, loop, name)
        self._any_letter = any_letter
        self._vnc = VncServer(rfb, loop)
        self.server: Server = self._vnc
        self.windows: Seeing = OneWindow(rfb, name)
        self.camera: Eye = VncCamera(rfb, self._vnc)

    def keyboard(self, focused: Callable[[], object]) -> Keys:
        """By what the server makes of keysyms."""
        return VncKeyboard(self._vnc, any_letter=self._any_letter)

    def beside(self) -> VncGround:
        """The picture is of one connection, and may be looked at from anywhere."""
        return VncGround(*self._given, any_letter=self._any_letter)
