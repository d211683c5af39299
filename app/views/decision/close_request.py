"""Lets a window be closed although a card is open over it, where Qt would drop the request without a word (X11).

Qt ignores the wish of the window manager to close a window that a modal one blocks. Closing says no, and must work.
"""

import ctypes
import logging
from collections.abc import Callable

from PySide6.QtCore import QAbstractNativeEventFilter, QByteArray
from PySide6.QtGui import QGuiApplication, QNativeInterface
from PySide6.QtWidgets import QWidget

log = logging.getLogger(__name__)

_CLIENT_MESSAGE = 33
_ATOMS = (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW")


class _ClientMessage(ctypes.Structure):
    """``xcb_client_message_event_t`` as far as it is read here."""

    _fields_ = (
        ("response_type", ctypes.c_uint8),
        ("format", ctypes.c_uint8),
        ("sequence", ctypes.c_uint16),
        ("window", ctypes.c_uint32),
        ("type", ctypes.c_uint32),
        ("data", ctypes.c_uint32 * 5),
    )


class _InternReply(ctypes.Structure):
    _fields_ = (("head", ctypes.c_uint8 * 8), ("atom", ctypes.c_uint32))


class CloseRequests(QAbstractNativeEventFilter):
    """Between `listen` and `stop`, calls back when the window manager asks to close the window; X11 only."""

    def __init__(self, window: QWidget, wanted: Callable[[], None]) -> None:
        super().__init__()
        self._window_id = 0
        self._window = window
        self._wanted = wanted
        self._protocols, self._delete = _atoms()
        self._listening = False

    def listen(self) -> None:
        """Begin; a second call does nothing."""
        qapp = QGuiApplication.instance()
        if self._listening or not self._protocols or qapp is None:
            return
        self._window_id = int(self._window.winId())
        qapp.installNativeEventFilter(self)
        self._listening = True

    def stop(self) -> None:
        """End; a second call does nothing."""
        qapp = QGuiApplication.instance()
        if self._listening and qapp is not None:
            qapp.removeNativeEventFilter(self)
        self._listening = False

    def nativeEventFilter(self, event_type: QByteArray | bytes | bytearray | memoryview, message: int) -> object:
        event = _ClientMessage.from_address(int(message))
        if (
            event.response_type & 0x7F == _CLIENT_MESSAGE
            and event.window == self._window_id
            and event.type == self._protocols
            and event.data[0] == self._delete
        ):
            self._wanted()
        return False, 0


class _Cookie(ctypes.Structure):
    _fields_ = (("sequence", ctypes.c_uint),)


def _atoms() -> tuple[int, int]:
    """The numbers of WM_PROTOCOLS and WM_DELETE_WINDOW, or zeros where there is no X server."""
    qapp = QGuiApplication.instance()
    if not isinstance(qapp, QGuiApplication) or QGuiApplication.platformName() != "xcb":
        return 0, 0
    native: object = qapp.nativeInterface()
    if not isinstance(native, QNativeInterface.QX11Application):
        return 0, 0
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
        free = ctypes.CDLL("libc.so.6").free
    except OSError:
        log.info("libxcb cannot be loaded: a window with a card over it cannot be closed by its own button")
        return 0, 0
    xcb.xcb_intern_atom.restype = _Cookie
    xcb.xcb_intern_atom.argtypes = (ctypes.c_void_p, ctypes.c_uint8, ctypes.c_uint16, ctypes.c_char_p)
    xcb.xcb_intern_atom_reply.restype = ctypes.POINTER(_InternReply)
    xcb.xcb_intern_atom_reply.argtypes = (ctypes.c_void_p, _Cookie, ctypes.c_void_p)
    free.argtypes = (ctypes.c_void_p,)
    connection = native.connection()
    cookies = [xcb.xcb_intern_atom(connection, 0, len(name), name) for name in _ATOMS]
    numbers = []
    for cookie in cookies:
        reply = xcb.xcb_intern_atom_reply(connection, cookie, None)
        numbers.append(int(reply.contents.atom) if reply else 0)
        free(ctypes.cast(reply, ctypes.c_void_p))
    return numbers[0], numbers[1]
