"""One gesture that ends every run of this program, from any of its windows and from a question that stands."""

import logging
from collections.abc import Callable

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from app.views.commands import BY_KEY

log = logging.getLogger(__name__)

_running: dict[int, Callable[[], None]] = {}


def joined(stop: Callable[[], None]) -> Callable[[], None]:
    """A run that can be stopped; call what is returned once it has ended."""
    key = id(stop)
    _running[key] = stop

    def leave() -> None:
        _running.pop(key, None)

    return leave


def stop_all() -> int:
    """Ask every run to end; how many there were."""
    stops = list(_running.values())
    for stop in stops:
        try:
            stop()
        except Exception:
            # One window that is already going must not keep the other runs going.
            log.exception("a run could not be asked to end")
    return len(stops)


def put_key(on: QWidget) -> QShortcut:
    """Let the keys of *Stop all runs* work in `on`, which may be modal. A held key counts once."""
    keys = QShortcut(QKeySequence(BY_KEY["stop_all"].shortcut), on)
    keys.setAutoRepeat(False)
    keys.activated.connect(stop_all)
    return keys
