"""Where the program starts. The two commands that open a window and have nothing to be read go straight to it.

Everything else is the command line's: reading a command line takes as long to load as half a window.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from app.core.errors import SignalboxError

if TYPE_CHECKING:
    from collections.abc import Callable

COMPLETION = "_SIGNALBOX_COMPLETE"
"""Set by a shell that asks the command line what could be typed."""


def main(arguments: list[str] | None = None) -> int:
    """Run the program; the exit codes are those of `app.main.main`."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        # Loading takes its time, too, and can be broken off like the rest.
        window = _window(given)
        if window is None:
            from app.main import main as command_line

            return command_line(given)
        return window()
    except KeyboardInterrupt:
        return _said("interrupted", SignalboxError.exit_code)
    except SignalboxError as problem:
        return _said(str(problem), problem.exit_code)
    except OSError as error:
        if error.filename is None:
            raise
        # Whoever knows better what was being done says it; this names what and where in place of lines of code.
        return _said(f"{error.strerror}: {error.filename}", SignalboxError.exit_code)


def _window(given: list[str]) -> Callable[[], int] | None:
    """What opens the window that these arguments ask for; None when they have to be read first."""
    if COMPLETION in os.environ:
        return None
    if not given:
        from app.cli.saved import show_runs

        return lambda: show_runs(home=None)
    if given == ["demo"]:
        from app.cli.live import demo_in_window

        return lambda: demo_in_window(home=None)
    return None


def _said(words: str, exit_code: int) -> int:
    from app.cli.terminal import say

    say(words, err=True)
    return exit_code
