"""Listens to a watched window; use it as a context manager around the desktop that the window is on."""

import json
import socket
import sys
import threading

from tests.helpers import watched_window
from tests.helpers.heard import Heard


class WatchedWindow(Heard):
    """What the window tells comes in over a socket on loopback."""

    def __init__(self) -> None:
        super().__init__()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._listen, name="watched window")

    @property
    def program(self) -> tuple[str, ...]:
        """The command that shows the window."""
        return (sys.executable, watched_window.__file__, str(self._listener.getsockname()[1]))

    def __enter__(self) -> "WatchedWindow":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _listen(self) -> None:
        try:
            line, _ = self._listener.accept()
        except OSError:
            return
        with line, line.makefile("r", encoding="ascii") as lines:
            for told in lines:
                self.hear(json.loads(told))
