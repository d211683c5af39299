"""How every window of the program begins.

The window is painted before the SDK, Playwright or the embedded services are loaded; they come in other threads.
Nothing else is loaded at the top of this file either: each module here is a part of the wait for the first window.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from app.paths import own_file

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from PySide6.QtWidgets import QApplication

    from app.views.bare_window import BareWindow
    from app.views.window import ConsoleWindow

    AnyWindow = TypeVar("AnyWindow", bound=BareWindow)

NEEDED = "{} This needs a window: start it on a desktop, under xvfb-run, or with QT_QPA_PLATFORM=offscreen."


def settings_file(home: Path | None) -> Path:
    """Where the window's layout and looks are remembered. Raises `UsageProblem` when something else lies there."""
    return own_file(home, "window.ini")


def in_window(main: Callable[[ConsoleWindow], Coroutine[None, None, int]], home: Path | None) -> int:
    """Show an empty run window at once, begin the program's log, and run `main` with it on the window's loop."""
    from app.views.window import ConsoleWindow

    return painted_first(lambda: ConsoleWindow(settings_path=settings_file(home)), main, home)


def painted_first(
    make: Callable[[], AnyWindow], main: Callable[[AnyWindow], Coroutine[None, None, int]], home: Path | None
) -> int:
    """The same for any of the program's windows. Raises `MissingHere` where none could be shown."""
    from app.display import why_no_window

    if reason := why_no_window():
        from app.core.errors import MissingHere

        raise MissingHere(NEEDED.format(reason))
    from app.views.bridge import run_window

    shown: list[AnyWindow] = []

    def first(_qapp: QApplication) -> AnyWindow:
        window = make()
        shown.append(window)
        window.show()
        return window

    async def logged(_qapp: QApplication) -> int:
        from app import log

        log.set_up(home)
        return await main(shown[0])

    return run_window(logged, first=first)
