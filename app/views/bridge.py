"""Where asyncio and Qt meet: the window's loop, its signals and its end.

The only file that imports qasync, and it does so after the first window has been painted. What `run_window` needs
before that is kept light: importing `Qt` alone makes some ninety enumerations.
"""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

from app.views.qt_start import qt_begun

if TYPE_CHECKING:
    import asyncio

    from app.views.bare_window import BareWindow

FIRST_PAINT_MS = 500
"""A window that has not been painted by then (started minimised, say) is not waited for."""

SIGNAL_TICK_MS = 200
"""Where the loop has no signal handlers (Windows), Python looks for Ctrl-C this often."""

Main = Callable[[QApplication], Coroutine[Any, Any, int]]


def run_window(main: Main, *, first: Callable[[QApplication], BareWindow] | None = None) -> int:
    """Run `main` on the window's loop until it returns; its result is ours. Never raises `SystemExit`.

    `first` makes and shows a window that is painted bare before asyncio, qasync and all else are imported, and is then
    furnished. Closing windows ends nothing: `main` awaits whatever it wants to wait for.
    SIGINT, SIGTERM and SIGHUP close the windows.
    """
    instance = QApplication.instance()
    qapp = instance if isinstance(instance, QApplication) else qt_begun()
    with contextlib.ExitStack() as stack:
        if qapp.platformName() == "offscreen":
            from app.views.offscreen import without_remarks

            stack.enter_context(without_remarks())
        return _run_window(qapp, main, first, stack.enter_context(_early_interrupts()))


@contextlib.contextmanager
def _early_interrupts() -> Iterator[list[int]]:
    """Ctrl-C that comes before the loop listens: Qt would swallow it with whatever of ours it had called."""
    early: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        # Whoever set something else wants just that.
        yield early
        return
    signal.signal(signal.SIGINT, lambda number, _frame: early.append(number))
    try:
        yield early
    finally:
        signal.signal(signal.SIGINT, before)


def _run_window(
    qapp: QApplication, main: Main, first: Callable[[QApplication], BareWindow] | None, early: list[int]
) -> int:
    qapp.setQuitOnLastWindowClosed(False)
    # By this name a desktop knows whose badge and notifications they are.
    qapp.setDesktopFileName("signalbox")
    # Windows of every console bear it, by which the desktop driver leaves them alone.
    qapp.setApplicationName("signalbox")
    if first is not None:
        window = first(qapp)
        _paint_first(qapp, window)
        window.furnish()

    import qasync  # type: ignore[import-untyped]

    from app import log as program_log

    loop = qasync.QEventLoop(qapp)
    program_log.install_hooks()
    program_log.watch_loop(loop)
    try:
        return int(loop.run_until_complete(_to_the_end(main, qapp, early)))
    finally:
        loop.close()


def _paint_first(qapp: QApplication, window: BareWindow) -> None:
    """Let Qt paint `window` once. Its loop has ended again before the window's real loop begins: nothing is nested."""
    watch = _FirstPaint(window, qapp)
    qapp.exec()
    watch.deleteLater()


class _FirstPaint(QObject):
    """Ends the loop once the window has been painted, or after `FIRST_PAINT_MS`."""

    def __init__(self, window: BareWindow, qapp: QApplication) -> None:
        super().__init__(window)
        self._qapp = qapp
        self._ended = False
        window.painted.connect(self._on_painted)
        QTimer.singleShot(FIRST_PAINT_MS, self, self._end)

    def _on_painted(self) -> None:
        QTimer.singleShot(0, self, self._end)

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._qapp.exit()


async def _to_the_end(main: Main, qapp: QApplication, early: list[int]) -> int:
    import asyncio

    work = asyncio.ensure_future(main(qapp))
    with _signals(asyncio.get_running_loop(), qapp, work, early):
        try:
            return await work
        except asyncio.CancelledError:
            return 1
        finally:
            here = asyncio.current_task()
            left = [task for task in asyncio.all_tasks() if task is not here]
            for task in left:
                task.cancel("the window's loop is ending")
            await asyncio.gather(*left, return_exceptions=True)


@contextlib.contextmanager
def _signals(
    loop: asyncio.AbstractEventLoop, qapp: QApplication, work: asyncio.Task[int], early: list[int]
) -> Iterator[None]:
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    numbers = [signal.Signals[name] for name in names]

    signals = 0

    def on_signal(*_: object) -> None:
        # The first one closes the windows, which may take as long as a run takes to drain; the second does not wait.
        nonlocal signals
        signals += 1
        if signals > 1 or not close_windows(qapp):
            work.cancel("a signal asked the program to end")

    if sys.platform == "win32":
        before = {number: signal.signal(number, lambda *_: loop.call_soon_threadsafe(on_signal)) for number in numbers}
        tick = QTimer(qapp)
        tick.timeout.connect(lambda: None)
        tick.start(SIGNAL_TICK_MS)
        try:
            yield
        finally:
            tick.stop()
            for number, handler in before.items():
                signal.signal(number, handler)
    else:
        for number in numbers:
            loop.add_signal_handler(number, on_signal)
        if early:
            loop.call_soon(on_signal)
        try:
            yield
        finally:
            for number in numbers:
                loop.remove_signal_handler(number)


def close_windows(qapp: QApplication) -> bool:
    """Close each main window as a person would; whether one was there. Cards and dialogs belong to their window."""
    windows = [one for one in qapp.topLevelWidgets() if isinstance(one, QMainWindow) and one.isVisible()]
    for window in windows:
        window.close()
    return bool(windows)
