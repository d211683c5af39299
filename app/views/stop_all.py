"""One gesture that ends every run of this program, from any of its windows and from a question that stands."""

from collections.abc import Callable

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from app.views.commands import BY_KEY

_running: dict[int, Callable[[], None]] = {}


def joined(stop: Callable[[], None]) -> Callable[[], None]:
    """A run that can be stopped; call what is returned once it has ended."""
    key = id(stop)
    _running[key] = stop
    return lambda: _running.pop(key, None) and None


def stop_all() -> int:
    """Ask every run to end; how many there were."""
    stops = list(_running.values())
    for stop in stops:
        stop()
    return len(stops)


def running() -> int:
    """How many runs there are."""
    return len(_running)


def put_key(on: QWidget) -> QShortcut:
    """Let the keys of *Stop all runs* work in `on`, which may be modal. A held key counts once."""
    keys = QShortcut(QKeySequence(BY_KEY["stop_all"].shortcut), on)
    keys.setAutoRepeat(False)
    keys.activated.connect(stop_all)
    return keys
